"""What one file says about itself. Every struct here depends on the bytes of one file only.

This is what the extractor makes, the store keeps and resolution reads. Definitions are named by
their ordinal in `FileFacts.definitions`; ``-1`` stands for the file's top level. Lines are 1-based,
columns are 0-based and count code points.
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
"""The receiver of a name behind a dot that nothing stands before."""
PLACE = "#"
"""What the receiver of a key begins with: after it stands the number of the `Lambda` that the key's
object is, and a dot; or of the one whose parameter the key is taken from, or which an expression
begins with that has no name for it, and behind the dot the place of that; or the expression that is
called with the key for the name of an argument."""
UNSURE = "?"
"""What the receiver begins with of what may be called, or a variable that is made: behind it stands
the word before that, which is emptied by a macro or is its type."""
TEXT = "="
"""What the receiver of a name begins with that stands in a text: behind it stands the path to it in
that text (``users`` of ``"users#show"``)."""
HOLE = "*"
"""The part of an `Address` that is put in when the program runs."""
DEFAULT = "default"
"""The name under which an `ImportBinding` says that a module is offered as one value."""
RESULT = "()"
"""The name under which a `TypeBinding` says what a function returns."""
KEY = ":"
"""What the name in a `TypeBinding` begins with that says what an object written out in its scope
has under a key; nothing follows where it has all that another one has (``...other``)."""
ALTERNATIVE = " | "
"""What stands between the types in a `TypeBinding` of which a value has one, or all."""
ELEMENT = "[]"
"""The key that leads from a list to what is in it."""
EACH = "*"
"""The subscript in an expression that stands for each of what is in something (``list[*]``)."""
ENTRY = "_"
"""The same for what is found there under any key."""
VALUE = ":"
"""The same for what is found under keys, and nothing where there are none."""
ENTERED = "="
"""The subscript that stands for what a block has that enters something (``with``)."""
FIRST = "-"
"""The same for the first of what a loop gives: a key, or of what has none each that is in it."""
ASSIGNED = "="
"""The place of what is no argument, but assigned."""


class Definition(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A declared name.

    ``start``/``end`` span the whole declaration with its decorators, ``line``/``column`` are where
    the name itself stands. ``container`` is the ordinal of the enclosing definition. ``owner`` is
    the type a member belongs to when the syntax names it instead of nesting it (a Go receiver, a
    Rust ``impl``, ``A::b`` in C++, a Kotlin or C# extension), as written without its arguments.
    ``returns`` is the declared result or variable type as written. ``signature`` is one line,
    ``doc`` the first line of the documentation. ``exported`` says that other files can use it by
    its name, ``overrides`` that it is marked as overriding something. ``bodiless`` says that
    nothing but the head is written here, as of a prototype, an abstract method or an ``extern``
    variable. ``test`` says that the language marks it, or what it stands in, as a test; ``static``,
    that a method is one of the type itself, and that no object of the type has it. ``seen`` are, of
    what is declared in a function without a name, the first and the last line of that, outside of
    which nothing means it.
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
    seen: tuple[int, int] | None = None


class ImportBinding(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A name this file takes from elsewhere.

    ``from m import n as l`` is ``(local="l", module="m", name="n")``. ``name`` is empty when the
    module itself is bound and ``*`` when everything in it is. ``module`` is as written, with the
    leading dots of a relative import. ``exported`` marks a re-export, or text that is a part of the
    same library. What is only declared, and defined elsewhere under the same name in the same
    namespace (``class Cart;``), has no ``module`` and twice the same name.
    """

    local: str
    module: str
    name: str
    line: int
    scope: int = TOP
    exported: bool = False

    @property
    def is_declaration(self) -> bool:
        """Whether it takes nothing from elsewhere, but says that something is defined there."""
        return not self.module and self.local == self.name


SuperRelation = Literal["extends", "implements", "requires"]


class Supertype(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A base of ``definition``, as written, without type arguments. When the syntax names the
    subtype instead of nesting in it (Rust ``impl T for S``), ``definition`` is ``-1`` and
    ``owner`` is the subtype's name. One that is only required is no base: the object of
    ``definition`` is of it by what that is mixed into (a Scala self type). ``listed`` is one that
    is extended with type arguments, reduced as a type of which values have others in them
    (`reduced_types.annotated`)."""

    definition: int
    name: str
    relation: SuperRelation
    line: int
    owner: str = ""
    listed: str = ""


class Lambda(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A function without a name, and what it is handed to, which says what it is given; or an
    object with keys, for which ``keys`` end in an empty one.

    ``callee`` is the called expression that it is an argument of, looked up in ``scope`` at
    ``line``; ``argument`` is its place among the arguments (``0`` is the first, ``-1`` the last) or
    the name it has there, and ``local`` says that the callee begins with a local name. With
    `ASSIGNED` for its place, ``callee`` is what it is assigned to. With no ``argument``,
    ``callee`` is a type as written, that of the variable that holds it, or several
    with ``&`` between them, those that an object without a name is of. ``keys`` lead to it from the
    object or list which is there in its place, the outermost first: names of members, and
    `ELEMENT`. Its text is on the lines from ``start`` to ``end``. ``definition`` is the ordinal of
    what it is known as where it is a member of an object. ``alone`` says that there is no other
    argument.
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
    alone: bool = False


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
    with the class as ``scope``), or `RESULT`, as told below. What ``type`` is depends on
    ``source``:

    - ``annotation``, ``construct``: a type as written, reduced to what it is and what is in it
      (`reduced_types.annotated`)
    - ``bound``: what the type parameter ``name`` must be, if anything
    - ``limit``: what the type must be that the variable ``name`` stands for (``TypeVar``)
    - ``call``: the called expression whose result was assigned (``make_app``, ``self.factory.get``)
    - ``alias``: another name or dotted path; empty where the variable is only known to be another
      than those of its name around it
    - ``default``: the same for what the parameter of a function is where nothing is given for it,
      which is looked up around that function
    - ``table``: empty; the value is an object whose members are written there
    - ``literal``: empty; the value is of a type of the language's own
    - ``parameter``: the place of a parameter of the `Lambda` at ``function``, the only one that
      sees it, and the member of it that is taken (``0``, ``1.name``)
    - ``signature``: how values of the type ``scope`` are called, from the parameters on; ``name``
      is `RESULT`
    - ``parts``: what the type ``scope`` is made of, as written with `ALTERNATIVE` between the
      parts; ``name`` is `RESULT`
    - ``held``: a called expression up to its first argument, which may be a class, or the name of
      one as a text, of which what is made gives a value to whoever asks for the variable
    - ``guard``: a function that was called with the variable, and says of what it is given that it
      is of a type, if anything

    With the other sources `RESULT` stands for what ``return`` gives in the function ``scope``.
    ``until`` is the last line of the unnamed function or block that the variable belongs to, or the
    last on which a test of its type is known to hold; 0 where all of ``scope`` is meant.
    """

    name: str
    type: str
    scope: int
    line: int
    source: TypeSource
    function: int = -1
    until: int = 0


class Passage(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A place where something is put into what others take it out of (a channel), or with no
    ``sends`` is taken out. ``channel`` is that, as written; ``local`` says that it begins with a
    local name."""

    channel: str
    scope: int
    line: int
    sends: bool
    local: bool


class Passing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A variable of a function that is a channel, as the argument of a call at a ``place`` among
    the others: which of the file's names is called stands at ``called``, a line and a column."""

    channel: str
    scope: int
    called: tuple[int, int]
    place: int


class Pointer(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a member is named that a pointer to it is taken of: the place of its own name."""

    name: str
    line: int
    column: int


class Placement(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a name is written for the value of a member of a type, in an object of that type that
    is written out: the place of the name. ``type`` is as written; ``member`` is the name of the
    member, or how many stand before it (``.draw = draw_frame``, ``{"seek", cmd_seek}``). Where it
    is assigned to the member of an object there is no ``type``, and ``assigned`` is the column of
    the member's name on that line."""

    name: str
    line: int
    column: int
    scope: int
    type: str
    member: str
    assigned: int = -1


class Topic(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A text of several words that a call is given, and where it is written."""

    name: str
    scope: int
    line: int
    column: int


class Address(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A text that may be the address at which something is asked for, or answered: its ``parts``
    with strokes between them, and where it is written. ``behind`` is, where it is an argument, from
    where to where the others stand that are given behind it; without ``names``, one of these is a
    function that has none."""

    parts: str
    scope: int
    line: int
    column: int
    behind: tuple[tuple[int, int], tuple[int, int]] | None = None
    names: bool = True


class Handover(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a variable that holds what was made is an argument as it is: its name, and which of the
    file's references is the call that is given it."""

    name: str
    call: int


class Message(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a case of an enumeration is named that a call is given, or with no ``sends`` a pattern
    takes to do something: the place of the case's own name. ``other`` is where the name of the call
    stands; of a pattern, where that ends which is done. ``plain`` says that the value of one call
    is all that is."""

    name: str
    scope: int
    line: int
    column: int
    sends: bool
    other: tuple[int, int]
    plain: bool = False


class Emission(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where a component lets whoever uses it know of an event, by the name of that."""

    name: str
    scope: int
    line: int


class Listener(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is done in markup on an event of a component that is used there: the names of both, and
    where it is written, from the place at which it begins to that at which it ends."""

    component: str
    name: str
    scope: int
    start: tuple[int, int]
    end: tuple[int, int]


class FileFacts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """All that is stored of one file's syntax. ``packages`` are the declared packages or
    namespaces, those that stand in another one by their path; ``joints`` the members that one call
    is given pointers to, where it is given two, in that order."""

    language: str
    line_count: int
    packages: tuple[str, ...] = ()
    definitions: tuple[Definition, ...] = ()
    references: ReferenceTable = NO_REFERENCES
    imports: tuple[ImportBinding, ...] = ()
    supertypes: tuple[Supertype, ...] = ()
    types: tuple[TypeBinding, ...] = ()
    lambdas: tuple[Lambda, ...] = ()
    passages: tuple[Passage, ...] = ()
    passings: tuple[Passing, ...] = ()
    joints: tuple[tuple[Pointer, Pointer], ...] = ()
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
        """The declared package, of several the first."""
        return self.packages[0] if self.packages else ""

    def qualified_name(self, ordinal: int) -> str:
        """The dotted name of a definition within its file, outermost container first. What has no
        name of its own leads to none."""
        parts: list[str] = []
        while ordinal != TOP:
            definition = self.definitions[ordinal]
            if definition.kind != CALLBACK or not parts:
                parts.append(definition.name)
            if definition.owner:
                parts.append(definition.owner)
            ordinal = definition.container
        return ".".join(reversed(parts))
