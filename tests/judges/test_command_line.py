"""Using a model from the command line: flags, transcript, doctor."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explorer_core.judges.models import messages_api
from tests.cli.test_cli import check_refused
from tests.commands import Sightline, environment, sightline
from tests.judges.conftest import QUESTION
from tests.judges.test_conversation import report
from tests.model_server.script import Fault, calls, says, slowly, turn
from tests.model_server.server import ModelServer

__all__ = ["sightline"]


@pytest.fixture
def env(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setattr(messages_api, "_refusals", set[tuple[str, str, str]]())
    return {"ANTHROPIC_API_KEY": "key-of-the-test", "ANTHROPIC_BASE_URL": server.url}


def explore(sightline: Sightline, shop: Path, env: dict[str, str], *flags: str):
    arguments = ("explore", QUESTION, "-w", str(shop), "--format", "json", *flags)
    result = sightline(*arguments, **env)
    return result, json.loads(result.stdout) if result.stdout else None


def test_api_key_alone_does_not_select_a_model(
    sightline: Sightline, shop: Path, server: ModelServer, env
):
    server.plays([report])
    _, found = explore(sightline, shop, env)
    assert (found["judge"], server.requests) == ("offline", [])


@pytest.mark.parametrize("flags", [("--model", "scripted"), ("--judge", "conversation")])
def test_flag_selects_a_model(sightline: Sightline, shop: Path, server: ModelServer, env, flags):
    server.plays([report])
    result, found = explore(sightline, shop, env, *flags)
    assert result.returncode == 0
    assert (found["judge"], len(found["links"])) == ("conversation", 3)
    assert found["usage"]["outputTokens"] == 20


def test_the_text_shows_the_cost(sightline: Sightline, shop: Path, server: ModelServer, env):
    server.plays([report])
    result = sightline("explore", QUESTION, "-w", str(shop), "--model", "m-1", **env)
    assert b"Model: m-1, " in result.stdout
    assert b"tokens in, 20 out, cost unknown" in result.stdout


def test_the_transcript_is_written(
    tmp_path: Path, sightline: Sightline, shop: Path, server: ModelServer, env
):
    server.plays([turn(calls("grep", pattern="save")), report])
    file = tmp_path / "talk.md"
    explore(sightline, shop, env, "--model", "scripted", "--transcript", str(file))
    assert file.read_text(encoding="utf-8").startswith("# Conversation\n")
    assert "submit_report" in file.read_text(encoding="utf-8")


def test_unwritable_transcript_is_refused_before_any_request(
    tmp_path: Path, sightline: Sightline, shop: Path, server: ModelServer, env
):
    server.plays([report])
    flags = ("--model", "scripted", "--transcript", str(tmp_path / "no" / "talk.md"))
    result, _ = explore(sightline, shop, env, *flags)
    check_refused(result, "--transcript .* cannot be written")
    assert server.requests == []


def test_editor_model_is_refused_on_the_command_line(sightline: Sightline, shop: Path, env):
    result, _ = explore(sightline, shop, env, "--model", "editor")
    check_refused(result, "no editor with a model here; name another model")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_ends_the_request(tmp_path: Path, shop: Path, server: ModelServer, env):
    server.plays([], then=slowly(turn(says("well " * 50)), 0.4))
    command = [sys.executable, "-m", "lsp_server", "explore", QUESTION, "-w", str(shop)]
    process = subprocess.Popen(
        [*command, "--model", "scripted"],
        env=environment(tmp_path) | env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    while not server.requests and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, b"")
    assert b"Traceback" not in err


def test_the_sdk_is_loaded_only_for_a_model(tmp_path: Path, shop: Path):
    """An offline answer, even with every judge imported, loads neither SDK nor its transport."""
    code = (
        "import sys, lsp_server.cli as c\n"
        "import explorer_core.judges.choice, lsp_server.commands.doctor\n"
        "try: c.main(sys.argv[1:])\n"
        "except SystemExit: print(sorted({'anthropic', 'httpx2'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "explore", QUESTION, "-w", str(shop)],
        capture_output=True,
        env=environment(tmp_path) | {"ANTHROPIC_API_KEY": "key-of-the-test"},
        check=True,
    )
    assert result.stdout.splitlines()[-1] == b"[]"


# doctor


def doctor(sightline: Sightline, *flags: str, **env: str) -> tuple[int, str]:
    result = sightline("doctor", *flags, **env)
    assert result.stderr == b""
    return result.returncode, result.stdout.decode()


def test_doctor_without_a_model_sends_no_request(sightline: Sightline, server: ModelServer, env):
    server.plays([])
    code, output = doctor(sightline, **env)
    assert code == 0
    assert "judge: offline" in output
    assert "ANTHROPIC_API_KEY is not used until then" in output
    assert "key-of-the-test" not in output
    assert server.requests == []


def test_doctor_makes_one_round_trip(sightline: Sightline, server: ModelServer, env):
    server.plays([turn(says("Ready."))])
    code, output = doctor(sightline, "--model", "scripted", **env)
    assert code == 0
    for line in ("ok    judge: conversation", f"ok    endpoint: {server.url}", "ok    key: "):
        assert line in output
    assert "ok    model: scripted answered in" in output
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        (Fault(401, "authentication_error"), "refused the key; set ANTHROPIC_API_KEY"),
        (Fault(404, "not_found_error"), "has no model 'scripted'"),
    ],
    ids=str,
)
def test_doctor_tells_how_to_fix_a_refused_request(
    sightline: Sightline, server: ModelServer, env, fault: Fault, advice: str
):
    server.plays([], then=fault)
    code, output = doctor(sightline, "--model", "scripted", **env)
    assert code == 1
    assert "wrong model: " in output
    assert advice in output


@pytest.mark.slow
def test_doctor_reports_an_unreachable_server(sightline: Sightline, env):
    env |= {"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}
    code, output = doctor(sightline, "--model", "scripted", **env)
    assert code == 1
    assert "cannot be reached; check the address" in output


def test_doctor_reports_a_missing_key(tmp_path: Path, sightline: Sightline):
    env = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": "", "HOME": str(tmp_path)}
    code, output = doctor(sightline, "--model", "scripted", **env)
    assert code == 1
    assert "wrong key: there is none; set ANTHROPIC_API_KEY" in output


@pytest.mark.parametrize("judge", ["packet", "conversation"])
def test_without_a_key_the_offline_judge_answers(
    tmp_path: Path, sightline: Sightline, shop: Path, judge: str
):
    """The SDK's own error once ended the command."""
    env = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": "", "HOME": str(tmp_path)}
    result, found = explore(sightline, shop, env, "--judge", judge)
    assert (found["judge"], found["confidence"]) == ("offline", "low")
    assert "set ANTHROPIC_API_KEY" in found["notes"][0]
    assert b"went wrong" not in result.stderr


def test_custom_server_needs_no_key(tmp_path: Path, sightline: Sightline, server: ModelServer, env):
    server.plays([turn(says("Ready."))])
    env |= {"ANTHROPIC_API_KEY": "", "HOME": str(tmp_path)}
    code, output = doctor(sightline, "--model", "scripted", **env)
    assert code == 0
    assert "note  key: there is none" in output
