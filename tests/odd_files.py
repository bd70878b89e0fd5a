"""Files that a repository may contain and that must not be read, or not as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest


def pipe(file: Path, text: str) -> None:
    """Make a pipe to which nothing is ever written."""
    os.mkfifo(file)


def link_to_a_device(file: Path, text: str) -> None:
    file.symlink_to(os.devnull)


def link_to_a_pipe(file: Path, text: str) -> None:
    os.mkfifo(file.with_name("pipe"))
    file.symlink_to("pipe")


def huge(file: Path, text: str) -> None:
    """Make a sparse file of more than 8 MB."""
    file.write_text(f"{text}\n#")
    os.truncate(file, 9_000_000)


def folder(file: Path, text: str) -> None:
    file.mkdir()


OddFile = Callable[[Path, str], None]
"""Creates one at a path, with a text that would show if it was read."""

ODD_FILES: Mapping[str, OddFile] = {
    each.__name__: each for each in (pipe, link_to_a_device, link_to_a_pipe, huge, folder)
}
odd_files = pytest.mark.parametrize("odd", ODD_FILES.values(), ids=ODD_FILES.keys())
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes there")
