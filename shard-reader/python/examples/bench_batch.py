"""What a batch costs the training process: CPU time by size, and waiting beside a busy thread.

Takes, after 500 batches to warm up, the arrays of all names, and then, where torch is installed,
torch tensors of all names. Between the batches the thread trains a small network (with torch), and
in a second series it sleeps: what follows a sleep runs with cold caches, and on a shared machine
with those that the neighbours have left.

python bench_batch.py DATASET …

One dataset per batch size; to make them, run the job with several values of ``pack.max-tokens``
(a token of an image is 3 KB: 340, 2700 and 11000 tokens are about 1, 8 and 32 MB).
"""

from __future__ import annotations

import argparse
import ctypes
import importlib.util
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import stoker

WARM_UP = 500
TORCH = importlib.util.find_spec("torch") is not None


def arrays(batch: stoker.Batch) -> dict[str, Any]:
    """All numpy arrays of a batch."""
    return dict(batch)


def tensors(batch: stoker.Batch) -> dict[str, Any]:
    """All torch tensors of a batch."""
    return batch.torch()


def idle() -> None:
    """The prefetcher verifies gigabytes a second; lets it be ahead, as beside a real step."""
    time.sleep(0.01)


def training() -> Callable[[], None]:
    """A training step of some milliseconds, on this thread as on that of a GPU's kernels."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    layer = [torch.nn.Linear(64, 64), torch.nn.LayerNorm(64), torch.nn.GELU()]
    model = torch.nn.Sequential(*(part for _ in range(40) for part in layer))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-6)
    data = torch.randn(4, 64)

    def step() -> None:
        optimizer.zero_grad()
        model(data).sum().backward()
        optimizer.step()

    return step


def delivery(
    uri: str,
    batches: int,
    take: Callable[[stoker.Batch], dict[str, Any]],
    step: Callable[[], None],
    between: str,
) -> None:
    """CPU time of the training thread from ``next`` to the arrays or tensors of all names."""
    with stoker.Reader(uri, epochs=None, prefetch_bytes=1 << 30) as reader:
        # A run has thousands of steps: what is measured is compiled code.
        for _ in range(WARM_UP):
            take(next(reader))
        used, sizes = [], []
        for _ in range(batches):
            start = time.thread_time_ns()
            batch = next(reader)
            taken = take(batch)
            used.append(time.thread_time_ns() - start)
            sizes.append(sum(part.nbytes for part in taken.values()))
            step()
    print(
        f"{statistics.mean(sizes) / 1e6:8.2f} MB a batch  "
        f"{statistics.median(used) / 1e3:7.0f} us CPU median  "
        f"{sorted(used)[len(used) * 99 // 100] / 1e3:7.0f} us p99  "
        f"({'numpy' if take is arrays else 'torch'} {take.__name__}, {between})"
    )


@contextmanager
def lock_held(share: float) -> Iterator[None]:
    """A thread that holds Python's global lock for a share of the time."""
    sleep_with_lock = ctypes.PyDLL(None).usleep
    stop = threading.Event()

    def hold() -> None:
        while not stop.is_set():
            sleep_with_lock(int(share * 10_000))
            time.sleep((1 - share) / 100)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def waiting(uri: str, batches: int, step: float, share: float) -> None:
    """Share of the time that a step of a given length spends waiting in the reader."""
    with stoker.Reader(uri, epochs=None) as reader:
        with lock_held(share) if share else nullcontext():
            for _ in range(batches):
                with next(reader) as batch:
                    arrays(batch)
                time.sleep(step)
        stats = reader.stats()
    print(
        f"lock held {share:4.0%}: wait ratio {stats['wait_ratio']:.5f}, "
        f"next() p50 {stats['next_p50_nanos'] / 1e3:.0f} us "
        f"p99 {stats['next_p99_nanos'] / 1e3:.0f} us, "
        f"bottleneck {stats['bottleneck']}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--batches", type=int, default=300)
    options = parser.parse_args()
    for uri in options.datasets:
        if TORCH:
            delivery(uri, options.batches, arrays, training(), "training in between")
            delivery(uri, options.batches, tensors, training(), "training in between")
        delivery(uri, options.batches, arrays, idle, "asleep in between")
    for share in (0.0, 0.9):
        waiting(options.datasets[0], options.batches, 0.05, share)


if __name__ == "__main__":
    main()
