"""Text that a grammar cannot parse or misparses, and what is found in it all the same."""

from __future__ import annotations

from textwrap import dedent

import pytest

from explorer_core.index.extraction.extract import extract
from tests.index.test_extract import check_places

CASES = [
    (
        "nested.css",
        """
        .message {
          color: red;
          .sidebar & { color: blue; }
          #nav & { color: green; }
          .last { color: black; }
        }
        @keyframes wobble {
          12.5% { top: 0; }
          50% { top: 1px; }
        }
        #foot { background: url(../img/foot.png); }
        """,
        ".message .sidebar #nav .last wobble #foot",
    ),
    (
        "branches_in.kt",
        """
        object A {
         fun f(it: B) = when (it) {
          in a -> "r" and B
          in b -> "o" and C
          !in c -> d
          else -> e
         }
         fun g() {}
        }
        """,
        "A f g",
    ),
    (
        "object_by.kt",
        """
        class A {
         fun f(base: Base) {
          go(object : Base by base {
           override fun run() {}
          })
         }
         fun g() {}
        }
        """,
        "A f run g",
    ),
    (
        "macro.swift",
        """
        struct A {
         func f(
          one: Int,
          at: Place = #_place
         ) {}
         func g() {}
        }
        """,
        "A f g",
    ),
    (
        "class_by.kt",
        """
        class A<T>(val b: B<T>, c: C = C()) : B<T> by b, D(c), E by mk(c) {
         constructor(b: B) : this(b, C())
         override fun f() = 1
        }
        class G(d: D) : D()
        val h by lazy { d() }
        fun i() {}
        """,
        "A b constructor f G h i",
    ),
    (
        "lines.kt",
        """
        class A {
         private val a: B
          by lazy { b() }
         fun f() {
          for (i in 0..<n) {}
          this.x = 0b0010_0000
          (y as Z<*>).value = x
         }
         fun g() = mk(x)
          as Z
         fun h() {}
        }
        """,
        "A a f g h",
    ),
    (
        "awaited.swift",
        """
        class A {
         func f() async {
          if let a = await b.c?.d {
           await g(a)
          }
          await h()
         }
         #if DEBUG
         func g() {}
         #endif
         func h() {
          if a {
          } else if await b.c == .d {
          }
         }
        }
        """,
        "A f g h",
    ),
    (
        "unknown.swift",
        """
        struct A {
         func f<B>(_ b: B) throws(C) -> B { try d(e: ()) as! B }
         #warning("later (much)")
         func g() { unsafe h(i) }
        }
        @Suite()
        struct K {}
        @available(macOS 14, *)
        #Preview { K() }
        """,
        "A f g K",
    ),
    (
        "block_on.rb",
        r"""
        module A
         def f(a, &)
          tag.b c: {
           d: a
          }, &
         end
         def g(&)
          h \
           **a,
           &
         end
         def i; end
        end
        """,
        "A f g i",
    ),
    (
        "comma.php",
        r"""
        <?php
        use A\{
         B,
         C,
         // D,
        };
        class E { function f() {} }
        """,
        "E f",
    ),
    (
        "annotated.scala",
        """
        class A @Inject() (val b: B, c: C)(implicit d: D) extends E {
         def f = g(b) { h: H => i(h) }
         def j = k { implicit l: M[N] =>
          i(l)
         }
         def o = 1
        }
        """,
        "A b c d f j o",
    ),
    (
        "context.kt",
        """
        class A {
         @B(1)
         context(c: C)
         private fun D.f(): Boolean { g() }
         fun g() {
          try { h() }
          catch (e: I) { j($$"$k$") }
          when (l) {
           is M if n.o() -> p()
           else -> q()
          }
         }
         fun h() {}
        }
        """,
        "A f g h",
    ),
    (
        "varies.ts",
        """
        export interface A<out B = unknown, in out C extends D = D> extends E<B> { f(): C }
        export interface G<
         /** doc */
         in H = never,
        > { (i: H): void }
        async function j() { return { ...(await k<typeof import("./l")>()) } }
        """,
        "A f G j",
    ),
    (
        "attribute.jsx",
        """
        export const A = (b) => {
         return <C in={b} d={() => e(b)}><f/></C>
        }
        function g() {}
        """,
        "A g",
    ),
    (
        "handed.swift",
        """
        class A {
         nonisolated(unsafe) static var b = 1
         isolated deinit {}
         func f(_ a: consuming B, c: sending D) { let e = consume a; g(copy e) }
         func h() {}
        }
        """,
        "A b deinit f h",
    ),
    (
        "maybe.cs",
        """
        class A { void F() { a?.B.C += 1; d = e ?.5 : f; } void G() {} }
        """,
        "A F G",
    ),
    (
        "safe.rs",
        """
        unsafe extern "C" { pub safe fn f(); safe static G: H; }
        fn i() {}
        """,
        "f G i",
    ),
    (
        "Module.java",
        """
        import module a.b;
        class A { void f() {} }
        """,
        "A f",
    ),
    (
        "soft.kt",
        """
        class A {
         fun f() { open = b; open(c); annotation.d; in1.e(); g { enum -> enum.h } }
         fun i(j: suspend () -> K) {}
        }
        """,
        "A f i",
    ),
    (
        "soft.scala",
        """
        trait A {
         def f = b.map { extension =>
          val enum = extension
          s"$enum.${extension}"
         }
         def g = 1
        }
        """,
        "A f g",
    ),
    (
        "soft.ts",
        """
        export interface A { abstract?: B; accessor: C }
        export abstract class D { abstract e(): B; f() { using(this.abstract); }
         g() {} }
        """,
        "A abstract accessor D e f g",
    ),
    (
        "all_of.tsx",
        """
        interface A<out T = never> { abstract?: T }
        export const B = () => (
          <C in={b}>
            <D/>
          </C>
        )
        """,
        "A abstract B",
    ),
    (
        "soft.php",
        """
        <?php class A { function array() { b(list: 1, print: c(new D)); } function e() {} }
        """,
        "A array e",
    ),
    (
        "macro.c",
        """
        struct A {
         int b;
         TAIL_HEAD(, C) d;
         int e;
        };
        struct F { int g; };
        """,
        "A b d e F g",
    ),
    (
        "pointer.go",
        """
        package a
        func f() *B {
         c := new(B)
         c.d = new(e.g(1))
         return &B{h: new(-1.5)}
        }
        func i() {}
        """,
        "f i",
    ),
    (
        "nothing.dart",
        """
        void a(b) {
         switch (b) { case C(): d(); case e.F() when g: d(); }
         final h = switch (b) {
          C() => 1,
          _ => 2,
         };
         i([j, ?k]);
        }
        void l() => m();
        """,
        "a l",
    ),
    (
        "apart.zig",
        """
        fn a(b: []const u8, c: u8) void {
         const d, var e: u8 = f();
         g, const h = i[0..].*;
         const j = k: switch (l) { .m => 1, else => continue :k .m };
        }
        fn n() void {}
        """,
        "a n",
    ),
    (
        "words.ps1",
        r"""
        function A { param($b) Get-C -D e, f | G }
        . $Root/h.ps1
        $i = {}
        J "k" -l1 m {

        }
        function N { if ($o.p -lt 50KB) { Q } }
        """,
        "A N",
    ),
    (
        "kinds.h",
        """
        #import <A/A.h>
        A_ASSUME_BEGIN
        typedef A_ENUM(NSInteger, A) {
         B A_SINCE("1", ios(1.0)) = 1,
         C,
        };
        A_SUBCLASSING
        @interface D : E <F>
        - (void)g:(H *)h A_UNLESS("i:", ios(1.0));
        @property (nonatomic) A j A_GONE("k");
        @end
        A_ASSUME_END
        """,
        "A B C D g j",
    ),
]


@pytest.mark.parametrize(("path", "text", "names"), CASES, ids=[case[0] for case in CASES])
def test_all_definitions_are_found(path: str, text: str, names: str) -> None:
    text = dedent(text).lstrip("\n")
    facts = extract(path, text)
    assert facts is not None
    assert not facts.has_errors
    assert [one.name for one in facts.definitions] == names.split()
    check_places(facts, text)
