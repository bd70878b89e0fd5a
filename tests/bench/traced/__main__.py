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
        paths, found = set(self.comparison.paths), defaultdict[tuple[str, int], set[Call]](set)
        for line in lines:
            path, number, name, target, at, made = line.rstrip("\n").split("\t")
            if path in paths:
                call = Call(
                    name, target, int(at or 0), made.replace("\\", "::").rpartition("::")[2]
                )
                found[path, int(number)].add(call)
        self.calls = dict(found)

    def outcomes(self) -> Iterator[tuple[str, Use, set[Call]]]:
        """For the calls of one name on one line: the outcome, the use, and the callees."""
        uses = defaultdict[tuple[str, int, str], list[Use]](list)
        for calls in (True, False):
            for use in self.comparison.uses(calls=calls):
                uses[*use.place[:2], use.name].append(use)
        for (path, line), all_called in self.calls.items():
            for name in sorted({call.name for call in all_called}):
                called = {call for call in all_called if call.name == name and self._is_ours(call)}
                named = [
                    use for each in self._names(path, called) for use in uses[path, line, each]
                ]
                if called and named:
                    yield self._outcome(named, called), named[0], called

    def _names(self, path: str, called: set[Call]) -> set[str]:
        """The names that may be written on the line of a call: the callee's name or ``super``; for
        a constructor also the type's name, or a member that constructs (``new``)."""
        own = spec(language_of(path) or "")
        names = {*(call.name for call in called), *own.super_names}
        if names & {*own.constructors}:
            names |= {*own.construct_members, *(call.type for call in called)} - {""}
        return names

    def _is_ours(self, call: Call) -> bool:
        """Whether the callee is a definition in the graph."""
        graph = self.comparison.graph
        if not call.path:
            return bool(graph.find(call.name))
        return any(self._stands_at(symbol, call) for symbol in graph.symbols_in(call.path))

    @staticmethod
    def _stands_at(symbol: Symbol, call: Call) -> bool:
        return symbol.id.path == call.path and symbol.range.start <= call.line <= symbol.line

    def _outcome(self, uses: list[Use], called: set[Call]) -> str:
        claimed = [edge for use in uses if use.is_claimed for edge in use.edges]
        edges = claimed or [edge for use in uses for edge in use.edges]
        if not edges:
            return "none"
        right = any(self._leads_to(edge, call) for edge in edges for call in called)
        return ("right" if right else "wrong") + ("" if claimed else " by name")

    def _leads_to(self, edge: Edge, call: Call) -> bool:
        graph = self.comparison.graph
        if graph.symbol(edge.target).kind in MEMBER_HOLDERS:
            return any(self._is_made(each, call) for each in self._derived(edge.target))
        kin = [each.source for each in graph.overridden_by(edge.target)]
        kin += [each.target for each in graph.overrides(edge.target)]
        symbols = [graph.symbol(each) for each in (edge.target, *kin)]
        if call.path:
            return any(self._stands_at(symbol, call) for symbol in symbols)
        named = (symbol.id for symbol in symbols if symbol.name == call.name)
        owners = filter(None, map(graph.container, named))
        return any(self._is_made(t, call) for owner in owners for t in self._derived(owner))

    def _is_made(self, type_id: SymbolId, call: Call) -> bool:
        return self.comparison.graph.symbol(type_id).name == call.type

    def _derived(self, type_id: SymbolId) -> list[SymbolId]:
        """A type and all its subtypes."""
        found = [type_id]
        for each in found:
            subtypes = self.comparison.graph.subtypes(each)
            found += dict.fromkeys(e.source for e in subtypes if e.source not in found)
        return found


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
        said = ", ".join(sorted(f"{c.path or c.type}:{c.line or c.name}" for c in called)[:2])
        led = (
            traced.comparison.graph.symbol(use.edges[0].target).qualified_name if use.edges else ""
        )
        examples[outcome].append(f"{use.place[0]}:{use.place[1]} {use.name} -> {led}, ran: {said}")
    print_figures(tally)
    for outcome in ("wrong", "none", "wrong by name"):
        chosen = random.Random(1).sample(
            examples[outcome], min(options.examples, len(examples[outcome]))
        )
        for example in chosen:
            print(f"    {outcome}: {example}")


def print_figures(tally: Tally) -> None:
    counts: Counter[str] = tally.counts
    by_name = ("right by name", "wrong by name")
    print(f"claimed edges, right: {tally.share('right', 'wrong')}")
    claimed, total = counts["right"] + counts["wrong"], sum(counts.values())
    print(f"calls that ran, claimed: {claimed}/{total} = {claimed / max(1, total):.1%}")
    print(f"edges by name, right: {tally.share(*by_name)}")
    found = counts["right"] + counts["right by name"]
    print(f"calls that ran, found: {found}/{total} = {found / max(1, total):.1%}")


if __name__ == "__main__":
    main()
