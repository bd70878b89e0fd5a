"""From what hands a type on to the methods that are asked of what is made of it elsewhere."""

from __future__ import annotations

import pytest

from explorer_core.judges.statements import of_edge
from tests.index.feeds.checking import changed, check
from tests.index.workspace import graph_of, id_of

KOTLIN = """
//- Sweep.kt
import work.Worker
class Sweep(context: Context) : Worker(context) {
    companion object {
        fun start(context: Context) { Work.of(context).enqueue(RequestBuilder<Sweep>().build()) }
    }
    override fun doWork(): Result { return sweep() }
    private fun sweep(): Result = Result.success()
}
//- Night.kt
class Night(private val context: Context) {
    fun fall() { context.startService(Intent(context, Sweep::class.java)) }
    fun rise() { sun.call() }
}
"""
STARTED = "Sweep.kt:Sweep.start feeds Sweep.kt:Sweep.doWork type"
FELL = "Night.kt:Night.fall feeds Sweep.kt:Sweep.doWork type"
JAVA = """
//- a/Sweep.java
package a;
public class Sweep extends work.Worker {
  public Sweep(Context c) { super(c); }
  @Override
  public Result doWork() { return sweep(); }
  private Result sweep() { return null; }
}
//- a/Night.java
package a;
public class Night {
  void fall() { work.enqueue(new work.Request.Builder(Sweep.class, 3).build()); }
}
"""
JAVA_FELL = "a/Night.java:Night.fall feeds a/Sweep.java:Sweep.doWork type"
CSHARP = """
//- Sweep.cs
namespace Shop;
public class Sweep : BackgroundService {
  protected override Task ExecuteAsync(Token token) { return null; }
}
//- Night.cs
namespace Shop;
public class Night {
  public void Fall(IServices services) { services.AddHosted<Sweep>(); }
}
"""


@pytest.mark.parametrize(
    ("source", "before", "after", "expected"),
    [
        (KOTLIN, "", "", [STARTED, FELL]),
        (JAVA, "", "", [JAVA_FELL]),
        (CSHARP, "", "", ["Night.cs:Night.Fall feeds Sweep.cs:Sweep.ExecuteAsync type"]),
        # nothing of elsewhere asks for anything of it
        (JAVA, "extends work.Worker", "extends Other", []),
        # somebody here keeps one, or makes one
        (KOTLIN, "private fun sweep", "fun sweep", [STARTED, FELL]),
        (KOTLIN, "fun rise() {", "fun rise(sweep: Sweep) {", []),
        (JAVA, "void fall() {", "void fall() { new Sweep(null).doWork();", []),
        # what is given it is of the repository
        (KOTLIN, "fun rise() {", "fun Intent(a: Any, b: Any) {", []),
    ],
)
def test_type_passed_to_library_feeds_its_overriding_method(
    source: str, before: str, after: str, expected: list[str]
) -> None:
    other = (
        "\n//- a/Other.java\npackage a;\npublic class Other { Result doWork() { return null; } }\n"
    )
    check(changed(source, before, after) + (other if after == "extends Other" else ""), *expected)


def test_no_edge_if_other_members_of_objects_are_called() -> None:
    source = KOTLIN.replace("private fun sweep", "fun sweep")
    check(source.replace("sun.call()", "val sweep = context.get<Sweep>()\n    sweep.sweep()"))


def test_qualified_this_does_not_pass_the_type_on() -> None:
    check(
        KOTLIN.replace("Result = Result.success()", "Result = Pair(3, this@Sweep).first"),
        STARTED,
        FELL,
    )


def test_a_type_is_passed_on_with_its_method() -> None:
    graph = graph_of(JAVA)
    edges = graph.feeding(id_of(graph, "Sweep.doWork"))
    assert [of_edge(graph, each) for each in edges] == [
        "`Night.fall` passes on a type that has `Sweep.doWork`."
    ]
