"""A dataset in a bucket, through the AWS SDK in the wheel's jar."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

import pytest

import stoker


@pytest.fixture
def endpoint(single: Path) -> Iterator[str]:
    """Answers GET with and without a range for /bucket/some where/dataset/…."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = unquote(self.path.split("?")[0]).removeprefix("/bucket/some where/dataset/")
            data = (single / name).read_bytes()
            match = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
            body = data[int(match[1]) : int(match[2]) + 1] if match else data
            self.send_response(206 if match else 200)
            if match:
                self.send_header("Content-Range", f"bytes {match[1]}-{match[2]}/{len(data)}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(autouse=True)
def credentials() -> None:
    # As properties, because the JVM saw the environment as it was when it started.
    system = stoker._jvm.java_class("java.lang.System")
    system.setProperty("aws.accessKeyId", "test")
    system.setProperty("aws.secretAccessKey", "test")


def test_dataset_in_a_bucket(
    single: Path, endpoint: str, capfd: pytest.CaptureFixture[str]
) -> None:
    store = {"s3.endpoint": endpoint, "s3.region": "us-east-1"}
    with (
        stoker.Reader("s3://bucket/some where/dataset", seed=1, store=store) as remote,
        stoker.Reader(single, seed=1) as local,
    ):
        for ours, theirs in zip(remote, local, strict=True):
            assert ours.sample_ids == theirs.sample_ids
            assert all((ours[name] == theirs[name]).all() for name in theirs)
    assert capfd.readouterr().err == ""


def test_cache_of_a_node(single: Path, endpoint: str, tmp_path: Path) -> None:
    def read() -> tuple[list[str], dict[str, object]]:
        store = {"s3.endpoint": endpoint, "s3.region": "us-east-1"}
        with stoker.Reader(
            "s3://bucket/some where/dataset",
            cache_dir=tmp_path / "cache",
            cache_bytes=1 << 30,
            store=store,
        ) as reader:
            return [sample for batch in reader for sample in batch.sample_ids], reader.stats()

    first, second = read(), read()
    assert first[0] == second[0]
    assert first[1]["cache_misses"] == second[1]["cache_hits"] != 0
    assert second[1]["cache_misses"] == 0
