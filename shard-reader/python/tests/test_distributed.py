from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import stoker

PROGRAM = Path(__file__).with_name("rank_program.py")


def torchrun(ranks: int, dataset: Path, out: Path, stop: int, *state: Path) -> list[dict[str, Any]]:
    out.mkdir()
    run = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node"]
        + [str(part) for part in (ranks, PROGRAM, dataset, out, stop, *state)],
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return [json.loads((out / f"{rank}.json").read_text()) for rank in range(ranks)]


def by_step(results: list[dict[str, Any]]) -> list[list[str]]:
    """Samples of each step, in the order of the lanes."""
    return [sum(parts, []) for parts in zip(*(one["steps"] for one in results), strict=True)]


def test_ranks_and_elastic_resume(single: Path, tmp_path: Path) -> None:
    with stoker.Reader(single, seed=9, global_batch=4) as reader:
        expected: list[list[str]] = [[] for _ in range(reader.steps_per_epoch)]
        for batch in reader:
            expected[batch.step] += batch.sample_ids
    assert len(expected) == 6

    full = torchrun(2, single, tmp_path / "full", 0)
    assert by_step(full) == expected
    assert {one["length"] for one in full} == {12}
    first, second = (set(sum(one["steps"], [])) for one in full)
    assert not first & second

    stopped = torchrun(2, single, tmp_path / "stopped", 2)
    assert by_step(stopped) == expected[:2]
    assert stopped[0]["state"] == stopped[1]["state"]
    state = tmp_path / "state.json"
    state.write_text(json.dumps(stopped[0]["state"]))
    for ranks in (1, 4):
        rest = torchrun(ranks, single, tmp_path / f"rest{ranks}", 0, state)
        assert by_step(rest) == [[], [], *expected[2:]]
