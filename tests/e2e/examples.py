"""Writes the README's answer, its picture and ``docs/examples.md`` from the output of real runs.

Run ``python -m tests.e2e.examples SOURCES``, where SOURCES is a folder for the source trees (see
``sources.py``).
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from explorer_core.contracts import ExploreRequest, Intent, Report, Settings
from explorer_core.explorer import Explorer
from explorer_core.report import render_text
from explorer_core.report.terminal import terminal_report
from explorer_core.workspace import Workspace
from tests.e2e.sources import SOURCES, tree

REPOSITORY = Path(__file__).parents[2]
README = REPOSITORY / "README.md"
README_QUESTION = re.compile(r'sightline explore "(?P<query>[^"]+)" --workspace (?P<folder>\S+)')
SHOWN: tuple[tuple[str, str, Intent], ...] = (
    ("django", "Where is the CSRF token of a submitted form checked?", "explain"),
    ("docker", "What happens when a container is started?", "explain"),
)
_HEAD = """\
# Examples

Answers as they came out of `sightline explore`, with the built-in offline judge: no model, no
network. `python -m tests.e2e.examples` writes this page and the picture in the README;
`tests/e2e` checks such answers against the files.
"""
_README_ANSWER = re.compile(r"(````console\n\$ [^\n]*\n).*?(````\n)", re.DOTALL)
_COLUMNS = 112


def readme_question() -> tuple[str, Path]:
    """The question of the README's first command, and the folder it is about."""
    found = README_QUESTION.search(README.read_text("utf-8"))
    assert found is not None
    return found["query"], REPOSITORY / found["folder"]


async def answer(query: str, intent: Intent, folder: Path) -> Report:
    """The offline report about a folder that is fully indexed."""
    with tempfile.TemporaryDirectory() as cache:
        explorer = Explorer(Workspace.open(folder, settings=Settings(cache_dir=cache)))
        try:
            await explorer.index.sync()
            return await explorer.explore(
                ExploreRequest(query=query, intent=intent, judge="offline")
            )
        finally:
            await explorer.close()


def picture(report: Report, command: str) -> str:
    """The terminal's output as SVG, using the fonts of the reader's system."""
    with Path("/dev/null" if sys.platform != "win32" else "NUL").open("w") as nowhere:
        console = Console(record=True, width=_COLUMNS, file=nowhere, highlight=False)
        console.print(terminal_report(report))
        svg = console.export_svg(title=command, theme=MONOKAI)
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


async def main(sources: Path) -> None:
    query, folder = readme_question()
    report = await answer(query, "explain", folder)
    svg = picture(report, f'sightline explore "{query}"')
    (REPOSITORY / "docs/answer.svg").write_text(svg, encoding="utf-8")
    text = render_text(report, 2500)
    readme = README.read_text("utf-8")
    README.write_text(
        _README_ANSWER.sub(lambda found: found[1] + text + found[2], readme), encoding="utf-8"
    )
    page = _HEAD
    for name, asked, intent in SHOWN:
        report = await answer(asked, intent, tree(name, sources))
        page += f"\n## {SOURCES[name].package}: {asked}\n\n````\n{render_text(report, 2500)}````\n"
    (REPOSITORY / "docs/examples.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Say where the source trees are kept: python -m tests.e2e.examples SOURCES")
    asyncio.run(main(Path(sys.argv[1])))
