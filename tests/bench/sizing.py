"""How much text adaptive sizing saves in what an explorer is shown.

    python -m tests.bench.sizing REPO "RealCall RealInterceptorChain BridgeInterceptor"

Prints the flow that was found, how each file is shown, and the characters with sizing on and off.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from explorer_core.contracts import Candidate, ExploreRequest, LineRange
from explorer_core.contracts.settings import Settings
from explorer_core.explorer import Explorer
from explorer_core.index.graph import SymbolGraph
from explorer_core.index.skeleton import ShownFile, sized
from explorer_core.judges.shown.aim import aim
from explorer_core.registry.traits import is_aside, traits_of
from explorer_core.workspace import Workspace


def show(workspace: Workspace, graph: SymbolGraph, ranked: Sequence[Candidate], query: str) -> None:
    """Print the flow of a ranking, and the sizes of its files with sizing and in full."""
    aimed = aim(
        graph, ranked, query, avoid=lambda each: each.test or is_aside(traits_of(each.path))
    )
    spine = aimed.spine
    steps = [graph.symbol(step.symbol) for step in spine.steps]
    lines_by_path: dict[str, list[LineRange]] = {}
    for path, lines in aimed.places:
        lines_by_path.setdefault(path, []).extend([lines] if lines else [])

    def read(path: str) -> Sequence[str]:
        return workspace.read(path).lines

    with_sizing = sized(graph, lines_by_path, spine, read)
    without_sizing = sized(graph, lines_by_path, spine, read, adaptive=False)
    print("flow: " + " -> ".join(symbol.qualified_name for symbol in steps))
    for sized_file, full_file in zip(with_sizing, without_sizing, strict=True):
        print(
            f"    {_kind(sized_file):<9}{len(sized_file.render()):>7}"
            f" of {len(full_file.render()):>7}  {sized_file.path}"
        )
    small, large = _text(with_sizing), _text(without_sizing)
    equality = ", byte-identical" if small == large else ""
    print(f"on {len(small)}, off {len(large)} characters: {len(small) / len(large):.2f}x{equality}")


def _text(shown: Sequence[ShownFile]) -> str:
    return "\n\n".join(each.render() for each in shown)


def _kind(shown: ShownFile) -> str:
    return "skeleton" if shown.is_skeleton else "text"


async def _run(repo: Path, query: str) -> None:
    with tempfile.TemporaryDirectory(prefix="sightline-") as cache:
        workspace = Workspace.open(repo, settings=Settings(cache_dir=cache))
        explorer = Explorer(workspace)
        try:
            await explorer.index.sync()
            ranking = await explorer.gather(ExploreRequest(query=query))
            show(workspace, explorer.index.graph, ranking.candidates, query)
        finally:
            await explorer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("repo", type=Path)
    parser.add_argument("query")
    options = parser.parse_args()
    asyncio.run(_run(options.repo, options.query))


if __name__ == "__main__":
    main()
