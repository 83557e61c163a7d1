"""The external data loader of Megatron-LM: ``--dataloader-type external``.

Megatron calls a provider ``(train_val_test_num_samples) -> (train, valid, test)`` and takes what it
returns as iterators over dict batches, one micro-batch at a time. With ``--dataloader-save`` it
calls ``save_state`` at each checkpoint.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ._batch import Batch
from ._env import data_parallel_rank
from ._reader import Reader

Transform = Callable[[Batch], Any]
Uri = str | os.PathLike[str]


def _as_torch(batch: Batch) -> Any:
    return batch.torch()


class ExternalDataLoader(Iterator[Any]):
    """Endless iterator over the micro-batches of this data-parallel rank.

    Args:
        reader: its batches; opened with ``epochs=None`` it has no end.
        transform: what to make of a batch; default ``Batch.torch``, a dict of CPU tensors.
    """

    def __init__(self, reader: Reader, transform: Transform = _as_torch) -> None:
        self.reader = reader
        self._transform = transform

    def __next__(self) -> Any:
        return self._transform(next(self.reader))

    def save_state(self) -> dict[str, Any]:
        """What Megatron puts into its data loader checkpoint; see ``Reader.state_dict``."""
        return self.reader.state_dict()

    def restore_state(self, state: Mapping[str, Any]) -> None:
        """Go on where ``save_state`` was called."""
        self.reader.load_state_dict(state)


def dataloaders_provider(
    train: Uri,
    valid: Uri | None = None,
    test: Uri | None = None,
    *,
    transform: Transform = _as_torch,
    **options: Any,
) -> Callable[..., tuple[ExternalDataLoader | None, ...]]:
    """The provider to hand to Megatron's ``pretrain``.

    Batch sizes, seed and position come from Megatron's arguments (``global_batch_size``,
    ``micro_batch_size``, ``seed``, ``consumed_train_samples``, ``consumed_valid_samples``), rank
    and world size from ``parallel_state``. One pack counts as one sample of Megatron. Because the
    plan is a pure function of the step, training resumes exactly from the consumed samples of the
    checkpoint; a data loader checkpoint is not needed.

    Args:
        train: dataset to train on.
        valid: dataset to validate on, or None.
        test: dataset to test on, or None.
        transform: what to make of a batch.
        options: further arguments of ``Reader``: ``cache_dir``, ``prefetch_bytes``, ``store``.

    Returns:
        ``provider(train_val_test_num_samples, vp_stage=None) -> (train, valid, test)``.
    """

    def provider(
        train_val_test_num_samples: Sequence[int], vp_stage: int | None = None
    ) -> tuple[ExternalDataLoader | None, ...]:
        # The reader has no end and needs no number of samples; every stage gets the same batches.
        del train_val_test_num_samples, vp_stage
        from megatron.training import get_args

        args = get_args()

        def loader(uri: Uri | None, consumed: int) -> ExternalDataLoader | None:
            if uri is None:
                return None
            rank, world_size = data_parallel_rank()
            reader = Reader(
                uri,
                rank,
                world_size,
                seed=args.seed,
                global_batch=args.global_batch_size,
                micro_batch=args.micro_batch_size,
                epochs=None,
                **options,
            )
            reader.seek(consumed // args.global_batch_size)
            return ExternalDataLoader(reader, transform)

        return (
            loader(train, args.consumed_train_samples),
            loader(valid, args.consumed_valid_samples),
            loader(test, 0),
        )

    return provider
