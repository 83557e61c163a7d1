"""Megatron is not installed here: modules with the functions that it has stand for it."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import stoker
from stoker.megatron import dataloaders_provider


@pytest.fixture
def args(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Data-parallel rank 1 of 2 on a process that is global rank 6 of 8."""
    args = SimpleNamespace(
        seed=11,
        global_batch_size=4,
        micro_batch_size=1,
        consumed_train_samples=0,
        consumed_valid_samples=0,
    )
    state = ModuleType("megatron.core.parallel_state")
    state.model_parallel_is_initialized = lambda: True  # type: ignore[attr-defined]
    state.get_data_parallel_rank = lambda: 1  # type: ignore[attr-defined]
    state.get_data_parallel_world_size = lambda: 2  # type: ignore[attr-defined]
    training = ModuleType("megatron.training")
    training.get_args = lambda: args  # type: ignore[attr-defined]
    for name, module in {
        "megatron": ModuleType("megatron"),
        "megatron.core": ModuleType("megatron.core"),
        "megatron.core.parallel_state": state,
        "megatron.training": training,
    }.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("RANK", "6")
    monkeypatch.setenv("WORLD_SIZE", "8")
    return args


def test_external_data_loader(single: Path, args: SimpleNamespace) -> None:
    train, valid, test = dataloaders_provider(single, single)((1000, 10, 0), vp_stage=0)
    assert train is not None
    assert valid is not None
    assert test is None
    with stoker.Reader(single, 1, 2, seed=11, global_batch=4, epochs=3) as reader:
        expected = [batch["input_ids"].copy() for batch in reader]
    # Longer than an epoch: what Megatron takes has no end.
    for array in expected[:20]:
        assert (next(train)["input_ids"].numpy() == array).all()
    state = train.save_state()
    args.consumed_train_samples = 10 * 4
    resumed, _, _ = dataloaders_provider(single)((1000, 10, 0))
    assert resumed is not None
    assert resumed.save_state() == state
    assert iter(resumed) is resumed
    for array in expected[20:]:
        assert (next(resumed)["input_ids"].numpy() == array).all()
    resumed.restore_state(state)
    assert (next(resumed)["input_ids"].numpy() == expected[20]).all()
    for loader in (train, valid, resumed):
        loader.reader.close()
