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
_FEWEST = {"(?:.+/)?": "(?:[^/]+/)*?", "(?:/.+)?": "(?:/[^/]+)*?"}
_ANYWHERE = "^(?:.+/)?"
_GROUP = re.compile(r"\(\?P<\w+>")
_BRACKETS = re.compile(r"\\.|\[\^/\]|(\[\^?\]?[^\]]*\])", re.DOTALL)


def spec_of(lines: Iterable[str]) -> GitIgnoreSpec:
    """The patterns in ``lines``. Raises ValueError or `re.error` for an invalid one."""
    return GitIgnoreSpec.from_lines(lines, _pattern, backend="simple")


def any_of(patterns: Iterable[re.Pattern[str]]) -> re.Pattern[str]:
    """One expression that matches wherever one of the patterns does. The prefix for "in any
    folder", which most of them have, is shared."""
    regexes = [_GROUP.sub("(?:", each.pattern) for each in patterns]  # names may not repeat
    choices = [each for each in regexes if not each.startswith(_ANYWHERE)]
    names = [each[len(_ANYWHERE) :] for each in regexes if each.startswith(_ANYWHERE)]
    if names:
        choices.append(f"{_ANYWHERE}(?:{'|'.join(names)})")
    return re.compile("|".join(choices) or "(?!)")


def _pattern(line: str) -> GitIgnoreSpecPattern:
    regex, includes = GitIgnoreSpecPattern.pattern_to_regex(line)
    return GitIgnoreSpecPattern(re.compile(_settled(regex)) if regex else None, includes)


def _settled(regex: str) -> str:
    """``regex`` with every wildcard but the last in an atomic group, so that none backtracks."""
    first, *rest = _FOLDERS.split(_BRACKETS.sub(_within_a_name, regex))
    settled = _settled_stars(first)
    for at in range(0, len(rest), 2):
        folders, names = rest[at], _settled_stars(rest[at + 1])
        is_last = at + 2 == len(rest)
        settled += folders + names if is_last else f"(?>{_FEWEST[folders]}{names}(?=/))"
    return settled


def _within_a_name(found: re.Match[str]) -> str:
    """Make brackets match no slash, even if they are negated."""
    return f"(?!/){found[1]}" if found[1] else found[0]


def _settled_stars(names: str) -> str:
    """The same for the stars within each name."""
    settled, *after = names.split(_STAR)
    for at, text in enumerate(after, start=1):
        is_last_of_name = at == len(after) or "/" in text.replace("[^/]", "").replace("(?!/)", "")
        settled += _STAR + text if is_last_of_name else f"(?>{_STAR}?{text})"
    return settled
