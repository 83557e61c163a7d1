"""Which data-parallel rank this process is."""

from __future__ import annotations

import os
import sys
from typing import Any

from ._reader import Reader


def data_parallel_rank() -> tuple[int, int]:
    """Rank and world size of this process.

    They come from ``megatron.core.parallel_state`` if it is initialised, because with tensor or
    pipeline parallelism several processes are one data-parallel rank. Otherwise they come from
    ``RANK`` and ``WORLD_SIZE``, as torchrun sets them. Without those they are 0 and 1.
    """
    state = sys.modules.get("megatron.core.parallel_state")
    if state is not None and state.model_parallel_is_initialized():
        return int(state.get_data_parallel_rank()), int(state.get_data_parallel_world_size())
    if ("RANK" in os.environ) != ("WORLD_SIZE" in os.environ):
        raise ValueError(
            "expected both or neither of RANK and WORLD_SIZE in the environment, found one: "
            "every process would read as rank 0, or of a world of 1"
        )
    return int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))


def from_env(uri: str | os.PathLike[str], **options: Any) -> Reader:
    """A ``Reader`` for this process; ``options`` are those of ``Reader``."""
    rank, world_size = data_parallel_rank()
    return Reader(uri, rank, world_size, **options)
