"""One rank of a distributed run: torchrun rank_program.py DATASET OUT STOP [STATE].

Reads STOP steps of one epoch, or all that is left if STOP is 0; writes samples per step and state.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import torch
import torch.distributed as dist

import stoker


def main() -> None:
    dataset, out, stop = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    dist.init_process_group("gloo")
    steps: list[list[str]] = []
    with stoker.from_env(dataset, seed=9, global_batch=4) as reader:
        if len(sys.argv) > 4:
            reader.load_state_dict(json.loads(Path(sys.argv[4]).read_text()))
        for batch in reader:
            if len(steps) <= batch.step:
                steps += [[] for _ in range(batch.step + 1 - len(steps))]
            steps[batch.step] += batch.sample_ids
            done = len(steps[batch.step]) == reader.batches_per_step
            if done:
                # Hangs unless all ranks have the same number of steps.
                dist.all_reduce(torch.ones(1))
            if done and stop and batch.step + 1 == stop:
                break
        result = {"steps": steps, "state": reader.state_dict(), "length": len(reader)}
    (out / f"{dist.get_rank()}.json").write_text(json.dumps(result))
    dist.destroy_process_group()


main()
