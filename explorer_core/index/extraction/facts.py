"""The facts of one file. Every struct here depends on the bytes of that file only.

The extractor makes them, the store keeps them, and resolution reads them. Definitions are
identified by their ordinal in `FileFacts.definitions`; ``-1`` stands for the file's top level.
Lines are 1-based, columns are 0-based and count code points.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer_core.index.extraction.kinds import CALLBACK
from explorer_core.index.extraction.reference_table import NO_REFERENCES, ReferenceTable

DefinitionKind = Literal[
    "module",
    "namespace",
    "class",
    "interface",
    "trait",
    "struct",
    "enum",
    "function",
    "method",
    "constructor",
    "property",
    "field",
    "variable",
    "constant",
    "type",
    "macro",
    "callback",
    "section",
]
TOP = -1

IMPLICIT = "."
"""The receiver of a name behind a bare dot, as in ``.red``."""
UNNAMED = "#"
"""The start of a receiver that stands for an object or parameter without a name. ``#3.`` is the
object that is `Lambda` 3: the name is a key of it. ``#3.0`` is parameter 0 of that function: the
name is a key taken from it, or an expression begins with it. Before a called expression, it says
that the name is that of an argument."""
UNSURE = "?"
"""The start of the receiver of a name that is either a call or a declared variable: the word before
the name follows. That is a macro which expands to nothing, or the variable's type."""
TEXT = "="
"""The start of the receiver of a name in a string; the rest of the path in the string follows
(``users`` of ``"users#show"``)."""
HOLE = "*"
"""The part of an `Address` that is filled in at run time."""
DEFAULT = "default"
"""The ``name`` of an `ImportBinding` for a module's default export."""
RESULT = "()"
"""The ``name`` of a `TypeBinding` for what a function returns."""
KEY = ":"
"""The start of the ``name`` of a `TypeBinding` for a key of an object that is written out in its
scope. Nothing follows it if the object has all keys of another one (``...other``)."""
ALTERNATIVE = " | "
"""The separator of the types in a `TypeBinding`: the value has one of them, or all."""
ELEMENT = "[]"
"""The key that leads from a list to its elements."""
EACH = "*"
"""The subscript of an expression for each element of something (``list[*]``)."""
ENTRY = "_"
"""The subscript for what is found under any key."""
VALUE = ":"
"""The subscript for what is found under keys; there is nothing under it if there are no keys."""
ENTERED = "="
"""The subscript for what a block gets that enters something (``with``)."""
FIRST = "-"
"""The subscript for the first thing that a loop gives: a key, or each element if there are no
keys."""
ASSIGNED = "="
"""The ``argument`` of a `Lambda` that is no argument, but assigned."""


class Definition(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A declared name.

    ``start``/``end`` span the whole declaration with its decorators, ``line``/``column`` are where
    the name itself stands. ``container`` is the ordinal of the enclosing definition. ``owner`` is
    the type of a member whose declaration names it rather than being nested in it (a Go receiver, a
    Rust ``impl``, ``A::b`` in C++, a Kotlin or C# extension), as written, without type arguments.
    ``returns`` is the declared result or variable type as written. ``signature`` is one line,
    ``doc`` the first line of the documentation. ``exported``: other files can use it by its name.
    ``overrides``: it is marked as overriding something. ``bodiless``: only the head is written
    here, as of a prototype, an abstract method or an ``extern`` variable. ``test``: the language
    marks it, or what it is in, as a test. ``static``: a method belongs to the type and not to its
    objects. ``visible_lines`` is set for what is declared in an anonymous function: the first and
    last line of that function, outside of which the name is not visible.
    """

    name: str
    kind: DefinitionKind
    container: int
    start: int
    end: int
    line: int
    column: int
    signature: str
    doc: str = ""
    owner: str = ""
    returns: str = ""
    exported: bool = True
    overrides: bool = False
    bodiless: bool = False
    test: bool = False
    static: bool = False
    visible_lines: tuple[int, int] | None = None


class ImportBinding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name that this file imports.

    ``from m import n as l`` is ``(local="l", module="m", name="n")``. ``name`` is empty if the
    module itself is bound, and ``*`` if everything in it is. ``module`` is as written, with the
    leading dots of a relative import. ``exported`` marks a re-export, or an import of text that is
    part of the same library. A forward declaration (``class Cart;``), whose definition is elsewhere
    in the same namespace, has no ``module``, and ``local`` equals ``name``.
    """

    local: str
    module: str
    name: str
    line: int
    scope: int = TOP
    exported: bool = False

    @property
    def is_declaration(self) -> bool:
        """Whether it imports nothing, and only declares what is defined elsewhere."""
        return not self.module and self.local == self.name


SuperRelation = Literal["extends", "implements", "requires"]


class Supertype(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A base of ``definition``, as written, without type arguments. If the syntax names the subtype
    instead of nesting in it (Rust ``impl T for S``), ``definition`` is ``-1`` and ``owner`` is the
    subtype's name. A type that is only required (a Scala self type) is no base: what ``definition``
    is mixed into has that type. ``collection`` is the whole type, reduced by
    `reduced_types.reduced_type`, if the base is written with type arguments and is a type whose
    values hold others."""

    definition: int
    name: str
    relation: SuperRelation
    line: int
    owner: str = ""
    collection: str = ""


class Lambda(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An anonymous function and what it is passed to, which decides what its parameters are; or an
    object with keys, whose ``keys`` end in an empty one.

    ``callee`` is the called expression that has it as an argument, looked up in ``scope`` at
    ``line``. ``argument`` is its index among the arguments (``0`` is the first, ``-1`` the last) or
    the name of the argument; ``local`` says that the callee begins with a local name. If
    ``argument`` is `ASSIGNED`, ``callee`` is what it is assigned to. Without ``argument``,
    ``callee`` is the declared type of the variable that holds it, or several types joined by ``&``,
    those of an anonymous object. ``keys`` lead to it from the object or list in that place, the
    outermost first: names of members, and `ELEMENT`. Its text is on the lines ``start`` to ``end``.
    ``definition`` is the ordinal of the definition that it is, if it is a member of an object.
    ``is_only_argument`` says that there is no other argument.
    """

    scope: int
    line: int
    start: int
    end: int
    callee: str = ""
    argument: str = ""
    keys: tuple[str, ...] = ()
    local: bool = False
    definition: int = TOP
    is_only_argument: bool = False


TypeSource = Literal[
    "annotation",
    "construct",
    "bound",
    "limit",
    "call",
    "alias",
    "default",
    "table",
    "literal",
    "parameter",
    "signature",
    "parts",
    "held",
    "guard",
]


class TypeBinding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What the syntax says of a variable's type.

    ``name`` is a local, a parameter or an attribute (``self.x``, ``this.x`` are stored as ``.x``
    with the class as ``scope``), or `RESULT`, as told below. ``type`` depends on ``source``:

    - ``annotation``, ``construct``: a type as written, reduced to its name and what is in it
      (`reduced_types.reduced_type`)
    - ``bound``: the upper bound of the type parameter ``name``, if any
    - ``limit``: the upper bound of the type variable ``name`` (``TypeVar``)
    - ``call``: the called expression whose result was assigned (``make_app``, ``self.factory.get``)
    - ``alias``: another name or dotted path; empty if the variable only hides another one of its
      name from an outer scope
    - ``default``: the same for the default value of a parameter, looked up around the function
    - ``table``: empty; the value is an object whose members are written there
    - ``literal``: empty; the value is of a built-in type
    - ``parameter``: the index of a parameter of the `Lambda` at ``function``, the only one in which
      it is visible, and the member taken from it (``0``, ``1.name``)
    - ``signature``: how values of the type ``scope`` are called, from the parameters on; ``name``
      is `RESULT`
    - ``parts``: the types that the type ``scope`` consists of, joined by `ALTERNATIVE`; ``name`` is
      `RESULT`
    - ``held``: a called expression up to its first argument. If that is a class, or the name of one
      as a string, reading the variable may give an object of the class
    - ``guard``: a function that was called with the variable, and that may say of which type its
      argument is

    With the other sources `RESULT` stands for what ``return`` gives in the function ``scope``.
    ``until`` is the last line of the anonymous function or block that the variable belongs to, or
    of the part of the text where a test of its type holds; 0 if it is all of ``scope``.
    """

    name: str
    type: str
    scope: int
    line: int
    source: TypeSource
    function: int = -1
    until: int = 0


class ChannelOperation(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place where something is sent into a channel (``sends``) or received from it. ``channel``
    is the channel as written; ``local`` says that it begins with a local name."""

    channel: str
    scope: int
    line: int
    sends: bool
    local: bool


class ChannelArgument(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A channel variable of a function as an argument of a call, at index ``index``. ``callee`` is
    the line and column of the called name."""

    channel: str
    scope: int
    callee: tuple[int, int]
    index: int


class Pointer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The name of a member that a pointer is taken of, and where the name stands."""

    name: str
    line: int
    column: int


class Placement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name that is written as the value of a type's member, in an object that is written out
    (``.draw = draw_frame``, ``{"seek", cmd_seek}``), and where the name stands. ``type`` is as
    written; ``member`` is the name of the member, or its index. If the name is assigned to the
    member of an object instead, ``type`` is empty and ``member_column`` is the column of the
    member's name on that line."""

    name: str
    line: int
    column: int
    scope: int
    type: str
    member: str
    member_column: int = -1


class Topic(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A string of several words that is passed to a call, and where it is written."""

    name: str
    scope: int
    line: int
    column: int


class Address(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A string that may be the address of a request or of its handler: its ``parts`` joined by
    slashes, and where it is written. If it is an argument, ``later_arguments`` is the start and end
    of the arguments after it; ``may_name_handler`` is false if one of these is an anonymous
    function."""

    parts: str
    scope: int
    line: int
    column: int
    later_arguments: tuple[tuple[int, int], tuple[int, int]] | None = None
    may_name_handler: bool = True


class Handover(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A variable that holds a newly made value and is passed to a call as it is: its name, and the
    index of the call among the file's references."""

    name: str
    call: int


class Message(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A case of an enumeration that is passed to a call (``sends``), or that a pattern matches to
    do something: the place of the case's own name. ``callee_or_arm_end`` is the place of the call's
    name; for a pattern, the end of what is done. ``is_single_call`` says that all that is done is
    one call for its value."""

    name: str
    scope: int
    line: int
    column: int
    sends: bool
    callee_or_arm_end: tuple[int, int]
    is_single_call: bool = False


class Emission(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place where a component emits an event, with the event's name."""

    name: str
    scope: int
    line: int


class Listener(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A handler in markup for an event of a component: the names of both, and the start and end of
    the handler's code."""

    component: str
    name: str
    scope: int
    start: tuple[int, int]
    end: tuple[int, int]


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that is stored of one file's syntax. ``packages`` are the declared packages or
    namespaces, nested ones with their full path. ``pointer_pairs`` are pairs of members: one call
    is given a pointer to each, in that order."""

    language: str
    line_count: int
    packages: tuple[str, ...] = ()
    definitions: tuple[Definition, ...] = ()
    references: ReferenceTable = NO_REFERENCES
    imports: tuple[ImportBinding, ...] = ()
    supertypes: tuple[Supertype, ...] = ()
    types: tuple[TypeBinding, ...] = ()
    lambdas: tuple[Lambda, ...] = ()
    channel_operations: tuple[ChannelOperation, ...] = ()
    channel_arguments: tuple[ChannelArgument, ...] = ()
    pointer_pairs: tuple[tuple[Pointer, Pointer], ...] = ()
    placements: tuple[Placement, ...] = ()
    emissions: tuple[Emission, ...] = ()
    listeners: tuple[Listener, ...] = ()
    topics: tuple[Topic, ...] = ()
    addresses: tuple[Address, ...] = ()
    handovers: tuple[Handover, ...] = ()
    messages: tuple[Message, ...] = ()
    has_errors: bool = False

    @property
    def package(self) -> str:
        """The declared package; the first if there are several."""
        return self.packages[0] if self.packages else ""

    def qualified_name(self, ordinal: int) -> str:
        """The dotted name of a definition within its file, the outermost container first. It leaves
        out anonymous functions around the definition."""
        parts: list[str] = []
        while ordinal != TOP:
            definition = self.definitions[ordinal]
            if definition.kind != CALLBACK or not parts:
                parts.append(definition.name)
            if definition.owner:
                parts.append(definition.owner)
            ordinal = definition.container
        return ".".join(reversed(parts))
