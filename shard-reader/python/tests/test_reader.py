from __future__ import annotations

import gc
import json
import pickle
import queue
import shutil
import threading
from pathlib import Path

import jpype
import numpy as np
import pytest
from conftest import prefetch_threads, prefetch_threads_become

import stoker


def ids(reader: stoker.Reader) -> list[str]:
    return [sample for batch in reader for sample in batch.sample_ids]


def test_names_shapes_and_types_are_those_of_the_forward(packed: Path) -> None:
    with stoker.Reader(packed) as reader:
        assert reader.pixels.encoding == "uint8"
        assert reader.pixels.value_table.shape == (3, 256)
        for batch in reader:
            tokens = batch["input_ids"].shape[1]
            patches = len(batch["pixel_values"])
            images = len(batch["image_grid_thw"])
            assert {name: (array.dtype.str, array.shape) for name, array in batch.items()} == {
                "input_ids": ("<i8", (1, tokens)),
                "labels": ("<i8", (1, tokens)),
                "position_ids": ("<i8", (3, 1, tokens)),
                "cu_seqlens": ("<i4", (len(batch.sample_ids) + 1,)),
                "pixel_values": ("|u1", (patches, 768)),
                "image_grid_thw": ("<i8", (images, 3)),
            }
            assert batch["cu_seqlens"][0] == 0
            assert batch["cu_seqlens"][-1] == tokens
            assert batch["image_grid_thw"].prod(axis=1).sum() == patches


def mappings(prefix: Path) -> list[tuple[int, int]]:
    ranges = []
    for line in Path("/proc/self/maps").read_text().splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[5].startswith(str(prefix)):
            start, end = fields[0].split("-")
            ranges.append((int(start, 16), int(end, 16)))
    return ranges


def test_every_array_and_tensor_lies_in_a_mapping_of_a_shard(packed: Path) -> None:
    checked = 0
    with stoker.Reader(packed) as reader:
        for batch in reader:
            shards = mappings(packed / "shards")
            for name, tensor in batch.torch().items():
                array = batch[name]
                assert not array.flags.writeable
                if array.size:
                    start = array.ctypes.data
                    assert tensor.data_ptr() == start
                    assert any(
                        low <= start and start + array.nbytes <= high for low, high in shards
                    )
                    checked += 1
    assert checked > 30


def test_arrays_outlive_batch_and_reader(packed: Path) -> None:
    reader = stoker.Reader(packed)
    batch = next(reader)
    pixels = batch["pixel_values"][1:]
    tensor = batch.torch()["input_ids"]
    expected = pixels.copy(), tensor.clone()
    batch.close()
    reader.close()
    del batch, reader
    gc.collect()
    stoker._jvm.java_class("java.lang.System").gc()
    assert mappings(packed / "shards")
    np.testing.assert_array_equal(pixels, expected[0])
    assert tensor.equal(expected[1])


def test_use_after_close_raises(packed: Path) -> None:
    reader = stoker.Reader(packed)
    batch = next(reader)
    taken = batch["labels"]
    with batch:
        pass
    assert batch.closed
    for use in (
        lambda: batch["labels"],
        lambda: dict(batch),
        lambda: len(batch),
        batch.torch,
        lambda: batch.sample_ids,
        lambda: batch.packs,
    ):
        with pytest.raises(stoker.ClosedError, match="batch of step 0, lane 0 is closed"):
            use()
    assert taken.shape == (1, taken.size)
    reader.close()
    reader.close()
    assert reader.closed
    for use in (lambda: next(reader), reader.state_dict, reader.stats, lambda: iter(reader)):
        with pytest.raises(stoker.ClosedError, match="reader is closed"):
            use()


def test_passes_go_on_with_the_next_epoch(single: Path) -> None:
    with stoker.Reader(single, seed=3) as reader:
        first, second = ids(reader), ids(reader)
        assert len(reader) == len(first) == reader.steps_per_epoch == 27
        assert sorted(first) == sorted(second)
        assert first != second
        assert reader.epoch == 2
        reader.set_epoch(1)
        assert ids(reader) == second
    with stoker.Reader(single, seed=3, epochs=2) as reader:
        assert ids(reader) == first + second
        assert len(reader) == 54
    with stoker.Reader(single, seed=3, epochs=None) as reader:
        assert [next(reader).sample_ids[0] for _ in range(60)][:54] == first + second
        with pytest.raises(TypeError, match="no length"):
            len(reader)


def test_micro_batch_has_its_packs(single: Path) -> None:
    with stoker.Reader(single, global_batch=4, micro_batch=2) as reader:
        assert reader.batches_per_step == 2
        batch = next(reader)
        assert len(batch.packs) == 2
        assert [pack.sample_ids[0] for pack in batch.packs] == batch.sample_ids
        tokens = [pack["input_ids"].shape[1] for pack in batch.packs]
        assert batch["cu_seqlens"].tolist() == [0, tokens[0], sum(tokens)]
        for name, axis in {"input_ids": 1, "position_ids": 2, "pixel_values": 0}.items():
            parts = [pack[name] for pack in batch.packs]
            np.testing.assert_array_equal(batch[name], np.concatenate(parts, axis=axis))


def test_remainder_is_padded_with_packs_of_no_loss(single: Path) -> None:
    with stoker.Reader(single, global_batch=4, remainder="pad") as reader:
        batches = list(reader)
        assert reader.state_dict()["remainder"] == "pad"
    assert len(batches) == 28
    padding = [batch for batch in batches if batch.packs[0].padding]
    assert len(padding) == 1
    assert (padding[0]["labels"] == -100).all()
    assert len({batch.sample_ids[0] for batch in batches}) == 27
    with pytest.raises(ValueError, match="expected drop or pad"):
        stoker.Reader(single, remainder="wrap")  # type: ignore[arg-type]


def test_state_is_what_was_delivered(single: Path) -> None:
    with stoker.Reader(single, seed=1, global_batch=3, epochs=2) as reader:
        everything = ids(reader)
    with stoker.Reader(single, seed=1, global_batch=3, epochs=2) as reader:
        seen = [next(reader).sample_ids[0] for _ in range(31)]
        state = json.loads(json.dumps(reader.state_dict()))
        # 31 batches are 10 whole steps of 3; the eleventh was not complete.
        assert (state["epoch"], state["step"]) == (1, 1)
        rest = ids(reader)
    assert seen + rest == everything
    with stoker.Reader(single, seed=1, global_batch=3, epochs=2) as reader:
        reader.load_state_dict(state)
        assert reader.state_dict() == state
        reader.set_epoch(1)
        assert ids(reader) == everything[30:]
        reader.seek(10)
        assert ids(reader) == everything[30:]


def test_state_of_another_run_is_refused_by_name(single: Path, packed: Path) -> None:
    with stoker.Reader(single, seed=1) as other:
        state = other.state_dict()
    with stoker.Reader(single, seed=2) as reader:
        next(reader)
        before = reader.state_dict()
        with pytest.raises(ValueError, match="seed"):
            reader.load_state_dict(state)
        assert reader.state_dict() == before
    with stoker.Reader(packed, seed=1) as reader, pytest.raises(ValueError, match="dataset"):
        reader.load_state_dict(state)
    with stoker.Reader(single) as reader:
        with pytest.raises(stoker.DatasetFormatError, match="too new") as caught:
            reader.load_state_dict({**state, "format-version": 99})
        assert caught.value.kind == "too_new"


def test_errors_are_typed_and_name_the_place(single: Path, tmp_path: Path) -> None:
    with pytest.raises(stoker.UnavailableError, match="no dataset at"):
        stoker.Reader(tmp_path)
    with pytest.raises(OSError, match="expected file:, s3: or s3a:, found ftp:"):
        stoker.Reader("ftp://host/dataset")
    with pytest.raises(ValueError, match="world size must divide the lanes"):
        stoker.Reader(single, 0, 3, global_batch=4)
    with pytest.raises(ValueError, match="rank"):
        stoker.Reader(single, 2, 2)
    with pytest.raises(ValueError, match="epochs"):
        stoker.Reader(single, epochs=0)
    with pytest.raises(TypeError, match="ShardDataset"):
        pickle.dumps(stoker.Reader(single))


def test_corrupt_block_surfaces_in_next(single: Path, tmp_path: Path) -> None:
    import shutil

    copy = shutil.copytree(single, tmp_path / "dataset")
    for shard in (copy / "shards").rglob("*.arrow"):
        data = bytearray(shard.read_bytes())
        data[len(data) // 2] ^= 1
        shard.write_bytes(data)
    with (
        stoker.Reader(copy) as reader,
        pytest.raises(stoker.DatasetFormatError, match=r"block at .* crc32c") as caught,
    ):
        ids(reader)
    assert caught.value.kind == "corrupt"


def test_stats_count_what_was_delivered(single: Path) -> None:
    with stoker.Reader(single) as reader:
        total = sum(array.nbytes for _ in range(5) for array in next(reader).values())
        stats = reader.stats()
    assert stats["batches"] == 5
    assert stats["bytes"] == total
    assert stats["wait_ratio"] >= 0
    assert stats["bottleneck"] in ("trainer", "cpu", "disk")


def test_no_thread_is_left_behind(single: Path) -> None:
    # Those of the tests before, which may be ending just now, are not to be counted.
    gc.collect()
    assert prefetch_threads_become(0)

    def train() -> None:
        with stoker.Reader(single, epochs=None) as reader:
            for batch in reader:
                assert prefetch_threads() > 0
                raise RuntimeError(f"the loss of step {batch.step} is NaN")

    with pytest.raises(RuntimeError, match="NaN"):
        train()
    assert prefetch_threads_become(0)

    def forgets() -> None:
        for _ in stoker.Reader(single, epochs=None):
            return

    forgets()
    gc.collect()
    assert prefetch_threads_become(0)


def test_close_from_another_thread(single: Path) -> None:
    reader = stoker.Reader(single, epochs=None)
    threading.Timer(0.2, reader.close).start()
    with pytest.raises(stoker.ClosedError):
        for _ in reader:
            pass


def test_prefetch_and_order_while_another_thread_holds_the_lock(single: Path) -> None:
    import ctypes
    import time

    with stoker.Reader(single, seed=5, epochs=3) as reader:
        expected = ids(reader)
    sleep_with_lock = ctypes.PyDLL(None).usleep
    stop = threading.Event()

    def hold() -> None:
        while not stop.is_set():
            sleep_with_lock(9000)
            time.sleep(0.001)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        with stoker.Reader(single, seed=5, epochs=3) as reader:
            assert ids(reader) == expected
    finally:
        stop.set()
        thread.join()


def test_what_nothing_refers_to_is_given_back(single: Path) -> None:
    def slot(batch: stoker.Batch) -> int:
        assert batch._held is not None
        return batch._held.slot

    with stoker.Reader(single, epochs=None) as reader:
        assert len({slot(next(reader)) for _ in range(200)}) < 5
        kept = [next(reader) for _ in range(100)]
        held = {slot(batch) for batch in kept}
        assert len(held) == 100
        # A slice alone keeps its batch.
        views = [batch["input_ids"][0, :1] for batch in kept]
        expected = [int(view[0]) for view in views]
        del kept
        assert held.isdisjoint(slot(next(reader)) for _ in range(20))
        assert [int(view[0]) for view in views] == expected
        del views
        assert max(slot(next(reader)) for _ in range(200)) < 105


def test_what_is_dropped_late_is_given_back_too(single: Path) -> None:
    with stoker.Reader(single, epochs=None) as reader:
        # More than go into one message.
        kept = [next(reader) for _ in range(600)]
        last = kept[-1]["cu_seqlens"]
        java = reader._handle.view.java
        del kept[1:]
        next(reader)
        with pytest.raises(jpype.JException, match="given back"):
            java.sampleIds(300)
        assert len(java.sampleIds(0)) > 0
    # Closed: nobody asks for batches any more.
    del kept
    with pytest.raises(jpype.JException, match="given back"):
        java.sampleIds(0)
    assert last[0] == 0


def test_packs_do_not_keep_a_batch_that_was_dropped(single: Path) -> None:
    with stoker.Reader(single, micro_batch=2) as reader:
        gc.disable()
        try:
            batch = next(reader)
            held = batch._held
            assert held is not None
            slot = held.slot
            assert [dict(pack) for pack in batch.packs]
            del batch, held
            following = next(reader)._held
            assert following is not None
            assert following.slot == slot
        finally:
            gc.enable()


def test_a_closed_batch_closes_its_packs(single: Path) -> None:
    with stoker.Reader(single, micro_batch=2) as reader:
        batch = next(reader)
        pack = batch.packs[0]
        assert pack["labels"].size
        batch.close()
        for use in (pack.torch, lambda: pack["labels"], lambda: dict(pack), lambda: pack.padding):
            with pytest.raises(stoker.ClosedError):
                use()


def test_packs_of_one_thread_beside_batches_of_another(single: Path) -> None:
    with stoker.Reader(single, micro_batch=2, epochs=None) as reader:
        batches: queue.Queue[stoker.Batch | None] = queue.Queue(8)
        wrong = []

        def check() -> None:
            while (batch := batches.get()) is not None:
                tokens = sum(pack["input_ids"].shape[1] for pack in batch.packs)
                if tokens != batch["input_ids"].shape[1]:
                    wrong.append(batch.step)

        thread = threading.Thread(target=check)
        thread.start()
        for _ in range(2000):
            batches.put(next(reader))
        batches.put(None)
        thread.join()
        assert wrong == []


def test_a_dataset_that_is_away_for_a_while(single: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    shutil.copytree(single, here)
    with stoker.Reader(here, seed=1) as reader, stoker.Reader(single, seed=1, epochs=2) as other:
        found = [batch.sample_ids for batch in reader]
        here.rename(tmp_path / "away")
        for _ in range(2):
            with pytest.raises(stoker.UnavailableError):
                iter(reader)
            with pytest.raises(stoker.UnavailableError):
                next(reader)
        (tmp_path / "away").rename(here)
        found += [batch.sample_ids for batch in reader]
        assert found == [batch.sample_ids for batch in other]
