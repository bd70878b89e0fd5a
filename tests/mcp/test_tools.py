"""Every tool, called by the official client."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import mcp_types
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST, PARSE_ERROR

from explorer_core.contracts import ReadAnswer, Report
from lsp_server.mcp.kept import LineChange
from lsp_server.mcp.lines import message_or_refusal
from lsp_server.mcp.reading import read_answer
from lsp_server.mcp.server import _Tools
from lsp_server.terminal.exits import INTERRUPTED, PIPE_CLOSED
from tests.commands import environment, rarely
from tests.mcp.conftest import OpenClient, command
from tests.shop import QUESTION

SCHEMAS = Path(__file__).parents[2] / "docs" / "schema"
PUBLISHED = {
    "explore_code": "explore-answer",
    "read_range": "read-answer",
    "explore_angles": "survey-answer",
}


async def call(client: Client, tool: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Call a tool; return its text and its structured content, which must fit both schemas."""
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, mcp_types.CallToolResult)
    assert not result.is_error
    (block,) = result.content
    assert isinstance(block, mcp_types.TextContent)
    content = result.structured_content
    assert content is not None
    published = json.loads((SCHEMAS / f"{PUBLISHED[tool]}.json").read_text(encoding="utf-8"))
    jsonschema.validate(content, published)
    (listed,) = [each for each in (await client.list_tools()).tools if each.name == tool]
    jsonschema.validate(content, listed.output_schema or False)
    return block.text, content


@pytest.mark.parametrize(
    ("open_client", "mode"),
    [
        ("here", "auto"),
        ("stdio", "auto"),
        pytest.param("stdio", "legacy", marks=pytest.mark.slow),
        ("http", "auto"),
    ],
    indirect=["open_client"],
)
async def test_explored_places_can_be_read_again(open_client: OpenClient, shop: Path, mode: str):
    async with open_client(mode=mode) as client:
        text, report = await call(client, "explore_code", query=QUESTION)
        assert f"Workspace: {shop}" in text
        assert len(text) <= 2500
        assert report["workspace"] == str(shop)
        step = report["flow"][0]
        lines = (shop / step["path"]).read_text(encoding="utf-8").split("\n")
        assert step["quote"] in "\n".join(lines[step["start"] - 1 : step["end"]])

        place = {"path": step["path"], "start": step["start"], "end": step["end"]}
        text, read = await call(
            client, "read_range", report_id=report["reportId"], **place, around=1
        )
        assert read["lines"] == lines[read["start"] - 1 : read["end"]]
        assert read["start"] <= step["start"] <= step["end"] <= read["end"]

        uri = f"sightline://report/{report['reportId']}"
        whole = (await client.read_resource(uri)).contents[0]
        assert isinstance(whole, mcp_types.TextResourceContents)
        assert Report.model_validate_json(whole.text).id == report["reportId"]
        listed = (await client.read_resource("sightline://reports")).contents[0]
        assert isinstance(listed, mcp_types.TextResourceContents)
        assert [each["uri"] for each in json.loads(listed.text)] == [uri]

        _, follow_up = await call(
            client,
            "explore_code",
            query="How does save_order keep orders?",
            follow_up=report["reportId"],
        )
        assert follow_up["notes"] == []
        assert follow_up["flow"]


async def test_internal_error_shows_only_its_type():
    async def fails() -> Any:
        raise KeyError("text of the repository")

    async def name(folders: Any) -> str:
        return "shop"

    roots = mcp_types.ListRootsResult(roots=[])
    tools = _Tools(SimpleNamespace(name=name))  # type: ignore[arg-type]
    result = await tools._answer_or_problem(fails, roots, ReadAnswer)
    assert "Something went wrong inside Sightline (KeyError)." in str(result.content)
    assert "text of the repository" not in str(result)


async def test_expected_failures_are_answered_with_advice(open_client: OpenClient, shop: Path):
    async with open_client() as client:
        for message, arguments in {
            "The question is empty": {"query": "  "},
            "at most 20,000": {"query": "x" * 20_001},
            "'explain'": {"query": QUESTION, "intent": "guess"},
            "is no longer available": {"query": QUESTION, "follow_up": "gone"},
            "security": {"query": QUESTION, "angle": "sideways"},
            "nothing relevant": {"query": "zyxwvut qponmlk"},
        }.items():
            text, answer = await call(client, "explore_code", **arguments)
            assert message in text
            assert answer["workspace"] == str(shop)
            assert str(shop) in text


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_invalid_arguments_are_answered_in_one_sentence(
    open_client: OpenClient, shop: Path, mode: str
):
    folder = shop / "shop"
    async with open_client(roots=[folder.as_uri()], mode=mode) as client:
        for message, arguments in {
            "query is missing.": {},
            "query must be text.": {"query": 5},
            "scope.0 must be text.": {"query": QUESTION, "scope": [1]},
        }.items():
            text, answer = await call(client, "explore_code", **arguments)
            assert answer == {**answer, "workspace": str(folder), "problem": message}
            assert text == f"Workspace: {folder}\n{message}"


async def test_sloppy_arguments_are_accepted(open_client: OpenClient, shop: Path):
    async with open_client() as client:
        sloppy = {"intent": None, "scope": "shop/**", "angle": None}
        _, report = await call(client, "explore_code", query=QUESTION, **sloppy)
        step = report["flow"][0]
        for path in (f"./{step['path']}", str(shop / step["path"])):
            place = {"path": path, "start": step["start"], "end": step["end"]}
            _, read = await call(client, "read_range", report_id=report["reportId"], **place)
            assert read["path"] == step["path"]


@pytest.mark.parametrize("keywords", [["save_order", "no_such_guess"], "save_order, no_such_guess"])
async def test_keywords_find_what_the_question_has_no_word_for(
    open_client: OpenClient, shop: Path, keywords: object
):
    """A wrong guess is not reported as missing."""
    question = "zyxwvut qponmlk?"
    async with open_client() as client:
        _, without_keywords = await call(client, "explore_code", query=question)
        assert without_keywords["action"] == "skip_explore_result"
        assert "No keywords were given." in str(without_keywords["notes"])
        text, report = await call(client, "explore_code", query=question, keywords=keywords)
        assert any("save_order" in step["fact"] for step in report["flow"])
        assert "No keywords were given." not in text + str(report["notes"])
        assert "guess" not in str(report["missing"])


async def test_scopes_are_accepted_as_agents_write_them(open_client: OpenClient, shop: Path):
    only = {"shop/web.py"}
    async with open_client() as client:
        for scope, paths in (
            (f"{shop}/shop/w*.py", only),
            ([f"{shop}/shop/web.py"], only),
            ("nowhere/**, shop/web.py", only),
            ([str(shop)], {"shop/web.py", "shop/orders.py", "shop/store.py"}),
            (f"!{shop}/shop/**", set[str]()),
            ("/etc/**", set[str]()),
        ):
            _, report = await call(client, "explore_code", query=QUESTION, scope=scope)
            assert {each["path"] for each in report["flow"] + report["primary"]} == paths, scope


async def test_unknown_arguments_are_noted(open_client: OpenClient):
    async with open_client() as client:
        result = await client.call_tool("explore_code", {"query": QUESTION, "scopes": ["a"]})
        assert isinstance(result, mcp_types.CallToolResult)
        assert result.structured_content is not None
        (note,) = result.structured_content["notes"]
        assert note.startswith(
            "explore_code has no scopes; its arguments are query, keywords, intent, scope,"
        )
        last_block = result.content[-1]
        assert isinstance(last_block, mcp_types.TextContent)
        assert last_block.text == f"Note: {note}"


async def test_ranges_outside_the_report_are_refused(open_client: OpenClient, shop: Path):
    (shop / "secret.txt").write_text("the combination is 1234\n")
    async with open_client() as client:
        _, report = await call(client, "explore_code", query=QUESTION)
        for wanted in (
            {"path": "secret.txt", "start": 1, "end": 1},
            {"path": "../outside.txt", "start": 1, "end": 1},
            {"path": "/etc/passwd", "start": 1, "end": 1},
            {"path": report["flow"][0]["path"], "start": 1, "end": 9000},
            {"path": report["flow"][0]["path"], "start": 9, "end": 2},
        ):
            text, answer = await call(client, "read_range", report_id=report["reportId"], **wanted)
            assert answer["lines"] == []
            assert answer["problem"]
            assert answer["problem"] in text
        _, answer = await call(client, "read_range", report_id="nope", path="a", start=1, end=1)
        assert "no report" in answer["problem"]
        (shop / report["flow"][0]["path"]).unlink()
        wanted = {key: report["flow"][0][key] for key in ("path", "start", "end")}
        _, answer = await call(client, "read_range", report_id=report["reportId"], **wanted)
        assert answer["problem"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "now has 0 lines"),
        ("# one line\n", "now has 1 line and"),
        ("#\n" * 8, "now has 8 lines"),
    ],
)
async def test_range_beyond_a_shrunken_file_is_refused(
    open_client: OpenClient, shop: Path, content: str, problem: str
):
    path = "shop/late.py"
    (shop / path).write_text("#\n" * 9 + "def deliver_late():\n    return 1\n")
    async with open_client() as client:
        _, report = await call(client, "explore_code", query="deliver_late")
        (shop / path).write_text(content)
        wanted = {"report_id": report["reportId"], "path": path, "start": 10, "end": 11}
        text, answer = await call(client, "read_range", **wanted)
        assert answer["lines"] == []
        assert f"{path} {problem}" in answer["problem"]
        assert answer["problem"] in text


async def test_at_most_twenty_lines_around_a_place_are_read(open_client: OpenClient, shop: Path):
    path = "shop/late.py"
    (shop / path).write_text("#\n" * 60 + "def deliver_late():\n    return 1\n" + "#\n" * 60)
    async with open_client() as client:
        _, report = await call(client, "explore_code", query="deliver_late")
        places = [each for each in report["flow"] + report["primary"] if each["path"] == path]
        ((start, end),) = {(each["start"], each["end"]) for each in places}
        listed = {"report_id": report["reportId"], "path": path}
        for before, after, around in ((0, 0, 20), (20, 20, 0), (20, 20, 20), (5, 10, 20)):
            wanted = {"start": start - before, "end": end + after, "around": around}
            _, read = await call(client, "read_range", **listed, **wanted)
            assert read["start"] == start - min(20, before + around)
            assert read["end"] == end + min(20, after + around)


@pytest.mark.parametrize(
    ("wanted", "shown", "rest"),
    [
        ((-3, 5), (1, 5), None),
        ((1, 400), (1, 400), None),
        ((1, 401), (1, 400), 401),
        ((100, 900), (100, 499), 500),
        ((500, 9000), (500, 600), None),
    ],
)
def test_long_range_is_cut_with_a_note(
    wanted: tuple[int, int], shown: tuple[int, int], rest: int | None
):
    lines = [str(number) for number in range(1, 601)]
    text, answer = read_answer("/w", "a.txt", wanted, lines, LineChange())
    assert (answer.start, answer.end) == shown
    assert list(answer.lines) == lines[shown[0] - 1 : shown[1]]
    note = f"\nAt most 400 lines are read at a time; continue at line {rest}."
    assert text.endswith(note if rest else f"| {shown[1]}")


async def test_passwords_are_masked_in_read_lines(open_client: OpenClient, shop: Path):
    async with open_client() as client:
        _, report = await call(client, "explore_code", query=QUESTION)
        step = report["flow"][0]
        file = shop / step["path"]
        lines = file.read_text(encoding="utf-8").split("\n")
        lines[step["start"] - 1] = 'password: str = "hunter2pw"'
        file.write_text("\n".join(lines), encoding="utf-8")
        wanted = {key: step[key] for key in ("path", "start", "end")}
        text, answer = await call(client, "read_range", report_id=report["reportId"], **wanted)
        assert 'password: str = "[masked]"' in answer["lines"]
        assert "hunter2pw" not in text


@pytest.mark.parametrize("open_client", ["here", *rarely("stdio", "http")], indirect=True)
async def test_survey_writes_its_files_outside_the_workspace(
    open_client: OpenClient, shop: Path, tmp_path: Path
):
    async with open_client() as client:
        text, answer = await call(client, "explore_angles", angles=["general", "testing"])
        assert answer["workspace"] == str(shop)
        files = [Path(each["file"]) for each in answer["summary"]["angles"]]
        assert [file.name for file in files] == ["explore-general.json", "explore-testing.json"]
        for file in files:
            assert file.is_file()
            assert not file.is_relative_to(shop)
        assert answer["summary"]["top_files"][0]["path"] in text
        _, repeated = await call(client, "explore_angles", angles=["general", "testing"])
        assert [each["cached"] for each in repeated["summary"]["angles"]] == [True, True]
        text, answer = await call(client, "explore_angles", angles=["sideways"])
        assert "'sideways'" in text
        assert answer["summary"] is None


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.slow)])
async def test_client_roots_override_the_workspace_option(
    open_client: OpenClient, tmp_path: Path, mode: str
):
    other = tmp_path / "other"
    other.mkdir()
    (other / "clock.py").write_text("def tick_clock():\n    return 1\n")
    async with open_client(roots=[other.as_uri()], mode=mode) as client:
        _, answer = await call(client, "explore_code", query="tick_clock")
        assert answer["workspace"] == str(other)
        assert {each["path"] for each in answer["primary"]} == {"clock.py"}


async def test_missing_roots_are_skipped_or_reported(
    open_client: OpenClient, shop: Path, tmp_path: Path
):
    async with open_client(roots=[]) as client:
        _, answer = await call(client, "explore_code", query=QUESTION)
        assert answer["workspace"] == str(shop)
    async with open_client(roots=[(tmp_path / "gone").as_uri()]) as client:
        _, answer = await call(client, "explore_code", query=QUESTION)
        assert "gone" in answer["problem"]
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for root in (loop, loop / "below"):
        async with open_client(roots=[root.as_uri()]) as client:
            _, answer = await call(client, "explore_code", query=QUESTION)
            assert f"'{root}'" in answer["problem"]
    mixed = ["untitled:x", shop.as_uri(), (tmp_path / "gone").as_uri()]
    async with open_client(roots=mixed, mode="legacy") as client:
        _, answer = await call(client, "explore_code", query=QUESTION)
        assert (answer["workspace"], answer["problem"]) == (str(shop), None)


@pytest.mark.slow
@pytest.mark.parametrize("open_client", ["http"], indirect=True)
async def test_http_client_cannot_leave_the_workspace(
    open_client: OpenClient, shop: Path, tmp_path: Path
):
    other = tmp_path / "other"
    other.mkdir()
    (other / "clock.py").write_text("def tick_clock():\n    return 1\n")
    async with open_client(roots=[other.as_uri()]) as client:
        _, answer = await call(client, "explore_code", query=QUESTION)
        assert answer["workspace"] == str(shop)
    async with open_client(roots=[(shop / "shop").as_uri()]) as client:
        _, answer = await call(client, "explore_code", query=QUESTION)
        assert answer["workspace"] == str(shop / "shop")


async def test_tools_and_their_arguments_are_described(open_client: OpenClient):
    async with open_client() as client:
        tools = (await client.list_tools()).tools
        for tool in tools:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert tool.description
            assert tool.output_schema
            for argument in tool.input_schema["properties"].values():
                assert argument["description"]
        (explore,) = [tool for tool in tools if tool.name == "explore_code"]
        for action in ("answer_from_report", "read_targets", "targeted_gap_search"):
            assert action in (explore.description or "")
            assert action in (client.instructions or "")
        with pytest.raises(MCPError):
            await client.read_resource("sightline://report/nope")


async def start_server(tmp_path: Path, *folders: str, **more: Any) -> asyncio.subprocess.Process:
    """Start a server and complete the handshake."""
    process = await asyncio.create_subprocess_exec(
        *command(*folders),
        env=environment(tmp_path),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        **more,
    )
    assert process.stdin
    assert process.stdout
    client: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}}
    params = {**client, "clientInfo": {"name": "test", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    process.stdin.write(json.dumps(hello).encode() + b"\n")
    assert b"serverInfo" in await process.stdout.readline()
    return process


@pytest.mark.parametrize(
    ("line", "request_id", "code"),
    [
        ("not json", None, PARSE_ERROR),
        ("[]", None, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": 7, "method": 5}', 7, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": 7}', None, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": true, "method": 5}', None, INVALID_REQUEST),
    ],
)
def test_malformed_line_is_refused_with_an_error_code(line: str, request_id: int | None, code: int):
    refusal = message_or_refusal(line)
    assert isinstance(refusal, mcp_types.JSONRPCError)
    assert (refusal.id, refusal.error.code) == (request_id, code)


@pytest.mark.parametrize(
    ("text", "expected"), [("a \\ud83d", "a \ufffd"), ("\\ud83d\\ude00", "\U0001f600"), ("ä", "ä")]
)
def test_lone_surrogates_in_a_message_are_replaced(text: str, expected: str):
    line = f'{{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {{"a": "{text}"}}}}'
    message = message_or_refusal(line)
    assert isinstance(message, str)
    assert json.loads(message)["params"] == {"a": expected}


def test_empty_line_is_no_message():
    assert message_or_refusal(" \n") is None


async def test_server_goes_on_after_a_malformed_line(shop: Path, tmp_path: Path):
    process = await start_server(tmp_path, "--workspace", str(shop))
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"\nnot json\n")
    answer = json.loads(await asyncio.wait_for(process.stdout.readline(), 60))
    assert (answer["id"], answer["error"]["code"]) == (None, PARSE_ERROR)
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 8, "method": "ping"}\n')
    answer = json.loads(await asyncio.wait_for(process.stdout.readline(), 60))
    assert (answer["id"], answer["result"]) == (8, {})
    process.stdin.close()
    await asyncio.wait_for(process.wait(), 60)


async def test_warnings_are_plain_lines(shop: Path, tmp_path: Path):
    process = await start_server(tmp_path, "--workspace", str(shop), "--set", "colour=red")
    arguments = {"report_id": "x", "path": "a", "start": 1, "end": 1}
    params = {"name": "read_range", "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    assert process.stdin
    process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    process.stdin.write(json.dumps(request).encode() + b"\n")
    assert process.stdout
    assert b"no report" in await asyncio.wait_for(process.stdout.readline(), 60)
    process.stdin.close()
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    warning = "sightline: There is no setting colour (flags); it is ignored."
    assert errors.decode().splitlines() == [warning]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
async def test_interrupt_ends_the_server(shop: Path, tmp_path: Path):
    """Even in the middle of a session, while it waits for the client's next message."""
    process = await start_server(tmp_path, "--workspace", str(shop))
    process.send_signal(signal.SIGINT)
    assert await asyncio.wait_for(process.wait(), 60) == INTERRUPTED


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
async def test_closed_output_pipe_ends_the_server(shop: Path, tmp_path: Path):
    process = await start_server(tmp_path, "--workspace", str(shop))
    assert process.stdin
    assert process.stderr
    transport: Any = vars(process)["_transport"]
    transport.get_pipe_transport(1).close()
    await asyncio.sleep(0)  # until now the pipe is open and holds an answer that nobody reads
    process.stdin.write(b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}\n')
    assert await asyncio.wait_for(process.wait(), 60) == PIPE_CLOSED
    assert await process.stderr.read() == b""


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed there")
async def test_deleted_working_folder_is_reported(tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    enter = ["sh", "-c", 'cd "$0" && rmdir "$0" && exec "$@"', str(gone), *command()]
    server = StdioServerParameters(command=enter[0], args=enter[1:], env=environment(tmp_path))
    async with Client(server) as client:
        _, answer = await call(client, "explore_code", query=QUESTION)
        assert "'.'" in answer["problem"]


async def test_progress_only_goes_forward(open_client: OpenClient):
    fractions: list[float] = []

    async def record_progress(progress: float, total: float | None, message: str | None) -> None:
        fractions.append(progress)
        assert message

    async with open_client() as client:
        await client.call_tool(
            "explore_code", {"query": QUESTION}, progress_callback=record_progress
        )
    assert fractions
    assert fractions == sorted(set(fractions))
    assert fractions[-1] < 1
