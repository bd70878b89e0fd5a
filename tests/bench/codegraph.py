"""Times questions to a warm codegraph, by its MCP server over stdio."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast


def answer_times(program: str, repo: Path, questions: Sequence[str]) -> list[float]:
    """Seconds per question, without the first two, which are for warming up."""
    command = [program, "serve", "--mcp", "--no-watch", "--path", str(repo)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        client = _Client(cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout))
        try:
            client.ask(
                "initialize",
                protocolVersion="2024-11-05",
                capabilities={},
                clientInfo={"name": "bench", "version": "1"},
            )
            for question in questions[:2]:
                client.explore(question)
            return [client.explore(question) for question in questions[2:]]
        finally:
            process.kill()


class _Client:
    def __init__(self, requests: BinaryIO, responses: BinaryIO) -> None:
        self._requests, self._responses, self._last_id = requests, responses, 0

    def ask(self, method: str, **params: Any) -> None:
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        self._requests.write(json.dumps(message).encode() + b"\n")
        self._requests.flush()
        while line := self._responses.readline():
            answer = json.loads(line)
            if answer.get("id") == self._last_id and "method" not in answer:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return
        raise RuntimeError("codegraph ended")

    def explore(self, question: str) -> float:
        started = time.perf_counter()
        self.ask("tools/call", name="codegraph_explore", arguments={"query": question})
        return time.perf_counter() - started
