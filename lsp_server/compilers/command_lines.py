"""The command line of each language's server: as configured, otherwise as found on PATH."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer_core.index import languages
from explorer_core.workspace.programs import find_program


@dataclass(frozen=True, slots=True)
class ConfiguredServers:
    """The command lines of the setting ``language_servers``, empty for a language that is to have
    no server, and a sentence about each invalid entry."""

    commands: Mapping[str, Sequence[str]]
    problems: Sequence[str] = ()

    @classmethod
    def read(cls, entries: Sequence[str], *, windows: bool = os.name == "nt") -> ConfiguredServers:
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
                reason = str(error).lower()
                problems.append(f"{entry!r} in language_servers is ignored: {reason}.")
        return cls(commands, problems)

    def available(self, roots: Sequence[Path]) -> AvailableServers:
        """The servers that can be started. A program given by its bare name is searched for on
        PATH, outside of ``roots``, and started by its full path."""
        by_command: dict[tuple[str, ...], list[str]] = {}
        problems = list(self.problems)
        for language in languages.names():
            configured = self.commands.get(language)
            default_lines = map(shlex.split, languages.spec(language).servers)
            lines = default_lines if configured is None else [configured] if configured else []
            command = next(filter(None, (_with_full_path(line, roots) for line in lines)), None)
            if command is not None:
                by_command.setdefault(command, []).append(language)
            elif configured:
                problems.append(
                    f"The server for {language} in language_servers is not started: there is no"
                    f" program {configured[0]} on PATH outside the workspace; give its full path."
                )
        return AvailableServers(by_command, problems)


@dataclass(frozen=True, slots=True)
class AvailableServers:
    """Command lines of available programs, each with its languages, and a sentence about each
    configured one that is missing."""

    by_command: Mapping[tuple[str, ...], Sequence[str]]
    problems: Sequence[str] = ()


def _with_full_path(command: Sequence[str], roots: Sequence[Path]) -> tuple[str, ...] | None:
    """The command line with the program's full path if it was a bare name; None if there is no such
    program."""
    program, *arguments = command
    if program == Path(program).name:
        found = find_program(program, roots)
        return (found, *arguments) if found else None
    return tuple(command)


def _split(command: str, *, windows: bool) -> list[str]:
    """The words of a command line; on Windows a backslash is part of a path. Raises ValueError."""
    words = shlex.shlex(command, posix=True)
    words.whitespace_split = True
    words.commenters = ""
    if windows:
        words.escape = ""
    return list(words)
