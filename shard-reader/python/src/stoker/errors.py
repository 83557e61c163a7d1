"""What can go wrong, as Python exceptions.

Arguments that make no sense raise ``ValueError`` (a world size that does not divide the global
batch, a state of another dataset); everything else is a ``StokerError``.
"""

from __future__ import annotations


class StokerError(Exception):
    """Base of the errors of this package."""


class DatasetFormatError(StokerError):
    """A file of the dataset cannot be read; the message names file, block and offset.

    Attributes:
        kind: ``"corrupt"``, ``"too_old"`` or ``"too_new"``.
    """

    def __init__(self, message: str, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class UnavailableError(StokerError, OSError):
    """There is no dataset at the place, or the store cannot be reached."""


class ClosedError(StokerError, ValueError):
    """A reader or batch was used after it had been closed."""


class ForkError(StokerError, RuntimeError):
    """The process was forked after the JVM had been started: there is no JVM in the child."""
