"""Reads the places of a case, registers them, and chooses which lines to show and which to
quote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from explorer_core.channels.features.narrowing import LONG, WINDOW, head_of, line_worth
from explorer_core.channels.question.templates import reporting_lines, without_literals
from explorer_core.channels.question.wording import TextMatch
from explorer_core.contracts import QUOTE_LIMIT, CandidateId, FileListed, LineRange, SymbolFound
from explorer_core.credentials import credentials, open_parts
from explorer_core.index import languages
from explorer_core.index.languages import language_of
from explorer_core.index.symbols import CALLABLES, MEMBER_HOLDERS, Edge, Symbol
from explorer_core.index.terms.lexis import lexis_of
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.offline.telling.assignments import assigned_value, source_offsets
from explorer_core.judges.question_words import QuestionWords
from explorer_core.judges.statements import info_as_named
from explorer_core.memoised import memoised
from explorer_core.workspace import SourceText, WorkspaceError

_RANKED, _LEAST_VERBATIM = 20, 0.6
"""A line is quoted for having text of the question word for word only if that text is worth at
least ``_LEAST_VERBATIM`` of the best such match among the ``_RANKED`` best candidates."""
_RANKED_WELL = 15
"""A callee counts as well ranked if it is among this many of the best candidates."""
_LONGEST_HEAD = 30
"""How many lines below its name a definition's head may end."""
_CONTEXT = WINDOW // 6
"""A part of a long definition is shown for a line only if it has this many lines on each side of
that line."""
_NEXT_WORD = re.compile(r"[^\w.!?:;\n]*\n[^\w.!?:;\n]*(\w)")
"""The first letter of the next line, where no punctuation mark ends the sentence before it."""
_WORD = re.compile(r"\w+")
_MARKS = "\"'`"
_LONGEST_DOC = 200
"""How many lines above a definition its documentation may begin."""


@dataclass(frozen=True)
class Exhibits:
    """The files of one case: reads them once, and registers the places that are shown."""

    case: JudgeCase

    @cached_property
    def words(self) -> QuestionWords:
        return QuestionWords(self.case)

    def show(self, symbol: Symbol, line: int | None = None) -> CandidateId:
        """Registers a symbol as a candidate. A long symbol is narrowed to the lines around
        ``line``."""
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
        """Returns the lines that `show` shows of a symbol.

        A symbol of up to ``LONG`` lines is shown whole. Of a longer one without a ``line``, the
        head is shown. Else it is the ranked part around the line, or a window of ``WINDOW`` lines.
        Of a file's top-level code only a few lines around ``line`` are shown, since its statements
        are independent of each other.
        """
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
        """Returns the best ranked part of a symbol that has ``line`` and the lines around it. The
        flow and the list of places to read then show the same lines."""
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
        """The ranked ranges of definitions and their parts, by path. Each comes with the line of
        the definition's name."""
        found: dict[str, list[tuple[LineRange, int]]] = {}
        for each in self.case.ranking.candidates:
            if each.range is not None and each.symbols:
                found.setdefault(each.path, []).append((each.range, each.symbols[0].line))
        return found

    def quote(self, path: str, line: int) -> str:
        """Returns a line stripped, cut to ``QUOTE_LIMIT`` at a space. If parts of it are withheld
        as credentials, returns the longest part that is left."""
        text = self.line(path, line).strip()
        parts = (text[start:end].strip() for start, end in open_parts(text, path))
        text = max(parts, key=len, default="")
        if len(text) <= QUOTE_LIMIT:
            return text
        return text[:QUOTE_LIMIT].rpartition(" ")[0] or text[:QUOTE_LIMIT]

    def most_relevant_line(
        self, symbol: Symbol, edges: Mapping[int, Edge], part: LineRange | None = None
    ) -> int:
        """Returns the line that says most about the question, in a symbol or a ``part`` of it.

        If there are ``edges`` (by line), only their lines are considered. If not, lines are skipped
        that only log, fail, import or assign something unrelated. Lines inside the methods of a
        type or inside definitions nested in a long function are skipped too: those are places of
        their own. Falls back to the first edge, then to the line of the name, which stands for the
        head.
        """
        lines = self.source(symbol.path).lines
        first = symbol.line
        if symbol.kind in CALLABLES:
            first = symbol.line + 1 if edges else self.end_of_head(symbol) + 1
        inside = self._inner_ranges(symbol)
        best, best_line = 0.0, min(edges, default=symbol.line)
        span = part or symbol.range
        for line in range(max(first, span.start), min(span.end, len(lines)) + 1):
            if line not in edges if edges else self._is_uninformative(symbol, line):
                continue
            if any(line in each for each in inside):
                continue
            worth = self.worth(symbol, line)
            if worth > best + 1e-9 and not credentials(lines[line - 1], symbol.path):
                best, best_line = worth, line
        return best_line

    def end_of_head(self, symbol: Symbol) -> int:
        """Returns the line on which a definition's head (its signature) ends."""
        return _end_of_head(symbol, self.source(symbol.path).lines)

    def _inner_ranges(self, symbol: Symbol) -> list[LineRange]:
        """Returns the ranges of a type's functions, or of the definitions in a long function."""
        graph, facts = self.case.graph, self.case.index.view.facts(symbol.path)
        members = map(graph.symbol, graph.members(symbol.id))
        if symbol.kind in MEMBER_HOLDERS:
            return [each.range for each in members if each.kind in CALLABLES]
        if facts is None or symbol.kind not in CALLABLES or len(symbol.range) <= LONG:
            return []
        definitions = facts.definitions
        return [each.range for each in members if not definitions[each.id.ordinal].bodiless]

    def worth(self, symbol: Symbol, line: int) -> float:
        """Scores how much a line says about the question. Words in literals and comments count
        half: they describe what is done elsewhere (mostly what failed) or why."""
        lines = self.source(symbol.path).lines
        if line not in symbol.range or line > len(lines):  # the file has changed
            return 0.0
        code = without_literals(self.code_of(symbol)[line - symbol.range.start])
        weights = self.words.weights
        return (line_worth(lines[line - 1], weights) + line_worth(code, weights)) / 2

    def is_code(self, symbol: Symbol, line: int) -> bool:
        """Whether a line has code, rather than only a comment."""
        at = line - symbol.range.start
        code = self.code_of(symbol)
        return 0 <= at < len(code) and bool(code[at].strip())

    def only_reports(self, symbol: Symbol, line: int) -> bool:
        """Whether a line only reports something: it logs, prints or raises."""
        return line - symbol.range.start in self._reporting_lines(symbol)

    @memoised
    def _reporting_lines(self, symbol: Symbol) -> set[int]:
        """The lines that only report something, as offsets from the symbol's first line."""
        language = language_of(symbol.path)
        failing = languages.spec(language).failing_words if language else ()
        return reporting_lines(self._lines_in(symbol.path, symbol.range), failing)

    def _is_uninformative(self, symbol: Symbol, line: int) -> bool:
        """Whether a line is no use as a quote: it only reports, or imports. In a function this
        includes a line that assigns a value of at most one word, which is not of the question."""
        if self.only_reports(symbol, line) or line in self._import_lines(symbol.path):
            return True
        text = self.source(symbol.path).lines[line - 1]
        value = assigned_value(text) if symbol.kind in CALLABLES else None
        if value is None or len(_WORD.findall(value)) > 1:
            return False
        return not line_worth(value, self.words.weights)

    def _import_lines(self, path: str) -> set[int]:
        facts = self.case.index.view.facts(path)
        return {each.line for each in facts.imports} if facts is not None else set()

    def is_source(self, symbol: Symbol, line: int) -> bool:
        """Whether a later line of the symbol uses the value that this line assigns, other than to
        report it."""
        return line - symbol.range.start in self._source_lines(symbol)

    @memoised
    def _source_lines(self, symbol: Symbol) -> set[int]:
        """The lines whose values later ones use, as offsets from the symbol's first line."""
        return source_offsets(self.code_of(symbol), self._reporting_lines(symbol))

    @memoised
    def code_of(self, symbol: Symbol) -> list[str]:
        """Returns the lines of a symbol without their comments."""
        lines = self._lines_in(symbol.path, symbol.range)
        return lexis_of(language_of(symbol.path)).layers("\n".join(lines)).code

    def verbatim_in(self, symbol: Symbol) -> tuple[int, TextMatch] | None:
        """Returns the line of a symbol that repeats most of the question word for word, and the
        text that it repeats."""
        span = symbol.range
        if len(span) > LONG and symbol.kind not in CALLABLES:
            span = head_of(self.case.graph, symbol)
        return self.verbatim_text(symbol.path, span)

    def verbatim_text(self, path: str, span: LineRange) -> tuple[int, TextMatch] | None:
        """Does what `verbatim_in` does for any lines of a file. Returns None if a better place
        repeats far more, unless the text is where a message may begin: other places may have more
        of a message only because its values are filled in there, as it is printed."""
        lines = self._lines_in(path, span)
        found = [
            (span.start + at, verbatim)
            for at, verbatim in self.words.wording.within(lines).items()
            if not credentials(lines[at], path)
        ]
        best = max(found, key=lambda each: (each[1].rank, -each[0]), default=None)
        if best is None or (best[1].message and best[1].message.begins_message):
            return best
        return best if best[1].worth >= _LEAST_VERBATIM * self._best_verbatim_worth else None

    def record_symbols(self, *symbols: Symbol) -> None:
        """Lets sentences name these definitions, which the graph has seen."""
        self.case.registry.record_symbols(map(info_as_named, symbols))

    def learn_of_file(self, path: str) -> bool:
        """Lets sentences name a file and its folders. Returns whether the file is there."""
        if is_there := self.has(path):
            self.case.registry.add(FileListed(path=path, size=len(self.source(path).text)))
        return is_there

    def has(self, path: str) -> bool:
        """Whether a file is in scope and readable. A file that was read once stays readable for the
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
        """Returns a line as it stands, or an empty string if the file no longer has it."""
        return "".join(self.source(path).lines[line - 1 : line])

    def texts_on(self, path: str, line: int) -> list[str]:
        """Returns the contents of the string literals on a line."""
        strings = lexis_of(language_of(path)).layers(self.line(path, line)).strings
        return [text.strip(_MARKS) for _, text, _ in strings]

    def _lines_in(self, path: str, span: LineRange) -> Sequence[str]:
        return self.source(path).lines[span.start - 1 : span.end]

    def prints_message(self, symbol: Symbol) -> bool:
        """Whether a definition has a message of the question in it."""
        return self.has(symbol.path) and self.has_message(symbol.path, symbol.range)

    def has_message(self, path: str, span: LineRange) -> bool:
        """Whether some lines of a file have a message of the question in them."""
        messages = self.words.wording.messages(self._lines_in(path, span))
        return any(True for _ in messages)

    @cached_property
    def _best_verbatim_worth(self) -> float:
        """The highest worth of any text that the best ``_RANKED`` candidates repeat word for
        word."""
        ranked = self.case.ranking.candidates[:_RANKED]
        segments = chain.from_iterable(each.segments for each in ranked)
        verbatim_texts = chain.from_iterable(
            self.words.wording.within(each.lines).values() for each in segments
        )
        return max((each.worth for each in verbatim_texts), default=0.0)

    @cached_property
    def ranks(self) -> dict[tuple[str, int], int]:
        """The positions of the best ranked definitions in the ranking, by path and line of the
        name."""
        found: dict[tuple[str, int], int] = {}
        for at, each in enumerate(self.case.ranking.candidates[:_RANKED_WELL]):
            if each.symbols:
                found.setdefault((each.path, each.symbols[0].line), at)
        return found

    def file_rank(self, path: str) -> int:
        """Returns a file's position among the ranked files; if unranked, one behind the last."""
        return self.file_ranks.get(path, len(self.file_ranks))

    @cached_property
    def file_ranks(self) -> dict[str, int]:
        """The ranked files, best first, each with its position."""
        paths = dict.fromkeys(each.path for each in self.case.ranking.candidates)
        return {path: at for at, path in enumerate(paths)}

    def is_documented_as(self, symbol: Symbol, sentence: str) -> bool:
        """Whether a line has ``sentence``, a sentence of the symbol's documentation: one of the
        symbol's own, or one above it. Not if the documentation was stripped of markup, or if the
        sentence goes on on the next line.
        """
        lines = self.source(symbol.path).lines
        first, last = symbol.range.start, min(symbol.range.end, len(lines))
        above = range(min(first, len(lines) + 1) - 1, max(0, first - _LONGEST_DOC), -1)
        nearest = chain(range(first, last + 1), above)
        line = next((line for line in nearest if sentence in lines[line - 1]), None)
        return line is not None and not self._continues_in_comment(symbol.path, line, sentence)

    def _continues_in_comment(self, path: str, line: int, sentence: str) -> bool:
        """Whether the sentence in a comment goes on beyond ``sentence``: the next line begins with
        a small letter."""
        around = self.source(path).lines[max(line - 2, 0) : line + _LONGEST_DOC]
        docs = lexis_of(language_of(path)).layers("\n".join(around)).docs
        rest = "\n".join(text for _, text, _ in docs).partition(sentence)[2]
        match = _NEXT_WORD.match(rest)
        return match is not None and match[1].islower()

    def telling_words_of_line(self, path: str, line: int) -> list[str]:
        """Returns the `telling_words` of one line. There are none if its best word says next to
        nothing beside the best of the question."""
        return self.words.telling_words_on(self.line(path, line))


def _end_of_head(symbol: Symbol, lines: Sequence[str]) -> int:
    """Returns the line by which the whole signature has been read; the line of the name if the
    source does not have the signature as it was indexed."""
    wanted = "".join(symbol.signature.split())
    head = ""
    last = min(symbol.range.end, symbol.line + _LONGEST_HEAD, len(lines))
    for line in range(symbol.range.start, last + 1):
        head += "".join(lines[line - 1].split())
        if line >= symbol.line and wanted in head:
            return line
    return symbol.line
