"""Modules, as imports name them."""

from __future__ import annotations

import msgspec


class Module(msgspec.Struct, frozen=True, gc=False):
    """The target of an import: files whose top level it offers, a folder with submodules, or a
    declared package (``""`` when none)."""

    files: tuple[str, ...] = ()
    folder: str | None = None
    package: str = ""


def dotted(module: str) -> str:
    """A namespace path with dots, whatever separates its parts."""
    return module.replace("\\", ".").replace("::", ".").strip(".")
