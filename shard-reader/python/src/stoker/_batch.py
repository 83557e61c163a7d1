"""Batches and packs: numpy views of the memory that the Java reader hands over."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _jvm
from .errors import ClosedError

if TYPE_CHECKING:
    import torch

Array = npt.NDArray[Any]

# numpy has no bfloat16: its bits, to be viewed as torch.bfloat16.
_BFLOAT16 = "bfloat16"


@dataclass(frozen=True, eq=False)
class PixelFormat:
    """How the patches of a dataset are stored, from its ``dataset.json``.

    Attributes:
        encoding: ``"uint8"`` (raw pixels), ``"bfloat16"`` or ``"float32"`` (mapped values).
        temporal: ``"single"`` (768 values a patch) or ``"duplicated"`` (1536, as the model takes
            them).
        value_table: float32 ``[3, 256]``, the value of each raw pixel per channel (RGB).
    """

    encoding: str
    temporal: str
    value_table: Array


_PLACE = 4
_TENSOR = 5

# Everything is stored little-endian. numpy has no bfloat16.
_TYPESTRS = {
    name: np.dtype("uint16" if name == _BFLOAT16 else name).newbyteorder("<").str
    for name in ("uint8", _BFLOAT16, "float32", "int32", "int64")
}


class View:
    """What crosses the border to Java for a batch: one call, and numbers in shared memory.

    Layout and lifetimes are those of Java's ``BatchView``.

    Attributes:
        java: the Java view.
        types: name of each tensor and of its element type.
    """

    def __init__(self, reader: Any) -> None:
        self.java = _jvm.java_class("reader.BatchView")(reader)
        names = [str(name) for name in self.java.names()]
        self.types = dict(zip(names, map(str, self.java.types()), strict=True))
        # Slots of batches that nothing refers to any more. Java hears of them with the next call.
        # The thread that drops the last reference to a batch appends to it.
        self._dropped: list[int] = []
        self._detached = False
        # Looked up once: a step finds all of this out of the processor's caches.
        self._columns = [
            (name, _TYPESTRS[self.types[name]], _PLACE + _TENSOR * i)
            for i, name in enumerate(names)
        ]
        self._poll = self.java.poll
        memory = memoryview(self.java.memory()).cast("B").cast("q")
        end = int(self.java.released())
        self._numbers, self._released = memory[:end], memory[end:]

    def poll(self) -> Held | None:
        """The next batch, which ``numbers`` describes then; None if there is none for now."""
        if self._dropped:
            self._give_back()
        slot = self._poll()
        return Held(self, slot) if slot >= 0 else None

    def _give_back(self) -> None:
        # Not from 0: an interrupt may have come between this and the call to Java.
        count = self._released[0]
        while self._dropped:
            if count + 1 == len(self._released):
                self.java.takeBack()
                count = 0
            count += 1
            self._released[count] = self._dropped.pop()
            self._released[0] = count

    def drop(self, slot: int) -> None:
        """Say that nothing refers to a batch any more."""
        self._dropped.append(slot)
        if self._detached:
            self._release()

    def detach(self) -> None:
        """Let go of the reader: what is dropped from now on, Java hears of at once."""
        self._detached = True
        self.java.takeBack()
        self.java.detach()
        self._release()

    def _release(self) -> None:
        while self._dropped and _jvm.usable():
            self.java.release(self._dropped.pop())

    def numbers_of_pack(self, slot: int, pack: int) -> list[int]:
        """``numbers`` of a pack of a batch, through no memory that others write to meanwhile."""
        with _jvm.translated():
            return [int(number) for number in self.java.numbers(slot, pack)]

    def numbers(self) -> list[int]:
        """Epoch, step, lane, packs; address, number of dimensions and extents of each tensor."""
        return self._numbers.tolist()

    def arrays(self, numbers: list[int], owner: Held) -> dict[str, Array]:
        """The tensors that numbers describe, as arrays that keep their owner."""
        arrays = {}
        for name, dtype, at in self._columns:
            dimensions = numbers[at + 1]
            shape = tuple(numbers[at + 2 : at + 2 + dimensions])
            if 0 in shape:
                array = np.empty(shape, dtype)
                array.flags.writeable = False
            else:
                array = np.asarray(_Memory(owner, numbers[at], shape, dtype))
            arrays[name] = array
        return arrays


class Held:
    """A Java batch, kept for as long as this object lives.

    Attributes:
        view: where it was shown.
        slot: its number there.
    """

    __slots__ = ("slot", "view")

    def __init__(self, view: View, slot: int) -> None:
        self.view = view
        self.slot = slot

    def __del__(self) -> None:
        self.view.drop(self.slot)


class _Memory:
    """Memory of a Java batch, which it keeps alive, as numpy's array interface describes it."""

    __slots__ = ("__array_interface__", "_owner")

    def __init__(self, owner: Held, address: int, shape: tuple[int, ...], dtype: str) -> None:
        self._owner = owner
        self.__array_interface__ = {
            "version": 3,
            "data": (address, True),  # True: read-only.
            "shape": shape,
            "typestr": dtype,
        }


class _Tensors(Mapping[str, Array]):
    """The tensors of a pack or of several packs taken as one; the arrays are made when asked for.

    An array owns a reference to the Java batch and so to the mapping below it: it stays valid for
    as long as it, a slice of it or a torch tensor over it exists, also after ``close``.
    """

    def __init__(self, view: View, numbers: list[int]) -> None:
        self._types = view.types
        self._numbers = numbers
        self._arrays: dict[str, Array] | None = None

    def __getitem__(self, name: str) -> Array:
        return self._all()[name]

    def _all(self) -> dict[str, Array]:
        held = self._open()
        arrays = self._arrays
        if arrays is None:
            arrays = self._arrays = held.view.arrays(self._numbers, held)
        return arrays

    def __iter__(self) -> Iterator[str]:
        self._open()
        return iter(self._types)

    def __len__(self) -> int:
        self._open()
        return len(self._types)

    @abstractmethod
    def _open(self) -> Held:
        """What is held; raises ClosedError if the batch is closed."""

    def torch(self) -> dict[str, torch.Tensor]:
        """The tensors as torch tensors on the CPU, over the same memory.

        The memory is read-only: an in-place operation on one of them ends the process. Clone what
        has to change.

        Raises:
            ClosedError: if the batch is closed.
        """
        from ._torch_views import from_numpy

        arrays = self._all()
        return {
            name: from_numpy(arrays[name], bfloat16=dtype == _BFLOAT16)
            for name, dtype in self._types.items()
        }


class Pack(_Tensors):
    """One pack of a micro-batch, exactly as it is stored; mapping as in ``Batch``."""

    def __init__(self, batch: Batch, view: View, numbers: list[int], index: int) -> None:
        super().__init__(view, numbers)
        self._batch = batch
        self._index = index

    def _open(self) -> Held:
        return self._batch._open()

    @property
    def sample_ids(self) -> list[str]:
        """Ids of the samples, one per segment."""
        held = self._open()
        with _jvm.translated():
            return [str(sample) for sample in held.view.java.sampleIds(held.slot, self._index)]

    @property
    def padding(self) -> bool:
        """Whether the pack only fills a last step: it was read before, its labels are all -100."""
        held = self._open()
        return bool(held.view.java.padding(held.slot, self._index))


class Batch(_Tensors):
    """One micro-batch: what one forward pass takes.

    A mapping from name to read-only numpy array, no copy of the mapped shard. With several packs
    they are one longer pack, for attention of variable length; ``packs`` has each of them. Of
    those, ``cu_seqlens`` and ``position_ids`` had to be put together; of packs that lie in two
    blocks, all (``gathered_batches`` in ``Reader.stats``).

    ================  ======  ==========================================================
    input_ids         int64   ``[1, L]``
    labels            int64   ``[1, L]``; -100 is not trained; not shifted
    position_ids      int64   ``[3, 1, L]``: temporal, height, width; restarts in each segment
    cu_seqlens        int32   ``[samples + 1]``: 0, then the end of each segment
    pixel_values      uint8   ``[P, 768]`` by default; see ``PixelFormat``
    image_grid_thw    int64   ``[n, 3]``
    ================  ======  ==========================================================

    L, P and n are sums over the packs; P and n are 0 if there is no image. Encoding bfloat16
    appears as its bits in uint16, and as bfloat16 in ``torch()``.

    Not thread-safe, except that ``close`` may come from anywhere.

    Attributes:
        epoch: epoch, from 0.
        step: step in the epoch, from 0; its global batch is complete after ``lanes`` batches.
        lane: micro-batch slot of the step.
        pixels: how ``pixel_values`` are stored.
    """

    def __init__(self, held: Held, pixels: PixelFormat) -> None:
        super().__init__(held.view, held.view.numbers())
        self._held: Held | None = held
        self.epoch, self.step, self.lane, self._count = self._numbers[:_PLACE]
        self.pixels = pixels
        # Not the packs themselves: they refer to the batch, and a circle would keep its memory
        # for a while.
        self._numbers_of_packs: list[list[int]] | None = None

    def __repr__(self) -> str:
        return f"<stoker.Batch epoch={self.epoch} step={self.step} lane={self.lane}>"

    def _open(self) -> Held:
        if self._held is None:
            raise ClosedError(f"the batch of step {self.step}, lane {self.lane} is closed")
        return self._held

    @property
    def packs(self) -> tuple[Pack, ...]:
        """The packs of the micro-batch, ``micro_batch`` of them, each as it is stored."""
        held = self._open()
        if self._numbers_of_packs is None:
            self._numbers_of_packs = [
                held.view.numbers_of_pack(held.slot, i) for i in range(self._count)
            ]
        return tuple(
            Pack(self, held.view, numbers, i) for i, numbers in enumerate(self._numbers_of_packs)
        )

    @property
    def sample_ids(self) -> list[str]:
        """Ids of all samples, in order."""
        held = self._open()
        with _jvm.translated():
            return [str(sample) for sample in held.view.java.sampleIds(held.slot)]

    def close(self) -> None:
        """Say that the batch has been taken over; its accessors raise from now on.

        Arrays and tensors that were taken stay valid. Closing is optional: memory that nothing
        refers to any more is released with the next batch, or when the reader is closed. Closing
        twice does nothing.
        """
        held, self._held = self._held, None
        if held is not None:
            self._arrays = None
            if _jvm.usable():
                held.view.java.close(held.slot)

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._held is None

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
