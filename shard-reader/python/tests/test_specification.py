"""A reader that was written from the specification alone agrees with ours."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import spec_reader

import stoker

GOLDEN = Path(__file__).resolve().parents[2] / "src/test/resources/golden"
EPOCHS = 3


def vectors(name: str) -> list[dict[str, str]]:
    with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def numbers(cell: str) -> list[int]:
    return [int(number) for number in cell.split()]


def agree(pack: stoker.Pack, expected: dict[str, Any]) -> None:
    assert pack.sample_ids == expected["sample_ids"]
    for name, array in pack.items():
        values = np.array(expected[name], dtype=array.dtype).reshape(array.shape)
        np.testing.assert_array_equal(array, values, err_msg=name)
    assert {"sample_ids", *pack} == set(expected)


def compare(root: Path, world_size: int, seed: int, *batch: Any, epochs: int = EPOCHS) -> int:
    """Read some epochs with both, rank by rank; the number of packs."""
    global_batch, micro_batch, remainder = batch
    everything = [
        (epoch, step, lane, packs)
        for epoch in range(epochs)
        for step, lane, packs in spec_reader.read(root, seed, epoch, *batch)
    ]
    lanes = global_batch // micro_batch // world_size
    seen = 0
    for rank in range(world_size):
        own = [step for step in everything if step[2] // lanes == rank]
        with stoker.Reader(
            root,
            rank,
            world_size,
            seed=seed,
            global_batch=global_batch,
            micro_batch=micro_batch,
            remainder=remainder,
            epochs=epochs,
        ) as reader:
            for found, (epoch, step, lane, packs) in zip(reader, own, strict=True):
                assert (found.epoch, found.step, found.lane) == (epoch, step, lane)
                for pack, expected in zip(found.packs, packs, strict=True):
                    agree(pack, expected)
                    seen += 1
    return seen


@pytest.mark.parametrize("remainder", ["drop", "pad"])
@pytest.mark.parametrize("seed", [0, -1, 2**63 - 1])
@pytest.mark.parametrize(
    ("world_size", "global_batch", "micro_batch"),
    [(1, 1, 1), (2, 4, 1), (3, 6, 2), (4, 8, 2), (2, 14, 7)],
)
def test_every_rank_reads_what_the_specification_says(
    world_size: int, global_batch: int, micro_batch: int, seed: int, remainder: str
) -> None:
    batch = (global_batch, micro_batch, remainder)
    seen = compare(GOLDEN / "v1-epoch", world_size, seed, *batch)
    steps = 25 // global_batch if remainder == "drop" else -(-25 // global_batch)
    assert seen == EPOCHS * steps * global_batch


@pytest.mark.parametrize("name", sorted(path.parent.name for path in GOLDEN.glob("*/dataset.json")))
def test_every_golden_is_read_alike(name: str) -> None:
    assert compare(GOLDEN / name, 1, 7, 2, 1, "pad") > 0


def test_a_dataset_of_the_job_is_read_alike(packed: Path) -> None:
    # One epoch: a checksum of 20 MB takes plain Python 14 s.
    assert compare(packed, 2, 3, 4, 2, "pad", epochs=1) > 0


def test_the_rest_of_a_global_batch_larger_than_the_dataset_is_padding() -> None:
    assert compare(GOLDEN / "v1-epoch", 1, 5, 60, 4, "pad") == EPOCHS * 60


@pytest.mark.parametrize("vector", vectors("permutations.csv"), ids=lambda row: row["blocks"])
def test_vectors_of_the_permutation(vector: dict[str, str]) -> None:
    settings = (int(vector[key]) for key in ("blocks", "seed", "epoch"))
    image = spec_reader.permutation(*settings)
    assert [image(index) for index in numbers(vector["indices"])] == numbers(vector["images"])


@pytest.mark.parametrize("vector", vectors("plans.csv"), ids=lambda row: row["delivered"][:20])
def test_vectors_of_the_plan(vector: dict[str, str]) -> None:
    settings = (int(vector[key]) for key in ("seed", "epoch", "global-batch", "micro-batch"))
    steps = spec_reader.plan(numbers(vector["packs"]), *settings, vector["remainder"])
    found = itertools.chain.from_iterable(places for _, _, places in steps)
    assert vector["delivered"].split() == [
        f"{block}.{pack}{'+' * padding}" for block, pack, padding in found
    ]


def test_crc32c() -> None:
    assert spec_reader.crc32c(b"123456789") == 0xE3069283
    assert spec_reader.crc32c(bytes(32)) == 0x8A9136AA
    assert spec_reader.crc32c(b"") == 0


def test_the_second_reader_stays_small() -> None:
    lines = Path(spec_reader.__file__).read_text("utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.strip().startswith('"""')]
    assert len(code) <= 60
