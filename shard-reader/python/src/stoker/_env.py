"""Which data-parallel rank this process is."""

from __future__ import annotations

import os
import sys
from typing import Any

from ._reader import Reader


def data_parallel_rank() -> tuple[int, int]:
    """Rank and world size of this process.

    Those of ``megatron.core.parallel_state`` if it is initialised, for with tensor or pipeline
    parallelism several processes are one data-parallel rank; else ``RANK`` and ``WORLD_SIZE``, as
    torchrun sets them; else 0 and 1.
    """
    state = sys.modules.get("megatron.core.parallel_state")
    if state is not None and state.model_parallel_is_initialized():
        return int(state.get_data_parallel_rank()), int(state.get_data_parallel_world_size())
    return int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))


def from_env(uri: str | os.PathLike[str], **options: Any) -> Reader:
    """A ``Reader`` for this process; ``options`` are those of ``Reader``."""
    rank, world_size = data_parallel_rank()
    return Reader(uri, rank, world_size, **options)
