"""Freed blocks go back to the system where memory is short, and are kept where there is plenty."""

import subprocess
import sys

import pytest

import halflabel as hl
from halflabel.memory import estimated_peak, room
from halflabel.memory.limits import Room

KEPT_MEGABYTES = """
import re, sys
import numpy as np
from halflabel.memory.allocator import keep_freed_blocks, return_large_blocks
if sys.argv[1] == "thrifty" and not (keep_freed_blocks() and return_large_blocks()):  # the last word counts
    sys.exit("no glibc")
np.ones(30 * 2**20, dtype=np.int8)  # freed, which teaches malloc to keep blocks of up to this size
blocks = [np.ones(18 * 2**20, dtype=np.int8) for _ in range(12)]
del blocks[:-1]  # the last one holds the heap up
print(int(re.search(r"VmRSS:\\s+(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


def outcome(code: str, how: str) -> int:
    done = subprocess.run([sys.executable, "-c", code, how], capture_output=True, text=True)
    if "no glibc" in done.stderr:
        pytest.skip("the C library is not glibc")
    return int(done.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_large_blocks_go_back():
    assert outcome(KEPT_MEGABYTES, "thrifty") < outcome(KEPT_MEGABYTES, "as usual") - 100


PAGES_ASKED_FOR = """
import resource, sys
import numpy as np
from halflabel.memory.allocator import keep_freed_blocks
if sys.argv[1] == "generous" and not keep_freed_blocks():
    sys.exit("no glibc")
for _ in range(20):
    blocks = [np.ones(12 * 2**20, dtype=np.int8) for _ in range(4)]
    del blocks
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts pages as Linux does")
def test_blocks_are_kept_for_the_next_step():
    assert outcome(PAGES_ASKED_FOR, "generous") < outcome(PAGES_ASKED_FOR, "as usual") - 10_000


@pytest.mark.parametrize(("share", "wanted"), [(0.4, "keep_freed_blocks"), (0.6, "return_large_blocks")])
def test_only_a_fit_that_needs_most_of_what_is_free_pays_for_it(monkeypatch, share, wanted):
    graph, calls = hl.synthetic(1000)[0], []
    free = int(estimated_peak(hl.Naive(), graph) / share)
    monkeypatch.setattr(room, "available", lambda: Room(free, "a test"))
    for name in ("keep_freed_blocks", "return_large_blocks"):
        monkeypatch.setattr(room, name, lambda name=name: calls.append(name))
    room.check_room(hl.Naive(), graph)
    assert calls == [wanted]
