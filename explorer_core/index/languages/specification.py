"""The spec of a language, field by field: everything that a ``<name>.toml`` may contain."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer_core.index.languages.collection_rules import CollectionResult, CollectionRules
from explorer_core.index.languages.import_rules import ImportRules
from explorer_core.index.languages.lambda_rules import LambdaRules
from explorer_core.index.languages.parsing_rules import ParsingRules

DerivedResult = CollectionResult | Literal["class", "written"]
"""What is returned from a value: as for a collection, or the class of the value, or a value of the
type that is written as an argument."""


class LanguageSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What language-independent code needs to know about one language. Purely declarative."""

    name: str
    grammar: str
    queries: tuple[str, ...] = ()
    """Names of the ``.scm`` files that make up its query, in order; empty means ``(name,)``."""
    suffixes: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    """Whole file names of this language (``Makefile``)."""
    foreign_start: str = ""
    """Regex: the beginning of a text that, despite its file's suffix, is in none of the languages
    here (XML translations in ``.ts``)."""
    shared_suffixes: tuple[str, ...] = ()
    """Suffixes of another language. A file with one is in this language if ``shared_text``, a
    regex, matches anywhere in it (``@end`` in an ``.h``)."""
    shared_text: str = ""
    interpreters: tuple[str, ...] = ()
    """Programs named by a ``#!`` line (``python``), without version."""
    line_comments: tuple[str, ...] = ()
    block_comment: tuple[str, str] | None = None
    docstrings: bool = False
    """Documentation is a string at the head of the body, rather than a comment before it."""
    doc_attribute: str = ""
    """Regex: an attribute that documents a declaration, before it or at the head of its body.
    Group 1 is the first line of the documentation (``@doc "Adds."``)."""
    separators: tuple[str, ...] = (".",)
    """What may separate a receiver from a name (``.``, ``->``, ``::``, ``?.``)."""
    bracketed_calls: bool = False
    """Whether a call may be written in brackets, receiver first (``[till ring:2]``)."""
    text_marks: tuple[str, ...] = ()
    """What may precede the name of a member in a string literal with a path to the member
    (``"users#show"``)."""
    full_names: bool = False
    """Whether a path in a string literal is always the full name of a type, package first."""
    text_list: str = ""
    """Regex: a list of at least two string literals, or a table of such under constants, with
    nothing else in it. A pattern that begins with single characters is several times as fast."""
    text_in_list: str = ""
    """Regex whose group 1 is one string of such a list."""
    text_nodes: tuple[str, ...] = ()
    """Node types of string literals, with their quotes and without. Set where strings may refer to
    code, by a path or as an address (``"/users/:id"``)."""
    argument_nodes: tuple[str, ...] = ()
    """Node types of argument lists, for the same purpose."""
    name_mark: str = ""
    """Regex: a mark that makes a keyword usable as a name and is no part of it (``r#type``)."""
    root: str = ""
    """Prefix of a name that is looked up from the root, whatever its scope (``::``)."""
    self_names: tuple[str, ...] = ()
    """Names for a method's own object, followed by names for its own type. Empty where each method
    declares its receiver's name (Go)."""
    holder_names: tuple[str, ...] = ()
    """Those of `self_names` that mean the type they are written in, whatever the type of the object
    (PHP's ``self``)."""
    outer_self: str = ""
    """Regex: names the object of an enclosing type. Group 1 is the type (``Shop.this``)."""
    super_names: tuple[str, ...] = ()
    """Names for a method's object seen as its supertype (``super``, ``super()``, ``parent``)."""
    super_extends: bool = False
    """Whether `super_names` mean only the type that is extended, and nothing mixed in (PHP)."""
    super_calls: bool = False
    """Whether such a name alone calls the method that the enclosing one overrides (Ruby)."""
    implicit_parameters: tuple[str, ...] = ()
    """Names for the arguments of a function that declares no parameters (``it``)."""
    implicit_self: bool = False
    """Whether a bare name inside a method may mean a member of its type (Java, C++, Kotlin)."""
    type_scopes: bool = False
    """Whether a bare name in the body of a type, outside of methods, means what that body has
    defined before (Python)."""
    bodies_run_once: bool = False
    """Whether the body of a type runs when the type is defined, rather than at construction."""
    lexical_members: bool = True
    """Whether a bare name may mean a member of a type further out. Otherwise only types and
    constants of the outer type are visible (Ruby)."""
    mixins: bool = False
    """Whether a method may use members of its own object that only subtypes of its type have."""
    last_base_first: bool = False
    """Whether the supertype that is written last is searched first (Scala)."""
    bare_calls: bool = False
    """Whether a bare name that is not a local variable is a call (Ruby)."""
    leaving_words: tuple[str, ...] = ()
    """Keywords that leave a function before its end (``return``, ``exit``), not those that merely
    continue with the next iteration of a loop."""
    failing_words: tuple[str, ...] = ()
    """Keywords that leave a function because it failed (``raise``, ``throw``)."""
    catching_words: tuple[str, ...] = ()
    """Keywords that begin the error handler of the preceding block (``except``, ``catch``)."""
    filled_mark: str = ""
    """Regex: precedes a variable that is passed as an output argument (``&``, ``out``)."""
    bare_text: bool = False
    """Whether prose may stand without quotes, as between tags."""
    bare_members: bool = False
    """Whether a method may be called without parentheses (Ruby, Scala)."""
    attribute_mark: str = ""
    """The beginning of an attribute's own name, which the member that reads it lacks (``@``)."""
    constructors: tuple[str, ...] = ()
    """Names of constructors (``__init__``, ``initialize``)."""
    construct_members: tuple[str, ...] = ()
    """Members of a type that construct a value of it, in place of a syntax for that (``new``)."""
    derived_makers: tuple[str, ...] = ()
    """Members of a type that construct a value of it by default, with no code of their own
    (``default``)."""
    call_member: str = ""
    """The member that is invoked when a value is called like a function (``__call__``)."""
    calls_index: bool = False
    """Whether indexing a variable looks like a call (``xs(1)``)."""
    type_arguments: tuple[str, ...] = ("<", "[")
    """What opens the arguments of a type; they are cut off where only the type itself matters."""
    casts: tuple[str, ...] = ()
    """Names that look like a called function and yield a value of a type: that of the type argument
    (``static_cast<T>(x)``), or if there is none, that in the parentheses (``new(T)``)."""
    asked_class: str = ""
    """Regex: a call that is given a class, beginning with the callee's name.

    Group 1 is a class given as a type argument (``get<Till>()``), group 2 one given as a value
    (``get(Till.class)``). Group 3, if there is one, may be any class; it counts only if the callee
    has a parameter that is a class."""
    boxes: bool = False
    """Whether a value of an external generic type, or one made from a class that was given, may
    hold a value of that type as a member (``box.value`` of a ``Box<Till>``)."""
    wrapped_class: str = ""
    """Regex: precedes a variable without a declared type. Group 1 names the class of its value
    (``@Environment(Till.self) var till``)."""
    class_of: str = ""
    """Regex: the beginning of the type of a class (``type[Till]``)."""
    union_types: tuple[str, ...] = ()
    """Generic types whose values are of one of their arguments (``Union``)."""
    any_types: tuple[str, ...] = ()
    """Types that every value has (``Object``)."""
    type_modifiers: tuple[str, ...] = ()
    """Words that may precede a type and are no part of its name (``dyn``, ``struct``)."""
    collection_words: tuple[str, ...] = ()
    """Words that make a collection of the type that follows (``chan Job``)."""
    empty_types: tuple[str, ...] = ()
    """Types, as written, that carry no value: the result of a function that returns nothing
    (``void``), and what is sent as a mere signal (``struct{}``)."""
    decorated_members: bool = False
    """Whether functions may get members from their decorators (``build.delay(3)``)."""
    transparent_types: tuple[str, ...] = ()
    """Generic types that stand for their first argument (``Optional``, ``Box``)."""
    own_file: str = ""
    """The name of a file inside itself, where a file is a type whose members are its top-level
    declarations (``@This()``)."""
    opaque_roots: tuple[str, ...] = ()
    """Set where a value of an external generic type may also have the members of its only argument,
    by dereferencing (`Deref`): the root modules whose types are known not to do that."""
    leading_member: str = ""
    """The member with which a type gives its values the members of that member's result, too
    (``deref``)."""
    class_types: tuple[str, ...] = ()
    """Generic types whose values are classes: their argument or its subtypes (``type[Till]``)."""
    transparent_members: tuple[str, ...] = ()
    """Members of `transparent_types` that return the value inside (``unwrap``)."""
    entering_members: tuple[str, ...] = ()
    """The members that return what a block gets when it enters a value (``__enter__``)."""
    describing_member: str = ""
    """The member by which an attribute of a type provides the value that objects see under its name
    (``__get__``)."""
    class_member: str = ""
    """The member that returns the type of an object (``__class__``)."""
    passed_on: dict[str, DerivedResult] = {}
    """Functions of the language, and how the result derives from the first argument: as in
    `CollectionRules.element_members` (``sorted``); the ``class`` of the argument, if it is the only
    one, as with `class_member` (``type``); or a value of the type that is ``written`` there
    (``cast``)."""
    text_type: str = ""
    """The type of a string literal. Set where extensions may add members to it."""
    null_types: tuple[str, ...] = ()
    """Types, as written, that say nothing about a value: members of a union that mean no value
    (``None``), and words in place of a type (``Final``)."""
    inferred_type: str = ""
    """What is written in place of a type that is inferred from the value."""
    type_guard: str = ""
    """Regex: a written result type which says that the first argument is of a type, group 1
    (``node is Text``)."""
    object_members: tuple[str, ...] = ("method",)
    """Kinds of definition that are members of an object if they are in no type, such as the methods
    and getters of an object literal."""
    lexical_self: str = ""
    """Regex: a function whose signature matches has no object of its own (``go: () => ...``)."""
    function_types: dict[str, int] = {}
    """Generic types of functions, and how many of their last arguments are not parameters
    (``Func<A, Result>``)."""
    function_word: str = ""
    """The word before the parameters in a function type, where only a space separates these from
    the result (``func(int) *Job``)."""
    types_first: bool = False
    """Whether a parameter's type precedes its name."""
    type_query: str = ""
    """The word that turns the expression after it into the expression's type (``typeof``)."""
    type_parameter: str = ""
    """Node type of a type parameter, which is a local name of its type (``T`` in
    ``class Box<T>``)."""
    type_operators: tuple[str, ...] = ()
    """Node types of types that are composed of others (``A | B``, ``A & B``, ``(A)``)."""
    constant: str = ""
    """Regex: a variable with such a name is a constant."""
    exported_head: str = ""
    """Regex on the text from a declaration's start to its name: the declaration is visible from
    outside."""
    hidden_head: str = ""
    """Regex on the text from a declaration's start to its name: the declaration is hidden."""
    exported_name: str = ""
    """Regex: names visible from outside."""
    hides_unexported: bool = False
    """Whether members that are not exported are hidden from all but their package (Go), or from
    all but their module and the modules nested in it (Rust)."""
    members_in_type: bool = False
    """Whether members are declared only in the body of their type, so that no other file has to be
    searched."""
    extension_members: bool = False
    """Whether members may be declared for types of other files (``fun String.f()``)."""
    extensions_overload: bool = False
    """Whether extension members overload members of that name in the type; otherwise these hide
    them."""
    static_extensions: bool = False
    """Whether an extension member is also a member of the type whose body contains it, and sees
    what that type sees."""
    members_follow_owner: bool = True
    """Whether members count as exported unless hidden, whatever ``exported_head`` says."""
    export_objects: tuple[str, ...] = ()
    """Objects whose members are what the file exports (``module.exports``)."""
    nameless_exports: tuple[str, ...] = ()
    """Internal names of definitions that are exported without a name; people use the name of the
    file."""
    owner_suffixes: tuple[str, ...] = ()
    """Suffixes of an owner that only mean "member of" (``.prototype``)."""
    assigned_members: bool = False
    """Whether functions and variables get members by assignment, and a function with such members
    constructs objects (JavaScript)."""
    tables_inherit: bool = False
    """Whether a member assigned to a variable hides what its table inherits from another table, and
    methods may return the table they are called on (Lua)."""
    assigns_outer: bool = False
    """Whether an assignment may mean a variable that is declared further out."""
    own_object: str = ""
    """Regex: the beginning of a function assigned to a member that has the member's object as its
    own. Other functions keep the enclosing object (``this.socket.onclose = () => ...``)."""
    decoration: str = ""
    """Regex: decorators or annotations at a declaration's start, left out of its signature."""
    documented_type: str = ""
    """Regex: a type in a documentation comment. Group ``type`` is the type. ``name`` says whose it
    is, ``member`` that this is a member of the type that follows, ``result`` that it is a result
    type. Or ``method`` is a method of the type that follows, and ``gives`` its result type."""
    functions_hide: bool = False
    """Whether declarations inside an anonymous function are visible only there."""
    flat_functions: bool = False
    """Whether functions are never nested."""
    rest_parameter: str | None = None
    """Regex: a parameter that takes any number of arguments. Set where overloads are distinguished
    by their number of parameters."""
    late_variables: bool = False
    """Whether a local variable exists only after its declaration (`@initial`)."""
    statement_holders: tuple[str, ...] = ()
    """Node types whose expression children are statements. Set where the query's callback pattern
    does not ensure that."""
    labels_in_names: bool = False
    """Whether argument labels are part of a function's name, so that a call with other labels, or
    without any, does not mean it (Swift)."""
    static_signature: str = ""
    """Regex: a method whose signature matches is static: it belongs to the type itself."""
    statics_apart: bool = False
    """Whether a type may have a static method and an object method of one name, distinguished by
    the receiver. Where the parameters distinguish them they are overloads."""
    type_name: str = ""
    """Regex: names that may stand for a type. A static method is never called on anything else."""
    cases_carry: bool = False
    """Whether an enumeration's case can be made with values of its own, different each time."""
    override_head: str = ""
    """Regex on the text from a declaration's start to its name: the declaration is an override."""
    marks_overriding: bool = False
    """Whether methods that implement an interface are marked that way as well."""
    test_head: str = ""
    """Regex on the same text: the declaration is a test or contains tests. Set where a language has
    tests beside the code they test."""
    preprocessor: bool = False
    """Whether the text goes through a preprocessor with ``#define`` and ``#if``."""
    macro_mark: str = ""
    """What follows the name of a macro that is invoked (``vec![]``)."""
    put_in_mark: str = ""
    """What precedes a metavariable of a macro, which is substituted (``$name``)."""
    put_in_node: str = ""
    """Node type of such a metavariable with its mark."""
    repeated_node: str = ""
    """Node type of a repetition in a macro (``$(...)*``)."""
    path_mark: str = ""
    """What follows a name that cannot be a variable, even if a variable has that name
    (``config::load()``)."""
    code_parts: str = ""
    """Regex for text that is mostly not in the language: the group that matches is code
    (``<%= name %>``), and the rest is left out when parsing."""
    code_opening: str = ""
    """What has to precede all code, if the grammar expects something."""
    embedded: dict[str, str] = {}
    """Language of the text in ``@embedded`` by its ``@embedded.kind``; ``""`` is the default."""
    collections: CollectionRules = CollectionRules()
    lambdas: LambdaRules = LambdaRules()
    imports: ImportRules = ImportRules()
    parsing: ParsingRules = ParsingRules()
    markup_tables: tuple[str, ...] = ()
    """Tables in a file's default export whose members its markup uses by their bare names."""
    markup_makers: tuple[str, ...] = ()
    """Functions there that return an object whose members its markup uses in the same way."""
    listener: str = ""
    """Regex: the beginning of a markup attribute that handles an event of the component it is
    attached to; group 1 is the name of the event (``@saved``)."""
    placed_members: bool = False
    """Whether a function used as a field's value in an initialiser implements that field; the query
    captures such initialisers."""
    event_head: str = ""
    """Regex for the signature of a field to which handlers are added and which only its own type
    may invoke; the query captures the handlers."""
    member_pointers: bool = False
    """Whether pointers to members may be passed as arguments; the query captures them."""
    member_macro: str = ""
    """Regex: a macro, group 1, whose argument is the name of a member, group 2, with the types of
    its parameters."""
    import_functions: tuple[str, ...] = ()
    """Functions that return the module whose path they are given (``require("a.b").f()``)."""
    default_export: bool = False
    """Whether a module that exports one value as ``default`` may be used as that value."""
    multiple_results: bool = False
    """Whether a result type in parentheses means several results, which are assigned in order."""
    subscripts: bool = False
    """Whether a subscript has the type declared for the indexed variable, since no type is written
    as a collection (C)."""
    told_of: str = ""
    """Regex for the signature of a variable that is declared here and defined elsewhere."""
    gives_constants: str = ""
    """Regex for the signature of a type whose constants are also names of the enclosing scope."""
    gives_members: str = ""
    """Regex for the signature of a type whose members are also members of the enclosing type."""
    open_types: bool = False
    """Whether declarations of one qualified name are parts of one type (Ruby, partial in C#)."""
    overloads: bool = False
    """Whether a name means all its definitions in a namespace, in whatever file."""
    separate_methods: bool = False
    """Whether a method and a variable of one name in a type are two members, distinguished by
    use."""
    separate_functions: bool = False
    """Whether a call of a local variable's name means a function of that name, unless the variable
    holds a function."""
    types_apart: bool = False
    """Whether a name used as a value never means an interface or a type alias (``new Error()``)."""
    structural_interfaces: bool = False
    """Whether a type implements an interface by having its methods, without declaring it (Go)."""
    protocol_bases: tuple[str, ...] = ()
    """Bases of the standard library that make a class a protocol: other classes implement it
    without declaring so (``Protocol``)."""
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
