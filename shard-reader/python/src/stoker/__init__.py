"""Finished Qwen3-VL samples for a training rank, read by mmap without a copy.

The Java reader runs inside this process: it maps, verifies and prefetches on threads of its own,
outside Python's global lock. ``Reader`` iterates over the batches of one rank; a ``Batch`` is a
mapping from the names that the model's forward takes to numpy views of the mapped shards.

>>> with stoker.Reader("s3://bucket/dataset", rank=0, world_size=8) as reader:
...     for batch in reader:
...         inputs = stoker.torch.to_device(batch, "cuda", torch.bfloat16)

``stoker.torch`` (needs torch) has the device side and an ``IterableDataset``, ``stoker.megatron``
the external data loader of Megatron-LM.
"""

from ._batch import Batch, Pack, PixelFormat
from ._env import data_parallel_rank, from_env
from ._jvm import start_jvm
from ._reader import Reader
from .errors import ClosedError, DatasetFormatError, ForkError, StokerError, UnavailableError

__all__ = [
    "Batch",
    "ClosedError",
    "DatasetFormatError",
    "ForkError",
    "Pack",
    "PixelFormat",
    "Reader",
    "StokerError",
    "UnavailableError",
    "data_parallel_rank",
    "from_env",
    "start_jvm",
]
