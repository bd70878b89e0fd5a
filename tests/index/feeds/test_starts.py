"""From the call that starts a job to the function that is the job."""

from __future__ import annotations

import pytest

from explorer_core.index.flow import find_spine
from explorer_core.judges.statements import of_edge
from tests.index.feeds.checking import changed, check
from tests.index.workspace import graph_of, id_of

JOB = """
//- report_job.rb
class ReportJob < ApplicationJob
  def perform(id)
    build(id)
  end
  def build(id); end
end
//- maker.rb
class Maker
  def make
    ReportJob.perform_later(3)
  end
end
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("perform_later(3)", "perform_later(3)", True),
        ("ReportJob.perform_later", "ReportJob.set(wait: 3).perform_later", True),
        ("< ApplicationJob", "\n  include Worker", True),
        ("< ApplicationJob", "", False),  # no external supertype could provide it
        ("perform_later", "performing", False),  # another word
        ("perform_later", "later", False),
        ("def perform", "def self.perform", False),  # not an instance method
    ],
)
def test_job_started_by_class_member_with_longer_name(
    before: str, after: str, expected: bool
) -> None:
    edge = "maker.rb:Maker.make feeds report_job.rb:ReportJob.perform name/1"
    check(changed(JOB, before, after), *[edge] * expected)


TASK = """
//- tasks.py
from queue_library import task
@task
def build(x):
    return x
//- views.py
from tasks import build
def make():
    build.delay(3)
"""


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("@task", "@task", True),
        ("from tasks import build", "import tasks", True),
        ("@task\n", "", False),
        ("from queue_library import task", "def task(f): return f", False),
        # called directly elsewhere, or a parameter
        ("    build.delay(3)", "    build.delay(3)\n    build(3)", False),
        ("def make():", "def make(build):", False),
    ],
)
def test_task_started_by_member_of_decorated_function(
    before: str, after: str, expected: bool
) -> None:
    source = changed(TASK, before, after)
    if after == "import tasks":
        source = source.replace("build.delay", "tasks.build.delay")
    check(source, *["views.py:make feeds tasks.py:build name/1"] * expected)


def test_start_member_proven_by_one_task_holds_for_others() -> None:
    source = TASK + "    other.delay()\n    other()\n"
    source = source.replace("return x\n", "return x\n@task\ndef other(): ...\n")
    check(
        source.replace("import build", "import build, other"),
        "views.py:make feeds tasks.py:build name/1",
        "views.py:make feeds tasks.py:other name/1",
    )


def test_flow_enters_job_from_its_starter() -> None:
    graph = graph_of(JOB)
    ends = id_of(graph, "ReportJob.perform"), id_of(graph, "ReportJob.build")
    spine = find_spine(graph, dict.fromkeys(ends, 1.0))
    assert [graph.symbol(step.symbol).name for step in spine.steps] == ["make", "perform", "build"]
    assert of_edge(graph, graph.fed_by(id_of(graph, "Maker.make"))[0]) == (
        "`Maker.make` sends to `ReportJob.perform`, judging by the name."
    )
