"""How freed memory goes back: the C library keeps some blocks for later, and decides by itself which."""

from __future__ import annotations

import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
MEGABYTE = 2**20


def return_large_blocks() -> bool:
    """From now on, blocks of 4 MB and more go back to the system when they are freed; whether that works.

    With it, GPL with five networks on 10^7 edges needs a tenth less memory and a fifth more time, because
    fresh pages are cleared. It is for those who are short of memory, and for processes that share a machine:
    where blocks of 10 MB stayed in the heap, each of two had 2.5 to 2.85 GB, depending on what lay between
    them, instead of 2.2 (benchmarks/speed/distributed.py). Other C libraries than glibc have no such switch.

    >>> import platform
    >>> return_large_blocks() == (platform.libc_ver()[0] == "glibc")
    True
    """
    return _set(own_pages=4 * MEGABYTE, kept=8 * MEGABYTE)


def keep_freed_blocks() -> bool:
    """From now on, up to 64 MB that were freed are kept for the next step of training; whether that works.

    A step of many networks frees and asks for the same few megabytes: Auto on Cora asks the system for 0.2
    million pages instead of 0.6 to 1.3, and takes 3 to 11 % less time. To keep more gains no time.

    >>> import platform
    >>> keep_freed_blocks() == (platform.libc_ver()[0] == "glibc")
    True
    """
    return _set(own_pages=32 * MEGABYTE, kept=64 * MEGABYTE)  # glibc allows no larger blocks in its heap


def _set(own_pages: int, kept: int) -> bool:
    """Blocks from `own_pages` on are apart from the heap, at the end of which so much stays when freed."""
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, own_pages)) and bool(mallopt(M_TRIM_THRESHOLD, kept))
