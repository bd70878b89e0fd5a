"""What is to be known about the imports of a language: how their text leads to files."""

from __future__ import annotations

from typing import Literal

import msgspec

ImportStyle = Literal["none", "dotted", "path", "folder", "namespace", "tree", "include"]
"""How the text of an import leads to files.

- ``dotted``: a module path (``a.b.c``); each part is a folder or file below some source root; as
  many leading separators as levels to climb from the importing file's folder, plus one (Python).
- ``path``: a path; relative to the importing file when it starts with ``.``; ``suffixes`` and
  ``index_files`` complete it (JavaScript, CSS).
- ``folder``: a path whose last part is a folder; all files of that folder are one unit (Go).
- ``namespace``: a declared package or namespace (`FileFacts.packages`) plus a name in it (Java,
  Kotlin, C#, PHP, Scala).
- ``tree``: a path in a tree of modules: ``root_names`` start at the package's source root,
  ``climb`` is the parent module, ``here`` is this module (Rust).
- ``include``: the path of a file, tried from the including file's folder, then as the end of any
  path (C, C++, Ruby, Lua, shell).
"""


class ImportRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How imports of a language lead to files."""

    style: ImportStyle = "none"
    separator: str = ""
    """Between the parts of a module path."""
    suffixes: tuple[str, ...] = ()
    """What may be appended to a module path to get a file, in order of preference."""
    index_files: tuple[str, ...] = ()
    """Files that stand for their folder, in order of preference (``__init__.py``, ``index.ts``)."""
    replace_suffixes: dict[str, tuple[str, ...]] = {}
    """A written suffix that may stand for another (``./x.js`` written for ``x.ts``)."""
    climb: str = ""
    """The path part that means "one level up" (``super``)."""
    here: str = ""
    """The path part that means the module it is written in (``self``)."""
    roots: tuple[str, ...] = ()
    """Names of folders in which module paths begin, wherever these are written (``lua``), or those
    of a package (``src``)."""
    named_modules: bool = False
    """Whether a path that is a mere name may be that of a module, which the only file is that is
    called so."""
    told_roots: bool = False
    """Whether a program is told when it runs in which folders module paths begin: then one may that
    is the only one to have what a path of several parts leads to, also for the other paths of a
    file."""
    alias_marks: str = ""
    """Characters that make up the first part of a path which stands for some folder of the project,
    as its bundler is told (``@/till``)."""
    package_prefix: tuple[str, str] | None = None
    """What an included path begins with that begins at a package, and the folder of the package
    where it goes on (``package:shop/till.dart``, ``lib``)."""
    root_names: tuple[str, ...] = ()
    """First parts that mean the root of this package's sources (``crate``)."""
    same_package_visible: bool = False
    """Names of the same package (folder for ``folder``, else declared package) need no import."""
    script_suffixes: tuple[str, ...] = ()
    """Files of a build whose definitions no other file sees, though they are in its package."""
    relative: bool = False
    """Whether the packages around its own are seen from a file, and what begins at any of them
    (``namespace``)."""
    root_functions: bool = False
    """Whether functions and constants of no package are seen from any of them (PHP)."""
    autoload: bool = False
    """Whether a type needs no import whose file is called like it, below folders called like the
    types around it (``Admin::HatRequest`` in ``admin/hat_request.rb``)."""
    package_file: str = ""
    """Name of the file that says by what name its folder is imported from elsewhere
    (``package.json``)."""
    package_key: str = "name"
    """Where in that file the name stands, with dots."""
    package_spelling: tuple[str, str] | None = None
    """A character of paths, and one of the names of packages that it may be written for."""
    target_folders: tuple[str, ...] = ()
    """Folders beside that file in which each folder is a package of its own, called like it
    (``namespace``); the file declares them, and where they lie if elsewhere."""
    alias_keys: tuple[str, ...] = ()
    """Where in files of data stand what paths may begin with and what that stands for, with dots
    (``compilerOptions.paths``)."""
    base_key: str = ""
    """Where in such a file the folder stands in which those paths begin that stand beside it."""
    alias_suffix: str = ""
    """How the names of such files end."""
    reexports: bool = False
    """Whether every name imported at the top level can be imported from this file in turn."""
    shared_wildcards: bool = False
    """Whether a file may import all of a package for every file below its folder
    (``global using``)."""
    global_suffix: str = ""
    """How the names of files end that declare for all others, unless they import or export
    anything (``.d.ts``)."""
    wildcards: tuple[str, ...] = ("*",)
    """What stands in an imported path for all names (``*``, ``_``)."""
    wildcard_default: bool = False
    """Whether an import without a list of names brings in all the module's names (``#include``)."""
