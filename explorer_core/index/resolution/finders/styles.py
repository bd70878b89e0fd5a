"""The module finder for each style of imports."""

from __future__ import annotations

from explorer_core.index.languages.import_rules import ImportRules, ImportStyle
from explorer_core.index.resolution.finders.dotted_paths import DottedFinder
from explorer_core.index.resolution.finders.finder import ModuleFinder, Repository
from explorer_core.index.resolution.finders.folders import FolderFinder
from explorer_core.index.resolution.finders.includes import IncludeFinder
from explorer_core.index.resolution.finders.namespaces import NamespaceFinder
from explorer_core.index.resolution.finders.relative_paths import PathFinder
from explorer_core.index.resolution.finders.trees import TreeFinder

_FINDERS: dict[ImportStyle, type[ModuleFinder]] = {
    "none": ModuleFinder,
    "dotted": DottedFinder,
    "path": PathFinder,
    "folder": FolderFinder,
    "namespace": NamespaceFinder,
    "tree": TreeFinder,
    "include": IncludeFinder,
}


def finder_of(rules: ImportRules, repository: Repository) -> ModuleFinder:
    """The finder for the modules that files of a language import."""
    return _FINDERS[rules.style](rules, repository)
