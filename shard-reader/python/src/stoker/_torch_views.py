"""Torch tensors over the memory of numpy arrays. Knows nothing of batches and readers."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import torch

with warnings.catch_warnings():
    # torch says once per process that a tensor over a read-only array must not be written to.
    # Here that is so by design (see Batch.torch), and the training log is no place to repeat it.
    warnings.simplefilter("ignore")
    torch.from_numpy(np.frombuffer(b"\0", np.uint8))


def from_numpy(array: np.ndarray[Any, Any], *, bfloat16: bool = False) -> torch.Tensor:
    """A tensor over the memory of an array, which it keeps alive."""
    if array.size == 0:
        # A new one: torch does not take read-only arrays without elements in silence everywhere.
        array = np.empty(array.shape, array.dtype)
    if bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)
