"""Shows a symbol to the registry: which lines of it to read, and which line to quote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from explorer_core.channels.features.narrowing import LONG, WINDOW, head_of, line_worth
from explorer_core.channels.question.templates import only_telling, without_literals
from explorer_core.channels.question.wording import Said
from explorer_core.contracts import QUOTE_LIMIT, CandidateId, FileListed, LineRange, SymbolFound
from explorer_core.credentials import credentials, open_parts
from explorer_core.held import memoised
from explorer_core.index import languages
from explorer_core.index.languages import language_of
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol
from explorer_core.index.terms.lexis import lexis_of
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.assignments import sources, value_on
from explorer_core.judges.question_words import QuestionWords
from explorer_core.judges.statements import as_called
from explorer_core.workspace import SourceText, WorkspaceError

_RANKED, _LEAST_SAID = 20, 0.6
"""Of so many best ranked candidates, the share of what a line of them has word for word at most
that another must have to be quoted for it."""
_RANKED_WELL = 15
"""How many of the best ranked candidates count where a step says what it calls."""
_LONGEST_HEAD = 30
"""Lines among which the end of a definition's head is looked for."""
_CONTEXT = WINDOW // 6
"""Lines on each side of one to quote that the part of a long definition that is shown must have."""
_NEXT_WORD = re.compile(r"[^\w.!?:;\n]*\n[^\w.!?:;\n]*(\w)")
"""The beginning of the next line, where no mark ends the sentence."""
_WORD = re.compile(r"\w+")
_MARKS = "\"'`"
_LONGEST_DOC = 200
"""Lines above a definition among which what documents it is looked for."""


@dataclass(frozen=True)
class Exhibits:
    """Places of one case, read from the workspace and registered as they are shown."""

    case: JudgeCase

    @cached_property
    def words(self) -> QuestionWords:
        return QuestionWords(self.case)

    def show(self, symbol: Symbol, line: int | None = None) -> CandidateId:
        """Register a symbol, narrowed to the lines around ``line`` if it is long."""
        source = self.source(symbol.path)
        lines = self.lines_of(symbol, line)
        return self.case.registry.add(
            SymbolFound(
                path=symbol.path,
                range=lines,
                symbol=symbol.info,
                segment=source.segment(lines.start, lines.end),
            )
        )

    def lines_of(self, symbol: Symbol, line: int | None = None) -> LineRange:
        """The lines that `show` shows of a symbol. What of a file belongs to no definition is one
        statement beside the other, so that few lines around one are told."""
        span = symbol.range
        if len(span) <= LONG:
            return span
        if line is None or line not in span:
            return head_of(self.case.graph, symbol)
        if (ranked := self._ranked_part(symbol, line)) is not None:
            return ranked
        if symbol.id.is_file:
            return self._around(symbol, line)
        start = max(span.start, line - WINDOW // 2)
        return LineRange(start=start, end=min(span.end, start + WINDOW - 1))

    def _ranked_part(self, symbol: Symbol, line: int) -> LineRange | None:
        """The best ranked part of a symbol that has a line and some lines around it: what is told
        and what is to be read are the same place then."""
        around = self._around(symbol, line)
        for lines, name_line in self._ranked_parts.get(symbol.path, ()):
            if name_line == symbol.line and lines.covers(around):
                return lines
        return None

    def _around(self, symbol: Symbol, line: int) -> LineRange:
        first = max(symbol.range.start, line - _CONTEXT)
        return LineRange(start=first, end=min(symbol.range.end, line + _CONTEXT))

    @cached_property
    def _ranked_parts(self) -> dict[str, list[tuple[LineRange, int]]]:
        """The ranked places that show a definition or a part of one, by path, each with the line of
        its name."""
        found: dict[str, list[tuple[LineRange, int]]] = {}
        for each in self.case.ranking.candidates:
            if each.range is not None and each.symbols:
                found.setdefault(each.path, []).append((each.range, each.symbols[0].line))
        return found

    def quote(self, path: str, line: int) -> str:
        """A line as it stands, or the longest stretch of it that may and that fits a quote."""
        written = self.line(path, line).strip()
        parts = (written[start:end].strip() for start, end in open_parts(written, path))
        written = max(parts, key=len, default="")
        if len(written) <= QUOTE_LIMIT:
            return written
        return written[:QUOTE_LIMIT].rpartition(" ")[0] or written[:QUOTE_LIMIT]

    def telling_line(
        self, symbol: Symbol, edges: Mapping[int, Edge], part: LineRange | None = None
    ) -> int:
        """The line that says most about the question, of all or of a ``part``: one with an edge, if
        there is any; else none that only tells of it. None of the functions of a type, nor of what
        is defined in a long function, which are places of their own.

        Falls back to the first edge, then to the line of the name, which stands for the whole head.
        """
        lines = self.source(symbol.path).lines
        first = symbol.line
        if symbol.kind in CALLABLES:
            first = symbol.line + 1 if edges else self.end_of_head(symbol) + 1
        inside = self._inner(symbol)
        best, best_line = 0.0, min(edges, default=symbol.line)
        span = part or symbol.range
        for line in range(max(first, span.start), min(span.end, len(lines)) + 1):
            if line not in edges if edges else self._says_nothing(symbol, line):
                continue
            if any(line in each for each in inside):
                continue
            worth = self.worth(symbol, line)
            if worth > best + 1e-9 and not credentials(lines[line - 1], symbol.path):
                best, best_line = worth, line
        return best_line

    def end_of_head(self, symbol: Symbol) -> int:
        """The line on which the head of a definition ends."""
        return _end_of_head(symbol, self.source(symbol.path).lines)

    def _inner(self, symbol: Symbol) -> list[LineRange]:
        """The lines of the functions of a type, and of those in a function that is long."""
        graph, facts = self.case.graph, self.case.index.view.facts(symbol.path)
        members = map(graph.symbol, graph.members(symbol.id))
        if symbol.kind in MEMBER_HOLDERS:
            return [each.range for each in members if each.kind in CALLABLES]
        if facts is None or symbol.kind not in CALLABLES or len(symbol.range) <= LONG:
            return []
        written = facts.definitions
        return [each.range for each in members if not written[each.id.ordinal].bodiless]

    def worth(self, symbol: Symbol, line: int) -> float:
        """How much a line of a symbol says about the question. What it says in a literal or in a
        comment counts half: it tells somebody of what is done elsewhere, most often of what failed,
        or why it is done."""
        lines = self.source(symbol.path).lines
        if line not in symbol.range or line > len(lines):  # the file has changed
            return 0.0
        code = without_literals(self.code_of(symbol)[line - symbol.range.start])
        weights = self.words.weights
        return (line_worth(lines[line - 1], weights) + line_worth(code, weights)) / 2

    def is_code(self, symbol: Symbol, line: int) -> bool:
        """Whether a line of a symbol has more than a comment."""
        at = line - symbol.range.start
        code = self.code_of(symbol)
        return 0 <= at < len(code) and bool(code[at].strip())

    def only_tells(self, symbol: Symbol, line: int) -> bool:
        """Whether a line of a symbol does no more than say something, such as to a log, or that it
        failed."""
        return line - symbol.range.start in self._telling_in(symbol)

    @memoised
    def _telling_in(self, symbol: Symbol) -> set[int]:
        """The lines of a symbol, from 0 on, that do no more than say something."""
        language = language_of(symbol.path)
        failing = languages.spec(language).failing_words if language else ()
        return only_telling(self._lines_in(symbol.path, symbol.range), failing)

    def _says_nothing(self, symbol: Symbol, line: int) -> bool:
        """Whether a line of a symbol only tells of what is done, imports something, or, in a
        function, gives a name an empty value or one that has nothing of the question."""
        if self.only_tells(symbol, line) or line in self._import_lines(symbol.path):
            return True
        written = self.source(symbol.path).lines[line - 1]
        value = value_on(written) if symbol.kind in CALLABLES else None
        if value is None or len(_WORD.findall(value)) > 1:
            return False
        return not line_worth(value, self.words.weights)

    def _import_lines(self, path: str) -> set[int]:
        facts = self.case.index.view.facts(path)
        return {each.line for each in facts.imports} if facts is not None else set()

    def is_source(self, symbol: Symbol, line: int) -> bool:
        """Whether what a line of a symbol gives is taken by a later line of it, other than to say
        something."""
        return line - symbol.range.start in self._sources_in(symbol)

    @memoised
    def _sources_in(self, symbol: Symbol) -> set[int]:
        """The lines of a symbol, from 0 on, that give what later ones take."""
        return sources(self.code_of(symbol), self._telling_in(symbol))

    @memoised
    def code_of(self, symbol: Symbol) -> list[str]:
        """The lines of a symbol without their comments."""
        lines = self._lines_in(symbol.path, symbol.range)
        return lexis_of(language_of(symbol.path)).layers("\n".join(lines)).code

    def said_in(self, symbol: Symbol) -> tuple[int, Said] | None:
        """The line of a symbol that has most of the question word for word, and what it has."""
        span = symbol.range
        if len(span) > LONG and symbol.kind not in CALLABLES:
            span = head_of(self.case.graph, symbol)
        return self.said(symbol.path, span)

    def said(self, path: str, span: LineRange) -> tuple[int, Said] | None:
        """`said_in` for any lines of a file; None where a better place has far more, unless a
        message begins with it: others may have it as it is printed, with its values."""
        lines = self._lines_in(path, span)
        found = [
            (span.start + at, said)
            for at, said in self.words.wording.within(lines).items()
            if not credentials(lines[at], path)
        ]
        best = max(found, key=lambda each: (each[1].rank, -each[0]), default=None)
        if best is None or (best[1].message and best[1].message.heads):
            return best
        return best if best[1].worth >= _LEAST_SAID * self._most_said else None

    def learn_of(self, *symbols: Symbol) -> None:
        """Let sentences name some definitions, which the graph has seen."""
        self.case.registry.learn_of(map(as_called, symbols))

    def learn_of_file(self, path: str) -> bool:
        """Let sentences name a file, and the folders that it is in, if it is there."""
        if there := self.has(path):
            self.case.registry.add(FileListed(path=path, size=len(self.source(path).text)))
        return there

    def has(self, path: str) -> bool:
        """Whether the file may be shown and can still be read; what was read once stays for this
        case."""
        if not self.case.in_scope(path):
            return False
        try:
            self.source(path)
        except WorkspaceError:
            return False
        return True

    @memoised
    def source(self, path: str) -> SourceText:
        return self.case.workspace.read(path)

    def line(self, path: str, line: int) -> str:
        """A line of a file as it stands; empty where the file has no such line any more."""
        return "".join(self.source(path).lines[line - 1 : line])

    def texts_on(self, path: str, line: int) -> list[str]:
        """What stands between quotation marks on a line of a file."""
        strings = lexis_of(language_of(path)).layers(self.line(path, line)).strings
        return [text.strip(_MARKS) for _, text, _ in strings]

    def _lines_in(self, path: str, span: LineRange) -> Sequence[str]:
        return self.source(path).lines[span.start - 1 : span.end]

    def prints(self, symbol: Symbol) -> bool:
        """Whether a definition prints a message of the question."""
        return self.has(symbol.path) and self.says(symbol.path, symbol.range)

    def says(self, path: str, span: LineRange) -> bool:
        """Whether some lines of a file print a message of the question."""
        messages = self.words.wording.messages(self._lines_in(path, span))
        return any(True for _ in messages)

    @cached_property
    def _most_said(self) -> float:
        """The worth of what the best candidates have at most word for word on a line."""
        ranked = self.case.ranking.candidates[:_RANKED]
        segments = chain.from_iterable(each.segments for each in ranked)
        said = chain.from_iterable(
            self.words.wording.within(each.lines).values() for each in segments
        )
        return max((each.worth for each in said), default=0.0)

    @cached_property
    def ranks(self) -> dict[tuple[str, int], int]:
        """The best ranked definitions by their path and the line of their name, each with its
        place."""
        found: dict[tuple[str, int], int] = {}
        for at, each in enumerate(self.case.ranking.candidates[:_RANKED_WELL]):
            if each.symbols:
                found.setdefault((each.path, each.symbols[0].line), at)
        return found

    def file_rank(self, path: str) -> int:
        """The place of a file among those that are ranked; behind all of them if it is none."""
        return self.file_ranks.get(path, len(self.file_ranks))

    @cached_property
    def file_ranks(self) -> dict[str, int]:
        """The ranked files, best first, each with its place."""
        paths = dict.fromkeys(each.path for each in self.case.ranking.candidates)
        return {path: at for at, path in enumerate(paths)}

    def documented(self, symbol: Symbol, said: str) -> int | None:
        """The line that has what a symbol's documentation is said to say: the first of the symbol,
        or else the nearest above it. None where no line does, since markup was taken out of it, or
        where the sentence goes on after that."""
        lines = self.source(symbol.path).lines
        first, last = symbol.range.start, min(symbol.range.end, len(lines))
        above = range(min(first, len(lines) + 1) - 1, max(0, first - _LONGEST_DOC), -1)
        nearest = chain(range(first, last + 1), above)
        line = next((line for line in nearest if said in lines[line - 1]), None)
        if line is None or self._goes_on_in_doc(symbol.path, line, said):
            return None
        return line

    def _goes_on_in_doc(self, path: str, line: int, said: str) -> bool:
        """Whether a sentence in a comment goes on after what a line of it says, in small letters on
        the next one."""
        around = self.source(path).lines[max(line - 2, 0) : line + _LONGEST_DOC]
        docs = lexis_of(language_of(path)).layers("\n".join(around)).docs
        after = "\n".join(text for _, text, _ in docs).partition(said)[2]
        match = _NEXT_WORD.match(after)
        return match is not None and match[1].islower()

    def words_on(self, path: str, line: int) -> list[str]:
        """`telling_words` of one line of a file; none where the best tells next to nothing beside
        the best of the question."""
        return self.words.telling_words_on(self.line(path, line))


def _end_of_head(symbol: Symbol, lines: Sequence[str]) -> int:
    """The line on which the head of a definition ends, by its signature; that of the name where
    the signature does not stand as it is known."""
    wanted = "".join(symbol.signature.split())
    head = ""
    last = min(symbol.range.end, symbol.line + _LONGEST_HEAD, len(lines))
    for line in range(symbol.range.start, last + 1):
        head += "".join(lines[line - 1].split())
        if line >= symbol.line and wanted in head:
            return line
    return symbol.line
