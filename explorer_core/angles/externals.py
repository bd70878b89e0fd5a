"""Where external packages are used: the imports of modules that a package is known to provide, else
of modules that carry its name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from explorer_core.channels.packages.manifests import DeclaredPackage

_SEPARATORS = re.compile(r"::|[./\\:]")


@dataclass(frozen=True, slots=True)
class Usage:
    """A declared package, and the places (path, line) of the imports that name it."""

    package: DeclaredPackage
    places: tuple[tuple[str, int], ...]

    @property
    def description(self) -> str:
        """Where it is declared and used, on one line."""
        package = self.package
        declared = f"declared in {package.manifest}:{package.line}"
        if package.locked:
            declared += f" (locked at {package.locked})"
        if not self.places:
            modules = " or ".join(package.modules[:3])
            return f"{declared}; no import {f'of {modules}' if modules else 'carries its name'}"
        shown = ", ".join(f"{path}:{line}" for path, line in self.places[:3])
        more = len(self.places) - 3
        others = f" and in {'one more file' if more == 1 else f'{more} more files'}"
        return f"{declared}; imported at {shown}{others if more > 0 else ''}"


def usages(
    packages: Iterable[DeclaredPackage], imports: Mapping[str, Mapping[str, int]]
) -> list[Usage]:
    """The usages of each package. ``imports`` maps files to the modules they import, with lines.

    A package declared in several manifests is listed once, where it was found first.
    """
    places: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for path, modules in imports.items():
        for module, line in modules.items():
            for key in _keys_of_module(module):
                places[key].setdefault(path, line)
    by_name: dict[str, Usage] = {}
    for package in packages:
        keys = [_normalized(module) for module in package.modules]
        if not keys:
            keys = [key for key in _keys_of_package(package.name) if key in places][:1]
        first_lines = {path: line for key in reversed(keys) for path, line in places[key].items()}
        by_name.setdefault(package.name, Usage(package, tuple(sorted(first_lines.items()))))
    return sorted(by_name.values(), key=lambda each: (-len(each.places), each.package.name))


def _keys_of_module(module: str) -> list[str]:
    """A module's name and the names of its parent modules: any may be a package's name."""
    ends = [match.start() for match in _SEPARATORS.finditer(module)] + [len(module)]
    return list(
        dict.fromkeys(_normalized(module[:end]) for end in ends if module[:end].strip("@."))
    )


def _keys_of_package(name: str) -> list[str]:
    """The keys of a package: its whole name, then its group and its artifact."""
    group, _, artifact = name.partition(":")
    return [_normalized(name), *([_normalized(group), _normalized(artifact)] if artifact else [])]


def _normalized(name: str) -> str:
    return re.sub(r"[-_.:/\\]+", ".", name).strip(".").lower()
