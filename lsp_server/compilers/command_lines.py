"""How the language server of each language is started: as configured, else as found on PATH."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from explorer_core.index import languages


@dataclass(frozen=True, slots=True)
class Configured:
    """The command lines that the setting ``language_servers`` gives, empty where a language is to
    have no server, and a sentence for each entry that is set aside."""

    commands: Mapping[str, Sequence[str]]
    problems: Sequence[str] = ()

    @classmethod
    def read(cls, entries: Sequence[str], *, windows: bool = os.name == "nt") -> Configured:
        commands: dict[str, list[str]] = {}
        problems: list[str] = []
        for entry in entries:
            language, equals, command = entry.partition("=")
            try:
                if not equals:
                    raise ValueError("write language=command")
                if language.strip() not in languages.names():
                    known = ", ".join(languages.names())
                    raise ValueError(f"the languages are {known}")
                commands[language.strip()] = _split(command, windows=windows)
            except ValueError as error:
                why = str(error).lower()
                problems.append(f"{entry!r} in language_servers is set aside: {why}.")
        return cls(commands, problems)

    def __iter__(self) -> Iterator[tuple[str, Sequence[str]]]:
        """The languages that have a server, with its command line."""
        for language in languages.names():
            command = self.commands.get(language)
            if command is None:
                command = _on_path(language)
            if command:
                yield language, command


def _on_path(language: str) -> Sequence[str]:
    for command in map(shlex.split, languages.spec(language).servers):
        if shutil.which(command[0]):
            return command
    return ()


def _split(command: str, *, windows: bool) -> list[str]:
    """The words of a command line; on Windows a backslash is part of a path. Raises ValueError."""
    words = shlex.shlex(command, posix=True)
    words.whitespace_split = True
    words.commenters = ""
    if windows:
        words.escape = ""
    return list(words)
