"""Whatever happens to the files and to the cache, a report equals a fresh one."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from explorer_core import explorer as pipeline
from explorer_core.cache import ReportCache, store
from explorer_core.contracts import ExploreRequest, JudgeName, Report, Settings
from explorer_core.explorer import Explorer
from explorer_core.workspace import Workspace
from tests.cache.scripted import CountingJudge, content_of
from tests.workers import explorer_of

QUESTIONS = ("How is an order placed?", "Who sends the mail of an order?")
PATHS = ("shop/orders.py", "shop/mail.py", "refunds.py", "notes.txt")
BODIES = (
    "def place_order(basket):\n    return save_order(basket)\n\n\ndef save_order(basket):\n"
    "    return len(basket)\n",
    "\n\n# moved down\ndef place_order(basket):\n    return len(basket)\n",
    "from shop.orders import place_order\n\n\ndef send_mail(order):\n    place_order([])\n"
    "    print('the mail of an order', order)\n",
    "def refund(number):\n    return -number\n",
    "def place_an_order(order):\n    '''How an order is placed, and who sends its mail.'''\n",
    "Nothing to see here but a refund.\n",
)


class CachedRepository(RuleBasedStateMachine):
    """A repository that is edited and switched, questions, and a cache that gets damaged."""

    runner: asyncio.Runner
    folder: Path

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(dir=self.folder))
        self.root = self.base / "repository"
        self.root.mkdir()
        self.judge = CountingJudge()
        self.hits = 0
        chosen = Settings(judge="packet", model="scripted", cache_dir=str(self.base / "cache"))
        self.workspace = Workspace.open(self.root, settings=chosen)
        self.explorer = self.runner.run(self._open())

    async def _open(self) -> Explorer:
        return explorer_of(self.workspace)

    @initialize()
    def begin(self) -> None:
        self.git("init", "-q", "-b", "trunk")
        for path, body in zip(PATHS[:2], BODIES[::2], strict=False):
            self.write(path, body)
        self.commit()

    # the files

    @rule(path=st.sampled_from(PATHS), body=st.sampled_from(BODIES))
    def write(self, path: str, body: str) -> None:
        file = self.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(body)

    @rule(path=st.sampled_from(PATHS[1:]))
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(path=st.sampled_from(PATHS), body=st.sampled_from((None, *BODIES)))
    def unsaved(self, path: str, body: str | None) -> None:
        if body is None:
            self.workspace.overlays.discard(path)
        else:
            self.workspace.overlays.set(path, body)

    @rule(branch=st.sampled_from(("trunk", "side")))
    def switch(self, branch: str) -> None:
        self.commit()
        with contextlib.suppress(subprocess.CalledProcessError):
            self.git("switch", "-q", branch)
            return
        self.git("switch", "-q", "-c", branch)

    # the cache

    @precondition(lambda self: self.files())
    @rule(at=st.integers(0, 50), junk=st.binary(max_size=8), cut=st.booleans())
    def corrupt(self, at: int, junk: bytes, cut: bool) -> None:
        file = self.files()[at % len(self.files())]
        data = file.read_bytes()
        place = at * 37 % (len(data) + 1)
        file.write_bytes(data[:place] + junk + (b"" if cut else data[place + len(junk) :]))

    @precondition(lambda self: self.files())
    @rule(at=st.integers(0, 50))
    def swap(self, at: int) -> None:
        """Copy one entry's file over that of another."""
        files = self.files()
        shutil.copy(files[at % len(files)], files[at * 7 % len(files)].with_suffix(".copy"))
        files[at * 7 % len(files)].with_suffix(".copy").replace(files[at * 7 % len(files)])

    @rule(question=st.sampled_from(QUESTIONS), share=st.floats(0, 1))
    def killed_while_writing(self, question: str, share: float) -> None:
        """The process dies with part of its entry on disk; the next process starts from there."""

        def torn(file: Path, data: bytes) -> None:
            file.write_bytes(data[: int(len(data) * share)])
            raise _Killed

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "_write", torn)
            patch.setattr(Path, "unlink", lambda *_, **__: None)
            with contextlib.suppress(_Killed):
                self.ask(question, "packet", force_refresh=True)

    # the questions

    @rule(question=st.sampled_from(QUESTIONS), name=st.sampled_from(("packet", "conversation")))
    def question(self, question: str, name: JudgeName) -> None:
        before = self.judge.calls
        report = self.ask(question, name)
        self.hits += self.judge.calls == before
        kept, self.explorer.cache = self.explorer.cache, ReportCache(self.base / "none")
        try:
            fresh = self.ask(question, name, force_refresh=True)
        finally:
            self.explorer.cache = kept
        assert content_of(report) == content_of(fresh)
        for link in report.links:
            lines = self.workspace.read(link.path).lines
            quoted = lines[link.quote_range.start - 1 : link.quote_range.end]
            assert link.quote in "\n".join(quoted)

    @rule(question=st.sampled_from(QUESTIONS), name=st.sampled_from(("packet", "conversation")))
    def question_twice(self, question: str, name: JudgeName) -> None:
        first = self.ask(question, name)
        before = self.judge.calls
        again = self.ask(question, name)
        assert content_of(again) == content_of(first)
        if first.confidence != "low":
            assert self.judge.calls == before

    @invariant()
    def the_cache_is_readable(self) -> None:
        self.explorer.cache.entries()
        self.explorer.cache.verify()

    def ask(self, query: str, name: JudgeName, **request: Any) -> Report:
        self.judge.name = name
        asked = ExploreRequest(query=query, judge=name, **request)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pipeline, "open_judge", lambda *_: self.judge)
            return self.runner.run(self.explorer.explore(asked))

    def files(self) -> list[Path]:
        return sorted(self.explorer.cache.folder.glob("*.json"))

    def git(self, *arguments: str) -> None:
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@t.invalid", *arguments],
            cwd=self.root,
            check=True,
            capture_output=True,
        )

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "state")

    def teardown(self) -> None:
        self.runner.run(self.explorer.close())
        shutil.rmtree(self.base, ignore_errors=True)


class _Killed(BaseException):
    """Stands for the death of the process: nothing else runs after it."""


def run(examples: int, steps: int, folder: Path) -> None:
    CachedRepository.folder = folder
    with asyncio.Runner() as CachedRepository.runner:
        run_state_machine_as_test(
            CachedRepository,
            settings=settings(
                max_examples=examples,
                stateful_step_count=steps,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )


def test_cached_report_equals_a_fresh_one(tmp_path: Path):
    run(4, 12, tmp_path)


@pytest.mark.slow
def test_cached_report_equals_a_fresh_one_in_long_runs(tmp_path: Path):
    run(40, 25, tmp_path)
