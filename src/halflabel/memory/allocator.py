"""How freed memory goes back: the C library keeps blocks of up to 32 MB for later, and they fragment."""

from __future__ import annotations

import ctypes

M_MMAP_THRESHOLD = -3  # of glibc's malloc.h
LARGE = 8 * 2**20  # bytes


def return_large_blocks() -> bool:
    """From now on, blocks from LARGE up go back to the system when they are freed; whether that is possible.

    With it, GPL on 10^7 edges needs a fifth less memory and 5 to 8 % more time, because fresh pages are
    cleared (benchmarks/speed/growth.py with and without MALLOC_MMAP_THRESHOLD_=8388608). It is for those
    who are short of memory. Other C libraries than glibc have no such switch.

    >>> import platform
    >>> return_large_blocks() == (platform.libc_ver()[0] == "glibc")
    True
    """
    try:
        return bool(ctypes.CDLL("libc.so.6").mallopt(M_MMAP_THRESHOLD, LARGE))
    except (OSError, AttributeError):
        return False
