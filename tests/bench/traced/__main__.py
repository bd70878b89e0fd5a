"""How correct the graph's edges are, judged by the calls that a running program made.

    python -m tests.bench.traced REPO calls.tsv --suffix .rb --under lib/

In languages without types a running program knows what no language server can. Its tests are run
with one of the tracers beside this file, which record caller and callee. A call counts if its name
is on the caller's line and it leads to a definition in the repository. An edge is right if its
target is the callee, a member that overrides it or that it overrides, or the type that was
constructed. Calls that were never executed prove nothing.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from explorer_core.index.languages import language_of, spec
from explorer_core.index.symbols import MEMBER_HOLDERS, Edge, Symbol, SymbolId
from tests.bench.edges import Comparison, Tally, Use


class Call(NamedTuple):
    """A callee: its place, or if that is unknown its type. A constructor has both; the type is the
    one that was constructed."""

    name: str
    path: str
    line: int
    type: str


@dataclass
class Traced:
    """A repository with its graph, and the calls that were made from each line."""

    comparison: Comparison
    calls: dict[tuple[str, int], set[Call]] = field(
        default_factory=dict[tuple[str, int], set[Call]]
    )

    def read(self, lines: Iterable[str]) -> None:
        """Read a tracer's output, as far as it is about the compared files."""
        paths, calls = set(self.comparison.paths), defaultdict[tuple[str, int], set[Call]](set)
        for line in lines:
            path, number, name, target, target_line, constructed = line.rstrip("\n").split("\t")
            if path in paths:
                call = Call(
                    name,
                    target,
                    int(target_line or 0),
                    constructed.replace("\\", "::").rpartition("::")[2],
                )
                calls[path, int(number)].add(call)
        self.calls = dict(calls)

    def outcomes(self) -> Iterator[tuple[str, Use, set[Call]]]:
        """For the calls of one name on one line: the outcome, the use, and the callees."""
        uses = defaultdict[tuple[str, int, str], list[Use]](list)
        for calls in (True, False):
            for use in self.comparison.uses(calls=calls):
                uses[*use.place[:2], use.name].append(use)
        for (path, line), callees in self.calls.items():
            for name in sorted({call.name for call in callees}):
                named_callees = {
                    call for call in callees if call.name == name and self._is_defined(call)
                }
                candidates = [
                    use
                    for each in self._names(path, named_callees)
                    for use in uses[path, line, each]
                ]
                if named_callees and candidates:
                    yield self._outcome(candidates, named_callees), candidates[0], named_callees

    def _names(self, path: str, callees: set[Call]) -> set[str]:
        """The names that may be written on the line of a call: the callee's name or ``super``; for
        a constructor also the type's name, or a member that constructs (``new``)."""
        language_spec = spec(language_of(path) or "")
        names = {*(call.name for call in callees), *language_spec.super_names}
        if names & {*language_spec.constructors}:
            names |= {*language_spec.construct_members, *(call.type for call in callees)} - {""}
        return names

    def _is_defined(self, call: Call) -> bool:
        """Whether the callee is a definition in the graph."""
        graph = self.comparison.graph
        if not call.path:
            return bool(graph.find(call.name))
        return any(self._is_at(symbol, call) for symbol in graph.symbols_in(call.path))

    @staticmethod
    def _is_at(symbol: Symbol, call: Call) -> bool:
        return symbol.id.path == call.path and symbol.range.start <= call.line <= symbol.line

    def _outcome(self, uses: list[Use], callees: set[Call]) -> str:
        claimed = [edge for use in uses if use.is_claimed for edge in use.edges]
        edges = claimed or [edge for use in uses for edge in use.edges]
        if not edges:
            return "none"
        is_right = any(self._leads_to(edge, call) for edge in edges for call in callees)
        return ("right" if is_right else "wrong") + ("" if claimed else " by name")

    def _leads_to(self, edge: Edge, call: Call) -> bool:
        graph = self.comparison.graph
        if graph.symbol(edge.target).kind in MEMBER_HOLDERS:
            return any(
                self._is_constructed(each, call) for each in self._with_subtypes(edge.target)
            )
        related = [each.source for each in graph.overridden_by(edge.target)]
        related += [each.target for each in graph.overrides(edge.target)]
        symbols = [graph.symbol(each) for each in (edge.target, *related)]
        if call.path:
            return any(self._is_at(symbol, call) for symbol in symbols)
        same_name = (symbol.id for symbol in symbols if symbol.name == call.name)
        owners = filter(None, map(graph.container, same_name))
        return any(
            self._is_constructed(t, call) for owner in owners for t in self._with_subtypes(owner)
        )

    def _is_constructed(self, type_id: SymbolId, call: Call) -> bool:
        return self.comparison.graph.symbol(type_id).name == call.type

    def _with_subtypes(self, type_id: SymbolId) -> list[SymbolId]:
        """A type and all its subtypes."""
        types = [type_id]
        for each in types:
            subtypes = self.comparison.graph.subtypes(each)
            types += dict.fromkeys(e.source for e in subtypes if e.source not in types)
        return types


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repo", type=Path)
    parser.add_argument("calls", type=Path, help="what a tracer wrote")
    parser.add_argument("--suffix", action="append", default=[], help="files compared")
    parser.add_argument("--under", default="", help="folder compared; the graph has all")
    parser.add_argument("--examples", type=int, default=5)
    options = parser.parse_args()
    traced = Traced(Comparison(options.repo, tuple(options.suffix) or ("",), options.under))
    with options.calls.open(encoding="utf-8") as lines:
        traced.read(lines)
    tally, examples = Tally(), defaultdict[str, list[str]](list)
    for outcome, use, called in traced.outcomes():
        tally.counts[outcome] += 1
        callees_text = ", ".join(
            sorted(f"{c.path or c.type}:{c.line or c.name}" for c in called)[:2]
        )
        claimed_target = (
            traced.comparison.graph.symbol(use.edges[0].target).qualified_name if use.edges else ""
        )
        examples[outcome].append(
            f"{use.place[0]}:{use.place[1]} {use.name} -> {claimed_target}, ran: {callees_text}"
        )
    print_figures(tally)
    for outcome in ("wrong", "none", "wrong by name"):
        sample = random.Random(1).sample(
            examples[outcome], min(options.examples, len(examples[outcome]))
        )
        for example in sample:
            print(f"    {outcome}: {example}")


def print_figures(tally: Tally) -> None:
    counts: Counter[str] = tally.counts
    by_name = ("right by name", "wrong by name")
    print(f"claimed edges, right: {tally.share('right', 'wrong')}")
    claimed, total = counts["right"] + counts["wrong"], sum(counts.values())
    print(f"calls that ran, claimed: {claimed}/{total} = {claimed / max(1, total):.1%}")
    print(f"edges by name, right: {tally.share(*by_name)}")
    found_count = counts["right"] + counts["right by name"]
    print(f"calls that ran, found: {found_count}/{total} = {found_count / max(1, total):.1%}")


if __name__ == "__main__":
    main()
