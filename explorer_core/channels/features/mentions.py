"""Features for what a question names outright: definitions, files by path, and stack frames."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from posixpath import basename

from explorer_core.channels.question.query import Query, understand
from explorer_core.contracts import Anchor
from explorer_core.index.symbols import CALLBACK, Symbol
from explorer_core.index.terms import text

_NAME = re.compile(r"[^\W\d]\w*")
_PAIR = re.compile(r"\b([^\W\d]\w*)(?:\.|::|#|->)(?=([^\W\d]\w*))")

_WHOLE_PATH, _PATH_END, _FILE_NAME, _MODULE = 3.0, 2.5, 2.0, 1.5
_FRAME_FILE, FRAME_LINE = 0.5, 1.0
"""Values of the feature ``frame``: the question points into the file, or at these very lines."""


@dataclass(frozen=True)
class Mentions:
    """Matches the names in a question with definitions and files: exactly, and case-sensitively."""

    query: Query

    def of_symbol(
        self, symbol: Symbol, namesakes: Callable[[str], int], definitions: int
    ) -> dict[str, float]:
        """Features of a definition. Rare names count more: ``namesakes`` of all ``definitions``."""
        named = symbol.kind != CALLBACK
        containers = symbol.qualified_name.split(".")[:-1] if named else []
        among = [
            symbol.name in names for names in (self._names, self._title_names, self._code_names)
        ]
        rarity = math.log1p(definitions / (1 + namesakes(symbol.name))) if any(among) else 0.0
        anywhere, title, as_code = (rarity if each else 0.0 for each in among)
        return {
            "named.anywhere": anywhere,
            "named.title": title,
            "named.as_code": as_code,
            "named.container": float(sum(each in self._names for each in containers)),
            "named.pair": float(any((each, symbol.name) in self._pairs for each in containers)),
        }

    def of_file(self, path: str) -> dict[str, float]:
        """Features of a file: how fully its path is named, and whether its stem is in the title."""
        stem_terms = text.analyse(basename(path).split(".")[0])
        in_title = bool(stem_terms) and all(term in self._title_terms for term in stem_terms)
        return {"path.named": self._path_named(path), "path.stem": float(in_title)}

    def of_lines(self, path: str, start: int, end: int) -> dict[str, float]:
        """Whether a stack frame or ``path:line`` mention points at these lines or into the file."""
        best = 0.0
        for tail, line in self._places:
            if _may_mean(path, tail):
                best = max(best, FRAME_LINE if start <= line <= end else _FRAME_FILE)
        return {"frame": best}

    def only_line(self, paths: Iterable[str]) -> Anchor | None:
        """The line that the question points to, if there is only one, in one of ``paths``. None if
        the question contains a stack trace, which is interpreted as a whole elsewhere."""
        if any(frame.function for frame in self.query.frames) or len(set(self._places)) != 1:
            return None
        tail, line = self._places[0]
        found = [path for path in paths if _may_mean(path, tail)]
        if tail in found:
            found = [tail]
        return Anchor(path=found[0], line=line) if len(found) == 1 and line else None

    def _path_named(self, path: str) -> float:
        name = basename(path)
        if path in self.query.text:
            return _WHOLE_PATH
        ending = "/".join(path.split("/")[-2:])
        if "/" in path and ending in self.query.text:
            return _PATH_END
        if name in self._files:
            return _FILE_NAME
        module = ending.rsplit(".", 1)[0].replace("/", ".")
        return _MODULE if "." in module and module in self.query.text else 0.0

    @cached_property
    def _names(self) -> Collection[str]:
        return frozenset(_NAME.findall(self.query.text))

    @cached_property
    def _title_names(self) -> Collection[str]:
        return frozenset(_NAME.findall(self.query.title))

    @cached_property
    def _title_terms(self) -> Collection[str]:
        return frozenset(text.analyse(self.query.title))

    @cached_property
    def _code_names(self) -> Collection[str]:
        return frozenset(
            name for each in self.query.identifiers for name in _NAME.findall(each.text)
        )

    @cached_property
    def _pairs(self) -> Collection[tuple[str, str]]:
        return frozenset((left, right) for left, right in _PAIR.findall(self.query.text))

    @cached_property
    def _files(self) -> Collection[str]:
        return frozenset(basename(mention.path) for mention in self.query.paths)

    @cached_property
    def _places(self) -> tuple[tuple[str, int], ...]:
        mentioned = [(each.path, each.line) for each in self.query.paths]
        framed = [(frame.path, frame.line) for frame in self.query.frames]
        return tuple(
            (path.replace("\\", "/").removeprefix("./"), line)
            for path, line in [*mentioned, *framed]
            if line is not None and path
        )


def line_pointed_at(questions: Iterable[str], paths: Collection[str]) -> Anchor | None:
    """The line pointed at by the first of the questions that points at exactly one."""
    found = (Mentions(understand(question)).only_line(paths) for question in questions)
    return next(filter(None, found), None)


def _may_mean(path: str, tail: str) -> bool:
    """Whether a path in a question can mean this file: either may be a tail of the other."""
    return path == tail or path.endswith("/" + tail) or tail.endswith("/" + path)
