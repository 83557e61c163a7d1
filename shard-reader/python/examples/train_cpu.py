"""A tiny training loop on the CPU, with exact resume.

python train_cpu.py DATASET [--steps N] [--state FILE]
torchrun --nproc-per-node 2 train_cpu.py DATASET …       (each rank gets its share)
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

import stoker
from stoker.torch import to_device


class TinyModel(nn.Module):
    """Predicts the next token from the token before it and the mean colour of the images."""

    def __init__(self, vocabulary: int = 151936, width: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.patch = nn.Linear(1536, width)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        trained = inputs["labels"][0, 1:] != -100
        hidden = self.embed(inputs["input_ids"][0, :-1][trained])
        if "pixel_values" in inputs:
            hidden = hidden + self.patch(inputs["pixel_values"]).mean(dim=0)
        return functional.cross_entropy(self.head(hidden), inputs["labels"][0, 1:][trained])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--state", type=Path, help="where to resume from and to write to")
    options = parser.parse_args()

    torch.manual_seed(0)
    model = TinyModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    with stoker.from_env(options.dataset, epochs=None) as reader:
        if options.state and options.state.exists():
            reader.load_state_dict(json.loads(options.state.read_text()))
        first = reader.epoch * reader.steps_per_epoch + reader.step
        for step in range(first, first + options.steps):
            for _ in range(reader.batches_per_step):
                with next(reader) as batch:
                    inputs = to_device(batch, "cpu", torch.float32)
                loss = model(inputs) / reader.batches_per_step
                loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            print(f"step {step} epoch {batch.epoch} loss {loss.item():.4f}")
        stats = reader.stats()
        print(f"wait ratio {stats['wait_ratio']:.5f}, bottleneck: {stats['bottleneck']}")
        # The state is the same on all ranks.
        if options.state and stoker.data_parallel_rank()[0] == 0:
            options.state.write_text(json.dumps(reader.state_dict()))


if __name__ == "__main__":
    main()
