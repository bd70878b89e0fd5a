"""The witnesses of hops: an editor, a language server started by Sightline, or only the graph."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from pytest_lsp import LanguageClient

from explorer_core.channels.compilers import CompilerEvidence
from explorer_core.channels.question.query import understand
from explorer_core.contracts import LineRange
from explorer_core.workspace.source import SourceText
from lsp_server.compilers import downstream
from lsp_server.compilers.command_lines import ConfiguredServers
from lsp_server.compilers.downstream import LanguageServer
from lsp_server.compilers.editor import LANGUAGE_MODEL, METHODS, declared_methods
from lsp_server.compilers.servers import LanguageServers
from lsp_server.compilers.shapes import FoundPlace, places
from lsp_server.convert import Folder, uri_to_path
from lsp_server.workspace.opened import build
from tests.fixture import parse
from tests.lsp.conftest import Connect, as_data, execute, explore, initialize
from tests.shop import QUESTION
from tests.waiting import until

TY = shutil.which("ty", path=str(Path(sys.executable).parent)) or shutil.which("ty")
needs_ty = pytest.mark.skipif(TY is None, reason="ty is not installed")

RANGE = {"start": {"line": 2, "character": 4}, "end": {"line": 3, "character": 0}}
LINES = LineRange(start=3, end=4)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, []),
        ({"uri": "file:///a", "range": RANGE}, [FoundPlace("file:///a", LINES, None)]),
        ([None, {"uri": "file:///a", "range": RANGE}], [FoundPlace("file:///a", LINES, None)]),
        (
            [{"targetUri": "jdt://x", "targetRange": RANGE, "targetSelectionRange": RANGE}],
            [FoundPlace("jdt://x", LINES, None)],
        ),
        (
            [{"name": "f", "kind": 12, "location": {"uri": "file:///a", "range": RANGE}}],
            [FoundPlace("file:///a", LINES, "f")],
        ),
        (
            [{"name": "f", "kind": 12, "location": {"uri": "file:///a"}}],
            [FoundPlace("file:///a", None, "f")],
        ),
        (
            [
                {
                    "name": "C",
                    "range": RANGE,
                    "selectionRange": RANGE,
                    "children": [{"name": "m", "range": RANGE}],
                }
            ],
            [FoundPlace("file:///doc", LINES, "C"), FoundPlace("file:///doc", LINES, "m")],
        ),
        (
            [{"from": {"name": "g", "uri": "file:///a", "range": RANGE}, "fromRanges": [RANGE]}],
            [FoundPlace("file:///a", LINES, "g")],
        ),
        ([[{"to": {"name": "g", "uri": "file:///a", "range": 7}}], 5, "x", True], None),
    ],
)
def test_every_lsp_result_shape_yields_its_places(result: Any, expected: list[FoundPlace] | None):
    found = places(result, "file:///doc")
    assert found == expected if expected is not None else isinstance(found, list)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["uri", "range", "start", "end", "line", "location", "from", "name"]),
            inner,
        )
    ),
)


@given(JSON)
def test_arbitrary_json_result_is_read_without_error(result: Any):
    assert all(found.uri for found in places(result))


@pytest.mark.parametrize(
    ("experimental", "expected"),
    [
        (None, set()),
        ({"sightline": {"definition": True, "references": False}}, {"definition"}),
        ({"sightline": ["definition", "made_up"]}, {"definition"}),
        ({"sightline": 7}, set()),
    ],
)
def test_only_declared_methods_are_asked(experimental: Any, expected: set[str]):
    assert declared_methods(experimental) == expected
    assert "languageModel" not in declared_methods({"sightline": True})


@asynccontextmanager
async def ty_server(folder: Path) -> AsyncIterator[LanguageServer]:
    async def text_of(uri: str) -> SourceText:
        path = uri_to_path(uri)
        return SourceText.of_bytes(str(path), await asyncio.to_thread(Path(path).read_bytes))

    server = LanguageServer([str(TY), "server"], folder, folder.as_uri(), text_of)
    try:
        yield server
    finally:
        await server.close()


def witnesses(report: dict[str, Any]) -> list[str | None]:
    return [link["hop"] and link["hop"]["witness"] for link in report["links"][:-1]]


OFFERS_DEFINITION = types.ClientCapabilities(experimental={"sightline": {"definition": True}})
LONG_DEADLINES = {"editorSoftDeadlineMs": 20_000, "serverSoftDeadlineMs": 20_000, "editorTimeS": 20}


def answer_from_server(client: LanguageClient, server: LanguageServer) -> list[str]:
    """Let a server answer every reverse request; the returned list fills with the methods."""
    methods: list[str] = []

    def register_handler(method: str) -> None:
        @client.feature(f"sightline/{method}")
        async def ask(params: Any) -> Any:
            methods.append(method)
            return await server.ask(method, as_data(params))

    for method in METHODS - {LANGUAGE_MODEL}:
        register_handler(method)
    return methods


@needs_ty
@pytest.mark.parametrize(
    "offered",
    [
        ["definition"],
        ["references"],
        ["incomingCalls", "outgoingCalls"],
        sorted(METHODS - {LANGUAGE_MODEL}),
    ],
    ids="+".join,
)
async def test_editor_witnesses_hops(connect: Connect, shop: Path, offered: list[str]):
    """A real language server behind the editor gets the declared requests, and is believed."""
    capabilities = types.ClientCapabilities(experimental={"sightline": offered})
    async with connect() as client, ty_server(shop) as ty:
        asked_methods = answer_from_server(client, ty)
        await initialize(client, shop, capabilities=capabilities, options=LONG_DEADLINES)
        report = as_data(await explore(client, query=QUESTION))
        assert "editor" in witnesses(report)
        assert asked_methods
        assert set(asked_methods) <= set(offered)
        (editor,) = as_data(await execute(client, "status"))["providers"]
        assert editor["trouble"] == []


async def test_graph_witnesses_hops_without_an_editor(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        report = as_data(await explore(client, query=QUESTION))
        found = witnesses(report)
        assert found
        assert all(each is None or each.startswith("graph:") for each in found)


async def test_silent_editor_delays_nothing_and_is_named(connect: Connect, shop: Path):
    cancelled: list[Any] = []
    async with connect() as client:

        @client.feature("sightline/definition")
        async def definition(params: Any) -> Any:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(params)
                raise

        options = {"editorSoftDeadlineMs": 50, "editorTimeS": 0.3}
        await initialize(client, shop, capabilities=OFFERS_DEFINITION, options=options)
        report = as_data(await explore(client, query=QUESTION))
        assert all(each is None or each.startswith("graph:") for each in witnesses(report))
        status = await until(
            lambda: execute(client, "status"), lambda s: as_data(s)["providers"][0]["trouble"]
        )
        (editor,) = as_data(status)["providers"]
        assert editor["trouble"] == ["The editor did not answer within 0.3 s."]
        assert cancelled, "what nobody waits for any more is cancelled"


async def test_a_late_witness_upgrades_the_live_report(connect: Connect, shop: Path):
    """An editor answers after the deadline and confirms what the graph said."""
    may_answer = asyncio.Event()
    async with connect() as client:
        found: list[dict[str, Any]] = []

        @client.feature("sightline/definition")
        async def definition(params: Any) -> Any:
            await may_answer.wait()
            return [link["location"] for link in found]

        options = {"editorSoftDeadlineMs": 10, "editorTimeS": 20}
        await initialize(client, shop, capabilities=OFFERS_DEFINITION, options=options)
        question = asyncio.create_task(explore(client, query=QUESTION, partialResultToken=7))
        partial = await client.wait_for_notification(types.PROGRESS)
        report = as_data(await question)
        assert partial.token == 7
        assert as_data(partial.value)["links"] == report["links"], "it need not wait for the editor"
        assert "editor" not in witnesses(report)
        found += report["links"]
        may_answer.set()
        live = await wait_for_witness(client, "editor")
        assert live["confidence"] == report["confidence"]


OUTLINE = [
    {
        "name": "bake",
        "kind": 12,
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 6, "character": 3}},
        "selectionRange": {
            "start": {"line": 1, "character": 7},
            "end": {"line": 1, "character": 9},
        },
        "children": [
            {
                "name": "knead",
                "kind": 12,
                "range": {"start": {"line": 2, "character": 0}, "end": {"line": 4, "character": 3}},
                "selectionRange": {
                    "start": {"line": 2, "character": 7},
                    "end": {"line": 2, "character": 12},
                },
            }
        ],
    }
]


@pytest.mark.parametrize(
    ("offered", "lines"), [(["documentSymbols"], (3, 5)), (["definition"], (4, 4))]
)
async def test_editor_outlines_files_of_unknown_languages(
    connect: Connect, shop: Path, offered: list[str], lines: tuple[int, int]
):
    text = "recipe\nroutine bake\n routine knead\n  fold dough\n end\n  heat\nend\n"
    (shop / "bread.recipe").write_text(text)
    capabilities = types.ClientCapabilities(experimental={"sightline": offered})
    async with connect() as client:

        @client.feature("sightline/documentSymbols")
        async def outline(params: Any) -> Any:
            return OUTLINE

        await initialize(client, shop, capabilities=capabilities, options=LONG_DEADLINES)
        place = {"path": "bread.recipe", "line": 4, "explainRanking": True}
        report = as_data(await execute(client, "exploreAt", place))
        found = [
            (each["range"]["start"], each["range"]["end"])
            for each in report["candidates"]
            if each["path"] == "bread.recipe"
        ]
        assert lines in found
        assert ((3, 5) in found) == ("documentSymbols" in offered)


def is_running(pid_file: Path) -> bool:
    try:
        os.kill(int(pid_file.read_text()), 0)
    except ProcessLookupError:
        return False
    return True


@needs_ty
async def test_started_server_witnesses_hops_and_leaves_no_process(connect: Connect, shop: Path):
    pid_file = shop.parent / "pid"
    script = shop.parent / "server.sh"
    script.write_text(f'#!/bin/sh\necho $$ > "{pid_file}"\nexec "{TY}" server\n', encoding="utf-8")
    script.chmod(0o755)
    server_settings = {"startLanguageServers": True, "languageServers": [f"python={script}"]}
    async with connect() as client:
        await initialize(client, shop, options=LONG_DEADLINES | server_settings)
        report = as_data(await explore(client, query=QUESTION))
        assert "server" in witnesses(report)
    assert not is_running(pid_file)


SERVER_BASE = """
import json, os, sys
def read():
    length = 0
    while (line := sys.stdin.buffer.readline()).strip():
        if line.lower().startswith(b"content-length"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length))
def answer(message, result):
    body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()
"""

CRASHING_SERVER = (
    SERVER_BASE
    + """
sys.stderr.write("noise " * 100_000)
sys.stderr.flush()
answer(read(), {"capabilities": {}})
read()
while True:
    message = read()
    if message["method"] == "textDocument/definition":
        os._exit(3)
"""
)


async def test_crashed_server_is_restarted_only_later(tmp_path: Path):
    """Before that it writes 600 kB to standard error, which must not block it."""
    script = tmp_path / "crash.py"
    await asyncio.to_thread(script.write_text, CRASHING_SERVER)

    async def text_of(uri: str) -> None:
        return None

    command = [sys.executable, str(script)]
    server = LanguageServer(command, tmp_path, tmp_path.as_uri(), text_of)
    try:
        with pytest.raises(OSError, match="it ended"):
            await asyncio.wait_for(server.ask("definition", {}), 20)
        with pytest.raises(OSError, match="restarted later"):
            await server.ask("definition", {})
    finally:
        await server.close()
    assert not server.is_running


BROKEN_PROGRAMS = {
    "ends at once": "print('hello')",
    "never answers": "import time; time.sleep(60)",
    "sends nested brackets": 'print("Content-Length: 99999\\r\\n\\r\\n" + "[" * 99_999)',
}


@pytest.mark.parametrize(
    "program", [*BROKEN_PROGRAMS.values(), None], ids=[*BROKEN_PROGRAMS, "does not exist"]
)
async def test_broken_program_counts_as_one_crash(
    tmp_path: Path, program: str | None, monkeypatch: pytest.MonkeyPatch
):
    """However it fails, it counts as one crash, and nothing is left running."""
    monkeypatch.setattr(downstream, "_START_LIMIT_S", 1.5)

    async def text_of(uri: str) -> None:
        return None

    command = [sys.executable, "-c", program] if program else ["no-such-program"]
    server = LanguageServer(command, tmp_path, tmp_path.as_uri(), text_of)
    with pytest.raises(OSError, match=r"does not start|it ended"):
        await asyncio.wait_for(server.ask("definition", json.loads("{}")), 20)
    await server.close()
    assert server._crashes == 1  # pyright: ignore[reportPrivateUsage]
    assert not server.is_running


ODD_REQUESTS_SERVER = (
    SERVER_BASE
    + """
initialize = read()
for params in ({"items": None}, [1], {"items": {}}, None, 7):
    body = json.dumps({"id": "x", "method": "workspace/configuration", "params": params}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
answer(initialize, [7])
while True:
    message = read()
    if "id" in message and "method" in message:
        answer(message, [])
"""
)


async def test_malformed_requests_from_a_server_are_survived(tmp_path: Path):
    async def text_of(uri: str) -> None:
        return None

    command = [sys.executable, "-c", ODD_REQUESTS_SERVER]
    server = LanguageServer(command, tmp_path, tmp_path.as_uri(), text_of)
    assert await asyncio.wait_for(server.ask("definition", {}), 20) == []
    await server.close()


@pytest.mark.parametrize("answer", ["7", "True", "{}", "None"])
async def test_call_hierarchy_answer_that_is_no_list_is_ignored(tmp_path: Path, answer: str):
    async def text_of(uri: str) -> None:
        return None

    command = [
        sys.executable,
        "-c",
        ODD_REQUESTS_SERVER.replace("answer(message, [])", f"answer(message, {answer})"),
    ]
    server = LanguageServer(command, tmp_path, tmp_path.as_uri(), text_of)
    assert await asyncio.wait_for(server.ask("incomingCalls", {}), 20) == []
    await server.close()


async def test_server_closed_while_starting_is_terminated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    create, processes = asyncio.create_subprocess_exec, list[asyncio.subprocess.Process]()

    async def text_of(uri: str) -> None:
        return None

    async def create_and_close(*command: str, **options: Any) -> asyncio.subprocess.Process:
        processes.append(await create(*command, **options))
        await server.close()
        return processes[0]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", create_and_close)
    command = [sys.executable, "-c", ODD_REQUESTS_SERVER]
    server = LanguageServer(command, tmp_path, tmp_path.as_uri(), text_of)
    with pytest.raises(OSError, match="does not start"):
        await asyncio.wait_for(server.ask("definition", {}), 20)
    assert processes[0].returncode is not None
    assert not server.is_running


@pytest.mark.parametrize(
    ("entry", "windows", "expected"),
    [
        ("python=ty server", False, ["ty", "server"]),
        ('python = "/my tools/ty" server', False, ["/my tools/ty", "server"]),
        (r"python=C:\tools\ty.exe server", True, [r"C:\tools\ty.exe", "server"]),
        (r'python="C:\my tools\ty.exe" --log #1', True, [r"C:\my tools\ty.exe", "--log", "#1"]),
        ("python=", False, []),
        ('python=ty "server', False, "no closing quotation"),
        ('python=ty "server', True, "no closing quotation"),
        ("python=ty server\\", False, "no escaped character"),
        ("ty server", False, "write language=command"),
        ("klingon=ty server", False, "the languages are bash, "),
    ],
)
def test_configured_command_lines(entry: str, windows: bool, expected: list[str] | str):
    """An entry that cannot be parsed is ignored, with one sentence that names it."""
    configured = ConfiguredServers.read([entry, "go=gopls"], windows=windows)
    assert configured.commands["go"] == ["gopls"]
    if isinstance(expected, list):
        assert (configured.commands["python"], configured.problems) == (expected, [])
    else:
        (problem,) = configured.problems
        assert problem.startswith(f"{entry!r} in language_servers is ignored: {expected}")


async def test_unreadable_command_line_is_reported_once(connect: Connect, shop: Path):
    server_settings = {"startLanguageServers": True, "languageServers": ['python=ty "server']}
    async with connect() as client:
        await initialize(client, shop, options=server_settings)
        assert as_data(await explore(client, query=QUESTION))["links"]
        await explore(client, query=QUESTION)
        warnings = [each.message for each in client.messages if "language_servers" in each.message]
        assert len(warnings) == 1


def write_fake_servers(folder: Path, *names: str) -> None:
    """Write programs that record their start in the file `started` and exit."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text(f'#!/bin/sh\necho {name} >> "$(dirname "$0")/started"\n')
        (folder / name).chmod(0o755)


@pytest.mark.skipif(os.name == "nt", reason="the programs are scripts of a shell")
@pytest.mark.parametrize(
    ("files", "configured", "started", "expected_coverage"),
    [
        (["one/a.py"], [], ["pylsp"], [1]),
        (["one/a.py", "two/b.go"], [], ["gopls", "pylsp"], [1, 1]),
        (["one/a.c", "one/b.cpp", "one/c.m", "two/d.c"], [], ["clangd", "clangd"], [1, 1, 1, 1]),
        (["one/a.py", "one/b.go"], ["python=gopls"], ["gopls"], [1, 1]),
        (["one/a.py", "one/b.go"], ["go="], ["pylsp"], [1, 0]),
        (["one/a.rs"], [], [], [0]),
    ],
)
async def test_servers_start_for_languages_of_the_folder_only(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: list[str],
    configured: list[str],
    started: list[str],
    expected_coverage: list[int],
):
    """A question with a name starts one server per command line and root, but no program that lies
    in a root. Each is asked about the files of its root in its languages."""
    own_bin = tmp_path / "bin"
    write_fake_servers(own_bin, "gopls", "clangd", "pylsp")
    write_fake_servers(tmp_path / "one" / "bin", "rust-analyzer", "gopls", "pylsp")
    write_fake_servers(tmp_path / "two" / "bin", "rust-analyzer")
    for file in files:
        (tmp_path / file).write_text("make_order")
    path = [str(tmp_path / each / "bin") for each in ("one", "two", "")]
    monkeypatch.setenv("PATH", ":".join([*path, "/usr/bin:/bin"]))
    monkeypatch.chdir(tmp_path / "one" / "bin")
    folders = tuple(Folder((tmp_path / each).as_uri(), tmp_path / each) for each in ("one", "two"))
    settings = {
        "startLanguageServers": True,
        "languageServers": configured,
        "serverSoftDeadlineMs": 20_000,
        "cacheDir": str(tmp_path / "cache"),
    }
    opened = await asyncio.to_thread(build, folders, settings)
    servers = LanguageServers(opened)
    try:
        index = opened.explorer.index
        await index.sync()
        asking = CompilerEvidence(servers.compilers, index, asyncio.Lock())
        await asking.about(understand("How does make_order work?"), [])
    finally:
        await servers.close()
        await opened.close()
    assert servers.problems == []
    assert [
        sum(each.covers(file) for each in servers.compilers) for file in files
    ] == expected_coverage
    start_log = own_bin / "started"
    assert sorted(start_log.read_text().split() if start_log.exists() else []) == started
    assert not any((tmp_path / each / "bin" / "started").exists() for each in ("one", "two"))


@pytest.mark.parametrize("entry", ["python=no-such-server --stdio", "go=no-such-server"])
def test_missing_configured_program_is_reported(entry: str):
    (problem,) = ConfiguredServers.read([entry]).available([]).problems
    assert f"The server for {entry.partition('=')[0]} in language_servers is not start" in problem
    assert "no program no-such-server" in problem


LANGUAGE_RECORDING_SERVER = (
    SERVER_BASE
    + """
answer(read(), {"capabilities": {}})
opened = []
while True:
    message = read()
    if message["method"] == "textDocument/didOpen":
        opened.append(message["params"]["textDocument"]["languageId"])
    elif "id" in message:
        answer(message, opened)
"""
)


async def test_server_receives_the_language_of_each_document(tmp_path: Path):
    async def text_of(uri: str) -> SourceText:
        return SourceText.of_bytes(uri, b"x")

    command = [sys.executable, "-c", LANGUAGE_RECORDING_SERVER]
    server = LanguageServer(command, tmp_path, tmp_path.as_uri(), text_of)
    try:
        for name, expected in {"a.c": ["c"], "b.cpp": ["c", "cpp"]}.items():
            params = {"textDocument": {"uri": (tmp_path / name).as_uri()}}
            assert await asyncio.wait_for(server.ask("documentSymbols", params), 20) == expected
    finally:
        await server.close()


UNTYPED_STORE = """
//- handed.py
class Store:
    def save_order(self, order):
        self.orders = [order]


def place_order(store, basket):
    return store.save_order(list(basket))


def main():
    place_order(Store(), [1])
"""


async def wait_for_witness(client: LanguageClient, witness: str) -> dict[str, Any]:
    """Wait until the last report has this witness, and return it."""

    async def live() -> dict[str, Any]:
        return as_data(await execute(client, "showReport"))["report"]

    return await until(live, lambda report: witness in witnesses(report))


async def provider_names(client: LanguageClient) -> list[str]:
    return [each["name"] for each in as_data(await execute(client, "status"))["providers"]]


async def test_jedi_checks_hops_resolved_by_name_only(connect: Connect, tmp_path: Path):
    folder = parse(UNTYPED_STORE).write(tmp_path / "handed")
    async with connect() as client:
        await initialize(client, folder)
        report = as_data(await explore(client, query="How does place_order save_order?"))
        assert "graph:name" in witnesses(report), "nobody waits for it"
        live = await wait_for_witness(client, "jedi")
        assert live["confidence"] == report["confidence"]
        assert await provider_names(client) == ["jedi"]


async def test_jedi_is_not_asked_about_other_hops(connect: Connect, shop: Path):
    async with connect() as client:
        await initialize(client, shop)
        report = as_data(await explore(client, query=QUESTION))
        assert "graph:name" not in witnesses(report)
        assert await provider_names(client) == []


async def test_jedi_is_not_asked_about_hops_the_editor_confirms(connect: Connect, tmp_path: Path):
    folder = parse(UNTYPED_STORE).write(tmp_path / "handed")
    capabilities = types.ClientCapabilities(experimental={"sightline": ["definition"]})
    async with connect() as client:

        @client.feature("sightline/definition")
        async def definition(params: Any) -> Any:
            place = {"line": 1, "character": 8}
            uri = (folder / "handed.py").as_uri()
            return {"uri": uri, "range": {"start": place, "end": place}}

        await initialize(client, folder, capabilities=capabilities, options=LONG_DEADLINES)
        report = as_data(await explore(client, query="How does place_order save_order?"))
        assert "editor" in witnesses(report)
        assert await provider_names(client) == ["The editor"]
