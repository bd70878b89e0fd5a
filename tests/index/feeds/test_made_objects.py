"""From code that makes an object and passes it on to the method that the object exists for."""

from __future__ import annotations

import pytest

from explorer_core.judges.statements import of_edge, of_target
from tests.index.feeds.checking import changed, check
from tests.index.workspace import graph_of, id_of

PHP = """
//- app/Jobs/Queued.php
<?php
namespace App\\Jobs;
use Illuminate\\ShouldQueue;
abstract class Queued implements ShouldQueue {}
//- app/Jobs/Scrobble.php
<?php
namespace App\\Jobs;
class Scrobble extends Queued {
  public function __construct(public int $x) {}
  public function handle(): void { $this->go(); }
  private function go() {}
}
//- app/C.php
<?php
namespace App;
use App\\Jobs\\Scrobble;
class C { function run() { Dispatcher::dispatch(new Scrobble(3)); } }
"""
JAVA = """
//- a/Load.java
package a;
public class Load extends Thread {
  Load(Mission m) {}
  @Override
  public void run() {}
}
//- a/Plain.java
package a;
public class Plain { @Override public String toString() { return ""; } }
//- a/Mission.java
package a;
public class Mission {
  void start() { threads[0] = async(1, new Load(this)); }
  private Thread async(int id, Thread who) { who.start(); return who; }
}
"""
HANDLED = "app/C.php:C.run feeds app/Jobs/Scrobble.php:Scrobble.handle type"
RUN = "a/Mission.java:Mission.start feeds a/Load.java:Load.run type"


@pytest.mark.parametrize(
    ("source", "before", "after", "expected"),
    [
        (PHP, "", "", [HANDLED]),
        # it has no external supertype
        (PHP, " implements ShouldQueue", "", []),
        # more than one method may be called on it
        (PHP, "private function go", "public function go", []),
        # the callee takes its own type
        (
            PHP,
            "Dispatcher::dispatch(new Scrobble(3)); }",
            "$this->take(new Scrobble(3)); }\n  function take(Scrobble $it) {}",
            [],
        ),
        (
            PHP,
            "Dispatcher::dispatch(new Scrobble(3)); }",
            "$this->take(new Scrobble(3)); }\n  function take(Queued $it) {}",
            [HANDLED],
        ),
        (PHP, "Dispatcher::dispatch(new Scrobble(3))", "$it = new Scrobble(3)", []),
        # not the object is passed on, but its method's result
        (PHP, "dispatch(new Scrobble(3))", "dispatch((new Scrobble(3))->given())", []),
        # another function takes its type as a parameter
        (PHP, "class C { ", "class C { function show(Scrobble $it) {} ", []),
        # its only method is the one that makes it
        (
            PHP,
            "public function handle(): void { $this->go(); }",
            "public static function make(): self { return new self(1); }",
            [],
        ),
        (JAVA, "", "", [RUN]),
        (JAVA, "  @Override\n  public void run", "  public void run", []),
        (JAVA, " extends Thread", "", []),
        # every object has this method
        (JAVA, "public void run() {}", "public String toString() { return null; }", []),
        (
            JAVA,
            "  public void run() {}",
            "  public void run() {}\n  @Override public void a() {}\n"
            "  @Override public void b() {}",
            [],
        ),
    ],
)
def test_new_object_passed_on_feeds_its_method(
    source: str, before: str, after: str, expected: list[str]
) -> None:
    check(changed(source, before, after), *expected)


def test_new_object_passed_on_feeds_its_method_in_kotlin() -> None:
    check(
        "//- b.kt\nclass Taker : Consumer<Int> { override fun accept(x: Int) {} }\n"
        "class Row(val x: Int) : Serializable { fun shown() = 1 }\n"
        "class Feed { fun go() { source.doOnNext(Taker()).map(Row(1)) } }\n",
        "b.kt:Feed.go feeds b.kt:Taker.accept type",
    )


def test_an_object_is_passed_on_with_its_method() -> None:
    graph = graph_of(JAVA)
    edges = graph.feeding(id_of(graph, "Load.run"))
    assert [of_edge(graph, each) for each in edges] == [
        "`Mission.start` passes on an object that has `Load.run`."
    ]
    assert (
        of_target(graph, edges) == "`Load.run` belongs to an object passed on by `Mission.start`."
    )
