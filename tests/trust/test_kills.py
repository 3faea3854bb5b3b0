"""Killed at any moment, a fit resumes to the same bits, and what was there before is there still."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from halflabel.datasets import write_payments

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and asks Linux for processor times")


def killing(*args):
    """Run the script, which fails where anything is lost."""
    script = [sys.executable, Path(__file__).with_name("killing.py"), *args]
    done = subprocess.run([str(part) for part in script], capture_output=True, text=True, check=False,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_few_kills_and_the_fit_resumes_to_the_same_bits(tmp_path):
    seen = killing("fit", write_payments(tmp_path), "gpl", 2, 0)
    assert seen["killed"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("method", ["gpl", "auto"])
def test_twenty_random_kills_and_the_fit_resumes_to_the_same_bits(method, tmp_path):
    seen = killing("fit", write_payments(tmp_path), method, 20, 7)
    assert seen["killed"] == 20
    assert seen["with a checkpoint"] >= 10


def test_a_run_that_is_killed_while_it_is_written_is_the_earlier_one_or_the_new_one(tmp_path):
    seen = killing("write", tmp_path, 60)
    assert min(seen["before"], seen["after"]) > 0


@pytest.mark.slow
def test_so_at_every_single_thing_that_writing_does_to_files(tmp_path):
    seen = killing("write", tmp_path, 1)
    assert seen["before"] + seen["after"] == seen["file operations"] - 1
