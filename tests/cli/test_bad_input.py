"""Bad input of every kind: one clear sentence, the right exit code, no traceback.

The commands run in this process, so that errors of the operating system can be simulated.
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer_core.channels.grep import grep
from explorer_core.contracts import ExploreRequest, Settings
from explorer_core.events import Event
from explorer_core.report import render_text
from explorer_core.workspace import Workspace
from lsp_server import cli
from lsp_server.terminal.exits import ANSWERED, BAD_INPUT, NOTHING_FOUND
from tests.shop import QUESTION
from tests.workers import explorer_of, serve_all

LONGEST = 20_000
LONG_NAME = "n" * 300
"""Too long for a file name: looking it up fails, as it does without permission."""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs one command and returns its exit code, standard output and standard error."""
    monkeypatch.setenv("SIGHTLINE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    serve_all(monkeypatch)

    def run_command(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exited:
            cli.main(arguments)
        assert isinstance(exited.value.code, int)
        return (exited.value.code, *capsys.readouterr())

    return run_command


def check_refused(outcome: tuple[int, str, str], message: str) -> None:
    code, answer, errors = outcome
    assert (code, answer) == (BAD_INPUT, "")
    assert message in errors
    assert errors.startswith("sightline: ")
    assert errors.count("\n") == 1


def is_quiet(errors: str) -> bool:
    """Whether there is nothing but progress messages, which appear on a slow machine."""
    return all(line.endswith(" ...") for line in errors.splitlines())


def raise_for(
    error: type[OSError], *unreadable: Path, call: Callable[..., Any] = os.scandir
) -> Callable[..., Any]:
    """Replace ``os.scandir``, or another call, by one that raises ``error`` for some paths."""

    def call_or_raise(path: Any = ".", *args: Any, **more: Any) -> Any:
        if not isinstance(path, int) and Path(os.fspath(path)) in unreadable:
            raise error(13, "Permission denied", str(path))
        return call(path, *args, **more)

    return call_or_raise


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_option_has_a_help_text(command: str):
    parser = argparse.ArgumentParser()
    importlib.import_module(f"lsp_server.commands.{command}").add_arguments(parser)
    actions = parser._actions  # pyright: ignore[reportPrivateUsage]
    assert [each.dest for each in actions if not each.help] == []


@pytest.mark.parametrize(
    ("arguments", "usage"),
    [
        (("explore", "q", "--budgt", "5"), "usage: sightline explore "),
        (("--budgt",), "usage: sightline ["),
    ],
)
def test_unknown_option_shows_usage_of_the_command(
    run: Run, arguments: tuple[str, ...], usage: str
):
    """The usage shown is that of the command."""
    code, answer, errors = run(*arguments)
    assert (code, answer) == (BAD_INPUT, "")
    assert errors.startswith(usage)
    assert "unrecognized arguments: --budgt" in errors


def test_anchor_beyond_its_file_is_refused(run: Run, shop: Path):
    outcome = run("explore", "q", "-w", str(shop), "--anchor", "shop/web.py:900")
    check_refused(outcome, "shop/web.py has no line 900; its last one is 5.")


@pytest.mark.parametrize(
    "anchor", ["a.py:²", "a.py:-1", "a.py:0", ":3", "a.py", f"a.py:{'9' * 5000}"], ids=range(6)
)
def test_anchor_without_a_line_is_refused(run: Run, shop: Path, anchor: str):
    check_refused(
        run("explore", "q", "-w", str(shop), f"--anchor={anchor}"), "is not of the form PATH:LINE"
    )


def test_anchor_with_overlong_file_name_is_refused(run: Run, shop: Path):
    outcome = run("explore", "q", "-w", str(shop), f"--anchor={LONG_NAME}/a.py:3")
    check_refused(outcome, "a.py'")


def test_overlong_cache_folder_does_not_prevent_an_answer(run: Run, shop: Path, tmp_path: Path):
    cache = f"cache_dir={tmp_path / LONG_NAME}"
    code, answer, _ = run("explore", QUESTION, "-w", str(shop), "--set", cache)
    assert code == ANSWERED
    assert "shop/orders.py" in answer


def test_session_in_an_unknown_home_is_refused(run: Run, shop: Path):
    outcome = run("survey", "-w", str(shop), "--session", "~nobody-of-this-name/x")
    check_refused(outcome, "begins with an unknown home folder.")


@pytest.mark.parametrize("cache", ["relative", "./x", "~nobody-of-this-name/x"])
def test_relative_cache_folder_is_ignored(
    run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch, cache: str
):
    monkeypatch.chdir(shop)
    before = sorted(shop.rglob("*"))
    code, _, errors = run("explore", QUESTION, "--set", f"cache_dir={cache}")
    assert code == ANSWERED
    assert "cache_dir from flags is invalid and ignored" in errors
    assert sorted(shop.rglob("*")) == before


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")
@pytest.mark.parametrize("cache", ["work tree", "work tree/made/here", "linked/c"])
def test_a_cache_folder_in_the_workspace_is_not_used(
    run: Run, shop: Path, tmp_path: Path, cache: str
):
    (tmp_path / "linked").symlink_to(shop)
    before = sorted(shop.rglob("*"))
    flag = f"cache_dir={tmp_path / cache}"
    code, _, errors = run("explore", QUESTION, "-w", str(shop), "--set", flag)
    assert code == ANSWERED
    assert f"cache_dir from flags lies in the workspace {shop} and is ignored" in errors
    assert errors.count("cache_dir") == 1
    assert sorted(shop.rglob("*")) == before
    assert (tmp_path / "cache").exists()  # named by the next configuration layer


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (("place_order", "--scope", "["), "No file matches the scope [;"),
        (("place_order", "--scope", "a/**", "--scope", "b"), "No file matches the scope a/**, b;"),
        (("?!?!",), "The question has no words to search for;"),
        (("🧺🧺🧺",), "The question has no words to search for;"),
    ],
)
def test_empty_answer_says_why_nothing_is_found(
    run: Run, shop: Path, arguments: tuple[str, ...], note: str
):
    code, answer, _ = run("explore", *arguments, "-w", str(shop))
    assert code == NOTHING_FOUND
    assert f"nothing relevant found\nNote: {note}" in answer


@pytest.mark.parametrize(
    ("scope", "note"),
    [
        (("*.min.js",), "a.min.js is minified or encoded (very long lines)."),
        (("b.bin",), "b.bin is binary."),
        (("*.min.js", "b.bin"), "a.min.js is minified or encoded (very long lines)."),
        (("*.min.js", "shop"), None),
    ],
)
def test_scope_of_unsearched_files_is_explained(
    run: Run, shop: Path, scope: tuple[str, ...], note: str | None
):
    (shop / "a.min.js").write_text("var place='x';" * 20_000)
    (shop / "b.bin").write_bytes(bytes(range(256)) * 20)
    globs = [word for each in scope for word in ("--scope", each)]
    _, answer, _ = run("explore", "zyxwvut", *globs, "-w", str(shop))
    message = f"nothing relevant found\nNote: No text in the scope is searched: {note}\n"
    assert (message in answer) if note else ("Note:" not in answer)


@pytest.mark.parametrize("arguments", [("zyxwvut",), ("zyxwvut", "--scope", "shop"), ("注文",)])
def test_words_that_do_not_occur_need_no_note(run: Run, shop: Path, arguments: tuple[str, ...]):
    _, answer, _ = run("explore", *arguments, "-w", str(shop))
    assert "Note:" not in answer


@pytest.mark.parametrize("action", ["list", "clear"])
@pytest.mark.parametrize(
    ("folder", "message"),
    [
        (".", "nothing is cached for {0}; --all looks"),
        ("gone", "nothing is cached for {0}/gone, which is not a folder;"),
        ("loop", "nothing is cached for {0}/loop, which is not a folder;"),
        (LONG_NAME, f"nothing is cached for {{0}}/{LONG_NAME}, which is not a folder;"),
    ],
)
def test_cache_commands_report_an_empty_cache(
    run: Run, shop: Path, action: str, folder: str, message: str
):
    (shop / "loop").symlink_to(shop / "loop")
    code, _, errors = run("cache", action, "-w", str(shop / folder))
    assert code == (NOTHING_FOUND if action == "list" else ANSWERED)
    assert errors.startswith(f"sightline: {message.format(shop)}")


@pytest.mark.parametrize("question", ["", "  ", "\n\t"])
def test_empty_question_is_refused(run: Run, shop: Path, question: str):
    check_refused(run("explore", question, "-w", str(shop)), "The question is empty")


def test_overlong_question_is_refused(run: Run, shop: Path):
    message = "The question has 20,001 characters; at most 20,000 are accepted"
    check_refused(run("explore", "x" * (LONGEST + 1), "-w", str(shop)), message)


def test_longest_question_is_answered(run: Run, shop: Path):
    """The text of an issue: a question followed by a long log."""
    log = "".join(f"12:00:{number:05} WARN worker {number} waits\n" for number in range(900))
    question = f"{QUESTION}\n\n{log}"[:LONGEST]
    assert len(question) == LONGEST
    code, answer, _ = run("explore", question, "-w", str(shop))
    assert code == ANSWERED
    assert "shop/orders.py" in answer
    assert len(answer) <= Settings().report_chars


@pytest.mark.parametrize(
    "question",
    [
        "Wie wird eine Bestellung im Warenkorb gespeichert?",
        "注文はどのように保存されますか？",
        "Как сохраняется заказ?",
        "كيف يتم حفظ الطلب؟",
        "🧺🧺🧺",
        "?!…",
    ],
)
def test_question_in_another_language_is_survived(run: Run, shop: Path, question: str):
    """Words that do not occur in the code find nothing, and the report says so."""
    code, answer, errors = run("explore", question, "-w", str(shop))
    assert code in (ANSWERED, NOTHING_FOUND)
    assert "nothing relevant found" in answer or "shop/" in answer
    assert is_quiet(errors)


@pytest.mark.parametrize(
    "question", ["Wo ruft checkout place_order auf?", "checkout はなぜ place_order を呼びますか？"]
)
def test_names_are_found_in_any_language(run: Run, shop: Path, question: str):
    code, answer, _ = run("explore", question, "-w", str(shop))
    assert code == ANSWERED
    assert "shop/orders.py" in answer


@pytest.mark.parametrize("question", ["Where is (place_order[ ?", "*.+(", "\\", "a{2,1} [z-a]"])
def test_question_is_not_taken_for_a_regular_expression(run: Run, shop: Path, question: str):
    code, _, errors = run("explore", question, "-w", str(shop))
    assert code in (ANSWERED, NOTHING_FOUND)
    assert is_quiet(errors)


async def test_regex_that_does_not_compile_is_searched_as_text(shop: Path):
    found = await grep(Workspace.open(shop), "place_order(request[", regex=True)
    assert [each.severity for each in found.diagnostics] == ["warning"]
    assert "place_order(request[" in found.diagnostics[0].message


def test_missing_workspace_is_refused(run: Run, tmp_path: Path):
    missing = tmp_path / "missing"
    check_refused(run("explore", "q", "-w", str(missing)), f"There is no folder '{missing}'")


def test_workspace_that_is_a_file_is_refused(run: Run, shop: Path):
    check_refused(run("explore", "q", "-w", str(shop / "shop/web.py")), "is not a folder")


def test_empty_workspace_is_refused(run: Run, tmp_path: Path):
    (tmp_path / "empty").mkdir()
    message = "There is nothing to explore"
    check_refused(run("explore", "q", "-w", str(tmp_path / "empty")), message)


def test_unreadable_workspace_is_refused(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch):
    settings_file = shop / ".sightline.toml"
    monkeypatch.setattr(os, "scandir", raise_for(PermissionError, shop))
    monkeypatch.setattr(os, "stat", raise_for(PermissionError, settings_file, call=os.stat))
    message = "cannot be read (Permission denied); check its permissions."
    check_refused(run("explore", "q", "-w", str(shop)), message)


def test_unreadable_folder_inside_is_skipped(run: Run, shop: Path, monkeypatch: pytest.MonkeyPatch):
    (shop / "locked").mkdir()
    (shop / "locked/place_order.py").write_text("def place_order(): ...\n")
    monkeypatch.setattr(os, "scandir", raise_for(PermissionError, shop / "locked"))
    code, answer, _ = run("explore", QUESTION, "-w", str(shop))
    assert code == ANSWERED
    assert "locked" not in answer


def test_workspace_without_text_is_refused(run: Run, tmp_path: Path):
    folder = tmp_path / "binaries"
    folder.mkdir()
    (folder / "a.out").write_bytes(b"\x7fELF\0\0\1\2" * 100)
    (folder / "named.py").write_bytes(bytes(range(256)) * 20)
    message = "There is nothing to explore: no file of the workspace could be read as text."
    check_refused(run("explore", QUESTION, "-w", str(folder)), message)


def test_binary_files_are_ignored(run: Run, shop: Path):
    (shop / "shop/place_order.py").write_bytes(bytes(range(256)) * 20)
    code, answer, errors = run("explore", QUESTION, "-w", str(shop))
    assert code == ANSWERED
    assert is_quiet(errors)
    assert "shop/place_order.py" not in answer


@pytest.mark.parametrize("pattern", ["shop/orders.py", "*"])
async def test_file_deleted_before_emission_is_dropped(shop: Path, tmp_path: Path, pattern: str):
    workspace = Workspace.open(shop, settings=Settings(cache_dir=str(tmp_path / "cache")))
    explorer = explorer_of(workspace)
    deleted: set[str] = set()

    def delete(event: Event) -> None:
        if event.stage == "judge":
            for path in [path for path in shop.rglob(pattern) if path.is_file()]:
                deleted.add(path.relative_to(shop).as_posix())
                path.unlink()

    try:
        request = ExploreRequest(query=QUESTION, judge="offline")
        report = await explorer.explore(request, on_event=delete)
    finally:
        await explorer.close()
    assert deleted
    named = {place.path for place in (*report.primary, *report.links, *report.read_targets)}
    assert not named & deleted
    assert any(item.why == "file_gone" for item in report.dropped)
    assert report.confidence != "high"
    assert len(render_text(report, Settings().report_chars).splitlines()) > 3
