"""Stock Arrow readers open the shards and agree with ours."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import polars
import pyarrow as pa
import pytest

import stoker


@pytest.fixture
def table(packed: Path) -> pa.Table:
    shards = sorted((packed / "shards").rglob("*.arrow"))
    return pa.concat_tables(
        pa.ipc.open_file(pa.memory_map(str(shard))).read_all() for shard in shards
    )


@pytest.fixture
def ours(packed: Path) -> dict[str, dict[str, np.ndarray]]:
    with stoker.Reader(packed) as reader:
        return {batch.sample_ids[0]: dict(batch) for batch in reader}


def flat(value: object) -> list[int]:
    return np.array(value, dtype=np.int64).ravel().tolist()


def test_pyarrow(table: pa.Table, ours: dict[str, dict[str, np.ndarray]]) -> None:
    table.validate(full=True)
    assert len(table) == len(ours)
    for row in table.to_pylist():
        own = ours[row["sample_ids"][0]]
        for name, array in own.items():
            assert flat(row[name]) == array.ravel().tolist(), name


def test_polars(packed: Path, ours: dict[str, dict[str, np.ndarray]]) -> None:
    rows = 0
    for shard in (packed / "shards").rglob("*.arrow"):
        for row in polars.read_ipc(shard).iter_rows(named=True):
            own = ours[row["sample_ids"][0]]
            for name in ("input_ids", "labels", "cu_seqlens", "position_ids", "image_grid_thw"):
                assert flat(row[name]) == own[name].ravel().tolist(), name
            rows += 1
    assert rows == len(ours)


def test_duckdb(table: pa.Table, ours: dict[str, dict[str, np.ndarray]]) -> None:
    connection = duckdb.connect()
    connection.register("shards", table)
    found = connection.sql(
        "select sample_ids[1], len(input_ids), list_sum(input_ids), len(pixel_values) from shards"
    ).fetchall()
    assert sorted(found) == sorted(
        (key, own["input_ids"].size, own["input_ids"].sum(), len(own["pixel_values"]))
        for key, own in ours.items()
    )
