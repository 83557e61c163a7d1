"""Batches on the device, and a PyTorch ``IterableDataset``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from ._batch import Batch, PixelFormat
from ._env import data_parallel_rank
from ._reader import Reader

_PATCH = (3, 256)


def to_device(
    batch: Batch,
    device: torch.device | str,
    dtype: torch.dtype = torch.bfloat16,
    *,
    non_blocking: bool = True,
) -> dict[str, torch.Tensor]:
    """Bring a batch to a device, as the model takes it.

    Pixels travel as they are stored (768 bytes a patch by default); the device maps them through
    the 256-entry table of the dataset and duplicates the temporal slot.

    Returns:
        The tensors of the batch by name, ``pixel_values`` as ``[P, 1536]`` of ``dtype``. A batch
        without images has neither ``pixel_values`` nor ``image_grid_thw``, as the model wants it.

    Raises:
        ClosedError: if the batch is closed.
    """
    tensors = {
        name: tensor.to(device, non_blocking=non_blocking) for name, tensor in batch.torch().items()
    }
    if not tensors["image_grid_thw"].shape[0]:
        del tensors["image_grid_thw"], tensors["pixel_values"]
        return tensors
    tensors["pixel_values"] = pixel_values(tensors["pixel_values"], batch.pixels, dtype)
    return tensors


def pixel_values(
    stored: torch.Tensor, pixels: PixelFormat, dtype: torch.dtype = torch.bfloat16
) -> torch.Tensor:
    """Stored patches to what the vision tower takes.

    Args:
        stored: ``[P, 768]`` or ``[P, 1536]``, on any device.
        pixels: how they are stored.
        dtype: of the result; rounding is from float32, to nearest even.

    Returns:
        ``[P, 1536]``: channel, temporal slot, row, column.
    """
    patches = stored.shape[0]
    values = stored.view(patches, _PATCH[0], -1)
    if pixels.encoding == "uint8":
        values = _look_up(values, torch.from_numpy(pixels.value_table).to(stored.device, dtype))
    else:
        values = values.to(dtype)
    if pixels.temporal == "single":
        values = values.unsqueeze(2).expand(patches, _PATCH[0], 2, _PATCH[1])
    return values.reshape(patches, -1)


def _look_up(raw: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
    """``table[c, raw[p, c, i]]``; three times less memory than with 64-bit indices at once."""
    out = torch.empty(raw.shape, dtype=table.dtype, device=raw.device)
    for channel in range(raw.shape[1]):
        out[:, channel] = table[channel][raw[:, channel].long()]
    return out


def transformers_inputs(
    batch: Batch,
    device: torch.device | str,
    dtype: torch.dtype = torch.bfloat16,
) -> dict[str, Any]:
    """Bring a batch to a device, as a Qwen3-VL model of Hugging Face transformers takes it.

    In a pack, transformers keeps segments apart only if it finds their boundaries in
    ``position_ids``: in a fourth row with plain text positions, without an attention mask and
    without a cache. With three rows it takes the temporal one and finds a boundary in each image.

    Returns:
        The arguments of ``model(**inputs)``; ``position_ids`` is ``[4, 1, L]``.
    """
    inputs: dict[str, Any] = to_device(batch, device, dtype)
    ends = inputs.pop("cu_seqlens").long()
    starts = torch.repeat_interleave(ends[:-1], ends.diff())
    text = torch.arange(starts.numel(), device=starts.device) - starts
    inputs["position_ids"] = torch.cat([text.view(1, 1, -1), inputs["position_ids"]])
    inputs["use_cache"] = False
    return inputs


def _as_torch(batch: Batch) -> dict[str, torch.Tensor]:
    return batch.torch()


class ShardDataset(IterableDataset[Any]):
    """A ``torch.utils.data.IterableDataset`` over the batches of this rank.

    For ``DataLoader(dataset, batch_size=None, num_workers=0)``: batches are complete, and prefetch
    happens on JVM threads, so that worker processes would only add copies. It opens its reader when
    it is first iterated; before that it can be pickled and sent to a spawned process.

    Args:
        uri: as in ``Reader``.
        rank: as in ``Reader``; by default this process finds out when it opens the reader.
        world_size: as in ``Reader``.
        transform: what to make of a batch; default ``Batch.torch``.
        options: further arguments of ``Reader``.
    """

    def __init__(
        self,
        uri: str | os.PathLike[str],
        rank: int | None = None,
        world_size: int | None = None,
        *,
        transform: Callable[[Batch], Any] = _as_torch,
        **options: Any,
    ) -> None:
        if (rank is None) != (world_size is None):
            raise ValueError("rank and world_size: expected both or neither")
        self._uri = uri
        self._rank = rank
        self._world_size = world_size
        self._transform = transform
        self._options = options
        self._reader: Reader | None = None

    @property
    def reader(self) -> Reader:
        """The reader, opened at the first use.

        Raises:
            RuntimeError: in a worker process of a DataLoader.
        """
        if get_worker_info() is not None:
            raise RuntimeError(
                "a stoker dataset prefetches by itself, and its state lives in the training "
                "process: use num_workers=0 in the DataLoader"
            )
        if self._reader is None:
            if self._rank is None or self._world_size is None:
                rank, world_size = data_parallel_rank()
            else:
                rank, world_size = self._rank, self._world_size
            self._reader = Reader(self._uri, rank, world_size, **self._options)
        return self._reader

    def __iter__(self) -> Iterator[Any]:
        """One pass, or the rest of one after ``load_state_dict``."""
        for batch in self.reader:
            yield self._transform(batch)

    def __len__(self) -> int:
        """Batches of a whole pass of this rank."""
        return len(self.reader)

    def state_dict(self) -> dict[str, Any]:
        """See ``Reader.state_dict``."""
        return self.reader.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """See ``Reader.load_state_dict``."""
        self.reader.load_state_dict(state)

    def set_epoch(self, epoch: int) -> None:
        """See ``Reader.set_epoch``."""
        self.reader.set_epoch(epoch)

    def stats(self) -> dict[str, Any]:
        """See ``Reader.stats``."""
        return self.reader.stats()

    def close(self) -> None:
        """Close the reader, if one was opened."""
        if self._reader is not None:
            self._reader.close()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_reader": None}
