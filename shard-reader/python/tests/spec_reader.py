"""A second reader of datasets: written from the specification alone, with pyarrow alone."""

import functools
import itertools
import json
import math

import pyarrow as pa

WORD, GOLDEN, F1, F2 = 2**64, 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
CRC = list(range(256))
for _ in range(8):
    CRC = [c >> 1 ^ 0x82F63B78 * (c & 1) for c in CRC]


def crc32c(data):
    c = 0xFFFFFFFF
    for byte in memoryview(data):
        c = c >> 8 ^ CRC[(c ^ byte) & 255]
    return c ^ 0xFFFFFFFF


def mix(z):
    z = (z ^ z >> 30) * F1 % WORD
    z = (z ^ z >> 27) * F2 % WORD
    return z ^ z >> 31


def permutation(n, seed, epoch):
    a = math.isqrt(n - 1) + 1
    b = -(-n // a)
    state = mix((seed + GOLDEN) % WORD) ^ epoch
    keys = [mix((state + GOLDEN * (round + 1)) % WORD) for round in range(6)]

    def scaled(key, value, bound):
        z = (key ^ value) * F1 % WORD
        return ((z ^ z >> 32) * F2 % WORD >> 32) * bound >> 32

    def image(x):
        right, left = divmod(x, a)
        for round in (0, 2, 4):
            left = (left + scaled(keys[round], right, a)) % a
            right = (right + scaled(keys[round + 1], left, b)) % b
        x = left + right * a
        return x if x < n else image(x)

    return image


def plan(packs, seed, epoch, global_batch, micro_batch, remainder):
    """For each step, for each lane: the (block, pack, padding) of its micro-batch."""
    blocks = map(permutation(len(packs), seed, epoch), range(len(packs)))
    order = [(block, pack) for block in blocks for pack in range(packs[block])]
    steps = (len(order) + (global_batch - 1) * (remainder == "pad")) // global_batch
    for step, lane in itertools.product(range(steps), range(global_batch // micro_batch)):
        first = (lane * steps + step) * micro_batch
        places = range(first, first + micro_batch)
        yield step, lane, [(*order[p % len(order)], p >= len(order)) for p in places]


def read(root, *settings):
    """For each step, for each lane: the packs of its micro-batch, column name to values."""
    dataset = json.loads((root / "dataset.json").read_bytes())
    assert (dataset["format"], dataset["format-version"]) == ("stoker-dataset", 1)
    table = (root / dataset["block-table"]["name"]).read_bytes()
    assert crc32c(table) == int(dataset["block-table"]["crc32c"], 16)
    rows = pa.ipc.open_file(table).read_all().to_pylist()

    @functools.cache
    def block(row):
        shard, offset, length, *_, crc = rows[row].values()
        file = pa.memory_map(str(root / dataset["shards"][shard]["name"])).read_buffer()
        assert crc32c(file[offset : offset + length]) == crc
        schema = pa.ipc.read_schema(file[8:])
        return pa.ipc.read_record_batch(file[offset : offset + length], schema).to_pylist()

    def served(row, pack, padding):
        values = block(row)[pack]
        return values | {"labels": [-100] * len(values["labels"])} if padding else values

    for step, lane, places in plan([row["packs"] for row in rows], *settings):
        yield step, lane, [served(*place) for place in places]
