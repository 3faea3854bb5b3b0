"""CI installs what is locked, and what is locked is what pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / "requirements" / "ci.txt").read_text(encoding="utf-8")
PINNED = dict(re.findall(r"^(\S+)==(\S+) \\$", LOCK, re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = re.search(r"extras (\S+)\.", LOCK)[1].split(",")
WANTED = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"],
          *(line for extra in EXTRAS for line in PROJECT["project"]["optional-dependencies"][extra])]


@pytest.mark.parametrize("line", WANTED)
def test_the_lock_has_what_the_project_asks_for(line):
    wanted = Requirement(line)
    version = PINNED.get(canonicalize_name(wanted.name))
    assert version is not None, f"{wanted.name} is not locked: run `make lock`"
    assert wanted.specifier.contains(version), f"{line}, locked at {version}: run `make lock`"


def test_every_package_has_one_version_and_a_hash():
    lines = [line for line in LOCK.splitlines() if not line.startswith("#")]
    assert len(lines) == 2 * len(PINNED) > 50
    assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", line) for line in lines[1::2])


def test_no_host_is_named():
    assert "://" not in LOCK
    assert "index" not in LOCK


def test_the_makefile_locks_the_extras_that_it_installs():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"'.[{','.join(EXTRAS)}]'" in makefile


def test_only_tested_versions_of_python_are_declared():
    declared = [line for line in PROJECT["project"]["classifiers"] if "Python :: 3." in line]
    assert declared == ["Programming Language :: Python :: 3.11"]
    assert LOCK.startswith("# Python 3.11, linux")
