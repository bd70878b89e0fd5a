"""Access to files: walking, ignore rules, overlays and path safety."""

from explorer_core.workspace.errors import (
    EmptyWorkspace,
    FileMissing,
    OutsideWorkspace,
    Unreadable,
    WorkspaceError,
)
from explorer_core.workspace.overlays import Overlays
from explorer_core.workspace.reading import CachingReader
from explorer_core.workspace.roots import Root
from explorer_core.workspace.source import SourceText, split_lines
from explorer_core.workspace.workspace import FileEntry, Workspace

__all__ = [
    "CachingReader",
    "EmptyWorkspace",
    "FileEntry",
    "FileMissing",
    "OutsideWorkspace",
    "Overlays",
    "Root",
    "SourceText",
    "Unreadable",
    "Workspace",
    "WorkspaceError",
    "split_lines",
]
