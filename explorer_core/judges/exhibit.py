"""Shows a symbol to the registry: which lines of it to read, and which line to quote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from explorer_core.channels.narrowing import LONG, WINDOW, head_of, line_worth
from explorer_core.channels.query import understand
from explorer_core.contracts import QUOTE_LIMIT, Candidate, CandidateId, LineRange, SymbolFound
from explorer_core.index.symbols import CALLABLES, Edge, Symbol
from explorer_core.index.terms import text
from explorer_core.judges.base import JudgeCase
from explorer_core.judges.masking import credentials, open_parts
from explorer_core.judges.templates import without_literals
from explorer_core.judges.wording import Said, Wording
from explorer_core.registry.traits import is_aside
from explorer_core.workspace import SourceText, WorkspaceError

_RANKED, _LEAST_SAID = 20, 0.6
"""Of so many best ranked candidates, the share of what a line of them has word for word at most
that another must have to be quoted for it."""
_LEAST_TOLD_LAST = 0.5
"""Share of what the longest message of the question tells that its last must tell."""
_LONGEST_HEAD = 30
"""Lines among which the end of a definition's head is looked for."""
_WORDS, _LEAST_TOLD = 4, 0.25
"""How many words of the question are told of a place, at most, and how much of what the first says
each of them must say."""


@dataclass(frozen=True)
class Exhibits:
    """Places of one case, read from the workspace and registered as they are shown."""

    case: JudgeCase

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
        """The lines that `show` shows of a symbol."""
        span = symbol.range
        if len(span) <= LONG:
            return span
        if line is None or line not in span:
            return head_of(self.case.index.graph, symbol)
        start = max(span.start, line - WINDOW // 2)
        return LineRange(start=start, end=min(span.end, start + WINDOW - 1))

    def quote(self, path: str, line: int) -> str:
        """A line as it stands, or the longest stretch of it that may and that fits a quote."""
        lines = self.source(path).lines
        written = lines[line - 1].strip() if line <= len(lines) else ""
        parts = (written[start:end].strip() for start, end in open_parts(written, path))
        written = max(parts, key=len, default="")
        if len(written) <= QUOTE_LIMIT:
            return written
        return written[:QUOTE_LIMIT].rpartition(" ")[0] or written[:QUOTE_LIMIT]

    def telling_line(self, symbol: Symbol, edges: Mapping[int, Edge]) -> int:
        """The line that says most about the question: one with an edge, if there is any.

        Falls back to the first edge, then to the line of the name, which stands for the whole head.
        """
        lines = self.source(symbol.path).lines
        first = symbol.line
        if symbol.kind in CALLABLES:
            first = symbol.line + 1 if edges else _end_of_head(symbol, lines) + 1
        best, best_line = 0.0, min(edges, default=symbol.line)
        for line in range(first, min(symbol.range.end, len(lines)) + 1):
            if edges and line not in edges:
                continue
            worth = self.worth(lines[line - 1])
            if worth > best + 1e-9 and not credentials(lines[line - 1], symbol.path):
                best, best_line = worth, line
        return best_line

    def worth(self, line: str) -> float:
        """How much a line of code says about the question. What it says in a literal counts half:
        it tells somebody of what is done elsewhere, most often of what failed."""
        code = without_literals(line)
        return (line_worth(line, self.weights) + line_worth(code, self.weights)) / 2

    def said_in(self, symbol: Symbol) -> tuple[int, Said] | None:
        """The line of a symbol that has most of the question word for word, and what it has."""
        span = symbol.range
        if len(span) > LONG and symbol.kind not in CALLABLES:
            span = head_of(self.case.index.graph, symbol)
        return self.said(symbol.path, span)

    def said(self, path: str, span: LineRange) -> tuple[int, Said] | None:
        """`said_in` for any lines of a file; None where a better place has far more, unless a
        message begins with it: others may have it as it is printed, with its values."""
        lines = self.source(path).lines[span.start - 1 : span.end]
        found = [
            (span.start + at, said)
            for at, said in self.wording.within(lines).items()
            if not credentials(lines[at], path)
        ]
        best = max(found, key=lambda each: (each[1].rank, -each[0]), default=None)
        if best is None or (best[1].message and best[1].message.heads):
            return best
        return best if best[1].worth >= _LEAST_SAID * self._most_said else None

    def has(self, path: str) -> bool:
        """Whether the file can still be read; what was read once stays for this case."""
        try:
            self.source(path)
        except WorkspaceError:
            return False
        return True

    def source(self, path: str) -> SourceText:
        if path not in self._sources:
            self._sources[path] = self.case.workspace.read(path)
        return self._sources[path]

    @cached_property
    def _sources(self) -> dict[str, SourceText]:
        return {}

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much each term of the question tells in this repository."""
        search = self.case.index.search()
        terms = dict.fromkeys(text.analyse(self.case.question))
        return {term: search.salience(term) for term in terms}

    @cached_property
    def message(self) -> tuple[Candidate, int] | None:
        """The candidate and the line that print the message of the question; tests and the like,
        which have it as it is printed, only if all else is.

        What wraps a message goes before it, so the last that says enough is what began it all.
        """
        told = list(self._messages())
        most = max((said.worth for _, _, _, said in told), default=0.0)
        enough = [each for each in told if each[-1].worth >= _LEAST_TOLD_LAST * most]
        best = max(enough, key=lambda each: (*each[0], round(each[-1].worth, 9)), default=None)
        return None if best is None else best[1:3]

    def _messages(self) -> Iterator[tuple[tuple[bool, int], Candidate, int, Said]]:
        """The messages of the candidates with their place in the question, whether it is one where
        a message can begin ahead, and the line."""
        aside = is_aside(self.case.ranking.candidates[0].traits)
        for candidate in self.case.ranking.candidates:
            if is_aside(candidate.traits) and not aside:
                continue
            for segment in candidate.segments:
                for at, said in self.wording.messages(segment.lines):
                    if said.message is not None:
                        place = said.message.heads, said.message.begin if said.message.heads else 0
                        yield place, candidate, segment.start + at, said

    def prints(self, symbol: Symbol) -> bool:
        """Whether a definition prints a message of the question."""
        if not self.has(symbol.path):
            return False
        lines = self.source(symbol.path).lines[symbol.range.start - 1 : symbol.range.end]
        return any(True for _ in self.wording.messages(lines))

    @cached_property
    def _most_said(self) -> float:
        """The worth of what the best candidates have at most word for word on a line."""
        ranked = self.case.ranking.candidates[:_RANKED]
        segments = chain.from_iterable(each.segments for each in ranked)
        said = chain.from_iterable(self.wording.within(each.lines).values() for each in segments)
        return max((each.worth for each in said), default=0.0)

    @cached_property
    def file_ranks(self) -> dict[str, int]:
        """The ranked files, best first, each with its place."""
        paths = dict.fromkeys(each.path for each in self.case.ranking.candidates)
        return {path: at for at, path in enumerate(paths)}

    @cached_property
    def wording(self) -> Wording:
        return Wording(understand(self.case.question), self.weights)

    def words_on(self, path: str, line: int) -> list[str]:
        """`telling_words` of one line of a file."""
        lines = self.source(path).lines
        return self.telling_words(text.analyse(lines[line - 1])) if line <= len(lines) else []

    def telling_words(self, terms: Sequence[str]) -> list[str]:
        """The most telling words of the question among some terms or texts of it, as the question
        has them; not those that tell next to nothing beside the first."""
        # Of a name that is a term itself, the parts may be elsewhere.
        parts = ([each] if each in self.weights else text.analyse(each) for each in terms)
        matched = set(chain.from_iterable(parts)) & self.weights.keys()
        told = sorted(matched, key=lambda term: (-self.weights[term], term))
        bar = _LEAST_TOLD * self.weights[told[0]] if told else 0.0
        words = (self._words[term] for term in told if self.weights[term] >= bar)
        return list(dict.fromkeys(words))[:_WORDS]

    @cached_property
    def _words(self) -> dict[str, str]:
        return text.as_written(self.case.question)


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
