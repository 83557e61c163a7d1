"""Batches against those that the transformers processor makes from the same manifest lines.

Everything here is independent of Stoker: the rendering rules of the chat template are written down
again, ids and pixels come from the processor, positions from the model, labels from the rule of the
official fine-tuning code.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import torch
from conftest import EXAMPLES
from tokenizers import Tokenizer
from transformers import Qwen2TokenizerFast, Qwen3VLConfig, Qwen3VLForConditionalGeneration
from transformers.models.qwen2_vl.image_processing_qwen2_vl_fast import Qwen2VLImageProcessorFast
from transformers.models.qwen3_vl import Qwen3VLProcessor
from transformers.models.qwen3_vl.video_processing_qwen3_vl import Qwen3VLVideoProcessor

import stoker
from stoker.torch import transformers_inputs

IMAGE = "<|vision_start|><|image_pad|><|vision_end|>"
ASSISTANT, IM_END = 77091, 151645
Message = tuple[str, list[str]]


def messages(record: dict[str, Any]) -> tuple[list[Message], list[str]]:
    """(role, parts) per message, IMAGE standing for an image, and the paths of the images."""
    images: list[str] = []
    out: list[Message] = []
    if "system" in record:
        out.append(("system", [record["system"]]))
    if "conversations" in record:
        for turn in record["conversations"]:
            if turn["from"] == "human":
                pieces = re.split("(<image>)", turn["value"])
                parts = [IMAGE if p == "<image>" else p.strip() for p in pieces]
                out.append(("user", [part for part in parts if part]))
            else:
                out.append(("assistant", [turn["value"]]))
        named = record.get("image", record.get("images", []))
        return out, [named] if isinstance(named, str) else list(named)
    if "messages" not in record:
        question = record["question"]
        out += [("user", [IMAGE, question]), ("assistant", [record["answer"]])]
        return out, [record["image"]]
    for message in record["messages"]:
        content = message["content"]
        if isinstance(content, str):
            pieces = re.split("(<image>)", content) if message["role"] == "user" else [content]
            # As in the conversations: user text is cut at its tags and stripped.
            stripped = [p.strip() if message["role"] == "user" else p for p in pieces]
            out.append((message["role"], [IMAGE if p == "<image>" else p for p in stripped if p]))
        else:
            parts = []
            for part in content:
                if part["type"] == "text":
                    parts.append(part["text"])
                else:
                    images.append(part["image_url"]["url"])
                    parts.append(IMAGE)
            out.append((message["role"], parts))
    return out, images + list(record.get("images", []))


@pytest.fixture(scope="module")
def processor() -> Qwen3VLProcessor:
    settings = json.loads((EXAMPLES / "model/preprocessor_config.json").read_text())
    settings.pop("image_processor_type")
    tokenizer = Qwen2TokenizerFast(tokenizer_file=str(EXAMPLES / "model/tokenizer.json"))
    return Qwen3VLProcessor(
        image_processor=Qwen2VLImageProcessorFast(**settings),
        tokenizer=tokenizer,
        video_processor=Qwen3VLVideoProcessor(),
    )


@pytest.fixture(scope="module")
def model(processor: Qwen3VLProcessor) -> Qwen3VLForConditionalGeneration:
    torch.manual_seed(0)
    token = processor.tokenizer.convert_tokens_to_ids
    vocabulary = 151936
    assert len(processor.tokenizer) <= vocabulary
    config = Qwen3VLConfig(
        text_config={
            "vocab_size": vocabulary,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 16,
            "rope_scaling": {
                "rope_type": "default",
                "mrope_section": [4, 2, 2],
                "mrope_interleaved": True,
            },
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 64,
            "num_heads": 4,
            "out_hidden_size": 32,
            "deepstack_visual_indexes": [0, 1],
        },
        image_token_id=token("<|image_pad|>"),
        video_token_id=token("<|video_pad|>"),
        vision_start_token_id=token("<|vision_start|>"),
        vision_end_token_id=token("<|vision_end|>"),
        tie_word_embeddings=True,
    )
    return Qwen3VLForConditionalGeneration(config).float().eval()


class Reference:
    """The model's inputs for each sample, by its id."""

    def __init__(self, processor: Qwen3VLProcessor, model: Qwen3VLForConditionalGeneration) -> None:
        self.inputs: dict[str, dict[str, torch.Tensor]] = {}
        text = json.loads((EXAMPLES / "model/tokenizer.json").read_text())
        control = [token["content"] for token in text["added_tokens"]]
        # Knows no control token: what a user spells stays text.
        plain = Tokenizer.from_str(json.dumps({**text, "added_tokens": []}))
        for manifest in sorted(EXAMPLES.glob("*.jsonl")):
            for line in manifest.read_text(encoding="utf-8").splitlines():
                try:
                    record = json.loads(line)
                except json.JSONDecodeError:
                    continue
                turns, names = messages(record)
                paths = [str(EXAMPLES / name) for name in names]
                tags = sum(part == IMAGE for _, parts in turns for part in parts)
                if tags != len(paths) or not all(Path(path).is_file() for path in paths):
                    continue
                rendered = "".join(
                    f"<|im_start|>{role}\n{''.join(parts)}<|im_end|>\n" for role, parts in turns
                )
                inputs = processor(text=[rendered], images=paths or None, return_tensors="pt")
                spelled = [
                    part
                    for _, parts in turns
                    for part in parts
                    if part != IMAGE and any(token in part for token in control)
                ]
                if spelled:
                    # The processor turns what the user spells into the control token; Stoker does
                    # not, so that the ids of this line are put together by hand.
                    ids = self._plain_ids(plain, processor, turns, inputs)
                    inputs["input_ids"] = torch.tensor([ids])
                    inputs["attention_mask"] = torch.ones(1, len(ids), dtype=torch.long)
                sample = dict(inputs)
                sample["labels"] = labels(sample["input_ids"])
                sample["position_ids"], _ = model.model.get_rope_index(
                    sample["input_ids"],
                    sample.get("image_grid_thw"),
                    None,
                    attention_mask=sample["attention_mask"],
                )
                self.inputs[record["id"]] = sample
        self.spelled = "chat-006"

    @staticmethod
    def _plain_ids(
        plain: Tokenizer, processor: Qwen3VLProcessor, turns: list[Message], inputs: Any
    ) -> list[int]:
        token = processor.tokenizer.convert_tokens_to_ids
        grids = iter(inputs["image_grid_thw"].prod(dim=1).tolist())
        ids: list[int] = []
        for role, parts in turns:
            ids.append(token("<|im_start|>"))
            stretch = f"{role}\n"
            for part in parts:
                if part == IMAGE:
                    ids += plain.encode(stretch, add_special_tokens=False).ids
                    stretch = ""
                    pads = [token("<|image_pad|>")] * (next(grids) // 4)
                    ids += [token("<|vision_start|>"), *pads, token("<|vision_end|>")]
                else:
                    stretch += part
            ids += plain.encode(stretch, add_special_tokens=False).ids
            ids += [token("<|im_end|>"), 198]
        return ids


def labels(input_ids: torch.Tensor) -> torch.Tensor:
    """The rule of the official fine-tuning code."""
    ids = input_ids[0].tolist()
    out = [-100] * len(ids)
    at = 0
    while at < len(ids):
        if ids[at] == ASSISTANT and IM_END in ids[at + 2 :]:
            end = ids.index(IM_END, at + 2)
            out[at + 2 : end + 2] = ids[at + 2 : end + 2]
            at = end
        at += 1
    return torch.tensor([out])


@pytest.fixture(scope="module")
def reference(processor: Qwen3VLProcessor, model: Qwen3VLForConditionalGeneration) -> Reference:
    return Reference(processor, model)


TENSORS = ("input_ids", "labels", "position_ids", "pixel_values", "image_grid_thw")


def test_single_samples(
    single: Path, reference: Reference, model: Qwen3VLForConditionalGeneration
) -> None:
    seen = 0
    with stoker.Reader(single) as reader:
        for batch in reader:
            (key,) = batch.sample_ids
            expected = reference.inputs[key]
            inputs = transformers_inputs(batch, "cpu", torch.float32)
            text, inputs_positions = inputs["position_ids"][:1], inputs["position_ids"][1:]
            assert text[0, 0].tolist() == list(range(text.shape[2]))
            ours = {**inputs, "position_ids": inputs_positions}
            for name in TENSORS:
                assert (name in ours) == (name in expected), (key, name)
                if name in expected:
                    assert ours[name].dtype == expected[name].dtype, (key, name)
                    assert ours[name].equal(expected[name]), (key, name)
            with torch.no_grad():
                own = model(**inputs).loss
                other = model(**expected).loss
            torch.testing.assert_close(own, other, rtol=1e-6, atol=0)
            seen += 1
    assert seen == len(reference.inputs) == 27


def test_packs(packed: Path, reference: Reference, model: Qwen3VLForConditionalGeneration) -> None:
    """A pack gives each of its samples the loss it has alone: no segment sees another."""
    longest = 0
    with stoker.Reader(packed) as reader:
        for batch in reader:
            samples = [reference.inputs[key] for key in batch.sample_ids]
            longest = max(longest, len(samples))
            inputs = transformers_inputs(batch, "cpu", torch.float32)
            for name in ("input_ids", "labels"):
                assert inputs[name].equal(torch.cat([s[name] for s in samples], dim=1)), name
            positions = torch.cat([s["position_ids"] for s in samples], dim=2)
            assert inputs["position_ids"][1:].equal(positions)
            for name in ("pixel_values", "image_grid_thw"):
                parts = [s[name] for s in samples if name in s]
                assert inputs[name].equal(torch.cat(parts)) if parts else name not in inputs
            total, tokens = 0.0, 0
            with torch.no_grad():
                own = model(**inputs).loss.item()
                for sample in samples:
                    count = int((sample["labels"] != -100).sum())
                    total += model(**sample).loss.item() * count
                    tokens += count
            assert own == pytest.approx(total / tokens, rel=2e-6)
    assert longest > 2
