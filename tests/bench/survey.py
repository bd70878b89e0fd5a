"""Times surveys of real repositories: ``python -m tests.bench.survey FOLDER...``.

Runs all twelve angles offline on a folder never indexed before, then again with the index in place,
and once more from cached results. The files written are checked: they must be valid by the
published schemas, their paths must exist, and every rationale must be true. The bar is 60 s for the
first run.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

from explorer_core.angles import Surveyor, angles
from explorer_core.contracts import Settings
from explorer_core.contracts.survey import SurveySummary
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.angles.checks import check_session


async def measure(folder: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="sightline-survey-") as temporary:
        session = Path(temporary) / "session"
        settings = Settings(judge="offline", cache_dir=str(Path(temporary) / "cache"))
        started = time.perf_counter()
        explorer = Explorer(Workspace.open(folder, settings=settings))
        try:
            summary = await Surveyor(explorer, session).survey()
            cold = time.perf_counter() - started
            check(summary, session, folder)
            warm = await Surveyor(explorer, session).survey(force=True)
            cached = await Surveyor(explorer, session).survey()
            check(cached, session, folder)
        finally:
            await explorer.close()
    print(
        f"{folder}: {len(summary.angles)} angles, {summary.files} files, {summary.patterns}"
        f" patterns, {summary.dependencies} dependencies, {summary.external_refs} external"
        f" references; cold {cold:.1f} s, warm {warm.elapsed_ms / 1000:.1f} s, kept"
        f" {cached.elapsed_ms / 1000:.2f} s ({sum(each.cached for each in cached.angles)} of"
        f" {len(cached.angles)} from the cache)"
    )


def check(summary: SurveySummary, session: Path, folder: Path) -> None:
    notes = [*summary.notes, *(note for each in summary.angles for note in each.notes)]
    if {each.angle for each in summary.angles} != set(angles()) or notes:
        raise SystemExit(f"{folder}: the survey is not whole: {notes}")
    check_session(session, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    for folder in parser.parse_args().folders:
        asyncio.run(measure(folder.resolve()))


if __name__ == "__main__":
    main()
