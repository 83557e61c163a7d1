"""The README's quick start, as its reader would run it: a new venv, and no Java on the host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

from conftest import TOP

README = Path(__file__).resolve().parents[1] / "README.md"


def test_quick_start_without_java(packed: Path, tmp_path: Path) -> None:
    (wheel,) = (TOP / "shard-reader/target").glob("stoker-*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    hidden = {key: value for key, value in os.environ.items() if key != "JAVA_HOME"}
    subprocess.run([python, "-m", "pip", "install", "-q", f"{wheel}[jre]"], check=True, env=hidden)
    program = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert program is not None
    lines = program[1].strip().splitlines()
    assert len(lines) == 5
    code = "\n".join(lines).replace("s3://bucket/dataset", str(packed))
    run = subprocess.run(
        [python, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={**hidden, "PATH": str(tmp_path)},
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert len(run.stdout.splitlines()) > 2


def test_example_trains(packed: Path, tmp_path: Path) -> None:
    example = README.parent / "examples/train_cpu.py"
    state = tmp_path / "state.json"

    def run(steps: int) -> list[str]:
        done = subprocess.run(
            [sys.executable, example, packed, "--steps", str(steps), "--state", state],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    first = run(4)
    second = run(3)
    assert [line.split()[:2] for line in first[:4]] == [["step", str(i)] for i in range(4)]
    assert [line.split()[:2] for line in second[:3]] == [["step", str(i)] for i in range(4, 7)]
