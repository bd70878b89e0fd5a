"""The command line as users see it. Tests about the process itself always start a real one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from explorer_core.contracts import Report
from tests.commands import REPOSITORY, Sightline, environment, in_a_process, rarely
from tests.fixture import parse
from tests.shop import QUESTION, SHOP

ANSI = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\")


def error_lines(errors: bytes) -> list[str]:
    """The lines on standard error, except those about slow work in progress."""
    lines = errors.decode().splitlines()
    return [line for line in lines if not re.fullmatch(r"sightline: .* \.\.\.", line)]


def check_refused(result: subprocess.CompletedProcess[bytes], message: str) -> None:
    """Check for exit code 2, no standard output, and one sentence on standard error."""
    assert (result.returncode, result.stdout) == (2, b""), result.stderr
    (line,) = error_lines(result.stderr)
    assert re.match(rf"sightline: .*{message}", line), line


def test_version(tmp_path: Path):
    result = in_a_process(tmp_path, "--version")
    assert re.fullmatch(rb"sightline \d+\.\d+\.\d+\S*\r?\n", result.stdout)


def test_version_loads_no_library(tmp_path: Path):
    code = (
        "import sys, lsp_server.cli as c\n"
        "try: c.main(['--version'])\n"
        "except SystemExit: print(sorted({'pydantic', 'pygls', 'rich'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, env=environment(tmp_path), check=True
    )
    assert result.stdout.splitlines()[-1] == b"[]"


def test_text_answer_in_a_pipe_is_plain(tmp_path: Path, shop: Path):
    result = in_a_process(tmp_path, "explore", QUESTION, "--workspace", str(shop))
    assert result.returncode == 0
    assert b"shop/orders.py" in result.stdout
    assert b"\x1b" not in result.stdout
    assert not error_lines(result.stderr)


def test_json_is_a_report(sightline: Sightline, shop: Path):
    result = sightline("explore", QUESTION, "-w", str(shop), "--format", "json")
    report = Report.model_validate_json(result.stdout)
    assert report.query == QUESTION
    assert "candidates" not in json.loads(result.stdout)


def test_markdown_answer_names_the_files(sightline: Sightline, shop: Path):
    result = sightline("explore", QUESTION, "-w", str(shop), "--format", "markdown")
    assert result.returncode == 0
    assert b"shop/orders.py" in result.stdout


def test_color_always_gives_colour_and_hyperlinks(sightline: Sightline, shop: Path):
    arguments = ("explore", QUESTION, "-w", str(shop), "--color", "always")
    output = sightline(*arguments).stdout.decode()
    assert "\x1b[" in output
    assert f";{(shop / 'shop/orders.py').as_uri()}\x1b\\" in output
    assert "shop/orders.py:" in ANSI.sub("", output)


def test_force_color_gives_colour_in_a_pipe(sightline: Sightline, shop: Path):
    result = sightline("explore", QUESTION, "-w", str(shop), FORCE_COLOR="1")
    assert b"\x1b[" in result.stdout


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals of POSIX")
@pytest.mark.parametrize(
    ("env", "options", "has_colour", "has_no_links"),
    [
        ({}, [], True, False),
        pytest.param({"NO_COLOR": "1"}, [], False, False, marks=pytest.mark.slow),
        pytest.param({}, ["--color", "never"], False, True, marks=pytest.mark.slow),
    ],
)
def test_terminal_gets_colour_and_hyperlinks_unless_disabled(
    tmp_path: Path,
    shop: Path,
    env: dict[str, str],
    options: list[str],
    has_colour: bool,
    has_no_links: bool,
):
    import pty

    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "lsp_server", "explore", QUESTION, "-w", str(shop), *options]
    variables = environment(tmp_path) | {"TERM": "xterm-256color"} | env
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, env=variables) as process:
        os.close(terminal)
        output = b""
        with contextlib.suppress(OSError):  # a pseudo-terminal signals its end with EIO
            while piece := os.read(controller, 4096):
                output += piece
    os.close(controller)
    assert process.returncode == 0
    assert b"shop/orders.py" in output
    assert (b"\x1b[1;36m" in output) == has_colour
    assert (b"\x1b]8;" not in output) == has_no_links


@pytest.mark.parametrize(
    "stdin",
    [QUESTION.encode(), QUESTION.encode("utf-8-sig"), b"\xff\xfe" + QUESTION.encode("utf-16-le")],
)
@pytest.mark.parametrize("dash", [("-",), ()])
def test_question_from_standard_input(
    sightline: Sightline, shop: Path, stdin: bytes, dash: tuple[str, ...]
):
    result = sightline("explore", *dash, "-w", str(shop), "--format", "json", stdin=stdin)
    assert json.loads(result.stdout)["query"] == QUESTION


def test_nothing_found_exits_with_code_one(sightline: Sightline, shop: Path):
    result = sightline("explore", "zqxjkv wpfyzq", "-w", str(shop))
    assert result.returncode == 1
    assert result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("",), "The question is empty; "),
        (("x" * 20_001,), "The question has 20,001 characters; at most 20,000 are accepted"),
        (("q", "-w", "missing"), "There is no folder 'missing'"),
        (("q", "-w", "shop/web.py"), "'shop/web.py' is not a folder"),
        (("q", "-w", "empty"), "There is nothing to explore"),
        (("q", "--anchor", "shop/web.py"), "is not of the form PATH:LINE"),
        (("q", "--anchor", "shop/web.py:0"), "is not of the form PATH:LINE"),
        (("q", "--anchor", "shop/wen.py:3"), "shop/wen.py"),
        (("q", "--anchor", "../x.py:3"), ""),
        (("q", "--set", "grep_matches"), "has no value"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    tmp_path: Path, sightline: Sightline, arguments: tuple[str, ...], message: str
):
    folder = parse(SHOP).write(tmp_path / "here")
    (folder / "empty").mkdir()
    check_refused(sightline("explore", *arguments), message)


@pytest.mark.parametrize("mode", [0, 0o444, 0o111])
def test_unreadable_folder_is_refused(sightline: Sightline, shop: Path, mode: int):
    if os.name == "nt" or os.geteuid() == 0:
        pytest.skip("permissions do not bind here")
    shop.chmod(mode)
    try:
        check_refused(sightline("explore", "q", "-w", str(shop)), "cannot be read")
    finally:
        shop.chmod(0o755)


def test_invalid_setting_is_reported_and_ignored(sightline: Sightline, shop: Path):
    result = sightline("explore", QUESTION, "-w", str(shop), "--set", "grep-matches=x")
    assert result.returncode == 0
    (line,) = error_lines(result.stderr)
    assert line.startswith("sightline: grep_matches from flags is invalid and ignored: ")


def test_internal_error_is_one_sentence(tmp_path: Path, shop: Path):
    script = "tests.lsp.scripted_server"
    arguments = ("explore", "break", "-w", str(shop))
    result = in_a_process(tmp_path, *arguments, script=script)
    assert result.returncode == 70
    (line,) = error_lines(result.stderr)
    assert "ZeroDivisionError: on purpose" in line
    debug_result = in_a_process(tmp_path, *arguments, script=script, SIGHTLINE_DEBUG="1")
    assert b"Traceback" in debug_result.stderr


def test_progress_is_one_plain_line(tmp_path: Path, shop: Path):
    process = _start_exploration(tmp_path, shop)
    assert process.stderr is not None
    assert process.stderr.readline() == b"sightline: Reading files ...\n"
    process.kill()
    process.communicate()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_interrupt_ends_the_question_with_code_130(tmp_path: Path, shop: Path):
    process = _start_exploration(tmp_path, shop)
    assert process.stderr is not None
    process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors == b"wound down\n"


def _start_exploration(tmp_path: Path, shop: Path) -> subprocess.Popen[bytes]:
    """Start an exploration that runs until it is stopped."""
    command = [sys.executable, "-m", "tests.lsp.scripted_server"]
    return subprocess.Popen(
        [*command, "explore", "wait", "-w", str(shop)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
        cwd=REPOSITORY,
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_closed_output_pipe_is_no_error(tmp_path: Path, shop: Path):
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "lsp_server", "explore", QUESTION, "-w", str(shop)],
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        check=False,
    )
    os.close(writing)
    assert (process.returncode, error_lines(process.stderr)) == (141, [])


@pytest.mark.parametrize("encoding", ["ascii", *rarely("latin-1", "cp1252", "utf-8")])
def test_answers_survive_any_output_encoding(tmp_path: Path, shop: Path, encoding: str):
    question = "篮子 place_order"
    arguments = ("explore", question, "-w", str(shop))
    text = in_a_process(tmp_path, *arguments, PYTHONIOENCODING=encoding)
    assert text.returncode == 0
    assert b"shop/orders.py" in text.stdout
    report = in_a_process(tmp_path, *arguments, "--format", "json", PYTHONIOENCODING=encoding)
    assert json.loads(report.stdout)["query"] == question


def test_serve_refuses_a_bad_address(sightline: Sightline):
    check_refused(sightline("serve", "--tcp", "nowhere"), "is not a loopback HOST:PORT")


@pytest.mark.parametrize(
    "command",
    [
        ("explore", "How does checkout place_order?"),
        ("index",),
        *rarely(
            ("survey", "place_order", "--angles", "general"),
            ("symbols", "place_order"),
            ("status",),
        ),
    ],
    ids=lambda command: command[0],
)
def test_unwritable_cache_costs_a_warning_and_no_answer(
    tmp_path: Path, shop: Path, command: tuple[str, ...]
):
    """The user is told, and gets an answer all the same."""
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    variables = {"SIGHTLINE_CACHE_DIR": str(blocked), "TMPDIR": str(tmp_path)}
    result = in_a_process(tmp_path, *command, "-w", str(shop), **variables)
    assert result.returncode == 0, result.stderr
    assert result.stdout
    assert b"The index cannot be stored in " in result.stderr
    assert b"Traceback" not in result.stderr
    assert blocked.read_text().startswith("a file")
    assert not list(tmp_path.glob("sightline-*")), "what stood in for it is gone"


full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")


@full_device
def test_unwritable_transcript_is_reported_after_the_answer(sightline: Sightline, shop: Path):
    result = sightline("explore", QUESTION, "-w", str(shop), "--transcript", "/dev/full")
    assert result.returncode == 2
    assert b"shop/orders.py" in result.stdout
    (line,) = error_lines(result.stderr)
    assert re.fullmatch(r"sightline: --transcript /dev/full cannot be written: .*\.", line)


def run_in_shell(tmp_path: Path, redirected: str, *arguments: str) -> tuple[int, bytes, bytes]:
    """Run a command with its standard streams redirected by the shell."""
    result = subprocess.run(
        ["sh", "-c", f'"$@" {redirected}', "sh", sys.executable, "-m", "lsp_server", *arguments],
        capture_output=True,
        env=environment(tmp_path) | {"PYTHONUNBUFFERED": ""},
        timeout=120,
        check=False,
    )
    return result.returncode, result.stdout, result.stderr


@full_device
@pytest.mark.parametrize("form", ["text", *rarely("json")])
def test_unwritable_output_is_reported(tmp_path: Path, shop: Path, form: str):
    words = ("explore", QUESTION, "-w", str(shop), "--format", form)
    code, _, errors = run_in_shell(tmp_path, ">/dev/full", *words)
    assert code == 2
    (line,) = error_lines(errors)
    assert re.fullmatch(r"sightline: standard output cannot be written: .*\.", line)


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize("closed", ["0<&- >&- 2>&-", *rarely("0<&-", ">&-", "2>&-")])
def test_closed_standard_streams_are_survived(tmp_path: Path, shop: Path, closed: str):
    code, answer, errors = run_in_shell(tmp_path, closed, "explore", QUESTION, "-w", str(shop))
    assert code == 0
    assert (b"shop/orders.py" in answer) == (" >&-" not in f" {closed}")
    assert b"Error" not in errors
    code, answer, _ = run_in_shell(tmp_path, closed, "explore", "q", "-w", str(shop / "gone"))
    assert (code, answer) == (2, b"")
    code, answer, _ = run_in_shell(tmp_path, closed, "mcp", "-w", str(shop))
    assert (code, answer) == (0, b"")
