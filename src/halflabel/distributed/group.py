"""Group: the processes that fit one graph together, and how they talk.

gloo carries tensors of the CPU, nccl those of GPUs. Time spent talking, waiting for the others included, is
counted, so that it can be told apart from computing.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from time import perf_counter

import torch
import torch.distributed as dist
from torch import Tensor

from halflabel.errors import DataError

PATIENCE = 600.0  # seconds that a silent process is waited for


class LostWorker(DataError):
    """Another process is gone; nothing can be computed without its part.

    >>> issubclass(LostWorker, DataError)
    True
    """


class Group:
    """Process `rank` of `size`; alone, it talks to nobody.

    >>> group = Group.join("cpu")
    >>> group.size, group.sum(torch.ones(2)).tolist()
    (1, [1.0, 1.0])
    """

    def __init__(self, rank: int, size: int, device: torch.device):
        self.rank, self.size, self.device = rank, size, device
        self.seconds = 0.0

    @classmethod
    def join(cls, device: str, patience: float = PATIENCE) -> Group:
        """Meet the other processes, as many as the launcher started; once, however often this is called."""
        if device in _JOINED:
            return _JOINED[device]
        rank, size = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
        on_gpu = device.startswith("cuda")
        if on_gpu and size > 1:
            torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
        group = cls(rank, size, torch.device(device))
        if size > 1 and not dist.is_initialized():
            with group._talking():
                dist.init_process_group("nccl" if on_gpu else "gloo", timeout=timedelta(seconds=patience))
            atexit.register(_leave)
        return _JOINED.setdefault(device, group)

    def exchange(self, sent: Tensor, counts: Sequence[int], expected: Sequence[int]) -> Tensor:
        """Send `counts[r]` rows to process r, in that order; get `expected[r]` rows from it."""
        received = sent.new_empty(sum(expected), *sent.shape[1:])
        with self._talking():
            if self.size > 1:
                dist.all_to_all_single(received, sent.contiguous(), list(expected), list(counts))
            else:
                received.copy_(sent)
        return received

    def all_gather(self, values: Tensor) -> list[Tensor]:
        """The values of every process; all have the same shape."""
        if self.size == 1:
            return [values]
        values = values.contiguous()
        gathered = [torch.empty_like(values) for _ in range(self.size)]
        with self._talking():
            dist.all_gather(gathered, values)
        return gathered

    def sum(self, values: Tensor) -> Tensor:
        """The sum over all processes, bit by bit the same in each."""
        if self.size == 1:
            return values
        result = values.to(self.device, copy=True)
        with self._talking():
            dist.all_reduce(result)
        return result.to(values.device)

    def send(self, message: bytes) -> None:
        """Send bytes to process 0, which has to be receiving them."""
        size = torch.tensor([len(message)], device=self.device)
        content = torch.tensor(bytearray(message), dtype=torch.uint8, device=self.device)
        with self._talking():
            dist.send(size, 0)
            if message:
                dist.send(content, 0)

    def receive(self, rank: int) -> bytes:
        """The bytes that process `rank` sends."""
        size = torch.empty(1, dtype=torch.int64, device=self.device)
        with self._talking():
            dist.recv(size, rank)
            content = torch.empty(int(size), dtype=torch.uint8, device=self.device)
            if int(size):
                dist.recv(content, rank)
        return content.numpy(force=True).tobytes()

    @contextmanager
    def _talking(self) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        except RuntimeError as error:
            # gloo begins with a line of its source, and ends with advice to its developers.
            reason = str(error).split("] ", 1)[-1].split(". ")[0].splitlines()[0][:120]
            raise LostWorker(
                f"process {self.rank} of {self.size} has lost the others, so all of them stop: one ended, or "
                f"could not be reached in time ({reason}).") from None
        finally:
            self.seconds += perf_counter() - start


_JOINED: dict[str, Group] = {}  # by device


def _leave() -> None:
    if dist.is_initialized():
        dist.destroy_process_group()
