"""Figures of the language server: ``python -m tests.bench.server FOLDER``.

- Start: from process start to the response to ``initialize``, compared with a bare pygls server;
  then to the response to a hover sent at once, and to the first question, on a folder never indexed
  and on an indexed one.
- Hover and code lens: 99th percentile in ms, while idle, indexing and exploring, compared with a
  bare pygls server at the same time.
- Edits typed into a file with links of ten reports: response times, and whether every link is right
  or marked stale.
- Resident memory after each tenth of the questions, about a sample in this repository.
- Cancelling: time to the response, and to an idle processor.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

BARE = """
import asyncio, sys
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer("bare", "1")
@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(ls, params):
    return None
server.start_io()
"""
SAMPLE = Path(__file__).parents[2] / "samples" / "chat-web"
SAMPLE_QUESTIONS = [
    "How does clicking a channel in the sidebar switch to it?",
    "Where are messages stored?",
    "How is a message sent to the server?",
]
_REPORTS = 10
"""Reports with links in the edited file; all of them follow each edit."""
SIGHTLINE = [sys.executable, "-m", "lsp_server", "serve"]


class Server:
    """A client of a server over stdio, in plain JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._last_id = 0
        self._listener = asyncio.create_task(self._listen())

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> asyncio.Future[dict[str, Any]]:
        self._last_id += 1
        future = asyncio.get_running_loop().create_future()
        self._waiting[self._last_id] = future
        self._send({"id": self._last_id, "method": method, "params": params})
        return future

    @property
    def last_id(self) -> int:
        return self._last_id

    async def command(self, name: str, **argument: Any) -> Any:
        params = {"command": f"sightline.{name}", "arguments": [argument]}
        answer = await self.ask("workspace/executeCommand", params)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    async def start(self, folder: Path) -> None:
        folders = [{"uri": folder.as_uri(), "name": folder.name}]
        watching = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
        params = {"processId": None, "rootUri": None, "capabilities": watching}
        await self.ask("initialize", {**params, "workspaceFolders": folders})
        self.notify("initialized", {})

    async def stop(self) -> None:
        await self.ask("shutdown", None)
        self.notify("exit", None)
        await self.process.wait()
        self._listener.cancel()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _listen(self) -> None:
        stream = self.process.stdout
        assert stream
        while header := await stream.readline():
            length = 0
            while header.strip():
                if header.lower().startswith(b"content-length"):
                    length = int(header.split(b":")[1])
                header = await stream.readline()
            message = json.loads(await stream.readexactly(length))
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            future = self._waiting.pop(message.get("id"), None)
            if future is not None and "method" not in message:
                future.set_result(message)


@asynccontextmanager
async def running(command: list[str], cache: Path) -> AsyncIterator[Server]:
    process = await asyncio.create_subprocess_exec(
        *command,
        env=os.environ | {"SIGHTLINE_CACHE_DIR": str(cache)},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=2**26,
    )
    server = Server(process)
    try:
        yield server
        await server.stop()
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


async def start_ms(command: list[str], folder: Path, cache: Path) -> float:
    started = time.perf_counter()
    async with running(command, cache) as server:
        await server.start(folder)
        return (time.perf_counter() - started) * 1000


async def first_answers(folder: Path, cache: Path, question: str) -> dict[str, int]:
    """Milliseconds from process start to the first answers, in a new folder and an indexed one."""
    figures: dict[str, int] = {}
    for name in ("new", "indexed"):
        started = time.perf_counter()

        def elapsed_ms(since: float = started) -> int:
            return round((time.perf_counter() - since) * 1000)

        async with running(SIGHTLINE, cache) as server:
            await server.start(folder)
            document = {"uri": (folder / "none.py").as_uri()}
            position = {"line": 0, "character": 0}
            hovered = server.ask(
                "textDocument/hover", {"textDocument": document, "position": position}
            )
            explored = asyncio.ensure_future(server.command("explore", query=question))
            await hovered
            figures[f"{name}_hover"] = elapsed_ms()
            await explored
            figures[f"{name}_question"] = elapsed_ms()
            await indexed(server)
    return figures


async def indexed(server: Server) -> None:
    """Wait until the whole folder is indexed."""
    while True:
        state = (await server.command("status"))["index"]
        if state["indexed"] == state["total"]:
            return
        await asyncio.sleep(1)


def p99(times: list[float]) -> float:
    return round(sorted(times)[int(len(times) * 0.99) - 1] if times else 0.0, 1)


async def latencies(
    server: Server, method: str, params: Any, is_going: Callable[[], bool], limit: int
) -> list[float]:
    """Response times in ms, of at most ``limit`` requests 10 ms apart, while ``is_going`` holds."""
    times: list[float] = []
    while is_going() and len(times) < limit:
        started = time.perf_counter()
        await server.ask(method, params)
        times.append((time.perf_counter() - started) * 1000)
        await asyncio.sleep(0.01)
    return times


async def responsiveness(folder: Path, cache: Path, questions: list[str]) -> dict[str, Any]:
    """Hover and lens at a link while indexing, idle and exploring, beside a bare server.

    The first question is answered from the most relevant files while the rest is still indexed.
    """
    figures: dict[str, Any] = {}
    bare_command = [sys.executable, "-c", BARE]
    async with running(SIGHTLINE, cache) as server, running(bare_command, cache) as bare:
        await server.start(folder)
        await bare.start(folder)
        report = await server.command("explore", query=questions[0])
        link = report["links"][0]
        link_position = {
            "textDocument": {"uri": link["location"]["uri"]},
            "position": link["quoteLocation"]["range"]["start"],
        }

        async def measure_during(
            name: str, work: asyncio.Future[Any] | None, limit: int = 400
        ) -> None:
            is_going = (lambda: True) if work is None else (lambda: not work.done())
            hover, lens, bare_hover = await asyncio.gather(
                latencies(server, "textDocument/hover", link_position, is_going, limit),
                latencies(server, "textDocument/codeLens", link_position, is_going, limit),
                latencies(bare, "textDocument/hover", link_position, is_going, limit),
            )
            measured = {
                "hover": p99(hover),
                "lens": p99(lens),
                "bare": p99(bare_hover),
                "n": len(hover),
            }
            figures[name] = measured
            if work is not None:
                await work

        async def explore() -> None:
            for question in [*questions] * 4:
                await server.command("explore", query=question)

        await measure_during("indexing", asyncio.ensure_future(indexed(server)), 100_000)
        await measure_during("idle", None)
        await measure_during("exploring", asyncio.ensure_future(explore()), 100_000)
    return figures


class Typist:
    """Makes edits of whole lines, half of them near a link, and undoes most of them.

    An edit that removed a quoted line is always undone; otherwise there would soon be no link left.
    Each line has an identity, so that the position of a quoted line is known without searching.
    """

    def __init__(self, text: str, quoted: Collection[int], seed: int = 1) -> None:
        self._rng = random.Random(seed)
        self._quoted = frozenset(quoted)
        self.lines = list(enumerate(text.split("\n"), start=1))
        self._pending_undo: tuple[int, int, list[tuple[int, str]]] | None = None
        self._typed_count = 0

    def edit(self, links: list[dict[str, Any]]) -> dict[str, Any]:
        """The next edit, as an LSP content change."""
        undo = self._pending_undo
        if undo is not None and (self._touches_quote(undo[2]) or self._rng.random() < 0.85):
            index, removed, added = undo
            self._pending_undo = None
        else:
            index = self._rng.randrange(max(1, len(self.lines) - 4))
            if links and self._rng.random() < 0.5:
                link_line = self._rng.choice(links)["quoteRange"]["start"]
                index = max(0, min(len(self.lines) - 5, link_line - 1 + self._rng.randrange(-3, 3)))
            removed = self._rng.randrange(4)
            added = [self._line() for _ in range(self._rng.randrange(4))]
            self._pending_undo = (index, len(added), self.lines[index : index + removed])
        self.lines[index : index + removed] = added
        start, end = {"line": index, "character": 0}, {"line": index + removed, "character": 0}
        return {"range": {"start": start, "end": end}, "text": "".join(f"{n}\n" for _, n in added)}

    def _touches_quote(self, removed: list[tuple[int, str]]) -> bool:
        return any(identity in self._quoted for identity, _ in removed)

    def is_right(self, quoted: list[int], link: dict[str, Any]) -> bool:
        """Whether a link is at its quoted lines, or stale if these are no longer adjacent."""
        index = next(
            (n for n, (identity, _) in enumerate(self.lines) if identity == quoted[0]), None
        )
        are_adjacent = index is not None and quoted == [
            identity for identity, _ in self.lines[index : index + len(quoted)]
        ]
        if not are_adjacent or index is None:
            return bool(link["stale"])
        return not link["stale"] and link["quoteRange"]["start"] == index + 1

    def _line(self) -> tuple[int, str]:
        self._typed_count += 1
        return -self._typed_count, f"typed {self._typed_count}"


async def typing(folder: Path, cache: Path, question: str, count: int) -> dict[str, Any]:
    """Edits a file with links, and after each edit checks every link against the text."""
    times: list[float] = []
    wrong = stale = checked = 0
    async with running(SIGHTLINE, cache) as server:
        await server.start(folder)
        report = await server.command("explore", query=question)
        for _ in range(_REPORTS - 1):
            report = await server.command("explore", query=question)
        await indexed(server)
        path, uri = report["links"][0]["path"], report["links"][0]["location"]["uri"]
        quoted = {
            link["id"]: list(range(link["quoteRange"]["start"], link["quoteRange"]["end"] + 1))
            for link in report["links"]
            if link["path"] == path
        }
        text = (folder / path).read_text(encoding="utf-8")
        typist = Typist(text, [line for lines in quoted.values() for line in lines])
        text = "\n".join(line for _, line in typist.lines)
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": item})
        links = [link for link in report["links"] if link["path"] == path]
        await raise_priority(server)
        for version in range(2, count + 2):
            params = {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [typist.edit(links)],
            }
            sent = time.perf_counter()
            server.notify("textDocument/didChange", params)
            lenses = await server.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
            times.append((time.perf_counter() - sent) * 1000)
            assert lenses["result"]
            response = await server.command("showReport", takeFocus=False)
            links = [link for link in response["report"]["links"] if link["path"] == path]
            checked += len(links)
            stale += sum(link["stale"] for link in links)
            wrong += sum(not typist.is_right(quoted[link["id"]], link) for link in links)
    return {
        "edits": count,
        "lines": len(typist.lines),
        "median_ms": round(statistics.median(times), 1),
        "p99_ms": p99(times),
        "slowest_ms": round(max(times), 1),
        "links_checked": checked,
        "stale": stale,
        "wrong": wrong,
    }


async def raise_priority(server: Server) -> None:
    """Give the server and this process real-time priority, if permitted, so that other work on the
    machine does not count."""
    await asyncio.sleep(2)
    with contextlib.suppress(AttributeError, PermissionError):
        for pid in (server.process.pid, 0):
            os.sched_setscheduler(pid, os.SCHED_RR, os.sched_param(1))


def resident_mb(pid: int) -> float:
    with Path(f"/proc/{pid}/status").open() as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024


def ticks(pid: int) -> int:
    """Processor time of a process, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


async def memory(folder: Path, cache: Path, questions: list[str], count: int) -> list[float]:
    """Resident megabytes after each tenth of ``count`` explorations."""
    megabytes: list[float] = []
    async with running(SIGHTLINE, cache) as server:
        await server.start(folder)
        for number in range(1, count + 1):
            await server.command("explore", query=questions[number % len(questions)])
            if number % max(1, count // 10) == 0:
                megabytes.append(round(resident_mb(server.process.pid), 1))
    return megabytes


async def cancelling(folder: Path, cache: Path, question: str) -> dict[str, float]:
    """Milliseconds from the cancel to the response, and until the server uses no processor time."""
    async with running(SIGHTLINE, cache) as server:
        await server.start(folder)
        await server.command("explore", query=question)
        run = {"command": "sightline.explore", "arguments": [{"query": question}]}
        answer = server.ask("workspace/executeCommand", run)
        await asyncio.sleep(0.3)
        cancelled_at = time.perf_counter()
        server.notify("$/cancelRequest", {"id": server.last_id})
        await answer
        response = (time.perf_counter() - cancelled_at) * 1000
        last_busy = busy_until = cancelled_at
        processor_ticks = ticks(server.process.pid)
        while time.perf_counter() - last_busy < 1:
            await asyncio.sleep(0.05)
            current_ticks = ticks(server.process.pid)
            if current_ticks != processor_ticks:
                processor_ticks, busy_until, last_busy = (
                    current_ticks,
                    time.perf_counter(),
                    time.perf_counter(),
                )
        return {
            "response_ms": round(response, 1),
            "idle_ms": round((busy_until - cancelled_at) * 1000, 1),
        }


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--question", default="How does QuerySet filter build the SQL query?")
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--starts", type=int, default=11)
    args = parser.parse_args()
    folder, question = args.folder.resolve(), args.question
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as temporary:
        cache = Path(temporary)
        questions = [question, "Where are migrations applied?", "How is a template rendered?"]
        bare = [sys.executable, "-c", BARE]
        own_starts = [await start_ms(SIGHTLINE, folder, cache) for _ in range(args.starts)]
        bare_starts = [await start_ms(bare, folder, cache) for _ in range(args.starts)]
        median, bare_median = statistics.median(own_starts), statistics.median(bare_starts)
        show(
            "start_ms",
            {"median": round(median), "bare": round(bare_median), "ratio": median / bare_median},
        )
        show("first_answer_ms", await first_answers(folder, cache / "first", question))
        show("responsiveness_ms", await responsiveness(folder, cache, questions))
        show("cancelling", await cancelling(folder, cache, question))
        show("typing", await typing(folder, cache, question, args.edits))
        show("memory_mb", await memory(SAMPLE, cache, SAMPLE_QUESTIONS, args.questions))


def show(name: str, figures: Any) -> None:
    print(json.dumps({name: figures}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
