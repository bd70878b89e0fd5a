"""Readers for manifests that are programs or have a format of their own: plain declarations
only."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from packaging.requirements import InvalidRequirement, Requirement

Declared = Iterator[tuple[str, str | None]]

_COMMENT = re.compile(r"(^|\s)#.*$")
_GO_REQUIREMENT = re.compile(
    r"^[ \t]*(?:require[ \t]+)?([\w-]+\.[\w./~-]++)[ \t]+(v[\w.+-]+)", re.M
)
_COORDINATES = re.compile(r"""["']([\w.-]+:[\w.-]+)(?::([\w.+$-]+))?(?:@\w+)?["']""")
_GEM = re.compile(
    r"""^[ \t]*(?:\w+\.)?(?:gem|add_\w*dependency)[\s(]+["']([\w-]+)["']"""
    r"""(?:\s*,\s*["']([^"']+)["'])?""",
    re.M,
)
_FIND_PACKAGE = re.compile(r"^[ \t]*find_package\s*\(\s*([\w-]+)(?:\s+(\d[\w.]*))?", re.M | re.I)
_FETCHED = re.compile(r"FetchContent_Declare\s*\(\s*([\w-]++)([^)]{0,2000}+)\)", re.I)
_GIT_TAG = re.compile(r"GIT_TAG\s+(\S+)")
_SWIFT_PACKAGE = re.compile(
    r"""\.package\(\s*(?:name:\s*"[^"]*",\s*)?url:\s*"[^"]*/([\w.-]+?)(?:\.git)?"\s*,([^)\n]*)"""
)
_VERSION = re.compile(r'"(\d[\w.+-]*)"')


def requirement_lines(lines: Iterable[str]) -> Declared:
    """Requirements as in PEP 508, one per line; pip options and anything else are skipped."""
    for line in lines:
        text = _COMMENT.sub("", line).partition(" --")[0].strip().rstrip("\\").strip()
        if not text or text.startswith("-"):
            continue
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        yield requirement.name, str(requirement.specifier) or requirement.url


def setup_script(text: str) -> Declared:
    """Requirements in lists of literals among the arguments of the setup call."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.keyword) and (node.arg or "").endswith(("_requires", "_require")):
            strings = (
                each.value
                for each in ast.walk(node.value)
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            )
            yield from requirement_lines(strings)


def go_mod(text: str) -> Declared:
    """``require`` lines, single or in a block."""
    text = re.sub(r"//.*", "", text)
    text = re.sub(r"^[ \t]*(?:replace|exclude|retract)\b.*?(?:\)|$)", "", text, flags=re.M)
    yield from _GO_REQUIREMENT.findall(text)


def build_script(text: str) -> Declared:
    """Dependencies whose coordinates are one string literal."""
    for name, version in _COORDINATES.findall(text):
        if not name.startswith("http"):
            yield name, version or None


def gem_file(text: str) -> Declared:
    """``gem`` and ``add_dependency`` lines."""
    for name, version in _GEM.findall(text):
        yield name, version or None


def cmake(text: str) -> Declared:
    """``find_package`` and ``FetchContent_Declare``."""
    for name, version in _FIND_PACKAGE.findall(text):
        yield name, version or None
    for name, rest in _FETCHED.findall(text):
        tag = _GIT_TAG.search(rest)
        yield name, tag[1] if tag else None


def package_swift(text: str) -> Declared:
    """Packages declared by URL."""
    for name, rest in _SWIFT_PACKAGE.findall(text):
        version = _VERSION.search(rest)
        yield name, version[1] if version else None
