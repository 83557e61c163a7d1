"""Datasets made by the real job from examples/, and small helpers."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[3]
EXAMPLES = TOP / "examples"


def submit(output: Path, manifests: str = f"{EXAMPLES}/*.jsonl", **settings: str) -> Path:
    """Run the job on manifests; the names of settings are written with _ for . and -."""
    names = {
        "pack_enabled": "pack.enabled",
        "pack_max_tokens": "pack.max-tokens",
        "pixels_encoding": "pixels.encoding",
        "pixels_temporal": "pixels.temporal",
    }
    arguments = {
        "input.manifests": manifests,
        "output.path": str(output),
        "model.path": str(EXAMPLES / "model"),
        "text.template": "qwen3-vl-instruct",
        "shuffle.partition-rows": "8",
        **{names[key]: value for key, value in settings.items()},
    }
    options = [part for key, value in arguments.items() for part in ("--set", f"{key}={value}")]
    run = subprocess.run(
        [str(TOP / "scripts/submit"), *options], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return output


@pytest.fixture(scope="session")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """27 samples in packs of up to 1024 tokens."""
    return submit(tmp_path_factory.mktemp("packed") / "dataset", pack_max_tokens="1024")


@pytest.fixture(scope="session")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """27 samples, one per row."""
    return submit(tmp_path_factory.mktemp("single") / "dataset", pack_enabled="false")


@pytest.fixture(scope="session")
def model_ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one model-ready encoding that numpy has no type for, both temporal slots."""
    return submit(
        tmp_path_factory.mktemp("bfloat16") / "dataset",
        pack_enabled="false",
        pixels_encoding="bfloat16",
        pixels_temporal="duplicated",
    )


@pytest.fixture
def python() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a program in an interpreter of its own."""

    def run(program: str, *arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, **env},
        )

    return run


def prefetch_threads() -> int:
    """Threads of readers in this process; Linux cuts their names to 15 bytes."""
    names = [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
    return sum(name.startswith("stoker-") for name in names)


def prefetch_threads_become(expected: int) -> bool:
    """A Java thread has ended a moment before the kernel forgets it."""
    for _ in range(100):
        if prefetch_threads() == expected:
            return True
        time.sleep(0.02)
    return False
