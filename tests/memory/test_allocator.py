"""Freed blocks go back to the system where memory is short, and only there."""

import subprocess
import sys

import pytest

import halflabel as hl
from halflabel.memory import estimated_peak, room
from halflabel.memory.limits import Room

KEPT_MEGABYTES = """
import re, sys
import numpy as np
from halflabel.memory import return_large_blocks
if sys.argv[1] == "thrifty" and not return_large_blocks():
    sys.exit("no glibc")
np.ones(30 * 2**20, dtype=np.int8)  # freed, which teaches malloc to keep blocks of up to this size
blocks = [np.ones(12 * 2**20, dtype=np.int8) for _ in range(12)]
del blocks[:-1]  # the last one holds the heap up
print(int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


def resident(how: str) -> int:
    done = subprocess.run([sys.executable, "-c", KEPT_MEGABYTES, how], capture_output=True, text=True)
    if "no glibc" in done.stderr:
        pytest.skip("the C library is not glibc")
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_large_blocks_go_back():
    assert resident("thrifty") < resident("as usual") - 100


@pytest.mark.parametrize(("share", "asked"), [(0.4, 0), (0.6, 1)])
def test_only_a_fit_that_needs_most_of_what_is_free_pays_for_it(monkeypatch, share, asked):
    graph, calls = hl.synthetic(1000)[0], []
    free = int(estimated_peak(hl.Naive(), graph) / share)
    monkeypatch.setattr(room, "available", lambda: Room(free, "a test"))
    monkeypatch.setattr(room, "return_large_blocks", lambda: calls.append(1))
    room.check_room(hl.Naive(), graph)
    assert len(calls) == asked
