"""What is to be known about a language, field by field: what a ``<name>.toml`` may say."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer_core.index.languages.import_rules import ImportRules
from explorer_core.index.languages.parsing_rules import ParsingRules

Given = Literal["element", "same", "values"]
"""What is given of a collection: one of what is in it, the same again, or all without the keys."""

PassedOn = Given | Literal["class", "written"]
"""What is given of a value: as of a collection, or the class that it is of; or a value of the type
that is written for it."""

HandedTo = Literal[
    "arguments",
    "argument",
    "entry",
    "object",
    "element",
    "variable",
    "assigned",
    "cast",
    "result",
    "last",
    "same",
    "component",
    "function",
]


class LanguageSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What generic code needs to know about one language. All of it is declarative."""

    name: str
    grammar: str
    queries: tuple[str, ...] = ()
    """Names of the ``.scm`` files that make up its query, in order; empty means ``(name,)``."""
    suffixes: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    """Whole file names that mark this language (``Makefile``)."""
    foreign_start: str = ""
    """Regex: what a text begins with whose file is named so and which is of no language here (XML
    of translations in ``.ts``)."""
    shared_suffixes: tuple[str, ...] = ()
    """Suffixes of another language whose files are of this one where ``shared_text``, a regex,
    finds something in them (``@end`` in an ``.h``)."""
    shared_text: str = ""
    interpreters: tuple[str, ...] = ()
    """Programs named by a ``#!`` line (``python``), without version."""
    line_comments: tuple[str, ...] = ()
    block_comment: tuple[str, str] | None = None
    docstrings: bool = False
    """Documentation is a string at the head of the body, rather than a comment before it."""
    doc_attribute: str = ""
    """Regex: an attribute before a declaration, or at the head of its body, that documents it, in
    group 1 the first line of that (``@doc "Adds."``)."""
    separators: tuple[str, ...] = (".",)
    """What may stand between a receiver and a name (``.``, ``->``, ``::``, ``?.``)."""
    bracketed_calls: bool = False
    """Whether a call may stand in brackets, in which what it is asked of comes first
    (``[till ring:2]``)."""
    text_marks: tuple[str, ...] = ()
    """What may stand before the name of a member in a text that names it by a path to it
    (``"users#show"``)."""
    full_names: bool = False
    """Whether a path in a text is the full name of a type, its package first, and nothing else."""
    text_list: str = ""
    """Regex: a list of two texts or more, or a table of such under constants; nothing else is in
    it. One that begins with single characters is found several times as fast."""
    text_in_list: str = ""
    """Regex whose group 1 is one of these."""
    text_nodes: tuple[str, ...] = ()
    """Node types of texts, with their marks and without. Given where texts lead somewhere else: by
    a path, or as an address (``"/users/:id"``)."""
    argument_nodes: tuple[str, ...] = ()
    """Node types of what the arguments of a call stand in, there."""
    name_mark: str = ""
    """Regex: what says of a word of the language that it is a name, and is no part of that
    (``r#type``)."""
    root: str = ""
    """What a name begins with that is looked up from the root, whatever is around it (``::``)."""
    self_names: tuple[str, ...] = ()
    """How a method names its own object, and after that its own type; empty where each method
    declares its own (Go)."""
    holder_names: tuple[str, ...] = ()
    """Those of them that mean the type they are written in, whatever the object is of that has the
    method (PHP's ``self``)."""
    outer_self: str = ""
    """Regex: how a type around, which is group 1, is named to mean its object (``Shop.this``)."""
    super_names: tuple[str, ...] = ()
    """How a method names its object seen as its supertype (``super``, ``super()``, ``parent``)."""
    super_extends: bool = False
    """Whether that is the type which is extended alone, and nothing that is mixed in (PHP)."""
    super_calls: bool = False
    """Whether that alone calls what the method around overrides (Ruby)."""
    implicit_parameters: tuple[str, ...] = ()
    """Names that a function without parameters has for what it is given (``it``)."""
    implicit_self: bool = False
    """Whether a bare name inside a method may mean a member of its type (Java, C++, Kotlin)."""
    type_scopes: bool = False
    """Whether a bare name in the body of a type, outside of methods, means what that body has
    defined before (Python)."""
    bodies_run_once: bool = False
    """Whether the body of a type runs when the type is read, and not whenever one is made."""
    lexical_members: bool = True
    """Whether it may mean a member of a type further out; else only types and constants of that
    are seen (Ruby)."""
    mixins: bool = False
    """Whether a method may use members of its own object that only subtypes of its type have."""
    last_base_first: bool = False
    """Whether of several supertypes the one written last is looked in first (Scala)."""
    bare_calls: bool = False
    """Whether a bare name that is no local variable is a call (Ruby)."""
    leaving_words: tuple[str, ...] = ()
    """Words that leave a function before its end (``return``, ``exit``); what only goes on with the
    next pass of a loop stays in it."""
    failing_words: tuple[str, ...] = ()
    """Words that leave it because it failed (``raise``, ``throw``)."""
    catching_words: tuple[str, ...] = ()
    """Words that begin what is done about an error of the block before (``except``, ``catch``)."""
    filled_mark: str = ""
    """Regex: what stands before a variable that is handed over to be given a value (``&``,
    ``out``)."""
    bare_text: bool = False
    """Whether prose stands in it without marks around it, as between tags."""
    bare_members: bool = False
    """Whether a method is called by its name alone (Ruby, Scala)."""
    constructors: tuple[str, ...] = ()
    """Method names that construct (``__init__``, ``initialize``)."""
    construct_members: tuple[str, ...] = ()
    """The members of a type that make a value of it, where that is no syntax (``new``)."""
    derived_makers: tuple[str, ...] = ()
    """The members of a type that make a value of it where it does not say how (``default``)."""
    call_member: str = ""
    """The member that is meant where a value is called like a function (``__call__``)."""
    calls_index: bool = False
    """Whether a variable is indexed as a function is called (``xs(1)``)."""
    type_arguments: tuple[str, ...] = ("<", "[")
    """What opens the arguments of a type, cut off where a type is wanted without them."""
    casts: tuple[str, ...] = ()
    """What is written like the call of a function, and gives a value of the type that stands in its
    type arguments (``static_cast<T>(x)``), or without any in its parentheses (``new(T)``)."""
    asked_class: str = ""
    """Regex: a call that is given one class, from its name on: the class is group 1 where it is a
    type argument (``get<Till>()``), and group 2 where it is a value (``get(Till.class)``). In
    group 3, where there is one, it may be any class, which only says something to a function of
    which a parameter is a class."""
    boxes: bool = False
    """Whether what is of a generic type of elsewhere, or was made by what was given a class, may
    hold a value of that as a member (``box.value`` of a ``Box<Till>``)."""
    wrapped_class: str = ""
    """Regex: what stands before a variable and names in group 1 the class of what that holds, where
    no type is written (``@Environment(Till.self) var till``)."""
    class_of: str = ""
    """Regex: what the type of a class begins with (``type[Till]``)."""
    union_types: tuple[str, ...] = ()
    """Generic types of which a value is of one of their arguments (``Union``)."""
    any_types: tuple[str, ...] = ()
    """Types that anything is of (``Object``)."""
    type_modifiers: tuple[str, ...] = ()
    """Words that may stand before a type and are no part of its name (``dyn``, ``struct``)."""
    collection_words: tuple[str, ...] = ()
    """Words that make a collection of the type that stands behind them (``chan Job``)."""
    empty_types: tuple[str, ...] = ()
    """Types as written of which there is nothing to have: results of what gives none (``void``),
    and what is sent as a mere signal (``struct{}``)."""
    decorated_members: bool = False
    """Whether functions may have members by their decorators (``build.delay(3)``)."""
    transparent_types: tuple[str, ...] = ()
    """Generic types that stand for their first argument (``Optional``, ``Box``)."""
    own_file: str = ""
    """What a file is called in itself, where it is a type with what stands at its top for members
    (``@This()``)."""
    opaque_roots: tuple[str, ...] = ()
    """Where a value of a generic type from elsewhere has the members of its one argument as well,
    as of what it leads to (`Deref`): the roots of the modules whose types are known not to."""
    leading_member: str = ""
    """The member by which a type says that values of it have the members of what that gives, too
    (``deref``)."""
    class_types: tuple[str, ...] = ()
    """Generic types of which the values are classes, those of their argument (``type[Till]``)."""
    transparent_members: tuple[str, ...] = ()
    """Members of those that give what they stand for (``unwrap``)."""
    element_members: dict[str, Given] = {}
    """Members of the language's own collections that give an ``element`` (``pop``), the ``same``
    again (``filter``), or the ``values`` alone of what is under keys."""
    subscript_member: str = ""
    """The member that is meant where a value has a subscript (``__getitem__``)."""
    entering_members: tuple[str, ...] = ()
    """The members that give what a block has which enters a value (``__enter__``)."""
    describing_member: str = ""
    """The member of what a type has under a name that gives what its objects have there
    (``__get__``)."""
    class_member: str = ""
    """The member that gives the type of an object (``__class__``)."""
    entries: bool = False
    """Whether stepping through a table gives its entries, of which members give what is there under
    a key as they do of the table."""
    passed_on: dict[str, PassedOn] = {}
    """Functions of the language that give what their first argument does, as `element_members` tell
    (``sorted``); or where it is the only one its ``class``, as `class_member` does (``type``); or
    a value of the type that is ``written`` there (``cast``)."""
    listing: dict[str, Literal["values", "pairs"]] = {}
    """Functions of the language that give a collection of what they are given: of ``values``, or of
    ``pairs`` of keys and values."""
    pair_mark: str = ""
    """What stands between the key and the value of such a pair."""
    list_literals: bool = False
    """Whether a list may be written out in square brackets where an expression may stand."""
    lists_apart: bool = False
    """Whether what is in such a collection may be of several types, each of which is known by
    itself (Python); else it is of what all have in common (Kotlin)."""
    slice: str = ""
    """Regex: a subscript that gives a part of a collection, and none of what is in it (``1:``)."""
    iterating_members: tuple[str, ...] = ()
    """The member that gives what is stepped through, and that of the latter which gives each
    (``__iter__``, ``__next__``)."""
    text_type: str = ""
    """The type of a text in quotes, where others may write members for it."""
    null_types: tuple[str, ...] = ()
    """Types as written that say nothing of what a value is: members of a union that are no value
    (``None``), and words that stand in place of a type (``Final``)."""
    inferred_type: str = ""
    """What is written for a type that is that of the value."""
    type_guard: str = ""
    """Regex: a written result that says that what the function is given first is of a type, its
    group 1 (``node is Text``)."""
    handed: dict[str, HandedTo] = {}
    """What the node around an anonymous function makes it, by the type of the node: one of the
    ``arguments`` of what stands before them, in an ``argument`` of its own if that has a name; an
    ``entry`` of an ``object``; an ``element`` of a list; what a ``variable`` is that may have a
    type; what is ``assigned`` to the first that stands there, or an entry in an object; what a
    ``cast`` says that it is; the ``result`` of a function; the ``last`` argument, behind the
    others; the ``same`` as what it stands in. A ``component`` has its entries for the first
    argument of what it is called like. A ``function`` is what placeholders in it stand for
    parameters of, where these alone do not make one."""
    object_members: tuple[str, ...] = ("method",)
    """Kinds of definitions that are members of an object where they stand in no type, such as the
    methods and getters of one that is written out."""
    lexical_self: str = ""
    """Regex: a function whose signature it finds has no object of its own (``go: () => ...``)."""
    lambda_receivers: bool = False
    """Whether an anonymous function may have an object of its own whose members are reached by
    their bare names (``T.() -> Unit``)."""
    scope_functions: dict[str, Literal["parameter", "receiver", "held"]] = {}
    """Functions of the language that hand what they are called on to an anonymous function: as its
    first ``parameter`` or as its own object, its ``receiver``; or what that may hold (``held``), as
    a promise does."""
    function_types: dict[str, int] = {}
    """Generic types of functions, and how many of their last arguments are no parameters
    (``Func<A, Result>``)."""
    function_word: str = ""
    """The word before the parameters in the type of a function where nothing but a space stands
    between these and what it gives (``func(int) *Job``)."""
    types_first: bool = False
    """Whether a parameter's type stands before its name."""
    type_query: str = ""
    """The word before an expression that makes it mean the expression's type (``typeof``)."""
    type_parameter: str = ""
    """Node type of a type's parameter, a local name of its type (``T`` in ``class Box<T>``)."""
    type_operators: tuple[str, ...] = ()
    """Node types of a type that is made of others (``A | B``, ``A & B``, ``(A)``)."""
    constant: str = ""
    """Regex: a variable so named is a constant."""
    exported_head: str = ""
    """Regex: the text from a declaration's start to its name makes it visible from outside."""
    hidden_head: str = ""
    """Regex: the text from a declaration's start to its name hides it."""
    exported_name: str = ""
    """Regex: names visible from outside."""
    hides_unexported: bool = False
    """Whether members that are not exported are hidden from all but their package (Go), or from
    all but their module and what is nested in it (Rust)."""
    members_in_type: bool = False
    """Whether members are declared nowhere but in their type: no other file is looked into."""
    extension_members: bool = False
    """Whether members may be written for types that are declared elsewhere (``fun String.f()``)."""
    extensions_overload: bool = False
    """Whether such members stand beside those of that name in the type, which else hide them."""
    static_extensions: bool = False
    """Whether such a member is one of the type that it stands in too, and sees what that sees."""
    members_follow_owner: bool = True
    """Whether members count as exported unless hidden, whatever ``exported_head`` says."""
    export_objects: tuple[str, ...] = ()
    """Objects whose members are what the file exports (``module.exports``)."""
    nameless_exports: tuple[str, ...] = ()
    """What a definition is called that is exported and has no name of its own: to people it goes by
    that of its file."""
    owner_suffixes: tuple[str, ...] = ()
    """Endings of an owner that say no more than "member of" (``.prototype``)."""
    assigned_members: bool = False
    """Whether functions and variables have members by assignment, and a function that has some
    makes objects with them (JavaScript)."""
    tables_inherit: bool = False
    """Whether what is assigned to a variable hides what the table that this holds has from another
    one, and methods give the table that they are asked of (Lua)."""
    assigns_outer: bool = False
    """Whether a variable to which something is assigned may be declared further out."""
    own_object: str = ""
    """Regex: what a function that is assigned to a member begins with where it has that member's
    object for its own; others have that around them (``this.socket.onclose = () => ...``)."""
    decoration: str = ""
    """Regex: decorators or annotations at a declaration's start, left out of its signature."""
    documented_type: str = ""
    """Regex: a type in a documentation comment: group ``type``, with ``name`` if it says whose and
    ``member`` if that is one of the type that follows, or ``result``; or what a ``method`` of that
    type ``gives``."""
    functions_hide: bool = False
    """Whether what is declared in a function without a name is seen in that alone."""
    flat_functions: bool = False
    """Whether no function is defined in another."""
    rest_parameter: str | None = None
    """Regex: a parameter that takes any number of arguments. Given where functions of one name are
    told apart by how many they take."""
    late_variables: bool = False
    """Whether a variable of a function is there only behind its declaration (`@initial`)."""
    statement_holders: tuple[str, ...] = ()
    """Node types of what an expression stands in that is a statement of its own. Given where the
    pattern of a callback does not say so."""
    labels_in_names: bool = False
    """Whether the labels of arguments are part of what a function is called: a call that gives
    others, or none, does not mean it (Swift)."""
    static_signature: str = ""
    """Regex: a method whose signature it finds is one of the type itself, which no object has."""
    statics_apart: bool = False
    """Whether a type may have a method of its own beside one of its objects that has the same name,
    told apart by what they are called on; where the parameters tell them they are overloads."""
    type_name: str = ""
    """Regex: how that is called which may stand for a type. A static method is never meant behind
    what is called otherwise."""
    override_head: str = ""
    """Regex: the text from a declaration's start to its name marks an override."""
    marks_overriding: bool = False
    """Whether methods that are there for an interface are marked as well."""
    test_head: str = ""
    """Regex: the same text marks a test, or what holds tests, where a language has them beside the
    code they test."""
    preprocessor: bool = False
    """Whether the text goes through a preprocessor with ``#define`` and ``#if``."""
    macro_mark: str = ""
    """What stands behind the name of a macro that is called (``vec![]``)."""
    put_in_mark: str = ""
    """What stands before a name in a macro that is put in there (``$name``)."""
    put_in_node: str = ""
    """Node type of such a name with its mark."""
    repeated_node: str = ""
    """Node type of what a macro repeats (``$(...)*``)."""
    path_mark: str = ""
    """What stands behind a name that is no variable's, whatever variables have it
    (``config::load()``)."""
    code_parts: str = ""
    """Regex of which the group that matches is code, in text that is otherwise none of the
    language's (``<%= name %>``); the rest is left out when parsing."""
    code_opening: str = ""
    """What stands before all code where the grammar expects that."""
    embedded: dict[str, str] = {}
    """Language of the text in ``@embedded`` by its ``@embedded.kind``; ``""`` is the default."""
    imports: ImportRules = ImportRules()
    parsing: ParsingRules = ParsingRules()
    markup_tables: tuple[str, ...] = ()
    """The tables of what a file offers as a whole whose members its markup uses by their names."""
    markup_makers: tuple[str, ...] = ()
    """The functions there that give an object whose members its markup uses in the same way."""
    listener: str = ""
    """Regex: what an attribute in markup begins with that has something done on an event of the
    component it stands at, whose name is group 1 (``@saved``)."""
    placed_members: bool = False
    """Whether a function that is written for the value of a field, in an object that is written out
    with its fields, is there for that field; the query captures such lists."""
    event_head: str = ""
    """Regex for the signature of a field that functions are added to, which only its own type has
    called; the query captures what is added."""
    member_pointers: bool = False
    """Whether a call may be given pointers to members, which the query captures."""
    member_macro: str = ""
    """Regex: a macro, its group 1, that is given the name of a member, group 2, with the types of
    its parameters."""
    import_functions: tuple[str, ...] = ()
    """Functions that give the module whose path they are called with (``require("a.b").f()``)."""
    default_export: bool = False
    """Whether a module that exports one value as ``default`` may be used as that value."""
    multiple_results: bool = False
    """Whether a result in parentheses is several results, the first of which is assigned first."""
    subscripts: bool = False
    """Whether what a subscript gives has the type that is written for what it is applied to, which
    is never written as a collection (C)."""
    told_of: str = ""
    """Regex for the signature of a variable that is defined elsewhere."""
    gives_constants: str = ""
    """Regex for the signature of a type whose constants are names of the scope around it too."""
    gives_members: str = ""
    """Regex for the signature of a type whose members are those of the type around it too."""
    open_types: bool = False
    """Whether declarations of one qualified name are parts of one type (Ruby, partial in C#)."""
    overloads: bool = False
    """Whether several definitions of one name in a namespace, in any files, are all meant by it."""
    separate_methods: bool = False
    """Whether a method and a variable of one name in a type are two members, told apart by use."""
    separate_functions: bool = False
    """Whether a local variable that is called is a function of that name, unless it holds one."""
    types_apart: bool = False
    """Whether a value never means an interface or another name for a type (``new Error()``)."""
    structural_interfaces: bool = False
    """Whether a type implements an interface by having its methods, without saying so (Go)."""
    protocol_bases: tuple[str, ...] = ()
    """Bases of the language's own library that make a class one of what others have, who need not
    say so (``Protocol``)."""
    servers: tuple[str, ...] = ()
    """Command lines of language servers for it, in order of preference."""
    family: str = ""
    """Languages of one family see each other's definitions (``ecmascript``, ``jvm``)."""

    @property
    def family_name(self) -> str:
        return self.family or self.name

    @property
    def query_names(self) -> tuple[str, ...]:
        return self.queries or (self.name,)
