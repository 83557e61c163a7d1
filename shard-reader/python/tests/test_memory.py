from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

# In a process of its own: what other tests have mapped and freed must not hide a leak.
PROGRAM = """
import re, sys, stoker

def rss():
    # Without the mapped shards, whose pages are the kernel's to keep.
    return int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[1])

reader = stoker.Reader(sys.argv[1], epochs=None, prefetch_bytes=1 << 20)
marks = []
for count, batch in enumerate(reader):
    total = sum(int(array.ravel()[-1]) for array in batch.values() if array.size)
    batch.torch()
    if count % 1000 == 999:
        marks.append(rss())
    if count == 10999:
        break
maps = sum("/shards/" in line for line in open("/proc/self/maps"))
reader.close()
print(*marks)
print(maps)
"""


def test_memory_stays_flat_over_10000_batches(
    single: Path, python: Callable[..., CompletedProcess[str]]
) -> None:
    run = python(PROGRAM, single)
    assert run.returncode == 0, run.stderr
    first, second = run.stdout.splitlines()
    marks = [int(mark) for mark in first.split()]
    assert len(marks) == 11
    # KiB; the Java heap may still grow to its working size in the first thousands.
    assert max(marks[1:]) - marks[0] < 40 * 1024, marks
    assert abs(marks[-1] - marks[5]) < 16 * 1024, marks
    shards = len(list((single / "shards").rglob("*.arrow")))
    assert int(second) <= shards
