"""Callbacks passed together with a text: when they are definitions named after it, and when not."""

from __future__ import annotations

from textwrap import dedent

import pytest

from explorer_core.index.extraction.extract import extract
from explorer_core.index.symbols import CALLBACK


def check(path: str, text: str, *expected: str) -> None:
    """Check a file's callbacks, each given as ``container / registered name start-end``."""
    facts = extract(path, dedent(text).lstrip())
    assert facts is not None
    definitions = facts.definitions

    def nested_name(ordinal: int) -> str:
        name = definitions[ordinal].name
        container = definitions[ordinal].container
        return name if container < 0 else f"{nested_name(container)} / {name}"

    found = [
        f"{nested_name(ordinal)} {one.start}-{one.end}"
        for ordinal, one in enumerate(definitions)
        if one.kind == CALLBACK
    ]
    assert found == list(expected)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "app.rb",
            """
            get '/users/:id' do |id|
              show(id)
            end
            app.on(:event) { |e| e.go }
            """,
            ["get('/users/:id') 1-3", "app.on(:event) 4-4"],
        ),
        (
            "Rakefile",
            """
            namespace :db do
              task :migrate => [:env] do
                run
              end
              task seed: :migrate do
                fill
              end
            end
            """,
            [
                "namespace(:db) 1-8",
                "namespace(:db) / task(:migrate) 2-4",
                "namespace(:db) / task(seed) 5-7",
            ],
        ),
        (
            "app.rb",
            """
            class App < Base
              configure do
                get '/' do
                  home
                end
              end
            end
            """,
            ["App / get('/') 3-5"],
        ),
        (
            "Routes.kt",
            """
            fun Application.module() {
                routing {
                    route("/users") {
                        get("/{id}") {
                            call.respond(find())
                        }
                    }
                }
            }
            """,
            [
                'module / route("/users") 3-7',
                'module / route("/users") / get("/{id}") 4-6',
            ],
        ),
        (
            "Routes.scala",
            """
            trait Routes extends Base {
              get("/users")(listed)
              get("/users/:id") {
                find()
              }
              post("/users", form)(made => {
                make(made)
              })
              app.put("/users/:id")(adminOnly { user =>
                keep(user)
              })
              app.on("end", event => stop(event))
            }
            """,
            [
                'Routes / get("/users/:id") 3-5',
                'Routes / post("/users") 6-8',
                'Routes / app.put("/users/:id") 9-11',
                'Routes / app.on("end") 12-12',
            ],
        ),
        (
            "build.gradle.kts",
            'tasks.register<Copy>("docs") {\n    from(site)\n}\n',
            ['tasks.register("docs") 1-3'],
        ),
        (
            "routes.swift",
            """
            func routes(_ app: Application) {
                app.get("users", ":id") { req in
                    find(req)
                }
                app.on(.POST, "users") { req in
                    make(req)
                }
            }
            """,
            ['routes / app.get("users") 2-4', 'routes / app.on("users") 5-7'],
        ),
        (
            "main.go",
            """
            package main

            func main() {
                http.HandleFunc("POST /users", func(w W, r *R) {
                    add(w, r)
                })
                r.GET("/users", logged(func(c *C) {
                    list(c)
                }))
            }
            """,
            [
                'main / http.HandleFunc("POST /users") 4-6',
                'main / r.GET("/users") 7-9',
            ],
        ),
        (
            "web.php",
            """
            <?php
            Route::get('/users', function () {
                return all();
            })->name('users');
            $app->get('/x', fn ($r) => $r);
            """,
            ["Route::get('/users') 2-4", "$app->get('/x') 5-5"],
        ),
        (
            "Program.cs",
            """
            app.MapGet("/users", async (int a) => {
                await All();
            }).WithName("users");
            """,
            ['app.MapGet("/users") 1-3'],
        ),
        (
            "router.ex",
            """
            defmodule Router do
              get "/users" do
                send(conn)
              end
            end
            """,
            ['Router / get("/users") 2-4'],
        ),
        (
            "routes.js",
            """
            function routes(app) {
              app.get('/a', () => {
                a();
              });
              app.get('/b', () => {
                b();
              });
            }
            """,
            ["routes / app.get('/a') 2-4", "routes / app.get('/b') 5-7"],
        ),
    ],
)
def test_callback_is_named_after_its_call(path: str, text: str, expected: list[str]) -> None:
    check(path, text, *expected)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        # The callback's value is used.
        ("a.rb", "X = open('a') do |f|\n  f\nend\n"),
        ("a.rb", "puts fetch(:a) { 1 }\n"),
        (
            "a.kt",
            'fun f(): Int {\n    return fold("") { x -> x }\n}\n',
        ),
        ("a.scala", 'object A {\n  val a = map("x") { 1 }\n}\n'),
        ("a.scala", 'class A {\n  test("adds both") { 1 }\n}\n'),
        ("a.php", "<?php\n$a = map('x', function () {});\n"),
        ("a.cs", 'var a = Map("x", () => 1);\n'),
        ("a.ex", 'x = get "/a" do\n  1\nend\n'),
        # There is no text argument.
        ("a.rb", "list.each do |x|\n  x\nend\n"),
        ("a.swift", "func f() {\n    run { 1 }\n    go { 2 }\n}\n"),
        # The text is a sentence: a description and not a name.
        ("a.rb", "it 'adds both' do\n  1\nend\n"),
        ("a.php", "<?php\ntest('adds both', function () {});\n"),
        ("a.exs", 'test "adds both" do\n  1\nend\n'),
        # They are part of a function that does other things.
        ("a.go", 'package a\n\nfunc f() {\n\tt.Run("a", func() {\n\t\tgo()\n\t})\n}\n'),
        (
            "a.go",
            'package a\n\nfunc f() {\n\tr.GET("a", func() {})\n\tr.GET("b", func() {})\n'
            "\ta()\n\tb()\n\tc()\n\td()\n}\n",
        ),
        ("a.rb", "def f\n  on :a do\n    1\n  end\nend\n"),
    ],
)
def test_callback_that_is_not_a_definition(path: str, text: str) -> None:
    check(path, text)


def test_small_nested_callback_is_not_a_definition() -> None:
    text = "get '/' do\n  one\n  two\n  within :x do\n    go\n  end\n  three\n  four\nend\n"
    check("a.rb", text, "get('/') 1-9")


def test_block_of_define_method_is_not_a_callback() -> None:
    check("a.rb", "class A\n  define_method :x do\n    1\n  end\nend\n")
