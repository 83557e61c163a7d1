"""The reader of one rank."""

from __future__ import annotations

import json
import os
import re
import weakref
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import jpype
import numpy as np

from . import _jvm
from ._batch import Batch, PixelFormat, View
from .errors import ClosedError

# Stands for "without end": no training reaches it, and the sums of its steps still fit.
_ENDLESS = 1 << 30


class _Handle:
    """The Java reader that is open now; outlives the ``Reader`` until it is closed."""

    java: Any = None
    view: Any = None

    def close(self) -> None:
        java, self.java = self.java, None
        view, self.view = self.view, None
        if _jvm.usable():
            if java is not None:
                java.close()
            if view is not None:
                view.detach()


class Reader(Iterator[Batch]):
    """Iterates over the micro-batches of one data-parallel rank, in the order of the plan.

    Every rank gets the same number of batches, and all ranks together get the same global batch at
    each step, whatever ``world_size`` is. Prefetch begins at once, on a JVM thread.

    A pass (``for batch in reader``) is ``epochs`` epochs; the next pass goes on with the next
    epochs. With ``epochs=3`` the passes are epochs 0-2, 3-5, …, also after a resume in between.

    For one thread; ``close`` and ``stats`` may be called from others. Not picklable, and not usable
    in a process that was forked after the JVM had been started.

    Args:
        uri: dataset directory: a path, ``file:``, ``s3://bucket/prefix`` or ``s3a://``.
        rank: data-parallel rank, in [0, world_size).
        world_size: number of data-parallel ranks; must divide ``global_batch / micro_batch``.
        seed: seed of the order.
        global_batch: packs of a step over all ranks; default ``world_size * micro_batch``.
        micro_batch: packs of one batch.
        remainder: ``"drop"`` leaves out the packs that do not fill a last step of an epoch (others
            in each epoch), ``"pad"`` fills it with packs of zero loss.
        epochs: epochs of a pass; None for a pass without end.
        cache_dir: directory for blocks of remote datasets, shared by the ranks of a node.
        cache_bytes: what the cache may take on its disk; default 256 GiB.
        prefetch_bytes: bytes of tensors to be ready ahead of the trainer; default 256 MiB.
        store: settings of the store by name: ``s3.endpoint``, ``s3.region``, ``s3.path-style``,
            ``s3.max-attempts`` and the others of Java's ``ReaderOptions``. What is missing, and the
            credentials, come from the environment as in every AWS client.

    Raises:
        UnavailableError: there is no dataset, or the store cannot be reached.
        DatasetFormatError: its index is corrupt, too old or too new.
        ValueError: the arguments do not fit each other or the dataset.
        ForkError: see above.
    """

    def __init__(
        self,
        uri: str | os.PathLike[str],
        rank: int = 0,
        world_size: int = 1,
        *,
        seed: int = 0,
        global_batch: int | None = None,
        micro_batch: int = 1,
        remainder: Literal["drop", "pad"] = "drop",
        epochs: int | None = 1,
        cache_dir: str | os.PathLike[str] | None = None,
        cache_bytes: int = 256 << 30,
        prefetch_bytes: int | None = None,
        store: Mapping[str, str] | None = None,
    ) -> None:
        if epochs is not None and epochs < 1:
            raise ValueError(f"epochs: expected at least 1 or None, found {epochs}")
        self._uri = os.fspath(uri)
        self._epochs = epochs
        self._handle = _Handle()
        self._closed = False
        self._exhausted = False
        # Also at exit, and before JPype ends the JVM: that waits until this reader is closed.
        self._finalizer = weakref.finalize(self, self._handle.close)
        with _jvm.translated():
            plan = _jvm.java_class("plan.PlanSettings")(
                seed,
                global_batch or world_size * micro_batch,
                micro_batch,
                _jvm.java_class("plan.Remainder").of(remainder),
            )
            self._rank = _jvm.java_class("plan.RankSpec")(rank, world_size)
            self._lanes = int(self._rank.lanesPerRank(plan))
            self._options = _options(plan, prefetch_bytes, store)
            if cache_dir is not None:
                cache = _jvm.java_class("reader.ReaderOptions$Cache")
                path = _jvm.java_class("java.nio.file.Path").of(os.fspath(cache_dir))
                self._options = self._options.withCache(cache.of(path, cache_bytes))
        self._open(0, 0)
        dataset = self._handle.java.dataset()
        self._dataset_id = str(dataset.datasetId())
        pixels = dataset.pixels()
        self._pixels = PixelFormat(
            str(pixels.encoding()),
            str(pixels.temporal()),
            np.array(dataset.valueTable().toArray(), dtype=np.float32),
        )

    def _open(self, epoch: int, step: int, options: Any = None) -> None:
        """Open a Java reader at a place. The one that is open is closed and not used again."""
        self._place = epoch, step
        left = _ENDLESS if self._epochs is None else self._epochs - epoch % self._epochs
        self._handle.close()
        with _jvm.translated():
            options = (options or self._options.withStart(epoch, step)).withEpochs(left)
            reader = _jvm.java_class("reader.RankReader")
            self._handle.java = reader.open(_java_uri(self._uri), self._rank, options)
            self._handle.view = View(self._handle.java)
        self._exhausted = False

    def _java(self) -> Any:
        _jvm.check_not_forked()
        if self._closed:
            raise ClosedError("the reader is closed")
        if self._handle.java is None:
            # Moving to this place failed earlier. It may work now.
            self._open(*self._place)
        return self._handle.java

    def __iter__(self) -> Reader:
        """Begin a pass, or go on with the one that was begun."""
        self._java()
        if self._exhausted:
            self._open(self.epoch, self.step)
        return self

    def __next__(self) -> Batch:
        """The next micro-batch: the lanes of this rank at one step, then those of the next.

        Waits, without the global lock, if it is not ready.

        Raises:
            DatasetFormatError: its block is corrupt.
            UnavailableError: the store cannot be reached; the reader stays failed.
            ClosedError: the reader is closed.
        """
        self._java()
        view = self._handle.view
        if view is None:
            raise ClosedError("the reader is closed")
        try:
            # One call asks for everything, because each call costs a turn at the global lock.
            held = view.poll()
            while held is None:
                # The end, or a wait: Python looks at its signals between the calls.
                if not view.java.hasNext():
                    self._exhausted = True
                    raise StopIteration
                held = view.poll()
        except jpype.JException as e:
            raise _jvm.translate(e) from None
        return Batch(held, self._pixels)

    def __len__(self) -> int:
        """Batches of a whole pass of this rank.

        Raises:
            TypeError: if a pass has no end.
        """
        if self._epochs is None:
            raise TypeError("a reader with epochs=None has no length")
        return self.steps_per_epoch * self._lanes * self._epochs

    @property
    def steps_per_epoch(self) -> int:
        """Steps of an epoch, the same on every rank."""
        return int(self._java().steps())

    @property
    def batches_per_step(self) -> int:
        """Micro-batches of this rank in a step: its gradient accumulation steps."""
        return self._lanes

    @property
    def epoch(self) -> int:
        """Epoch of the next step that has not been delivered completely."""
        return int(self._java().cursor().epoch())

    @property
    def step(self) -> int:
        """That step in its epoch."""
        return int(self._java().cursor().step())

    @property
    def dataset_id(self) -> str:
        """Identity of the dataset's content."""
        return self._dataset_id

    @property
    def pixels(self) -> PixelFormat:
        """How the patches are stored."""
        return self._pixels

    def state_dict(self) -> dict[str, Any]:
        """Where to resume: the first step that was not delivered completely.

        A few JSON values, the same on every rank after a whole step, and valid for every
        ``world_size`` that divides the lanes. What was prefetched but not delivered is not in it.
        """
        with _jvm.translated():
            cursor = self._java().cursor()
            text = _jvm.java_class("plan.CursorParser").toJson(cursor)
        state: dict[str, Any] = json.loads(str(text))
        return state

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where ``state_dict`` was taken.

        Raises:
            ValueError: the state is of another dataset, seed or batch size.
            DatasetFormatError: it is no state.
        """
        self._java()
        with _jvm.translated():
            cursor = _jvm.java_class("plan.CursorParser").fromJson(json.dumps(dict(state)))
            options = self._options.resumedAt(cursor)
        self._reopen(int(cursor.epoch()), int(cursor.step()), options)

    def set_epoch(self, epoch: int) -> None:
        """Go to the start of an epoch, unless the reader is in it already.

        Hence a loop that calls it before each epoch does not undo a resume.
        """
        if epoch < 0:
            raise ValueError(f"epoch: expected at least 0, found {epoch}")
        if epoch != self.epoch:
            self._reopen(epoch, 0)

    def seek(self, step: int) -> None:
        """Go to a step, counted from the first of epoch 0 over all epochs."""
        if step < 0:
            raise ValueError(f"step: expected at least 0, found {step}")
        self._reopen(*divmod(step, self.steps_per_epoch))

    def _reopen(self, epoch: int, step: int, options: Any = None) -> None:
        before = self.state_dict()
        try:
            self._open(epoch, step, options)
        except Exception:
            # A refused state leaves the reader where it was.
            self._open(before["epoch"], before["step"])
            raise

    def stats(self) -> dict[str, Any]:
        """What the reader has done since it was opened or moved.

        Flat, with times in nanoseconds: ``batches``, ``bytes`` (delivered), ``wait_ratio``,
        ``wait_nanos`` (in ``next`` and ``Batch.close``, after the first batch), ``train_nanos``,
        ``next_p50_nanos``, ``next_p99_nanos``, ``waits``, ``gathered_batches``, ``prefetch_depth``,
        ``buffered_bytes``, ``fetched_bytes``, ``retries``, ``cache_hits``, ``major_faults``,
        ``bottleneck`` (``"trainer"``, ``"store"``, ``"disk"`` or ``"cpu"``) and others.
        """
        values = json.loads(str(self._java().stats().toJson()))
        return {key.replace("-", "_"): value for key, value in values.items()}

    def close(self) -> None:
        """End prefetch and its thread. Batches stay valid. Closing twice does nothing."""
        self._closed = True
        self._finalizer()

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._closed

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(
            "a stoker.Reader belongs to its process: open one in each, or pass a "
            "stoker.torch.ShardDataset, which opens its reader where it is iterated"
        )


def _options(
    plan: Any,
    prefetch_bytes: int | None,
    store: Mapping[str, str] | None,
) -> Any:
    options = _jvm.java_class("reader.ReaderOptions").of(plan)
    if prefetch_bytes is not None:
        options = options.withPrefetchBytes(prefetch_bytes)
    if store:
        options = options.withStore(_jvm.java_class("java.util.HashMap")(dict(store)))
    return options


def _java_uri(uri: str) -> Any:
    java = _jvm.java_class("java.net.URI")
    match = re.fullmatch(r"([A-Za-z][A-Za-z0-9+.-]+)://([^/]*)(/.*)?", uri)
    if match and match[1] != "file":
        # Keys are taken as they are: this constructor quotes what a URI may not contain.
        return java(match[1], match[2], match[3] or "/", None, None)
    if match or uri.startswith("file:"):
        return java.create(uri)
    return java.create(Path(uri).absolute().as_uri())
