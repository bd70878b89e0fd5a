"""Detects free text that names a place nobody observed.

Recognition is structural: it considers the shape of a token (slashes, suffixes, colons with
numbers) and what was observed, never the meaning of a word. Where a shape is ambiguous, as in
``app.run`` or ``/users/new``, the observations decide: names of observed symbols and code that
really occurs are accepted; anything else counts as a reference to something unseen.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from functools import cached_property

from explorer_core.contracts import LineRange
from explorer_core.registry import Registry
from explorer_core.validation.visible import folded

_TOKEN = re.compile(r"[\w./\\:#@~%+*$?-]+")
_URL = re.compile(
    r"\w:/{2}|^//\w|^(?:file|data|mailto|javascript|vscode|command):\S", re.IGNORECASE
)
_LINE_SUFFIX = re.compile(
    r"(?P<marks>(?::L?\d+(?:-L?\d+)*|#L?\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?|@L?\d+)+)$",
    re.IGNORECASE,
)
_LINE_WORD = re.compile(
    r"(?<![\w.])lines?\W{0,3}(?:n(?:o|umber|r)?\W{1,3})?(\d+)(?:\W{1,5}(?:to\W)?(\d+))?"
    r"|(?<![\w.])ln?[.\s]{0,2}(\d+)(?!\w|\.\w)(?:\s?-\s?l?(\d+))?"
    r"|(?<!\w)(\d+)(?:st|nd|rd|th)\W{1,3}line"
    r"|(?<=\.\w\w)[(\[](\d+)|(?<=\.\w\w\w)[(\[](\d+)|(\d+)\s*行",
    re.IGNORECASE,
)
_DRIVE = re.compile(r"^[A-Za-z]:/")
_SUFFIX = re.compile(r"\.(?P<suffix>[^\W_]\w*)$")
_MEDIA_SUFFIXES = frozenset(mimetypes.MimeTypes().types_map[True])
_IN_TICKS = re.compile(r"`([^`\n]+)`")
_EDGE = ".,:;?!-*"
_MOST_DIGITS = 9


class ObservedNames:
    """What free text may refer to: observed paths, lines, symbols and code."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    @cached_property
    def _suffixes(self) -> frozenset[str]:
        return frozenset(path.rpartition(".")[2].lower() for path in self._registry.paths())

    @cached_property
    def _symbol_tails(self) -> frozenset[str]:
        tails: set[str] = set()
        for symbol in self._registry.symbols():
            # Some languages allow names that end in punctuation; a token of prose never does.
            parts = symbol.qualified_name.rstrip(_EDGE).split(".")
            tails.update(".".join(parts[start:]) for start in range(len(parts)))
        return frozenset(tails)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(
            part for path in self._registry.paths() for part in path.lower().split("/")[:-1]
        )

    def files(self, name: str) -> list[str]:
        """The observed paths that equal ``name`` or end with ``/name``."""
        tail = "/" + name
        return [path for path in self._registry.paths() if ("/" + path).endswith(tail)]

    def is_folder(self, name: str) -> bool:
        """Whether ``name`` is, or ends, the path of a folder that contains an observed path."""
        inner = f"/{name.strip('/')}/"
        return any(inner in "/" + path for path in self._registry.paths())

    def starts_in_folder(self, name: str) -> bool:
        """Whether the first part of ``name`` is the name of a folder of an observed path."""
        return name.split("/")[0].lower() in self._folders

    def is_symbol(self, dotted: str) -> bool:
        """Whether this is the dotted name of an observed symbol, or the tail of one."""
        return dotted in self._symbol_tails

    def occurs_in_code(self, text: str, after: str = r"(?![\w/])") -> bool:
        """Whether ``text`` was observed as a whole name, followed by what ``after`` matches."""
        whole = re.compile(rf"(?<![\w/\\]){re.escape(text)}{after}")
        return any(whole.search(line) for line in self._registry.lines_with(text))

    def is_attribute(self, dotted: str) -> bool:
        """Whether a name that could be a file's was observed as code.

        If files with this suffix were observed, only a call counts. Otherwise it is enough that the
        head of the name also occurs alone, as a variable does.
        """
        head, suffix = dotted.partition(".")[0], dotted.rpartition(".")[2].lower()
        if self.occurs_in_code(dotted, r"\s*\("):
            return True
        if suffix in self._suffixes or not self.occurs_in_code(dotted):
            return False
        return self.occurs_in_code(head, r"(?![\w./])")

    def may_be_suffix(self, suffix: str) -> bool:
        """Whether an observed file has this suffix, or it is registered for a media type."""
        return suffix in self._suffixes or f".{suffix}" in _MEDIA_SUFFIXES

    def observed(self, path: str, lines: list[int]) -> bool:
        """Whether all lines from the smallest to the largest number were observed in ``path``."""
        if min(lines) < 1:
            return False
        return self._registry.observed(path, LineRange(start=min(lines), end=max(lines)))


def unobserved_references(
    text: str,
    names: ObservedNames,
    *,
    lines: LineRange | None = None,
    search_term: bool = False,
) -> list[str]:
    """The parts of ``text`` that name a path or a line that was not observed.

    ``lines`` is the range of the place the text is about, to which a bare ``line 12`` refers. A
    ``search_term`` may name code not seen yet, but no file.
    """
    # A symbol's name may be a whole sentence, parts of which look like references.
    without_symbols = _IN_TICKS.sub(
        lambda quoted: " " if names.is_symbol(quoted[1].rstrip(_EDGE)) else quoted[0], text
    )
    plain = folded(without_symbols)
    check = _Check(names, lines, search_term)
    found = [token for token in _TOKEN.findall(plain) if not check.token(token)]
    for match in _LINE_WORD.finditer(plain):
        numbers = [_line_number(digits) for digits in match.groups() if digits]
        if not check.own_lines(numbers) and not names.occurs_in_code(match[0]):
            found.append(match[0])
    return found


class _Check:
    def __init__(self, names: ObservedNames, lines: LineRange | None, search_term: bool) -> None:
        self._names = names
        self._lines = lines
        self._search_term = search_term

    def own_lines(self, numbers: list[int]) -> bool:
        """Whether all numbers are lines of the place the text is about."""
        lines = self._lines
        return lines is not None and all(number in lines for number in numbers)

    def token(self, token: str) -> bool:
        """Whether a token names no place, or an observed one."""
        if _is_windows(token):
            if not _has_suffix(token) and self._is_namespace(token):
                return True
            token = token.replace("\\", "/")
        if _URL.search(token):
            return False
        bare = token.lstrip("*?").rstrip(_EDGE)
        marks = _LINE_SUFFIX.search(bare)
        if marks is None:
            return self._is_known_name(bare)
        return self._with_lines(bare[: marks.start()].rstrip(_EDGE), marks["marks"])

    def _with_lines(self, name: str, marks: str) -> bool:
        """Whether a name with line marks (``a.py:12``, ``#L3``) means observed lines or code."""
        digits = re.findall(r"\d+", re.sub(r"(?i)c\d+", "", marks))
        numbers = [_line_number(each) for each in digits]
        if not name:
            return _is_ticket(marks) or self.own_lines(numbers[:1])
        if _looks_like_file(name):
            files = self._names.files(_relative(name))
            place = [n for n in numbers if n] if marks.count(":") < 2 else numbers[:1]
            return any(self._names.observed(file, place or [0]) for file in files)
        if not self._is_known_name(name):
            return False
        return self.own_lines(numbers[:1]) or self._names.occurs_in_code(name + marks)

    def _is_namespace(self, name: str) -> bool:
        """Whether backslashes join the parts of an observed symbol's name, not folders."""
        bare = name.strip("\\" + _EDGE)
        return self._names.is_symbol(bare.replace("\\", ".")) or self._names.occurs_in_code(bare)

    def _is_known_name(self, name: str) -> bool:
        if "/" in name.strip("/") or (name.startswith("/") and len(name) > 1):
            return self._is_known_path(name)
        name = name.strip("/")
        return self._is_known_dotted_name(name) if "." in name else True

    def _is_known_path(self, name: str) -> bool:
        """Whether a name with slashes is an observed path, alternatives (``and/or``), or code."""
        plain = _relative(name)
        if self._names.files(plain) or self._names.is_folder(plain):
            return True
        if _DRIVE.match(name) or name.startswith(("./", "../", "~")) or _has_suffix(name):
            return False
        parts = plain.split("/")
        alternatives = len(parts) == 2 and all(part.isalpha() or part.isdigit() for part in parts)
        if alternatives and not name.startswith("/") and not self._names.starts_in_folder(plain):
            return True
        return self._names.occurs_in_code(name.rstrip("/"))

    def _is_known_dotted_name(self, name: str) -> bool:
        """Whether a name with dots is an observed file, symbol or code, or names no file at all."""
        if self._names.files(name) or self._names.is_symbol(name.strip(".")):
            return True
        name = name.lstrip("@#$%+~")
        suffix = name.rpartition(".")[2]
        if not suffix or not suffix[0].isalpha():
            return True
        if self._names.may_be_suffix(suffix.lower()):
            return not self._search_term and self._names.is_attribute(name)
        if self._search_term or len(suffix) > 5 or all(len(part) == 1 for part in name.split(".")):
            return True
        return self._names.is_symbol(suffix) or self._names.occurs_in_code(name)


def _line_number(digits: str) -> int:
    """The number, or one larger than any line number if it has too many digits."""
    return int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS


def _is_windows(token: str) -> bool:
    return bool(re.search(r"[\w.:]\\+[\w.*]|^\\\\\w", token))


def _is_ticket(marks: str) -> bool:
    """``#123`` on its own is the number of an issue; ``#L123`` is a line."""
    return marks.startswith("#") and marks[1:].isdigit()


def _relative(name: str) -> str:
    return re.sub(r"/{2,}", "/", name).removeprefix("./").rstrip("/")


def _has_suffix(name: str) -> bool:
    return bool(_SUFFIX.search(name.rstrip("/")))


def _looks_like_file(name: str) -> bool:
    return "/" in name or _has_suffix(name)


def scope_is_observed(scope: str, names: ObservedNames, allowed: tuple[str, ...]) -> bool:
    """Whether a glob names only observed folders and files, or is one of the user's own."""
    plain = folded(scope).replace("\\", "/")
    if scope in allowed:
        return True
    if _URL.search(plain) or _DRIVE.match(plain) or plain.startswith(("/", "~")) or ".." in plain:
        return False
    return all(_literal_is_observed(run, names) for run in _literal_runs(plain))


def _literal_runs(glob: str) -> Iterator[str]:
    """The runs of path parts without wildcards."""
    run: list[str] = []
    for part in [*glob.split("/"), "*"]:
        if not any(each in part for each in "*?[{"):
            run.append(part)
        elif run:
            yield "/".join(run)
            run = []


def _literal_is_observed(run: str, names: ObservedNames) -> bool:
    run = _relative(run).removeprefix("!")
    return run in ("", ".") or bool(names.files(run)) or names.is_folder(run)
