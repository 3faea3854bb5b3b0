"""How freed memory goes back: the C library keeps some blocks for later, and decides by itself which."""

from __future__ import annotations

import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
MEGABYTE = 2**20
KEPT = 64 * MEGABYTE  # at the end of the heap; to keep more gains no time


def return_large_blocks() -> bool:
    """From now on, blocks of 8 MB and more go back to the system when they are freed; whether that works.

    It is for those who are short of memory, and for processes that share a machine. Each of two that fit GPL
    on 10^7 edges has 2.0 GB, always; where blocks of 10 MB stay in the heap, it has 2.2 to 2.6, depending on
    what lies between them. Fresh pages have to be cleared: that takes up to a tenth of the time, most on
    virtual machines that return what is free to their host. Only glibc has such a switch.

    >>> import platform
    >>> return_large_blocks() == (platform.libc_ver()[0] == "glibc")
    True
    """
    return _set(own_pages=8 * MEGABYTE)


def keep_freed_blocks() -> bool:
    """From now on, up to 64 MB that were freed are kept for the next step of training; whether that works.

    A step of many networks frees and asks for the same few megabytes: Auto on Cora asks the system for 0.2
    million pages instead of 0.6 to 1.3, and takes 3 to 11 % less time.

    >>> import platform
    >>> keep_freed_blocks() == (platform.libc_ver()[0] == "glibc")
    True
    """
    return _set(own_pages=32 * MEGABYTE)  # glibc allows no larger blocks in its heap


def _set(own_pages: int) -> bool:
    """Blocks from this size on are apart from the heap, at the end of which KEPT stays when freed."""
    try:
        mallopt = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, own_pages)) and bool(mallopt(M_TRIM_THRESHOLD, KEPT))
