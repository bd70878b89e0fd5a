"""Local names: a name that a function binds itself cannot mean anything further out.

In each text, ``a`` is called on names bound in all ways that the language has, and on no others.
"""

from __future__ import annotations

import pytest

from explorer_core.index.extraction.extract import extract

# ruff: noqa: E501 - the texts are dense on purpose

CASES: dict[str, str] = {
    "a.swift": """
        func f(p1: Int, _ p2: Int, p3 p4: Int) {
          for (v1, v2) in xs { v1.a(); v2.a() }
          for v3 in xs { v3.a() }
          for case let v4? in xs { v4.a() }
          let (v5, v6) = g(); v5.a(); v6.a()
          let v7 = g(); if let v7 { v7.a() }
          if let v8 = g() { v8.a() }
          guard let v9 = g() else { return }; v9.a()
          switch p1 { case .foo(let v10): v10.a(); case let .bar(v11, v12): v11.a(); v12.a(); case let v13 as Foo: v13.a(); default: p1.a() }
          xs.each { v14 in v14.a() }
          xs.each { (v15, v16) in v15.a(); v16.a() }
          xs.each { (v17: Foo, v18: Bar) -> Void in v17.a(); v18.a() }
          if case let .foo(v19) = p1 { v19.a() }
          do { } catch let v20 { v20.a() }
          while let v21 = g() { v21.a() }
          p2.a(); p4.a()
          var v22: Foo; v22.a()
          xs.each { [weak v23] in v23?.a() }
          do { } catch let v24 as Foo { v24.a() }
          if case .some(let v25) = p1 { v25.a() }
        }
        """,
    "a.kt": """
        fun f(p1: Int, vararg p2: Int) {
          for (v1 in xs) { v1.a() }
          for ((v2, v3) in xs) { v2.a(); v3.a() }
          val (v4, v5) = g(); v4.a(); v5.a()
          xs.each { v6 -> v6.a() }
          xs.each { (v7, v8) -> v7.a(); v8.a() }
          xs.each { v9, v10 -> v9.a(); v10.a() }
          try { } catch (v11: Foo) { v11.a() }
          when (val v12 = g()) { else -> v12.a() }
          val h = fun(v13: Foo) { v13.a() }
          var v14 = 3; v14.a(); p1.a(); p2.a()
          xs.each { v15: Foo -> v15.a() }
        }
        """,
    "a.scala": """
        object O { def f(p1: Int)(implicit p2: Foo) = {
          for { v1 <- xs; (v2, v3) <- ys; v4 = g() } yield { v1.a(); v2.a(); v3.a(); v4.a() }
          x match { case v5: Foo => v5.a(); case Foo(v6, Bar(v7)) => v6.a(); v7.a(); case v8 @ Foo(_) => v8.a(); case v9 => v9.a(); case v10 :: v11 => v10.a(); v11.a() }
          val (v12, v13) = g(); v12.a(); v13.a()
          xs.map(v14 => v14.a()); xs.map { case (v15, v16) => v15.a(); v16.a() }
          xs.map { (v17, _) => v17.a() }
          try { } catch { case v19: Foo => v19.a() }
          xs.map { v20 => v20.a() }; p1.a(); p2.a()
          val Foo(v21) = g(); v21.a()
        } }
        """,
    "a.cs": """
        class C { void F(int p1, out int p2, params int[] p3) {
          foreach (var v1 in xs) { v1.a(); }
          foreach (var (v2, v3) in xs) { v2.a(); v3.a(); }
          var (v4, v5) = g(); v4.a(); v5.a();
          g(out var v6); v6.a(); g(out Foo v7); v7.a();
          if (x is Foo v8) v8.a();
          switch (x) { case Foo v9: v9.a(); break; case { X: var v10 }: v10.a(); break; }
          using var v11 = g(); v11.a(); using (var v12 = g()) v12.a();
          try {} catch (Foo v13) { v13.a(); }
          xs.E(v14 => v14.a()); xs.E((v15, v16) => { v15.a(); v16.a(); }); xs.E((Foo v17) => v17.a()); xs.E(delegate (Foo v18) { v18.a(); });
          var q = from v19 in xs let v20 = v19.z join v21 in ys on v19.i equals v21.i select v20.a(v21.a());
          for (int v22 = 0;;) { v22.a(); } p1.a(); p2.a(); p3.a();
          (Foo v23, Foo v24) = g(); v23.a(); v24.a();
          int L(Foo v25) { v25.a(); }
          fixed (byte* v26 = p3) { v26.a(); }
        }
        }
        """,
    "a.rb": """
        def f(p1, p2 = 1, *p3, k1:, k2: 2, **p4, &p5)
          v1 = 2; v1.a
          xs.each { |v2, (v3, v4)| v2.a; v3.a; v4.a }
          xs.each do |v5; v6| v5.a; v6.a end
          v7, (v8, *v9) = g; v7.a; v8.a; v9.a
          begin; rescue Foo => v10; v10.a; end
          ->(v11, v12 = 2) { v11.a; v12.a }
          for v13 in xs do v13.a end
          case x
          in {name: v14, age: Foo => v15}
            v14.a; v15.a
          in [v16, *v17]
            v16.a; v17.a
          end
          p1.a; p2.a; p3.a; k1.a; k2.a; p4.a; p5.a
          v18 ||= 3; v18.a
          if (v19 = g); v19.a; end
          xs.each { |v20 = 3, *v21, k: 2, **v22, &v23| v20.a; v21.a; k.a; v22.a; v23.a }
        end
        """,
    "A.java": """
        class A { void f(Foo p1, Foo... p2) {
          for (Foo v1 : xs) v1.a(); for (var v2 = g();;) v2.a();
          try (var v3 = g()) { v3.a(); } catch (Foo | Bar v4) { v4.a(); }
          if (x instanceof Foo v5) v5.a();
          switch (x) { case Foo v6 -> v6.a(); case Rec(Foo v7, var v8) -> { v7.a(); v8.a(); } }
          xs.e(v9 -> v9.a()); xs.e((v10, v11) -> { v10.a(); v11.a(); }); xs.e((Foo v12) -> v12.a());
          Foo v13, v14 = g(); v13.a(); v14.a(); p1.a(); p2.a();
          if (x instanceof Rec(Foo v15, var v16)) { v15.a(); v16.a(); }
        } }
        """,
    "a.py": """
        def f(p1, /, p2=1, *p3, k1, **p4):
            for v1, (v2, *v3) in xs: v1.a(); v2.a(); v3.a()
            with g() as v4, g() as (v5, v6): v4.a(); v5.a(); v6.a()
            try: pass
            except Foo as v7: v7.a()
            if (v8 := g()): v8.a()
            [v9.a() for v9 in xs]; {v10.a(): v11.a() for v10, v11 in xs}
            lambda v12, *v13, k2=1, **v14: (v12.a(), v13.a(), k2.a(), v14.a())
            match x:
                case Foo(v15, z=v16): v15.a(); v16.a()
                case [v17, *v18]: v17.a(); v18.a()
                case {"a": v19, **v20}: v19.a(); v20.a()
                case Foo() as v21: v21.a()
                case v22: v22.a()
            v23: Foo = 3; v23.a()
            v24, v25 = g(); v24.a(); v25.a()
            v26 = v27 = g(); v26.a(); v27.a()
            p1.a(); p2.a(); p3.a(); k1.a(); p4.a()
            async def h(v28): v28.a()
            v29 += 2; v29.a()
        """,
    "a.ts": """
        function f(p1, p2 = 1, ...p3) {
          for (const v1 of xs) v1.a(); for (const [v2, { v3, z: v4, ...v5 }] of xs) { v2.a(); v3.a(); v4.a(); v5.a(); }
          for (let v6 = 0;;) v6.a(); for (const v7 in xs) v7.a();
          const { v8, z: { v9 }, y: v10 = 2, v11 = 3, ...v12 } = g(); v8.a(); v9.a(); v10.a(); v11.a(); v12.a();
          const [v13, , v14 = 1, ...v15] = g(); v13.a(); v14.a(); v15.a();
          xs.e(v16 => v16.a()); xs.e((v17, { v18 }, [v19]) => { v17.a(); v18.a(); v19.a(); });
          xs.e(function (v20) { v20.a(); }); try {} catch (v21) { v21.a(); } try {} catch ({ v22 }) { v22.a(); }
          let v23; v23.a(); var v24 = 1; v24.a(); p1.a(); p2.a(); p3.a();
          xs.e(async v25 => v25.a()); xs.e((v26: Foo, v27?: Bar) => v26.a(v27.a()));
          for await (const v28 of xs) v28.a();
        }
        """,
    "a.go": """
        package a
        func (r *R) f(p1 int, p2 ...int) (n1 Foo, err error) {
          v1 := g(); v1.a(); var v2, v3 = g(); v2.a(); v3.a(); for v4, v5 := range xs { v4.a(); v5.a() }
          switch v6 := x.(type) { case Foo: v6.a() }
          select { case v7 := <-ch: v7.a(); case v8, ok := <-ch: v8.a(); ok.a() }
          if v9, err := g(); err != nil { v9.a(); err.a() }
          func(v10 Foo) { v10.a() }(x); n1.a(); r.a(); p1.a(); p2.a()
          for v11 := 0; ; { v11.a() }
        }
        """,
    "src/lib.rs": """
        fn f(p1: Foo, (p2, p3): (Foo, Bar), Foo { p4, z: p5 }: Foo) {
          let v1 = g(); v1.a(); let (v2, mut v3) = g(); v2.a(); v3.a(); let Foo { v4, z: v5, .. } = g(); v4.a(); v5.a();
          if let Some(v6) = g() { v6.a(); } while let Some(ref v7) = g() { v7.a(); }
          for v8 in xs { v8.a(); } for (v9, &v10) in xs { v9.a(); v10.a(); }
          match x { Foo::A(v11) => v11.a(), Foo::B { v12, z: v13 } => { v12.a(); v13.a(); } v14 @ 1..=3 => v14.a(), [v15, .., v16] => { v15.a(); v16.a(); } v17 => v17.a(), &v18 | v18 => v18.a() }
          xs.e(|v19| v19.a()); xs.e(|(v20, v21), &v22, v23: Foo| { v20.a(); v21.a(); v22.a(); v23.a(); }); xs.e(move |v24| v24.a());
          let Some(v25) = g() else { return }; v25.a(); p1.a(); p2.a(); p3.a(); p4.a(); p5.a();
          if let Foo(ref mut v26, v27 @ Bar(_)) = g() { v26.a(); v27.a(); }
          let v28: Foo; v28.a();
        }
        """,
    "a.cpp": """
        void f(Foo p1, Foo &p2, Foo *p3, Foo &&p4, const Foo &p5 = x) {
          Foo v1; v1.a(); Foo *v2 = g(), v3; v2->a(); v3.a(); auto [v4, v5] = g(); v4.a(); v5.a();
          for (auto v6 : xs) v6.a(); for (auto &v7 : xs) v7.a(); for (auto &[v8, v9] : xs) { v8.a(); v9.a(); } for (int v10 = 0;;) v10.a();
          try {} catch (const Foo &v11) { v11.a(); } catch (Foo v12) { v12.a(); }
          if (auto v13 = g()) v13.a(); if (auto *v14 = g()) v14->a(); while (auto v15 = g()) v15.a(); if (auto v16 = g(); v16) v16.a();
          xs.e([](Foo v17, auto &v18) { v17.a(); v18.a(); }); xs.e([v19 = g()] { v19.a(); });
          Foo v20(1); v20.a(); Foo v21{1}; v21.a(); Foo v22[3]; v22->a(); Foo &v23 = p1; v23.a(); static Foo v24; v24.a(); Foo &&v25 = g(); v25.a();
          p1.a(); p2.a(); p3->a(); p4.a(); p5.a(); const Foo *const v26 = g(); v26->a(); Foo **v27; v27->a(); std::unique_ptr<Foo> v28(g()); v28->a(); switch (auto v29 = g()) { default: v29.a(); }
        }
        """,
    "top.py": """
        for v1 in xs: v1.a()
        with g() as v2: v2.a()
        [v3.a() for v3 in xs]
        g(lambda v4: v4.a())
        class C:
            table = {"x": lambda v5: v5.a()}
        """,
    "top.rb": """
        g { |v1| v1.a }
        class C
          TABLE = { x: ->(v2) { v2.a }, y: lambda { |v3| v3.a } }
        end
        """,
    "top.ts": """
        for (const v1 of xs) v1.a();
        try {} catch (v2) { v2.a(); }
        xs.e(v3 => v3.a());
        """,
}


@pytest.mark.parametrize("path", CASES)
def test_names_bound_in_scope_are_local(path: str) -> None:
    facts = extract(path, CASES[path])
    assert facts is not None
    called = [reference for reference in facts.references if reference.name == "a"]
    assert called
    assert [reference.receiver for reference in called if not reference.local] == []


def test_a_name_the_file_itself_defines_is_not_local() -> None:
    facts = extract("a.ts", "import { b } from './b';\nconst c = g();\nb.a(); c.a();\n")
    assert facts is not None
    called = [reference for reference in facts.references if reference.name == "a"]
    assert [reference.local for reference in called] == [False, False]


def test_implicit_member_is_not_local() -> None:
    text = "func f(red: Int) -> Color { g(red); return .red }\n"
    facts = extract("a.swift", text)
    assert facts is not None
    reads = [one for one in facts.references if one.name == "red"]
    assert [(one.column, one.local) for one in reads] == [(text.index(".red") + 1, False)]


@pytest.mark.parametrize(
    ("path", "text", "local"),
    [
        ("a.rs", "fn g() { let a = a(1); }", [False]),
        (
            "a.rs",
            "fn g() { let a = b.map(|x| match a(&x) { Some(y) => y }); a(2); }",
            [False, True],
        ),
        ("a.rs", "fn g() { if let Some(a) = a(1) { a(2); } }", [False, True]),
        ("a.rs", "fn g() { let (a, b) = (1, 2); let a = a(b); }", [True]),
        ("a.rs", "fn g(a: F) { let a = a(1); }", [True]),
        # bound by an anonymous function or a match arm
        ("a.rs", "fn g() { let a = b.map(|a| a(1)); }", [True]),
        ("a.rs", "fn g() { let a = match b { Some(a) => a(1) }; }", [True]),
        # bound in another block
        ("a.rs", "fn g() { { let a = 1; } let a = a(1); }", [False]),
        ("a.go", "package p\nfunc g() { a := a(1); a(2) }", [False, True]),
        ("a.go", "package p\nfunc g(a func()) { b, a := 1, a(1) }", [True]),
        # a language in which a variable is in scope in its own initialiser
        ("a.ts", "function g() { const a = a(1); }", [True]),
    ],
)
def test_variable_is_in_scope_after_its_declaration(path: str, text: str, local: list[bool]):
    facts = extract(path, text)
    assert facts is not None
    calls = [one for one in facts.references if one.name == "a" and one.kind == "call"]
    assert [one.local for one in calls] == local
