"""Ignore patterns as regular expressions that take time proportional to the path.

As `pathspec` writes it, ``*a*a*a*b`` tries every way to divide a long name among the stars. It is
enough to give each star the shortest match possible: the text after it then starts as early as it
can, which leaves the most for the others (`fnmatch` does this too). The last star takes the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathspec import GitIgnoreSpec
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

_STAR = "[^/]*"
_FOLDERS = re.compile(r"(\(\?:\.\+/\)\?|\(\?:/\.\+\)\?)")
"""What `pathspec` makes of ``**`` before folders and between them."""
_LAZY_FOLDERS = {"(?:.+/)?": "(?:[^/]+/)*?", "(?:/.+)?": "(?:/[^/]+)*?"}
_ANY_FOLDER = "^(?:.+/)?"
_GROUP = re.compile(r"\(\?P<\w+>")
_BRACKETS = re.compile(r"\\.|\[\^/\]|(\[\^?\]?[^\]]*\])", re.DOTALL)


def spec_of(lines: Iterable[str]) -> GitIgnoreSpec:
    """The patterns in ``lines``. Raises ValueError or `re.error` for an invalid one."""
    return GitIgnoreSpec.from_lines(lines, _pattern, backend="simple")


def any_of(patterns: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    """One expression that matches wherever one of the patterns does. The prefix for "in any
    folder", which most of them have, is shared."""
    regexes = [_GROUP.sub("(?:", each.pattern) for each in patterns]  # names may not repeat
    choices = [each for each in regexes if not each.startswith(_ANY_FOLDER)]
    names = [each[len(_ANY_FOLDER) :] for each in regexes if each.startswith(_ANY_FOLDER)]
    if names:
        choices.append(f"{_ANY_FOLDER}(?:{'|'.join(names)})")
    return re.compile("|".join(choices) or "(?!)")


def _pattern(line: str) -> GitIgnoreSpecPattern:
    regex, includes = GitIgnoreSpecPattern.pattern_to_regex(line)
    return GitIgnoreSpecPattern(
        re.compile(_without_backtracking(regex)) if regex else None, includes
    )


def _without_backtracking(regex: str) -> str:
    """``regex`` with every wildcard but the last in an atomic group, so that none backtracks."""
    first, *rest = _FOLDERS.split(_BRACKETS.sub(_exclude_slash, regex))
    result = _stars_without_backtracking(first)
    for index in range(0, len(rest), 2):
        folders, names = rest[index], _stars_without_backtracking(rest[index + 1])
        is_last = index + 2 == len(rest)
        result += folders + names if is_last else f"(?>{_LAZY_FOLDERS[folders]}{names}(?=/))"
    return result


def _exclude_slash(match: re.Match[str]) -> str:
    """Make brackets match no slash, even if they are negated."""
    return f"(?!/){match[1]}" if match[1] else match[0]


def _stars_without_backtracking(names: str) -> str:
    """The same for the stars within each name."""
    result, *texts = names.split(_STAR)
    for index, text in enumerate(texts, start=1):
        is_last_of_name = index == len(texts) or "/" in text.replace("[^/]", "").replace(
            "(?!/)", ""
        )
        result += _STAR + text if is_last_of_name else f"(?>{_STAR}?{text})"
    return result
