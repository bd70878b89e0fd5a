"""The performance table: Sightline compared with ctags and codegraph on one repository.

    python -m tests.bench.index REPO [--runs 5] [--tenfold]

Wall times are medians. The tools take turns, so that a busy machine affects all of them. Peak
memory is the sampled sum of the resident sets of all processes of a tool, on Linux only. The
questions are about Django unless ``--questions FILE`` gives others, one per line. Tools that are
not installed are left out: ``ctags``, and ``codegraph`` (npm: @colbymchenry/codegraph).
"""

from __future__ import annotations

import argparse
import asyncio
import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from explorer_core.contracts import Settings
from explorer_core.index.index import Index
from explorer_core.index.sync import SyncTask
from explorer_core.workspace import Workspace
from tests.bench import ticker
from tests.bench.codegraph import answer_times
from tests.bench.server import SIGHTLINE, running

MB = 1_000_000
COPIES = 10
QUESTIONS = (
    "how are models found",
    "where are urls declared",
    "how does a request find the view that answers it",
    "where are migrations autodetected",
    "how is the session cookie set on the response",
    "how does the cached template loader work",
    "how are form fields validated and errors collected",
    "how does QuerySet.filter become SQL",
    "URLResolver.resolve path converter",
    "how does collectstatic find files",
    "how do admin list filters narrow the changelist",
    "how are database connections pooled on postgres",
    "what turns an exception in a view into a response",
    "how is the active language chosen for a request",
    "how does the ORM save a model with parents",
    "how are signals dispatched to receivers",
)
"""The first two are only for warming up."""


class Cost(NamedTuple):
    """Wall and processor time in seconds; peak resident memory in bytes. 0 if unknown."""

    seconds: float
    processor: float
    memory: int


@dataclass(slots=True)
class Table:
    """Measurements by label, and the rows that compare them."""

    costs: dict[str, list[Cost]] = field(default_factory=dict[str, list[Cost]])
    rows: list[str] = field(default_factory=list[str])

    def run(self, label: str, command: Sequence[str]) -> None:
        """Run a command once and record its cost."""
        self.costs.setdefault(label, []).append(measure(command))

    def median(self, label: str) -> Cost | None:
        costs = self.costs.get(label)
        return median(costs) if costs else None

    def row(
        self, what: str, peer: str, theirs: float | None, ours: float, max_ratio: float, unit: str
    ) -> None:
        """Add a row; ``max_ratio`` is the largest acceptable ratio of ours to theirs."""
        theirs_shown = ratio = is_met = "not measured"
        if theirs:
            theirs_shown, ratio = f"{theirs:.3g} {unit}", f"{ours / theirs:.3f}"
            is_met = "yes" if ours / theirs <= max_ratio else "no"
        shown = f"{ours:.3g} {unit}"
        self.rows.append(
            f"| {what} | {peer} {theirs_shown} | {shown} | {ratio} | {max_ratio:.3f} | {is_met} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repo", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--tenfold", action="store_true", help="also index ten copies")
    options = parser.parse_args()
    questions = QUESTIONS
    if options.questions:
        questions = tuple(options.questions.read_text(encoding="utf-8").splitlines())
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as temporary:
        folder = Path(temporary)
        repo = folder / "work"
        for package in ("explorer_core", "lsp_server"):  # as an installation does
            compileall.compile_dir(Path(ROOT, package), quiet=1)
        ignored = shutil.ignore_patterns(".git", ".codegraph")
        shutil.copytree(options.repo.resolve(), repo, symlinks=True, ignore=ignored)
        print(f"{options.repo.name}: {len(Workspace.open(repo).files()):,} files\n", flush=True)
        table = report(repo, folder, options.runs, questions, tenfold=options.tenfold)
        print("\n| what | peer | ours | ratio | bar | met |\n|---|---|---|---|---|---|")
        print("\n".join(table.rows))


def report(
    repo: Path, folder: Path, runs: int, questions: Sequence[str], *, tenfold: bool
) -> Table:
    table = Table()
    ctags, codegraph = shutil.which("ctags"), shutil.which("codegraph")
    edited = max(repo.rglob("*.py"), key=lambda path: path.stat().st_size)
    sizes: list[int] = []
    for run in range(runs):
        if ctags:
            table.run("ctags", [ctags, "-R", "--extras=+r", "-f", str(folder / "tags"), str(repo)])
        if codegraph:
            shutil.rmtree(repo / ".codegraph", ignore_errors=True)
            table.run("codegraph init", [codegraph, "init", "-y", str(repo)])
            sizes.append(size_below(repo / ".codegraph"))
            table.run("codegraph explore", [codegraph, "explore", "-p", str(repo), questions[2]])
            append(edited, f"codegraph_{run}")
            table.run("codegraph sync", [codegraph, "sync", str(repo)])
        # The peer's own files are moved away before we index.
        hidden = folder / "codegraph"
        shutil.rmtree(hidden, ignore_errors=True)
        if (repo / ".codegraph").exists():
            shutil.move(repo / ".codegraph", hidden)
        table.run("full index", sightline("index", repo, folder / f"cache{run}"))
        first = sightline(
            "explore", repo, folder / f"first{run}", "--judge", "offline", questions[2]
        )
        table.run("first answer", first)
        print(
            f"run {run + 1}: "
            + ", ".join(f"{k} {v[-1].seconds:.2f}" for k, v in table.costs.items()),
            flush=True,
        )
    compare_commands(table, folder / f"cache{runs - 1}", sizes)
    compare_warm_questions(
        table, repo, folder / f"cache{runs - 1}", folder / "codegraph", questions, codegraph
    )
    compare_changed_file(table, repo, folder / f"cache{runs - 1}", edited)
    verify_index(repo, folder / f"cache{runs - 1}")
    compare_stalls(table, repo, folder)
    if tenfold:
        ten = folder / "ten"
        for number in range(COPIES):
            shutil.copytree(repo, ten / f"part{number}", symlinks=True)
        compare_tenfold(table, ten, folder, questions)
    return table


def compare_commands(table: Table, cache: Path, sizes: Sequence[int]) -> None:
    full, first = table.median("full index"), table.median("first answer")
    assert full
    assert first
    init, explore = table.median("codegraph init"), table.median("codegraph explore")
    ctags = table.median("ctags")
    peer = "codegraph init"
    table.row("full index", peer, init and init.seconds, full.seconds, 1 / 5, "s")
    table.row("full index", "ctags --extras=+r", ctags and ctags.seconds, full.seconds, 3, "s")
    memory = init and init.memory / MB
    table.row("peak memory, indexing", peer, memory, full.memory / MB, 1 / 3, "MB")
    size = statistics.median(sizes) / MB if sizes else None
    table.row("store", "codegraph", size, size_below(cache) / MB, 1 / 3, "MB")
    init_and_explore = init.seconds + explore.seconds if init and explore else None
    table.row(
        "first answer, whole process",
        f"{peer} + explore",
        init_and_explore,
        first.seconds,
        1 / 15,
        "s",
    )


def compare_warm_questions(
    table: Table,
    repo: Path,
    cache: Path,
    peer: Path,
    questions: Sequence[str],
    codegraph: str | None,
) -> None:
    """Compares the time for questions to warm servers; each question is a new one."""
    theirs = None
    if codegraph and peer.exists():
        shutil.move(peer, repo / ".codegraph")
        theirs = 1000 * statistics.median(answer_times(codegraph, repo, questions))
        shutil.move(repo / ".codegraph", peer)
    times = asyncio.run(question_times(repo, cache, questions))
    ours = 1000 * statistics.median(times)
    table.row("question, warm server", "codegraph serve --mcp", theirs, ours, 1 / 4, "ms")
    p95 = sorted(times)[int(0.95 * len(times))] * 1000
    print(f"warm question: median {ours:.0f} ms, 95th percentile {p95:.0f} ms", flush=True)


async def question_times(repo: Path, cache: Path, questions: Sequence[str]) -> list[float]:
    times: list[float] = []
    async with running(SIGHTLINE, cache) as server:
        await server.start(repo)
        for question in questions:
            started = time.perf_counter()
            await server.command("explore", query=question, judge="offline", forceRefresh=True)
            times.append(time.perf_counter() - started)
    return times[2:]


def compare_changed_file(table: Table, repo: Path, cache: Path, edited: Path) -> None:
    """Compares the time from a change of the largest file until it is indexed, in a running
    process."""
    path = edited.relative_to(repo).as_posix()
    times: list[float] = []
    with Index.open(workspace(repo, cache)) as index:
        index.sync_now()
        for number in range(7):
            append(edited, f"benchmark_{number}")
            times.append(seconds_of(lambda: index.sync_now(SyncTask([path]))))
            if not index.view.files_defining(f"benchmark_{number}"):
                raise RuntimeError("what was written cannot be found")
    sync = table.median("codegraph sync")
    ours = 1000 * statistics.median(times[1:])
    peer = sync and 1000 * sync.seconds
    table.row("largest file changed", "codegraph sync", peer, ours, 1 / 20, "ms")


def verify_index(repo: Path, cache: Path) -> None:
    command = sightline("index", repo, cache, "--verify")
    completed = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    print(
        f"verify: {'equal to a clean rebuild' if completed.returncode == 0 else 'NOT EQUAL'}",
        flush=True,
    )


def compare_stalls(table: Table, repo: Path, folder: Path) -> None:
    """Compares how late a 5 ms ticker is (p99.9) in the indexing server and in a bare one running
    at the same time."""
    period = asyncio.run(reindex_beside_bare(repo, folder))
    delays, bare_delays = (
        ticker.delays(folder / which, *period) for which in ("sightline", "bare")
    )
    p999, bare_p999 = (each[int(0.999 * len(each)) - 1] for each in (delays, bare_delays))
    is_met = "yes" if p999 - bare_p999 <= 50 else "no"
    table.rows.append(
        f"| event loop late while indexing, p99.9 | bare pygls {bare_p999:.0f} ms | {p999:.0f} ms |"
        f" +{p999 - bare_p999:.0f} ms | +50 ms | {is_met} |"
    )


async def reindex_beside_bare(repo: Path, folder: Path) -> tuple[float, float]:
    module = [sys.executable, "-m", "tests.bench.ticker"]
    command, bare_command = (
        [*module, str(folder / which), which] for which in ("sightline", "bare")
    )
    cache = folder / "stall"
    async with running(command, cache) as server, running(bare_command, cache) as bare_server:
        await server.start(repo)
        await bare_server.start(repo)
        started = time.monotonic()
        await server.command("reindex")
        ended = time.monotonic()
        await asyncio.sleep(3)  # for the last samples to be written
    return started, ended


def compare_tenfold(table: Table, ten: Path, folder: Path, questions: Sequence[str]) -> None:
    """Compares ten copies of the repository with one."""
    full = table.median("full index")
    assert full
    cost = measure(sightline("index", ten, folder / "cache-ten"))
    measure(sightline("index", ten / "part0", folder / "cache-one"))
    table.row("10x the files, index", "1x", full.seconds, cost.seconds, 11, "s")
    small_times = asyncio.run(question_times(ten / "part0", folder / "cache-one", questions))
    large_times = asyncio.run(question_times(ten, folder / "cache-ten", questions))
    small, large = (1000 * statistics.median(times) for times in (small_times, large_times))
    table.row("10x the files, question", "1x", small, large, 2, "ms")


ROOT = str(Path(__file__).parents[2])


def sightline(command: str, repo: Path, cache: Path, *options: str) -> list[str]:
    command_line = [sys.executable, "-m", "lsp_server", command, "-w", str(repo)]
    return [*command_line, "--set", f"cache_dir={cache}", *options]


def workspace(repo: Path, cache: Path) -> Workspace:
    return Workspace.open(repo, settings=Settings(cache_dir=str(cache)))


def append(path: Path, name: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef {name}():\n    pass\n")


def size_below(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def seconds_of(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure(command: Sequence[str]) -> Cost:
    """Run a command to its end. Raises CalledProcessError if it fails."""
    before = children_time()
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0
    is_done = threading.Event()

    def sample() -> None:
        nonlocal peak
        while not is_done.wait(0.03):
            peak = max(peak, tree_memory(process.pid))

    sampler = threading.Thread(target=sample)
    sampler.start()
    code = process.wait()
    seconds = time.perf_counter() - started
    is_done.set()
    sampler.join()
    if code:
        raise subprocess.CalledProcessError(code, command)
    return Cost(seconds, children_time() - before, peak)


def children_time() -> float:
    """Processor time of all ended child processes, in seconds."""
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


if __name__ == "__main__":
    main()
