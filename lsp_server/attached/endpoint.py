"""The endpoint file: where a workspace's language server listens, and the token it requires.

It is kept beside the index of the workspace, readable only by its owner.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import ipaddress
import os
import secrets
import stat
from pathlib import Path

from pydantic import ValidationError

from explorer_core import __version__
from explorer_core.contracts import Model
from explorer_core.index.location import store_path
from explorer_core.workspace import Workspace
from explorer_core.workspace.writing import write_atomically

LOOPBACK = "127.0.0.1"
_FILE_LIMIT_BYTES = 4096


class Endpoint(Model):
    """Where to connect. Both sides must be of the same ``version``: the protocol is private."""

    host: str
    port: int
    token: str
    version: str
    pid: int

    @classmethod
    def here(cls, port: int) -> Endpoint:
        """An endpoint of this process, with a token of its own."""
        token = secrets.token_urlsafe(32)
        return cls(host=LOOPBACK, port=port, token=token, version=__version__, pid=os.getpid())

    def admits(self, token: object) -> bool:
        """Whether a token is correct; compared in constant time."""
        return isinstance(token, str) and hmac.compare_digest(token.encode(), self.token.encode())

    def proof(self, nonce: str) -> str:
        """Proof to the sender of the nonce that we know the token, without revealing it."""
        return hmac.new(self.token.encode(), nonce.encode(), hashlib.sha256).hexdigest()

    def is_proven(self, nonce: str, proof: str) -> bool:
        """Whether a proof was made with the token."""
        return hmac.compare_digest(proof.encode(), self.proof(nonce).encode())


def endpoint_path(workspace: Workspace) -> Path:
    """The path of a workspace's endpoint file."""
    return store_path(workspace).with_suffix(".endpoint")


def publish(endpoint: Endpoint, path: Path) -> None:
    """Write the file atomically. Raises OSError."""
    write_atomically(path, endpoint.model_dump_json(), mode=0o600)


def withdraw(endpoint: Endpoint, path: Path) -> None:
    """Remove the file, unless another server has put its own there."""
    if read(path) == endpoint:
        with contextlib.suppress(OSError):
            path.unlink()


def read(path: Path) -> Endpoint | None:
    """The endpoint in a file that only this user can have written; None for any other file, and
    for one of another version."""
    try:
        with path.open("rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            endpoint = Endpoint.model_validate_json(file.read(_FILE_LIMIT_BYTES))
        is_local = ipaddress.ip_address(endpoint.host).is_loopback
    except (OSError, ValidationError, ValueError):
        return None
    return endpoint if is_local and endpoint.version == __version__ else None


def _is_ours(status: os.stat_result) -> bool:
    if not stat.S_ISREG(status.st_mode):
        return False
    if os.name == "nt":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o077
