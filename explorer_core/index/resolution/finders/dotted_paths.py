"""Dotted paths: a file or folder below a source root (``shop.tills``)."""

from __future__ import annotations

from functools import cached_property
from posixpath import basename, dirname, join

from explorer_core.index.resolution.finders.finder import ModuleFinder, is_above
from explorer_core.index.resolution.finders.modules import Module
from explorer_core.index.resolution.finders.paths import nearest
from explorer_core.memoised import memoised


class DottedFinder(ModuleFinder):
    """Finds modules by dotted paths."""

    def origin_key(self, origin: str) -> str:
        return origin if self.rules.told_roots else super().origin_key(origin)

    def look_up(self, origin: str, module: str) -> Module | None:
        rest = module.lstrip(".")
        levels = len(module) - len(rest)
        parts = rest.split(".") if rest else []
        if levels:
            base = dirname(origin)
            for _ in range(levels - 1):
                base = dirname(base)
            return self.module_at(join(base, *parts) if parts else base)
        roots = self._source_roots(origin, parts)
        if len(roots) > 1:
            roots = sorted(nearest((join(r, "x") for r in roots), origin))
            roots = [dirname(root) for root in roots]
        return self.module_at(join(roots[0], *parts)) if roots else None

    def _source_roots(self, origin: str, parts: list[str]) -> list[str]:
        """Folders below which the dotted path exists and in which code at ``origin`` may find
        top-level modules: it lies below them itself, or they are recognisable as source roots."""
        here = dirname(origin)
        roots = self._roots_of(tuple(parts))
        known = [root for root, is_recognisable in roots if is_recognisable or is_above(root, here)]
        return known or (self._told_roots(origin, parts) if self.rules.told_roots else [])

    def _told_roots(self, origin: str, parts: list[str]) -> list[str]:
        """Source roots that paths of several parts show to be such, because each exists below one
        folder alone: this path, or the others in the file."""
        if only := self._only_root("/".join(parts)):
            return [only]
        told_roots = {self._only_root(other) for other in self.repository.imports_of(origin)}
        return [root for root, _ in self._roots_of(tuple(parts)) if root in told_roots]

    def _only_root(self, module: str) -> str | None:
        """The only folder below which a path of several parts exists."""
        path = module.replace(".", "/")
        roots = self._roots_of((path,)) if "/" in path else []
        return roots[0][0] if len(roots) == 1 else None

    @memoised
    def _roots_of(self, parts: tuple[str, ...]) -> list[tuple[str, bool]]:
        """Folders below which the dotted path exists and which are no packages themselves, sorted;
        each with whether it is recognisable as a source root. It is if it has the name of one, or
        contains a package whose path or depth tells it from a namesake outside the repository."""
        tail = "/".join(parts)
        hits = {hit[: -len(tail)].rstrip("/") for hit in self.paths.folders_ending(tail)}
        for suffix in self.rules.suffixes:
            end = len(tail + suffix)
            hits.update(path[:-end].rstrip("/") for path in self.paths.ending(tail, [suffix]))
        roots = sorted(root for root in hits if not self._is_package(root))
        is_deep = len(parts) > 1
        tops = [join(root, parts[0]) for root in roots]
        return [
            (
                root,
                basename(root) in self.rules.roots
                or ((is_deep or "/" not in root) and self._is_package(top))
                or (is_deep and top in self._namespaces),
            )
            for root, top in zip(roots, tops, strict=True)
        ]

    @cached_property
    def _namespaces(self) -> frozenset[str]:
        """Folders that contain packages. Even without an index file they are packages, the rest of
        which may be in other folders (PEP 420)."""
        indexes = (file for name in self.rules.index_files for file in self.paths.named(name))
        return frozenset(dirname(dirname(file)) for file in indexes)

    def _is_package(self, folder: str) -> bool:
        return self.index_file(folder) is not None
