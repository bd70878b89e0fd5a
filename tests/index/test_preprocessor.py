"""C and C++ before preprocessing: macros in odd places, conditionals, and macro bodies."""

from __future__ import annotations

import pytest

from explorer_core.index.extraction.extract import extract
from tests.index.workspace import facts_of, graph_of, id_of, show

DEFINITIONS: dict[str, tuple[str, list[str]]] = {
    "macro before a declaration": (
        "API_EXPORT class Foo { void f(); };\nAPI_EXPORT template <typename T> class Bar {};\n",
        ["Foo", "Foo.f", "Bar"],
    ),
    "macro between class and name": ("class API_EXPORT Foo : public Base {\n};\n", ["Foo"]),
    "several macros before a function": (
        "API_A API_B void f(int a);\nAPI_A API_B std::string g(int a) { }\n",
        ["f", "g"],
    ),
    "macro after the parameters": (
        "struct Foo {\n  Foo(int a) API_SAFE : a(), b() {}\n  int f() API_SAFE { return 1; }\n};\n",
        ["Foo", "Foo.Foo", "Foo.f"],
    ),
    "macro with arguments after the parameters": (
        "void f() API_HOLDS(g_mu) {\n  if (a) CHECK_ALL(b);\n  if (a) EACH_OF(b) { h(); }\n}\n"
        "void A::g(int a,\n    int (*b)(int)) const API_HOLDS(x) API_SAFE {}\n"
        "struct Foo {\n  Foo(int a) API_HOLDS(x) : a() {}\n  ~Foo() API_HOLDS(x);\n"
        "  bool operator==(Foo o) const API_HOLDS(x);\n  virtual int i() API_HOLDS(x) = 0;\n};\n",
        ["f", "A.g", "Foo", "Foo.Foo", "Foo.~Foo", "Foo.operator==", "Foo.i"],
    ),
    "macros and attributes between class and name": (
        "class API_LOCK API_UNUSED Foo {};\nclass API_LOCK [[nodiscard]] Bar {};\n"
        'class API_GONE("x(y)") Baz : public Foo {};\nstruct [[a::b]] API_LOCK Box final {};\n'
        "class API final {};\n",
        ["Foo", "Bar", "Baz", "Box", "API"],
    ),
    "macro before a constructor": (
        "struct Foo {\n  API_INLINE Foo(int a) noexcept : a(a) {}\n  API_INLINE ~Foo();\n};\n",
        ["Foo", "Foo.Foo", "Foo.~Foo"],
    ),
    "macro alone on a line": (
        "int a;\nBEGIN_SPACE\n\nnamespace in {\nvoid f();\n}\nEND_SPACE\n",
        ["a", "in", "in.f"],
    ),
    "macros as only or last members of a type": (
        "struct Foo {\n  FOO_FIELDS\n  MORE_FIELDS(int)\n};\n"
        "struct Bar {\n  FOO_FIELDS\n  int a;\n  BAR_FIELDS\n};\nint f(struct Bar *bar);\n",
        ["Foo", "Bar", "Bar.a", "f"],
    ),
    "macro at the end of a block": ("void f() {\n  g();\n  LEAVE\n}\nvoid h() {}\n", ["f", "h"]),
    "constants in capitals are not macros": (
        "enum E {\n  ONE,\n  TWO\n};\nint table[] = {\n  ONE,\n  TWO\n};\n",
        ["E", "E.ONE", "E.TWO", "table"],
    ),
    "macro with arguments alone on a line": (
        'int a;\nWARNING_PUSH("x")\nvoid f() {}\n',
        ["a", "f"],
    ),
    "macro as a template parameter": (
        "template <typename T, ENABLE_IF(!is_same<T, int>::value)>\nvoid f(T t) {}\nvoid g() {}\n",
        ["f", "g"],
    ),
    "macro with a declaration and an expression as arguments": (
        'void f() {\n  {\n    ASSIGN(auto a, load<int>("a"));\n    use(a.b(), c.d());\n  }\n}\n'
        "void g() { h(1); }\nvoid h(int x) {}\n",
        ["f", "g", "h"],
    ),
    "macros with blocks within a function are not functions": (
        "void f(int a) {\n  LOOP\n  {\n    CASE(ONE):\n      g();\n      break;\n    CASE(TWO): {\n"
        "      g();\n    }\n  }\n}\nvoid g() {}\n",
        ["f", "g"],
    ),
    "macro that defines a function": (
        "int a;\nDEFINE(f) {\n  g();\n}\nvoid g() {}\n",
        ["a", "DEFINE", "g"],
    ),
    "type in capitals is not a macro": ("DWORD f(int a);\nFILE *g(void);\n", ["f", "g"]),
    "conditional branches that open the same block": (
        "#ifdef A\nvoid f(int a) {\n#else\nvoid f(long a) {\n#endif\n}\nvoid g() {}\n",
        ["f", "g"],
    ),
    "conditional branches with complete definitions": (
        "#ifdef A\nvoid f(int a) {}\n#else\nvoid g() {}\n#endif\nint h;\n",
        ["f", "g", "h"],
    ),
    "conditional branches that are never taken": (
        "#if 0 // old\n#define OLD 1\nvoid old() {\n#ifdef A\n#endif\n#elif B\nvoid f() {}\n#else\n"
        "void g() {}\n#endif\n"
        "#if A\nvoid h() {}\n#elif 1\nvoid i() {}\n#else\nvoid no() {}\n#endif\n",
        ["f", "g", "h", "i"],
    ),
    "name made by a macro is not a definition": (
        "void SYMBOL(f)(int a) {}\nstruct Foo { static int(max)(); };\nvoid g() {}\n",
        ["Foo", "g"],
    ),
    "macro defined in a block belongs to the file": (
        "namespace in {\n#define CHECK(x) \\\n  (x) /* ) */ ? 0 : \\\n  fail(x)\nvoid f();\n}\n",
        ["in", "CHECK", "in.f"],
    ),
    "namespace opened by a macro": (
        "#define BEGIN namespace shop {\nBEGIN\nvoid f();\n",
        ["BEGIN", "shop", "f"],
    ),
    "template specialisations": (
        "template <> struct Foo<int> {\n  int f();\n};\ntemplate <> class Bar<a::B> {};\n",
        ["Foo", "Foo.f", "Bar"],
    ),
}


@pytest.mark.parametrize("case", DEFINITIONS)
def test_definitions_among_macros(case: str) -> None:
    text, expected = DEFINITIONS[case]
    facts = extract("a.hpp", text)
    assert facts is not None
    names = [facts.qualified_name(ordinal) for ordinal in range(len(facts.definitions))]
    assert sorted(names) == sorted(expected)
    for definition in facts.definitions:
        line = text.split("\n")[definition.line - 1]
        assert line[definition.column :].startswith(definition.name)


USES: dict[str, tuple[str, str, list[str]]] = {
    "call in the body of a macro": (
        """
        //- a.h
        #define SAVE(x) do { \\
            store(x); \\
          } while (0)
        void store(int x);
        //- a.c
        #include "a.h"
        void use() { SAVE(1); }
        """,
        "a.h:store",
        ["a.c:use calls a.h:store scope", "a.h:SAVE calls a.h:store scope"],
    ),
    "call through nested macros, one of them recursive": (
        """
        //- a.h
        void store(int a);
        #define SAVE(a) store(a)
        #define SAVE_ALL(a) do { SAVE(a); SAVE_ALL(a); } while (0)
        #define TABLE SAVE_ALL(1)
        //- a.c
        #include "a.h"
        void one() { SAVE(1); }
        void all() { SAVE_ALL(2); }
        void table() { TABLE; }
        """,
        "a.h:store",
        [
            "a.c:all calls a.h:store scope",
            "a.c:one calls a.h:store scope",
            "a.c:table calls a.h:store scope",
            "a.h:SAVE calls a.h:store scope",
            "a.h:SAVE_ALL calls a.h:store scope",
            "a.h:TABLE calls a.h:store scope",
        ],
    ),
    "type named by a macro": (
        """
        //- a.h
        struct place { int line; };
        #define PLACE struct place
        //- a.c
        #include "a.h"
        void fail(PLACE *at) {}
        """,
        "a.h:place",
        ["a.c:fail references a.h:place scope", "a.h:PLACE references a.h:place scope"],
    ),
    "struct also known by its typedef": (
        """
        //- a.h
        typedef struct node node;
        void free_node(node *n);
        //- a.c
        #include "a.h"
        struct node { node *next; };
        void free_node(node *n) {}
        """,
        "a.h:node",
        [
            "a.c:free_node references a.h:node scope",
            "a.c:node.next references a.h:node scope",
            "a.h:free_node references a.h:node scope",
            "a.h:node references a.h:node scope",
        ],
    ),
    "macro used in conditionals": (
        """
        //- a.h
        #define API_EXPORT
        #define VALUE 1
        API_EXPORT class Foo {};
        #if VALUE && defined(VALUE)
        #undef VALUE
        #endif
        """,
        "a.h:VALUE",
        ["a.h references a.h:VALUE scope"],
    ),
    "prototype in a header, with callers in two files": (
        """
        //- a.h
        void run(int a);
        //- a.c
        #include "a.h"
        void run(int a) {}
        void use() { run(1); }
        //- b.c
        #include "a.h"
        void other() { run(2); }
        """,
        "a.h:run",
        ["a.c:use calls a.h:run scope", "b.c:other calls a.h:run import"],
    ),
    "prototype in a source file": (
        """
        //- a.c
        extern void run(int a);
        void use() { run(1); }
        //- b.c
        extern void run(int a);
        //- c.c
        void run(int a) {
        }
        """,
        "c.c:run",
        ["a.c:use calls c.c:run scope"],
    ),
    "overload with the same parameters": (
        """
        //- a.hpp
        void run(int a);
        void run(int a, int b);
        //- a.cpp
        #include "a.hpp"
        void run(int a) {}
        //- b.cpp
        #include "a.hpp"
        void run(int a, int b) {}
        //- c.cpp
        #include "a.hpp"
        void use() { run(1, 2); }
        """,
        "b.cpp:run",
        ["c.cpp:use calls b.cpp:run import"],
    ),
    "overload with default arguments": (
        """
        //- a.hpp
        void run(int a);
        void run(int a, int b = box->size, int c = 0);
        //- a.cpp
        #include "a.hpp"
        void run(int a) {}
        //- b.cpp
        #include "a.hpp"
        void run(int a, int b, int c) {}
        //- c.cpp
        #include "a.hpp"
        void use() { run(1, 2); }
        """,
        "b.cpp:run",
        ["c.cpp:use calls b.cpp:run import"],
    ),
    "namespace reopened in another file": (
        """
        //- a.hpp
        namespace detail { int size(int a); }
        //- b.hpp
        #include "a.hpp"
        namespace detail { void own(); }
        int use() { return detail::size(1); }
        //- c.hpp
        struct Other { int size(int a); };
        """,
        "a.hpp:size",
        ["b.hpp:use calls a.hpp:detail.size import"],
    ),
    "function of a namespace opened by a macro": (
        """
        //- a.hpp
        #define BEGIN_SHOP namespace shop { inline namespace v1 {
        BEGIN_SHOP
        int size(int a);
        //- b.hpp
        #include "a.hpp"
        int use() { return shop::size(1) + std::size(2); }
        """,
        "a.hpp:size",
        ["b.hpp:use calls a.hpp:size import"],
    ),
    "namespace opened by a macro in one file, by keyword in another": (
        """
        //- a.hpp
        #define BEGIN_DETAIL namespace detail {
        BEGIN_DETAIL
        int size(int a);
        //- b.hpp
        #include "a.hpp"
        namespace detail { int other(); }
        int use() { return detail::size(1); }
        """,
        "a.hpp:size",
        ["b.hpp:use calls a.hpp:size import"],
    ),
    "qualified enumerator references its enum": (
        """
        //- a.hpp
        enum class Color { red };
        Color use() { return Color::red; }
        """,
        "a.hpp:Color",
        ["a.hpp:use references a.hpp:Color scope"],
    ),
    "overloads of a namespace in included files only": (
        """
        //- a.hpp
        namespace shop { void put(int a); }
        //- b.hpp
        #include "a.hpp"
        namespace shop {
        void put(char a);
        void use() { put(1); }
        }
        //- c.hpp
        #include "b.hpp"
        namespace shop { void other() { put(2); } }
        //- d.hpp
        namespace shop {
        void put(long a);
        void far() { put(3); }
        }
        """,
        "a.hpp:put",
        [
            "b.hpp:shop.use calls a.hpp:shop.put scope",
            "c.hpp:shop.other calls a.hpp:shop.put import",
        ],
    ),
    "type referenced by members defined outside of it": (
        """
        //- a.hpp
        namespace n {
        template <typename T> struct Box { Box(); void put(Box other); };
        }
        //- a.cpp
        #include "a.hpp"
        template <typename T> void n::Box<T>::put(Box other) { Box made = other; }
        """,
        "a.hpp:n.Box",
        [
            "a.cpp:n::Box.put references a.hpp:n.Box import",
            "a.cpp:n::Box.put references a.hpp:n.Box scope",
            "a.hpp:n.Box.put references a.hpp:n.Box scope",
        ],
    ),
    "variable named like a type does not hide declared types": (
        """
        //- a.hpp
        struct buffer { void add(int a); };
        struct other { void add(int a); };
        other make();
        void hidden(buffer& to) {
          to.add(1);
          char* buffer = to.data();
        }
        void given(buffer to = buffer()) { to.add(2); }
        void stated() {
          buffer& to = make();
          to.add(3);
        }
        """,
        "a.hpp:buffer.add",
        [
            "a.hpp:given calls a.hpp:buffer.add type",
            "a.hpp:hidden calls a.hpp:buffer.add type",
            "a.hpp:stated calls a.hpp:buffer.add type",
        ],
    ),
    "declaration with a parenthesised name, after a macro": (
        """
        //- a.h
        PUBLIC_API State *(make) (int size);
        //- a.c
        #include "a.h"
        PUBLIC_API State *make (int size) { return 0; }
        //- b.c
        #include "a.h"
        int main(void) { make(1); }
        """,
        "a.c:make",
        ["b.c:main calls a.c:make import"],
    ),
    "definition with a parenthesised name": (
        """
        //- a.c
        int (count) (int of) { return of; }
        int main(void) { return count(2); }
        """,
        "a.c:count",
        ["a.c:main calls a.c:count scope"],
    ),
    "member with a parenthesised name": (
        """
        //- a.hpp
        struct Limits {
          static int (max)() { return 3; }
          int operator()(int x) { return x; }
        };
        int use() { return Limits::max(); }
        """,
        "a.hpp:Limits.max",
        ["a.hpp:use calls a.hpp:Limits.max type"],
    ),
    "function that returns a function pointer": (
        """
        //- a.c
        void (*handler(int of))(int) { return 0; }
        int main(void) { handler(2); }
        """,
        "a.c:handler",
        ["a.c:main calls a.c:handler scope"],
    ),
    "call in a conditional branch that is never taken": (
        """
        //- a.c
        void used(void) {}
        #define TWICE used()
        #if 0
        #if TWICE
        void old(void) { used(); }
        #endif
        #endif
        void use(void) { used(); }
        """,
        "a.c:used",
        ["a.c:TWICE calls a.c:used scope", "a.c:use calls a.c:used scope"],
    ),
    "template call qualified by another namespace": (
        """
        //- a.hpp
        template <typename T> T get(T t);
        int use() { return std::get<int>(1); }
        """,
        "a.hpp:get",
        [],
    ),
}


@pytest.mark.parametrize("case", USES)
def test_incoming_uses(case: str) -> None:
    source, name, expected = USES[case]
    graph = graph_of(source)
    edges = graph.incoming(id_of(graph, name))
    found = {show(graph, e) for e in edges if e.relation in ("calls", "references")}
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("case", USES)
def test_uses_are_seen_from_both_ends(case: str) -> None:
    source, _, _ = USES[case]
    graph = graph_of(source)
    for symbol_id in [s.id for path in facts_of(source)[1].files for s in graph.symbols_in(path)]:
        stated = [e for e in graph.outgoing(symbol_id) if e.relation in ("calls", "references")]
        for edge in stated:
            assert edge in graph.incoming(edge.target), show(graph, edge)
