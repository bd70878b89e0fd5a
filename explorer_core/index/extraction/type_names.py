"""The names of types as they are written."""

from __future__ import annotations

import re

_ARGUMENTS = re.compile(r"<[^<>]*>")


def simple_type_name(written: str) -> str:
    """``pkg::Type<T>`` and ``*pkg.Type`` as ``Type``."""
    return type_path(written).rpartition(".")[2]


def type_path(written: str) -> str:
    """``pkg::Outer<T>::Type<T>`` and ``*pkg.Outer.Type`` as ``pkg.Outer.Type``."""
    while "<" in written and written != (shorter := _ARGUMENTS.sub("", written)):
        written = shorter
    for opening in "<[(":
        written = written.partition(opening)[0]
    return written.replace("::", ".").replace("\\", ".").strip(" *&?")
