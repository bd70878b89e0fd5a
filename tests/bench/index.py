"""What indexing costs, against ctags and codegraph on the same repository in the same run.

    python -m tests.bench.index REPO [--runs 5] [--tenfold] [--question TEXT]

Wall times are medians; the tools take turns. Peak memory adds up the resident sets of all
processes, sampled; it is known on Linux only. A machine that is busy with other things shows in all
figures of a run, so the ratios are what counts; processor times suffer less than wall times.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.explorer import Explorer
from explorer_core.index.index import Index
from explorer_core.index.text import analyse
from explorer_core.workspace import Workspace, WorkspaceError

MB = 1_000_000
TICK_S = 0.005
QUESTION = "how does a request find the view that answers it"


class Cost(NamedTuple):
    """Wall and processor time in seconds; peak resident memory in bytes. 0 where not known."""

    seconds: float
    processor: float
    memory: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--tenfold", action="store_true", help="also index ten copies")
    parser.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cache:
        build(options.repo, options.cache)
        return
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        report(
            options.repo.resolve(),
            Path(folder),
            options.runs,
            question=options.question,
            tenfold=options.tenfold,
        )


def build(repo: Path, cache: Path) -> None:
    """Index a repository from nothing."""
    with Index.open(workspace(repo, cache)) as index:
        index.sync_now()


def workspace(repo: Path, cache: Path) -> Workspace:
    return Workspace.open(repo, settings=Settings(cache_dir=str(cache)))


def report(repo: Path, folder: Path, runs: int, *, question: str, tenfold: bool) -> None:
    copy = folder / "work"
    shutil.copytree(repo, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    peers = peer_commands(copy, folder)
    print(f"{repo.name}: {sum(1 for path in copy.rglob('*') if path.is_file())} files")

    costs: dict[str, list[Cost]] = {}

    def take(label: str, command: Sequence[str]) -> None:
        costs.setdefault(label, []).append(measure(command))

    edited = max(copy.rglob("*.py"), key=lambda path: path.stat().st_size, default=None)
    for run in range(runs):
        shutil.rmtree(copy / ".codegraph", ignore_errors=True)
        for name, command in peers.items():
            take(name, command)
        if "codegraph init" in peers:
            codegraph = peers["codegraph init"][0]
            size = sum(file.stat().st_size for file in (copy / ".codegraph").rglob("*"))
            take("codegraph explore", [codegraph, "explore", "-p", str(copy), question])
            if edited is not None:
                append(edited, f"codegraph_{run}")
                take("codegraph sync", [codegraph, "sync", str(copy)])
            if run == runs - 1:
                print(f"{'store, codegraph':28}{size / MB:9.1f} MB")
        shutil.rmtree(copy / ".codegraph", ignore_errors=True)
        take("full index", own_command(copy, folder / f"cache{run}"))
        take("first answer, whole process", ask_command(copy, folder / f"first{run}", question))
    middle = {label: median(found) for label, found in costs.items()}
    full = middle["full index"]
    for label, cost in middle.items():
        if label.startswith("first"):
            init, explore = middle.get("codegraph init"), middle.get("codegraph explore")
            show(label, cost)
            if init and explore:
                ratio = cost.seconds / (init.seconds + explore.seconds)
                print(f"{'':28}first answer / (codegraph init + explore): {ratio:.3f}")
        else:
            show(label, cost, None if label == "full index" else full)
    queries(copy, folder / "cache0", runs)
    asyncio.run(warm_questions(copy, folder / "cache0", question, runs))
    asyncio.run(stall(copy, folder / "stall"))
    if tenfold:
        ten = folder / "ten"
        for number in range(10):
            shutil.copytree(copy, ten / f"part{number}", symlinks=True)
        show("ten times the files", measure(own_command(ten, folder / "cache-ten")), full)
        with Index.open(workspace(ten, folder / "cache-ten")) as index:
            show_queries("  ", index, runs)


def append(path: Path, name: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef {name}():\n    pass\n")


def ask_command(repo: Path, cache: Path, question: str) -> list[str]:
    """One question in a process of its own, with the offline judge."""
    command = [sys.executable, "-m", "lsp_server", "explore", "-w", str(repo)]
    return [*command, "--set", f"cache_dir={cache}", "--judge", "offline", question]


async def warm_questions(repo: Path, cache: Path, question: str, runs: int) -> None:
    """Whole explorations in a process that has answered before."""
    explorer = Explorer(workspace(repo, cache))
    times: list[float] = []
    try:
        for _ in range(runs + 1):
            started = time.perf_counter()
            await explorer.explore(
                ExploreRequest(query=question, judge="offline", force_refresh=True)
            )
            times.append(time.perf_counter() - started)
    finally:
        await explorer.close()
    print(f"{'warm question, whole':28}{statistics.median(times[1:]) * 1000:9.1f} ms")


async def stall(repo: Path, cache: Path) -> None:
    """How late a 5 ms ticker is at worst (p99.9), alone and beside a full index."""
    alone = await lateness(asyncio.sleep(5))
    with Index.open(workspace(repo, cache)) as index:
        beside = await lateness(index.sync())
    print(f"{'ticker late, alone':28}{alone * 1000:9.1f} ms")
    print(f"{'ticker late, indexing':28}{beside * 1000:9.1f} ms")


async def lateness(work: Awaitable[object]) -> float:
    late: list[float] = []
    task = asyncio.ensure_future(work)
    while not task.done():
        started = time.perf_counter()
        await asyncio.sleep(TICK_S)
        late.append(time.perf_counter() - started - TICK_S)
    await task
    return sorted(late)[int(len(late) * 0.999) - 1]


def own_command(repo: Path, cache: Path) -> list[str]:
    return [sys.executable, "-m", "tests.bench.index", str(repo), "--cache", str(cache)]


def peer_commands(repo: Path, folder: Path) -> dict[str, list[str]]:
    """The other tools that are installed, by name."""
    peers: dict[str, list[str]] = {}
    if ctags := shutil.which("ctags"):
        tags = str(folder / "tags")
        peers["ctags with references"] = [ctags, "-R", "--extras=+r", "-f", tags, str(repo)]
    if codegraph := shutil.which("codegraph"):
        peers["codegraph init"] = [codegraph, "init", "-y", str(repo)]
    return peers


def queries(repo: Path, cache: Path, runs: int) -> None:
    """Size of the store, warm questions, and one changed file until it can be asked for."""
    with Index.open(workspace(repo, cache)) as index:
        status = index.status()
        print(f"{'store':28}{status.size / MB:9.1f} MB  {status.symbols} symbols")
        print(f"{'clean rebuild is equal':28}{'yes' if not verify(index) else 'NO':>9}")
        index.sync_now()
        show_queries("", index, runs)
        path = max(index.view.paths(), key=lambda path: len(index.graph.symbols_in(path)))
        times: list[float] = []
        for run in range(max(runs, 5)):
            append(repo / path, f"benchmark_{run}")
            times.append(timed(lambda: index.sync_now(paths=[path])))
        print(f"{'largest file changed':28}{statistics.median(times) * 1000:9.1f} ms  {path}")
    fresh = folder_beside(cache)
    with Index.open(workspace(repo, fresh)) as index:
        some = sorted(entry.path for entry in index.workspace.files())
        chosen = random.Random(1).sample(some, min(40, len(some)))
        seconds = timed(lambda: index.sync_now(paths=chosen))
        print(f"{'first 40 files, cold':28}{seconds * 1000:9.1f} ms")


def folder_beside(cache: Path) -> Path:
    return cache.with_name(cache.name + "-fresh")


def verify(index: Index) -> list[str]:
    return asyncio.run(index.verify())


def show_queries(indent: str, index: Index, runs: int) -> None:
    for count in (10, 150):
        questions = [sample_terms(index, count, seed) for seed in range(max(runs, 5))]
        index.search(questions[0])
        times = [timed(lambda terms=terms: index.search(terms)) for terms in questions[1:]]
        label = f"{indent}question of {count} terms"
        print(f"{label:28}{statistics.median(times) * 1000:9.1f} ms")


def sample_terms(index: Index, count: int, seed: int) -> dict[str, float]:
    """Terms as they stand next to each other in some file."""
    chance = random.Random(seed)
    rows = sorted(row.path for row in index.view.visible_rows() if row.unit_count > 3)
    while True:
        try:
            terms = analyse(index.workspace.read(chance.choice(rows)).text)
        except WorkspaceError:
            continue
        start = chance.randrange(max(len(terms) - 4 * count, 1))
        found = dict.fromkeys(terms[start:], 1.0)
        if len(found) >= count:
            return dict(list(found.items())[:count])


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure(command: Sequence[str]) -> Cost:
    """Run a command to its end; raises CalledProcessError when it fails."""
    before = children_time()
    root = str(Path(__file__).parents[2])
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0
    done = threading.Event()

    def sample() -> None:
        nonlocal peak
        while not done.wait(0.03):
            peak = max(peak, tree_memory(process.pid))

    sampler = threading.Thread(target=sample)
    sampler.start()
    code = process.wait()
    seconds = time.perf_counter() - started
    done.set()
    sampler.join()
    if code:
        raise subprocess.CalledProcessError(code, command)
    return Cost(seconds, children_time() - before, peak)


def children_time() -> float:
    """Processor time of all processes started from here that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def tree_memory(root: int) -> int:
    """Resident bytes of a process and all its descendants; 0 without ``/proc``."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(entry.parent.name)] = int(fields[1])
    family = {root}
    while grown := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= grown
    total = 0
    for pid in family:
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except OSError:
            continue
    return total * (os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0)


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.seconds for cost in costs),
        statistics.median(cost.processor for cost in costs),
        max(cost.memory for cost in costs),
    )


def show(label: str, cost: Cost, ours: Cost | None = None) -> None:
    line = f"{label:28}{cost.seconds * 1000:9.1f} ms {cost.memory / MB:8.1f} MB"
    line += f"  processor {cost.processor:.1f} s"
    if ours is not None:
        line += f"   ours/this: time {ours.seconds / cost.seconds:.2f}"
        line += f", processor {ours.processor / cost.processor:.2f}" if cost.processor else ""
        line += f", memory {ours.memory / cost.memory:.2f}" if cost.memory else ""
    print(line)


if __name__ == "__main__":
    main()
