"""The HTTP face: three endpoints, JSON in and out."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fieldkit.exporters import export
from fieldkit.model import Change
from fieldkit.storage import Storage
from fieldkit.sync import synchronise
from fieldkit.tracks import decode, length

Endpoint = Callable[[Storage, str, dict[str, Any]], Any]


class Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def post_sync(storage: Storage, device: str, body: dict[str, Any]) -> Any:
    changes = [Change(item["observation"], item.get("baseVersion", 0), item["fields"], item.get("deleted", False))
               for item in body["changes"]]
    answer = synchronise(storage, device, body["owner"], body.get("since", 0), changes)
    return {"newest": answer.newest, "conflicts": answer.conflicts, "refused": answer.refused,
            "observations": [observation.as_dict() for observation in answer.observations]}


def post_track(storage: Storage, device: str, body: dict[str, Any]) -> Any:
    points = decode(body["encoded"])
    storage.add_track(body["id"], device, body["encoded"], length(points))
    return {"points": len(points)}


def post_export(storage: Storage, device: str, body: dict[str, Any]) -> Any:
    _, observations = storage.changed_since(0)
    return {"text": export(body["format"], observations)}


ENDPOINTS: dict[str, Endpoint] = {"/sync": post_sync, "/track": post_track, "/export": post_export}


def authenticate(storage: Storage, device: str, key: str) -> None:
    """A device proves itself with the key it was given when it was enrolled."""
    expected = storage.device_key(device)
    given = hashlib.sha256(key.encode()).hexdigest()
    if expected is None or not hmac.compare_digest(expected, given):
        raise Refused(401, "this device is not enrolled")


def make_handler(database: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            try:
                status, answer = 200, self._answer()
            except Refused as refused:
                status, answer = refused.status, {"error": str(refused)}
            except (KeyError, ValueError) as error:
                status, answer = 400, {"error": f"bad request: {error}"}
            body = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _answer(self) -> Any:
            endpoint = ENDPOINTS.get(self.path)
            if endpoint is None:
                raise Refused(404, "no such endpoint")
            storage = Storage(database)
            device = self.headers.get("X-Device", "")
            authenticate(storage, device, self.headers.get("X-Device-Key", ""))
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            return endpoint(storage, device, body)

    return Handler


def serve(database: str, port: int = 8600) -> None:
    ThreadingHTTPServer(("127.0.0.1", port), make_handler(database)).serve_forever()
