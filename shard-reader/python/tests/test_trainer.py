"""The README's way into the Hugging Face Trainer."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import torch
from test_reference import model, processor  # noqa: F401
from torch.utils.data import DataLoader
from transformers import Trainer, TrainingArguments

from stoker.torch import ShardDataset, transformers_inputs


class StokerTrainer(Trainer):
    def get_train_dataloader(self) -> DataLoader:
        return DataLoader(self.train_dataset, batch_size=None)


def test_trainer_takes_every_batch(single: Path, tmp_path: Path, model) -> None:  # noqa: F811
    seen = []

    def inputs(batch):
        seen.append(batch.sample_ids[0])
        return transformers_inputs(batch, "cpu", dtype=torch.float32)

    trainer = StokerTrainer(
        model=model,
        args=TrainingArguments(
            output_dir=str(tmp_path),
            max_steps=5,
            gradient_accumulation_steps=2,
            logging_steps=1,
            report_to=[],
            save_strategy="no",
            use_cpu=True,
            disable_tqdm=True,
        ),
        train_dataset=ShardDataset(single, 0, 1, global_batch=2, transform=inputs),
    )
    result = trainer.train()
    assert result.global_step == 5
    assert len(seen) == len(set(seen)) == 10
    assert partial
