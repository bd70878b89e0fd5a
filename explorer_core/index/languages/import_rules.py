"""The import rules of a language: how an import path is resolved to files."""

from __future__ import annotations

from typing import Literal

import msgspec

ImportStyle = Literal["none", "dotted", "path", "folder", "namespace", "tree", "include"]
"""How an import path is resolved to files.

- ``dotted``: a module path (``a.b.c``), in which each part is a folder or file below some source
  root. One leading separator means the importing file's folder, each further one its parent
  (Python).
- ``path``: a file path, relative to the importing file if it starts with ``.``, and completed by
  ``suffixes`` and ``index_files`` (JavaScript, CSS).
- ``folder``: a path whose last part is a folder; all files of that folder are one unit (Go).
- ``namespace``: a declared package or namespace (`FileFacts.packages`) plus a name in it (Java,
  Kotlin, C#, PHP, Scala).
- ``tree``: a path in a tree of modules: ``root_names`` start at the package's source root,
  ``climb`` is the parent module, ``here`` is this module (Rust).
- ``include``: the path of a file, tried from the including file's folder, then as the end of any
  path (C, C++, Ruby, Lua, shell).
"""


class ImportRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the imports of a language are resolved to files."""

    style: ImportStyle = "none"
    separator: str = ""
    """Separates the parts of a module path."""
    suffixes: tuple[str, ...] = ()
    """What may be appended to a module path to get a file, in order of preference."""
    index_files: tuple[str, ...] = ()
    """Files that stand for their folder, in order of preference (``__init__.py``, ``index.ts``)."""
    replace_suffixes: dict[str, tuple[str, ...]] = {}
    """A written suffix that may stand for another (``./x.js`` written for ``x.ts``)."""
    climb: str = ""
    """The path part that means "one level up" (``super``)."""
    here: str = ""
    """The path part that means the importing module itself (``self``)."""
    roots: tuple[str, ...] = ()
    """Names of source folders in which module paths begin: for all importing files (``lua``), or
    for those of the same package (``src``)."""
    named_modules: bool = False
    """Whether a path that is a bare name may mean a module: the only file of that name."""
    told_roots: bool = False
    """Whether a program learns only at run time in which folders module paths begin. A folder then
    counts as such if it is the only one in which a path of several parts can be resolved, also for
    the other paths of that file."""
    alias_marks: str = ""
    """Characters that alone make up the first part of a path if it is an alias for some folder of
    the project, as configured in its bundler (``@/till``)."""
    package_prefix: tuple[str, str] | None = None
    """The prefix of an included path that begins with a package's name, and the folder of that
    package in which the path continues (``package:shop/till.dart``, ``lib``)."""
    root_names: tuple[str, ...] = ()
    """First parts that mean the root of this package's sources (``crate``)."""
    same_package_visible: bool = False
    """Names of the same package (folder for ``folder``, else declared package) need no import."""
    script_suffixes: tuple[str, ...] = ()
    """Suffixes of build scripts, whose definitions no other file sees, not even in their
    package."""
    relative: bool = False
    """Whether a file sees the packages around its own, and may use paths that begin at any of them
    (``namespace``)."""
    root_functions: bool = False
    """Whether functions and constants outside of all packages are visible in every one (PHP)."""
    autoload: bool = False
    """Whether a type needs no import if its file is named after it, in folders named after the
    types around it (``Admin::HatRequest`` in ``admin/hat_request.rb``)."""
    package_file: str = ""
    """Name of the file that states the name by which its folder is imported from elsewhere
    (``package.json``)."""
    package_key: str = "name"
    """The dotted key of that name in the file."""
    package_spelling: tuple[str, str] | None = None
    """A character used in paths in place of one used in package names (``_`` for ``-``)."""
    target_folders: tuple[str, ...] = ()
    """Folders beside that file in which each folder is a package of its own, named after the folder
    (``namespace``). The file declares them, and their location if they are elsewhere."""
    alias_keys: tuple[str, ...] = ()
    """Dotted keys of tables, in data files, that map path prefixes to what they stand for
    (``compilerOptions.paths``)."""
    base_key: str = ""
    """Dotted key, in such a file, of the folder that the paths beside it are relative to."""
    alias_suffix: str = ""
    """Suffix of the names of such files."""
    reexports: bool = False
    """Whether every name imported at the top level can be imported from this file in turn."""
    shared_wildcards: bool = False
    """Whether a file may import all of a package for every file below its folder
    (``global using``)."""
    global_suffix: str = ""
    """Suffix of files whose declarations are visible everywhere, unless they import or export
    anything (``.d.ts``)."""
    wildcards: tuple[str, ...] = ("*",)
    """What stands for all names in an imported path (``*``, ``_``)."""
    wildcard_default: bool = False
    """Whether an import without a list of names brings in all the module's names (``#include``)."""
