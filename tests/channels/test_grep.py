"""Text search: ripgrep and its fallback find the same."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from explorer_core.channels import grep as grep_module
from explorer_core.channels.grep import grep
from explorer_core.channels.text_search import ripgrep
from explorer_core.contracts import ChannelResult, GrepMatch, Settings
from explorer_core.workspace import Workspace
from tests.fixture import parse
from tests.waiting import until

FIXTURE = """
//- src/app.py
def handle_request(request):
    session = load_session(request)
    return session.user
//- src/session.py
def load_session(request):
    return Session(request.cookies["id"])  # über
//- docs/notes.md
Sessions are loaded by load_session.
//- .gitignore
build
//- build/out.py
load_session = 1
//- .env
TOKEN=load_session
"""

real_ripgrep = ripgrep.find_ripgrep()


@pytest.fixture(params=["ripgrep", "stand-in"])
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "stand-in":
        monkeypatch.setattr(ripgrep, "find_ripgrep", lambda *_: None)
    elif real_ripgrep is None:
        pytest.skip("no ripgrep on this machine")
    return request.param


def matched_places(result: ChannelResult) -> list[tuple[str, int, tuple[str, ...]]]:
    matches = [match for match in result.observations if isinstance(match, GrepMatch)]
    assert len(matches) == len(result.observations)
    return sorted((match.segment.path, match.line, match.terms) for match in matches)


async def check_grep(
    tmp_path: Path,
    patterns: str | Sequence[str],
    expected: list[tuple[str, int, tuple[str, ...]]],
    *,
    source: str = FIXTURE,
    message: str = "",
    **options: Any,
) -> None:
    workspace = Workspace.open(parse(source).write(tmp_path))
    result = await grep(workspace, patterns, timeout_s=60, **options)
    assert matched_places(result) == sorted(expected)
    assert message in " ".join(diagnostic.message for diagnostic in result.diagnostics)
    assert bool(message) == bool(result.diagnostics)
    for match in result.observations:
        assert isinstance(match, GrepMatch)
        read = workspace.read(match.segment.path)
        assert match.segment == read.segment(match.segment.start, match.segment.range.end)


async def test_literal_is_found_in_readable_files_only(program: str, tmp_path: Path) -> None:
    expected = [("docs/notes.md", 1), ("src/app.py", 2), ("src/session.py", 1)]
    await check_grep(tmp_path, "load_session", [(*place, ("load_session",)) for place in expected])


async def test_terms_of_a_match_are_the_patterns_on_its_line(program: str, tmp_path: Path) -> None:
    await check_grep(
        tmp_path,
        ["request", "session", "nowhere"],
        [
            ("src/app.py", 1, ("request",)),
            ("src/app.py", 2, ("request", "session")),
            ("src/app.py", 3, ("session",)),
            ("src/session.py", 1, ("request", "session")),
            ("src/session.py", 2, ("request",)),
        ],
        scope=["src/"],
    )


async def test_regular_expressions_are_matched(program: str, tmp_path: Path) -> None:
    patterns = [r"^def \w+\(", r"cookies\[.id.\]"]
    await check_grep(
        tmp_path,
        patterns,
        [
            ("src/app.py", 1, (patterns[0],)),
            ("src/session.py", 1, (patterns[0],)),
            ("src/session.py", 2, (patterns[1],)),
        ],
        regex=True,
    )


async def test_invalid_expression_is_searched_literally(program: str, tmp_path: Path) -> None:
    await check_grep(
        tmp_path,
        "load_session(",
        [("src/app.py", 2, ("load_session(",)), ("src/session.py", 1, ("load_session(",))],
        regex=True,
        message="not a valid regular expression; it was searched literally",
    )


async def test_case_is_ignored_only_if_requested(program: str, tmp_path: Path) -> None:
    await check_grep(tmp_path, "ÜBER", [("src/session.py", 2, ("ÜBER",))], ignore_case=True)
    await check_grep(tmp_path, "ÜBER", [])


async def test_pattern_resembling_an_option_is_taken_literally(
    program: str, tmp_path: Path
) -> None:
    source = "//- -\n--files -e\n//- -e\n--files\n"
    await check_grep(
        tmp_path, "--files", [("-", 1, ("--files",)), ("-e", 1, ("--files",))], source=source
    )


async def test_patterns_that_no_line_can_contain_are_reported(program: str, tmp_path: Path) -> None:
    await check_grep(tmp_path, "a\0b", [], message="NUL")
    await check_grep(tmp_path, ["", " \n "], [], message="nothing to search for")
    await check_grep(
        tmp_path,
        "session = load_session(request)\r\n  return session.user\n",
        [
            ("src/app.py", 2, ("session = load_session(request)",)),
            ("src/app.py", 3, ("return session.user",)),
        ],
        message="line by line",
    )


async def test_context_is_contiguous_text(program: str, tmp_path: Path) -> None:
    workspace = Workspace.open(parse(FIXTURE).write(tmp_path))
    result = await grep(workspace, "session.user", context=1)
    (match,) = result.observations
    assert isinstance(match, GrepMatch)
    assert match.segment.range.start == 2
    assert match.segment.lines[-1] == "    return session.user"


async def test_overlays_mask_their_file(program: str, tmp_path: Path) -> None:
    workspace = Workspace.open(parse(FIXTURE).write(tmp_path))
    workspace.overlays.set("src/session.py", "first\nload_session = 2\n")
    workspace.overlays.set("new.py", "load_session = 3\n")
    workspace.overlays.set("build/out.py", "load_session = 4\n")
    for regex in (False, True):
        found = matched_places(await grep(workspace, "load_session", regex=regex, scope=["*.py"]))
        assert [place[:2] for place in found] == [
            ("new.py", 1),
            ("src/app.py", 2),
            ("src/session.py", 2),
        ]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a\rneedle\rb\n", 2),
        (b"a\r\nneedle\r\n", 2),
        ("ä\nneedle".encode("utf-16"), 2),
        (b"\xef\xbb\xbfneedle\n", 1),
        (b"caf\xe9\nneedle caf\xe9\n", 2),
        (b"x" * 100 + b"\0\nneedle\n", None),
        (b"x" * 3000 + b"needle\n", None),
        (b"x" * 100_000 + b"needle\n", None),
    ],
)
async def test_files_of_odd_encodings_and_line_ends(
    program: str, tmp_path: Path, data: bytes, line: int | None
) -> None:
    (tmp_path / "f").write_bytes(data)
    for regex in (False, True):
        found = matched_places(await grep(Workspace.open(tmp_path), "needle", regex=regex))
        assert found == ([] if line is None else [("f", line, ("needle",))])


async def test_dollar_matches_before_crlf(program: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"one needle\r\ntwo\r\n")
    assert matched_places(await grep(Workspace.open(tmp_path), "needle$", regex=True))


async def test_all_roots_are_searched(program: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        parse("//- a.py\nneedle\n").write(tmp_path / name)
    workspace = Workspace.open(tmp_path / "one", tmp_path / "two")
    found = matched_places(await grep(workspace, "needle"))
    assert [place[0] for place in found] == ["one/a.py", "two/a.py"]


async def test_limit_is_spread_over_files_and_patterns(program: str, tmp_path: Path) -> None:
    for number in range(8):
        (tmp_path / f"f{number}").write_text("common\n" * 40 + "rare\n" * (number == 7))
    result = await grep(Workspace.open(tmp_path), ["common", "rare"], limit=8)
    matches = [match for match in result.observations if isinstance(match, GrepMatch)]
    assert len(matches) == 8
    assert {match.segment.path for match in matches} == {f"f{number}" for number in range(8)}
    assert matches[0].segment.path == "f7"
    (diagnostic,) = result.diagnostics
    assert diagnostic.severity == "info"
    assert "8 of 321 matching lines in 8 files" in diagnostic.message


async def test_frequent_pattern_does_not_displace_others(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grep_module, "_LINES_PER_PATTERN", 50)
    for number in range(30):
        (tmp_path / f"f{number}").write_text("flood\n" * 10 + "rare\n")
    result = await grep(Workspace.open(tmp_path), ["flood", "rare"], limit=60)
    terms = [term for _, _, found in matched_places(result) for term in found]
    assert terms.count("rare") == 30
    assert terms.count("flood") == 30
    assert any("more than 50 lines" in diagnostic.message for diagnostic in result.diagnostics)


async def test_files_exceeding_one_command_line_are_all_searched(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ripgrep, "_ARGUMENT_CHARS", 100)
    for number in range(20):
        (tmp_path / f"file-number-{number}").write_text("needle\n")
    assert len(matched_places(await grep(Workspace.open(tmp_path), "needle"))) == 20


async def test_empty_workspace_yields_no_diagnostic(program: str, tmp_path: Path) -> None:
    assert await grep(Workspace.open(tmp_path), "needle") == ChannelResult()


async def test_invalid_scope_is_reported(program: str, tmp_path: Path) -> None:
    await check_grep(tmp_path, "session", [], scope=["[z-a]"], message="cannot be read")


def child_processes() -> set[str]:
    found: set[str] = set()
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended
            found.update((task / "children").read_text().split())
    return found


CATASTROPHIC_PATTERN = "^(a+)+$"
"""Takes forever in a backtracking engine on the text below."""

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")


@on_linux
async def test_timeout_kills_the_worker_and_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ripgrep, "find_ripgrep", lambda *_: None)
    (tmp_path / "f").write_text("a" * 60 + "b\n")
    before = child_processes()
    result = await grep(Workspace.open(tmp_path), CATASTROPHIC_PATTERN, regex=True, timeout_s=0.5)
    (diagnostic,) = result.diagnostics
    assert "stopped after 0.5 s" in diagnostic.message
    assert diagnostic.affects_answer
    await until(child_processes, before.issuperset)


@on_linux
async def test_cancelling_kills_the_worker_without_blocking_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ripgrep, "find_ripgrep", lambda *_: None)
    (tmp_path / "f").write_text("a" * 60 + "b\n")
    before = child_processes()
    task = asyncio.create_task(
        grep(Workspace.open(tmp_path), CATASTROPHIC_PATTERN, regex=True, timeout_s=60)
    )
    await until(lambda: child_processes() - before)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(child_processes, before.issuperset)


LINES = st.text(alphabet="abAB_.*( é中\t-\r\x0c\u2028", max_size=12)
PATTERN = st.text(alphabet="abAB_.*( é中-", min_size=1, max_size=4)


@pytest.mark.skipif(real_ripgrep is None, reason="no ripgrep on this machine")
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.lists(LINES, max_size=6).map("\n".join), min_size=1, max_size=3),
    st.lists(PATTERN, min_size=1, max_size=3),
    st.booleans(),
    st.booleans(),
)
@example(["A"], ["A", "--"], False, False)
@example(["--"], ["--"], True, False)
def test_ripgrep_and_fallback_find_the_same(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[str],
    patterns: list[str],
    regex: bool,
    ignore_case: bool,
) -> None:
    if regex:  # ripgrep's dot does not match a lone CR at the end of a line; Python's does
        texts = [text.replace("\r", "") for text in texts]
        patterns = [pattern for pattern in patterns if _means_the_same_to_both(pattern)] or ["a"]
    folder = tmp_path_factory.mktemp("agree")
    for number, text in enumerate(texts):
        (folder / f"f{number}").write_bytes(text.encode())
    workspace = Workspace.open(folder, settings=Settings(grep_time_s=60))

    def search() -> list[tuple[str, int, tuple[str, ...]]]:
        return matched_places(
            asyncio.run(grep(workspace, patterns, regex=regex, ignore_case=ignore_case))
        )

    with pytest.MonkeyPatch.context() as patch:
        expected = search()
        patch.setattr(ripgrep, "find_ripgrep", lambda *_: None)
        assert search() == expected


def _means_the_same_to_both(pattern: str) -> bool:
    """Whether both engines read a pattern alike. Python rejects ``**``, ripgrep reads it as ``*``;
    they agree on everything else that is generated here."""
    try:
        re.compile(pattern)
    except re.error:
        return False
    return "**" not in pattern


async def test_search_killed_with_unread_output_returns(tmp_path: Path) -> None:
    """A killed program with unread output once made the search wait forever."""
    for number in range(40):
        (tmp_path / f"{number}.txt").write_text("needle in a long enough line\n" * 4000)
    workspace = Workspace.open(tmp_path)
    for seconds in (0.001, 0.01, 0.02, 0.04, 0.08):
        await asyncio.wait_for(grep(workspace, "needle", timeout_s=seconds), 20)
