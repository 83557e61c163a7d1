from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import pytest
import torch
from torch.utils.data import DataLoader

import stoker
import stoker.torch
from stoker.torch import ShardDataset, to_device


def test_read_only_memory_warns_nobody(single: Path) -> None:
    with warnings.catch_warnings(), stoker.Reader(single) as reader:
        warnings.simplefilter("error")
        for batch in reader:
            assert {tensor.device.type for tensor in batch.torch().values()} == {"cpu"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_pixels_are_mapped_and_duplicated_on_the_device(single: Path, dtype: torch.dtype) -> None:
    with stoker.Reader(single) as reader:
        batch = next(reader)
    stored = torch.from_numpy(batch["pixel_values"].copy())
    expected = ((stored.float() - 127.5) / 127.5).to(dtype)
    slots = to_device(batch, "cpu", dtype)["pixel_values"].view(-1, 3, 2, 256)
    assert slots.dtype == dtype
    assert slots[:, :, 0].reshape(-1, 768).equal(expected)
    assert slots[:, :, 1].reshape(-1, 768).equal(expected)


def test_model_ready_pixels_pass_through(single: Path, model_ready: Path) -> None:
    def pixels(uri: Path) -> dict[str, torch.Tensor | None]:
        with stoker.Reader(uri) as reader:
            return {
                batch.sample_ids[0]: to_device(batch, "cpu", torch.bfloat16).get("pixel_values")
                for batch in reader
            }

    with stoker.Reader(model_ready) as reader:
        batch = next(reader)
        assert batch["pixel_values"].dtype == "uint16"
        assert batch.torch()["pixel_values"].dtype == torch.bfloat16
        assert batch["pixel_values"].shape[1] == 1536
    mapped, ready = pixels(single), pixels(model_ready)
    assert mapped.keys() == ready.keys()
    for key, value in mapped.items():
        other = ready[key]
        assert (value is None) == (other is None)
        assert value is None or other is None or value.equal(other)


def test_batch_without_images(single: Path) -> None:
    with stoker.Reader(single) as reader:
        batch = next(batch for batch in reader if batch.sample_ids == ["text-001"])
    assert batch["pixel_values"].shape == (0, 768)
    assert batch.torch()["image_grid_thw"].shape == (0, 3)
    assert "pixel_values" not in to_device(batch, "cpu")


def test_dataset_in_a_data_loader(single: Path) -> None:
    dataset = ShardDataset(single, 0, 1, seed=4)
    loader = DataLoader(pickle.loads(pickle.dumps(dataset)), batch_size=None)
    assert len(loader) == 27
    seen = [inputs["input_ids"] for inputs in loader]
    assert len(seen) == 27
    half = iter(dataset)
    for expected in seen[:10]:
        assert next(half)["input_ids"].equal(expected)
    state = dataset.state_dict()
    other = ShardDataset(single, 0, 1, seed=4)
    other.load_state_dict(state)
    rest = [inputs["input_ids"] for inputs in DataLoader(other, batch_size=None)]
    assert len(rest) == 17
    assert all(a.equal(b) for a, b in zip(rest, seen[10:], strict=True))
    dataset.close()
    other.close()


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_worker_processes_are_refused(single: Path, context: str) -> None:
    loader = DataLoader(
        ShardDataset(single, 0, 1), batch_size=None, num_workers=1, multiprocessing_context=context
    )
    with pytest.raises(RuntimeError, match="num_workers=0"):
        next(iter(loader))


def test_rank_comes_from_the_environment(single: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "3")
    assert stoker.data_parallel_rank() == (1, 3)
    with stoker.from_env(single, seed=2) as one, stoker.Reader(single, 1, 3, seed=2) as other:
        assert len(one) == 9
        assert [batch.sample_ids for batch in one] == [batch.sample_ids for batch in other]


@pytest.mark.parametrize("name", ["RANK", "WORLD_SIZE"])
def test_half_a_rank_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANK", raising=False)
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    monkeypatch.setenv(name, "2")
    with pytest.raises(ValueError, match="both or neither of RANK and WORLD_SIZE"):
        stoker.data_parallel_rank()
