"""The workspace: Sightline lists and reads files through it only."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer_core.contracts import Settings, Suggestion
from explorer_core.lru_cache import LruCache
from explorer_core.workspace import globs
from explorer_core.workspace.errors import (
    EmptyWorkspace,
    FileMissing,
    Unreadable,
    WorkspaceError,
)
from explorer_core.workspace.nearby import near_matches
from explorer_core.workspace.overlays import Overlays
from explorer_core.workspace.presence import exists
from explorer_core.workspace.regular import NotRegularError, TooLargeError, read_regular
from explorer_core.workspace.roots import Root, locate, open_roots, workspace_path
from explorer_core.workspace.scan import is_version_control
from explorer_core.workspace.source import (
    PlainText,
    SourceText,
    is_binary,
    is_stamp_reliable,
)
from explorer_core.workspace.walk import walk

_CACHED_CHARS = 16_000_000
_SLOW_WALK_S = 0.1
_FOLDER_REUSE_S = 1.0
_LISTING_REUSE = 5.0
"""A listing that took longer than `_SLOW_WALK_S` is reused for this multiple of its duration."""


_CacheKey = tuple[str, int, int, int]
"""A path, the file's size, and the times (ns) of its last content and inode changes. The latter
catches tools that give a file the time stamp of the one it replaces."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file that exists. ``size`` in bytes; ``mtime_ns`` is 0 if it was never saved."""

    path: str
    size: int
    mtime_ns: int


class Workspace:
    """The files of one or several folders, with overlays of unsaved text.

    Paths are workspace-relative with ``/``; with several roots they are prefixed by the root's
    name. Secret files (``settings.secret_globs``) and version control folders are neither listed
    nor read. Thread-safe.
    """

    def __init__(self, roots: tuple[Root, ...], settings: Settings) -> None:
        self.roots = roots
        self.settings = settings
        self.overlays = Overlays()
        self._lock = threading.Lock()
        self._cache: LruCache[_CacheKey, SourceText] = LruCache(
            _CACHED_CHARS, lambda source: len(source.text)
        )
        self._listing: tuple[float, list[FileEntry]] = (float("-inf"), [])
        self._last_listing: list[FileEntry] | None = None
        self._listing_is_watched = False
        self._listing_epoch = 0
        self._folders: tuple[float, dict[str, Path]] = (float("-inf"), {})

    @classmethod
    def open(cls, *folders: str | Path, settings: Settings | None = None) -> Workspace:
        """Raises WorkspaceError for a folder that is missing, unreadable, or not a folder."""
        return cls(open_roots(folders), settings or Settings())

    def files(self) -> list[FileEntry]:
        """Every file that the ignore rules allow, sorted by path. Includes binary files, since only
        reading shows that they are.

        Symbolic links are not listed; their targets are, if they belong to the workspace. On a
        repository so large that listing is slow, a listing is reused for a few seconds.
        """
        with self._lock:
            expires, entries = self._listing
            epoch = self._listing_epoch
        if time.monotonic() >= expires:
            started = time.monotonic()
            entries = sorted(self._walk(), key=lambda entry: entry.path)
            now = time.monotonic()
            duration_s = now - started
            reuse = duration_s * _LISTING_REUSE if duration_s > _SLOW_WALK_S else 0.0
            with self._lock:
                valid_until = float("inf") if self._listing_is_watched else now + reuse
                if epoch == self._listing_epoch:  # else files came or went during the walk
                    self._listing = (valid_until, entries)
                self._last_listing = entries
        return self._with_unsaved(entries)

    def last_listing(self) -> list[FileEntry]:
        """The last listing, however old; a new one if there is none."""
        with self._lock:
            listing = self._last_listing
        return self.files() if listing is None else listing

    def watch_listing(self) -> None:
        """Declare that `forget_listing` will be called whenever a file is created or deleted, so
        that a listing stays valid until then."""
        with self._lock:
            self._listing_is_watched = True
        self.forget_listing()

    def forget_listing(self) -> None:
        """Make the next `files` read the disk. A listing in progress is returned to its caller but
        not reused."""
        with self._lock:
            self._listing = (float("-inf"), [])
            self._listing_epoch += 1

    def require_files(self) -> list[FileEntry]:
        """`files`; raises EmptyWorkspace if there are none."""
        entries = self.files()
        if not entries:
            for root in self.roots:
                if not root.path.is_dir():
                    raise EmptyWorkspace(f"The folder {root.path} is gone; open it again.")
            names = ", ".join(str(root.path) for root in self.roots)
            raise EmptyWorkspace(
                f"There is nothing to explore in {names}: no files, or all of them are ignored."
            )
        return entries

    def read(self, path: str) -> SourceText:
        """The text of a file; unsaved text takes precedence.

        Raises OutsideWorkspace, FileMissing with near matches, or Unreadable for a file that is
        secret, binary, too large, not a regular file, or not permitted.
        """
        name, resolved = self._locate_plain(path) or locate(path, self.roots)
        if is_version_control(name):
            raise Unreadable(name, "belongs to version control")
        if self._is_secret_name(path) or self._is_secret_name(name):
            raise Unreadable(name, "matches a glob in the setting secret_globs")
        overlay = self.overlays.source(name)
        if overlay is not None:
            self._check_size(name, len(overlay.text))
            return overlay
        try:
            return self._read_disk(name, resolved)
        except (FileNotFoundError, NotADirectoryError):
            raise FileMissing(path, lambda: self.suggest(path)) from None
        except OSError as error:
            raise _cannot_open(name, error) from error

    def read_listed(self, entry: FileEntry) -> PlainText:
        """The saved text of a file that `files` listed, bypassing overlays and the cache of `read`.

        For reading many files once: what the listing has checked is not checked again, except that
        the file's folder still lies inside the workspace.
        """
        folder, _, name = entry.path.rpartition("/")
        try:
            resolved = os.path.join(self._folder(folder), name)  # noqa: PTH118  ten times as fast
            data = self._data(entry.path, resolved)
        except (FileNotFoundError, NotADirectoryError):
            raise FileMissing(entry.path) from None
        except OSError as error:
            raise _cannot_open(entry.path, error) from error
        return PlainText.of_bytes(data)

    def absolute(self, path: str) -> Path:
        """The file on disk that ``path`` names, links resolved. Raises OutsideWorkspace."""
        return locate(path, self.roots)[1]

    def relative(self, path: str | Path) -> str:
        """The workspace-relative form of a path that is absolute or relative to the workspace.
        Raises OutsideWorkspace."""
        return locate(path, self.roots)[0]

    def in_scope(self, path: str, scope: Sequence[str]) -> bool:
        """Whether ``path`` matches a git-style glob in ``scope``; an empty scope contains all."""
        return globs.in_scope(path, scope)

    def is_secret(self, path: str) -> bool:
        """Whether ``path``, or the file it links to, matches ``settings.secret_globs``."""
        return self._is_secret_name(path) or self._is_secret_name(self.relative(path))

    def suggest(self, path: str) -> tuple[Suggestion, ...]:
        """The existing files with the most similar paths, best first."""
        return near_matches(path, (entry.path for entry in self.files()))

    def _locate_plain(self, path: str) -> tuple[str, Path] | None:
        """A shortcut for `locate`: its result for a regular file named as in a listing, else None.
        Saves checking every folder above the file."""
        folder, _, name = path.rpartition("/")
        if os.name != "posix" or len(self.roots) != 1 or name in ("", ".", "..") or path[0] == "/":
            return None
        root = str(self.roots[0].path)
        try:
            parent = self._folder(folder)
            if str(parent) != (os.path.join(root, folder) if folder else root):  # noqa: PTH118
                return None
            resolved = parent / name
            return (path, resolved) if stat.S_ISREG(os.lstat(resolved).st_mode) else None
        except (OSError, ValueError, WorkspaceError):
            return None

    def _folder(self, path: str) -> Path:
        """A folder with links resolved, cached for `_FOLDER_REUSE_S` seconds."""
        now = time.monotonic()
        expires, folders = self._folders
        if now >= expires:
            folders = {}
            self._folders = (now + _FOLDER_REUSE_S, folders)
        resolved = folders.get(path)
        if resolved is None:
            resolved = folders[path] = self._resolve_folder(path)
        return resolved

    def _resolve_folder(self, folder: str) -> Path:
        """The result of `locate`; for a plain folder in a known one, only that folder is
        checked."""
        parent, _, name = folder.rpartition("/")
        is_plain = os.name == "posix" and len(self.roots) == 1 and folder[:1] != "/"
        if is_plain and name not in ("", ".", ".."):
            below = (self._folder(parent) if parent else self.roots[0].path) / name
            if stat.S_ISDIR(os.lstat(below).st_mode):
                return below
        return locate(folder or ".", self.roots)[1]

    def _walk(self) -> list[FileEntry]:
        entries: list[FileEntry] = []
        folders = [root.path for root in self.roots]
        for root in self.roots:
            nested = [
                other.path.relative_to(root.path).as_posix() + "/"
                for other in self.roots
                if other is not root and other.path.is_relative_to(root.path)
            ]
            for below, status in walk(root.path, folders):
                if below.startswith(tuple(nested)):
                    continue
                path = workspace_path(root, below, self.roots)
                if not self._is_secret_name(path):
                    entries.append(FileEntry(path, status.st_size, status.st_mtime_ns))
        return entries

    def _with_unsaved(self, entries: list[FileEntry]) -> list[FileEntry]:
        """The entries, with files that exist only as unsaved text added."""
        unsaved = [
            path
            for path in self.overlays.paths()
            if not self._is_secret_name(path) and not is_version_control(path)
        ]
        if not unsaved:
            return list(entries)
        listed = {entry.path for entry in entries}
        new = [
            FileEntry(path, len(self.overlays.get(path) or ""), 0)
            for path in unsaved
            if path not in listed and not exists(self.absolute(path))
        ]
        return sorted((*entries, *new), key=lambda entry: entry.path) if new else list(entries)

    def _is_secret_name(self, path: str) -> bool:
        return globs.matches_any(path, self.settings.secret_globs)

    def _check_size(self, name: str, size: int) -> None:
        if size > self.settings.file_size_limit_bytes:
            raise self._too_large(name)

    def _too_large(self, name: str) -> Unreadable:
        limit = self.settings.file_size_limit_bytes
        return Unreadable(name, f"is larger than file_size_limit_bytes ({limit:,} bytes)")

    def _read_disk(self, name: str, resolved: Path) -> SourceText:
        """The saved text of a file, from the cache if its size and times are unchanged."""
        # Check that it is a regular file before opening it: opening a pipe could block forever.
        status = resolved.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(name, "is not a regular file")
        self._check_size(name, status.st_size)
        read_at = time.time_ns()
        key = (name, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if (cached := self._cache.find(key)) is not None:
            return cached
        data = self._data(name, resolved)
        source = SourceText.of_bytes(name, data)
        if is_stamp_reliable(max(status.st_mtime_ns, status.st_ctime_ns), read_at):
            self._cache.put(key, source)
        return source

    def _data(self, name: str, resolved: str | Path) -> bytes:
        """The content of a file. Raises OSError, and Unreadable if it is binary, too large or not a
        regular file at the time of reading."""
        try:
            data = read_regular(resolved, self.settings.file_size_limit_bytes)
        except NotRegularError:
            raise Unreadable(name, "is not a regular file") from None
        except TooLargeError:
            raise self._too_large(name) from None
        if is_binary(data):
            raise Unreadable(name, "is binary")
        return data


def _cannot_open(name: str, error: OSError) -> Unreadable:
    """The error for a file that the system refuses to open."""
    return Unreadable(name, f"cannot be opened ({error.strerror or type(error).__name__})")
