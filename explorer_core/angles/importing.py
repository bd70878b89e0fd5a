"""Imports between files, cycles among them, and layers of folders."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import dirname

from explorer_core.index.graph import SymbolGraph

_MAX_DEPTH, _MAX_FOLDERS = 3, 24
"""Maximum depth of the folders considered as layers, and their maximum number; a larger tree is cut
at a smaller depth."""


@dataclass(frozen=True, slots=True)
class ImportEdge:
    """One file imports another; ``line`` of ``source`` is the first import of it."""

    source: str
    target: str
    line: int


@dataclass(slots=True)
class Imports:
    """The import edges between files, at most one per pair."""

    outgoing: dict[str, dict[str, ImportEdge]] = field(
        default_factory=lambda: defaultdict[str, dict[str, ImportEdge]](dict)
    )
    incoming: dict[str, dict[str, ImportEdge]] = field(
        default_factory=lambda: defaultdict[str, dict[str, ImportEdge]](dict)
    )

    def add(self, graph: SymbolGraph, path: str) -> None:
        """Add the imports of one file."""
        for edge in graph.imports(path):
            target = edge.target.path
            if target != path and target not in self.outgoing[path]:
                import_edge = ImportEdge(path, target, edge.line)
                self.outgoing[path][target] = import_edge
                self.incoming[target][path] = import_edge

    def of(self, path: str) -> Mapping[str, ImportEdge]:
        """The imports of a file, by target."""
        return self.outgoing.get(path, {})

    def to(self, path: str) -> Mapping[str, ImportEdge]:
        """The imports of a file by others, by importer."""
        return self.incoming.get(path, {})

    def all(self) -> Iterator[ImportEdge]:
        for edges in self.outgoing.values():
            yield from edges.values()


def cycles(imports: Imports) -> list[list[str]]:
    """Groups of files that import each other, the largest first: strongly connected components,
    after Tarjan, "Depth-first search and linear graph algorithms" (1972), without recursion."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    groups: list[list[str]] = []
    for root in sorted(imports.outgoing):
        if root in number:
            continue
        walk: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(imports.of(root))))]
        number[root] = low[root] = len(number)
        stack.append(root)
        on_stack.add(root)
        while walk:
            path, rest = walk[-1]
            target = next(rest, None)
            if target is None:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[path])
                if low[path] == number[path]:
                    group = stack[stack.index(path) :]
                    del stack[-len(group) :]
                    on_stack.difference_update(group)
                    if len(group) > 1:
                        groups.append(sorted(group))
            elif target not in number:
                number[target] = low[target] = len(number)
                stack.append(target)
                on_stack.add(target)
                walk.append((target, iter(sorted(imports.of(target)))))
            elif target in on_stack:
                low[path] = min(low[path], number[target])
    return sorted(groups, key=lambda group: (-len(group), group))


@dataclass(frozen=True, slots=True)
class LayerEdge:
    """Imports from one folder's files to another's; ``back`` counts those the other way."""

    upper: str
    lower: str
    count: int
    back: int
    example: ImportEdge


def layers(imports: Imports, paths: Iterable[str]) -> list[LayerEdge]:
    """The dependencies between folders, the most frequent first, in their main direction."""
    folder_of = _folders(paths)
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], ImportEdge] = {}
    for edge in imports.all():
        pair = folder_of.get(edge.source, ""), folder_of.get(edge.target, "")
        if pair[0] != pair[1] and all(pair):
            counts[pair] += 1
            examples.setdefault(pair, edge)
    return [
        LayerEdge(*pair, count, counts[pair[1], pair[0]], examples[pair])
        for pair, count in counts.most_common()
        if count >= counts[pair[1], pair[0]]
    ]


def _folders(paths: Iterable[str]) -> dict[str, str]:
    """The folder that each file counts towards, as deep as keeps their number manageable."""
    folders = {path: dirname(path).split("/") for path in paths if dirname(path)}
    best: dict[str, str] = {}
    for depth in range(1, _MAX_DEPTH + 1):
        deeper = {path: "/".join(parts[:depth]) for path, parts in folders.items()}
        if best and len(set(deeper.values())) > _MAX_FOLDERS:
            break
        best = deeper
    return best
