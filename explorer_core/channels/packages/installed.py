"""The import names of Python packages, from the metadata of installed distributions.

A distribution's name says nothing about its modules (PyYAML is imported as ``yaml``); its metadata
does. Environments inside the workspace, beside its manifests, are searched first, then the one that
Sightline runs in.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import Distribution, PathDistribution, distributions
from itertools import chain
from pathlib import Path, PurePosixPath

from explorer_core.workspace import Workspace
from explorer_core.workspace.regular import read_regular

logger = logging.getLogger(__name__)

_ENVIRONMENT_FILE = "pyvenv.cfg"
"""The file that marks a virtual environment (PEP 405)."""
_SITES = ("lib/python*/site-packages", "Lib/site-packages")
_METADATA_BYTES = 8 * 1024 * 1024
"""Maximum size of a metadata file; the file list of a large package has several megabytes."""
_SUFFIXES = (".py", ".pyi", ".so", ".pyd")


def import_names(
    workspace: Workspace, folders: Iterable[str], wanted: Collection[str]
) -> Mapping[str, tuple[str, ...]]:
    """The top-level modules of the ``wanted`` distributions (normalised names) installed in an
    environment directly below one of ``folders``, or beside Sightline. Blocking."""
    found: dict[str, tuple[str, ...]] = {}
    if not wanted:
        return found
    roots = [root.path.resolve() for root in workspace.roots]
    environments = _environments(workspace, folders, roots)
    of_workspace = chain.from_iterable(_installed(site, roots) for site in environments)
    for each in chain(of_workspace, distributions()):
        try:
            metadata = each.metadata
            name = normalised(metadata["Name"] or "") if "Name" in metadata else ""
            if name in wanted and name not in found and (names := tuple(_top_level(each))):
                found[name] = names
        except Exception as error:  # noqa: BLE001 - metadata may be anything, and costs itself alone
            logger.info("The metadata of an installed package is left out: %r", error)
    return found


def normalised(name: str) -> str:
    """A distribution's name, normalised as in PEP 503, so that its spellings compare equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _environments(
    workspace: Workspace, folders: Iterable[str], roots: Sequence[Path]
) -> Iterator[Path]:
    """The folders of installed packages, except those that links place outside the workspace."""
    for folder in dict.fromkeys(folders):
        try:
            for mark in sorted(workspace.absolute(folder or ".").glob(f"*/{_ENVIRONMENT_FILE}")):
                for site in (site for each in _SITES for site in mark.parent.glob(each)):
                    if _is_inside(site, roots):
                        yield site
        except (OSError, ValueError):
            continue


def _installed(site: Path, roots: Sequence[Path]) -> Iterator[Distribution]:
    """The distributions in a folder, except those whose metadata links lead out of the
    workspace."""
    with suppress(OSError):
        for metadata in sorted((*site.glob("*.dist-info"), *site.glob("*.egg-info"))):
            read = (metadata, *metadata.iterdir()) if metadata.is_dir() else (metadata,)
            if all(_is_inside(file, roots) for file in read if file.is_symlink()):
                yield _Installed(metadata)


class _Installed(PathDistribution):
    """A distribution whose metadata is not trusted: only regular files up to a size are read."""

    def __init__(self, metadata: Path) -> None:
        super().__init__(metadata)
        self._metadata = metadata

    def read_text(self, filename: str | os.PathLike[str]) -> str:
        """The text of a metadata file; empty if it is missing or unreadable."""
        try:
            data = read_regular(os.path.realpath(self._metadata / filename), _METADATA_BYTES)
        except OSError:
            return ""
        return data.decode("utf-8", "replace")


def _is_inside(path: Path, roots: Sequence[Path]) -> bool:
    return any(path.resolve().is_relative_to(root) for root in roots)


def _top_level(installed: Distribution) -> list[str]:
    """The modules the distribution declares, else the first path parts of its files."""
    declared = (installed.read_text("top_level.txt") or "").split()
    if declared:
        return declared
    brought = (PurePosixPath(str(each)) for each in installed.files or ())
    names = (
        path.parts[0] if len(path.parts) > 1 else path.name.partition(".")[0]
        for path in brought
        if path.suffix in _SUFFIXES
    )
    return [name for name in dict.fromkeys(names) if name.isidentifier()]
