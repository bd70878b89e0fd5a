"""Languages as data: one ``<name>.toml`` spec and one or more ``.scm`` queries each.

`language_of` returns the language of a file, and `spec` the spec of a language. The capture names
of the queries are explained in ``docs/languages.md``, the fields of a spec in `specification`.
"""

from __future__ import annotations

import functools
import re
import threading
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import PurePosixPath
from typing import Any

import msgspec

from explorer_core.index.languages.specification import LanguageSpec


@dataclass(frozen=True, slots=True)
class _Table:
    specs: dict[str, LanguageSpec]
    by_suffix: dict[str, str]
    by_name: dict[str, str]
    by_interpreter: dict[str, str]
    shared: dict[str, list[str]]
    """By suffix, the languages that share it with the one it normally stands for."""


_PROGRAM_NAME = re.compile(r"[A-Za-z+]+")


def names() -> tuple[str, ...]:
    """Every language that has a spec."""
    return tuple(_table().specs)


def affects_imports(path: str) -> bool:
    """Whether the text of a file, and not only its path, affects what other files' imports mean.

    True of package files, of files that may hold aliases, and of languages whose imports reveal the
    repository's own prefix.
    """
    if path.rpartition("/")[2] in _package_files() or path.endswith(_alias_suffixes()):
        return True
    language = language_of(path)
    return language is not None and spec(language).imports.style == "folder"


@functools.cache
def _package_files() -> frozenset[str]:
    return frozenset(spec(name).imports.package_file for name in names()) - {""}


@functools.cache
def _alias_suffixes() -> tuple[str, ...]:
    return tuple({spec(name).imports.alias_suffix for name in names()} - {""})


def spec(language: str) -> LanguageSpec:
    """The spec of ``language``. Raises KeyError if it has none."""
    return _table().specs[language]


def language_of(path: str, text: str = "") -> str | None:
    """The language of the file at ``path``, by its name or else by its ``#!`` line; None if there
    is none. If ``text`` is given, it may show that the suffix is used by another language."""
    table = _table()
    name = path.rpartition("/")[2]
    if language := table.by_name.get(name):
        return language
    _, dot, ending = name.lower().partition(".")
    while dot:
        if language := table.by_suffix.get("." + ending):
            foreign_start = table.specs[language].foreign_start
            if foreign_start and re.match(foreign_start, text):
                return None
            sharing = table.shared.get("." + ending, ()) if text else ()
            return next(
                (x for x in sharing if re.search(table.specs[x].shared_text, text)), language
            )
        _, dot, ending = ending.partition(".")
    return table.by_interpreter.get(_interpreter(text)) if text[:2] == "#!" else None


def _interpreter(text: str) -> str:
    """The program a ``#!`` line runs, without folder and version."""
    words = [word for word in text[2:].partition("\n")[0].split() if not word.startswith("-")]
    names = [PurePosixPath(word).name for word in words if "=" not in word]
    name = next((name for name in names if name != "env"), "")
    return match[0] if (match := _PROGRAM_NAME.match(name)) else ""


_LOADING = threading.Lock()
"""msgspec prepares a class at its first use. If another thread uses it meanwhile, the process
crashes."""


@functools.cache
def _table() -> _Table:
    with _LOADING:
        return _loaded_table()


def _loaded_table() -> _Table:
    table = _Table({}, {}, {}, {}, {})
    folder = resources.files(__name__)
    for file in sorted(folder.iterdir(), key=lambda item: item.name):
        if not file.name.endswith(".toml"):
            continue
        name = file.name.removesuffix(".toml")
        language = msgspec.convert({**_read_spec(name), "name": name}, LanguageSpec)
        table.specs[language.name] = language
        table.by_suffix.update(dict.fromkeys(language.suffixes, language.name))
        table.by_name.update(dict.fromkeys(language.filenames, language.name))
        table.by_interpreter.update(dict.fromkeys(language.interpreters, language.name))
        for suffix in language.shared_suffixes:
            table.shared.setdefault(suffix, []).append(language.name)
    return table


def _read_spec(name: str) -> dict[str, Any]:
    """The contents of a spec, completed from the one that it ``extends``; tables are merged entry
    by entry."""
    text = resources.files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    own: dict[str, Any] = tomllib.loads(text)
    extended = own.pop("extends", "")
    return _merged(_read_spec(extended), own) if extended else own


def _merged(extended: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A table completed from the one that it extends, with the tables in it."""
    merged = {**extended, **own}
    for key in extended.keys() & own.keys():
        if isinstance(own[key], dict):
            merged[key] = _merged(extended[key], own[key])
    return merged


@functools.cache
def query_source(language: str) -> str:
    """The text of the language's query."""
    folder = resources.files(__name__)
    parts = spec(language).query_names
    return "\n".join(folder.joinpath(f"{part}.scm").read_text(encoding="utf-8") for part in parts)
