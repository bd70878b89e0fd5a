"""From what calls a member without a body to what a call joins with it."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import changed, check

JOINED = """
//- worker.h
struct Base { virtual void failed() = 0; };
struct Worker : Base {
  void found(int n); void written(int n); void scan(); void failed() override;
};
//- worker.cpp
#include "worker.h"
void Worker::scan() { emit found(3); written(4); failed(); }
void Worker::written(int n) { }
void Worker::failed() { }
//- watcher.cpp
#include "worker.h"
struct Watcher { Watcher(); void onFound(int n); void told(int n); Worker *w; };
Watcher::Watcher() {
  connect(w, &Worker::found, this, &Watcher::onFound);
}
void Watcher::onFound(int n) { }
"""
FOUND = "worker.cpp:Worker.scan feeds watcher.cpp:Watcher.onFound type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [FOUND]),
        ("&Watcher::onFound", "overload<int>(&Watcher::onFound)", [FOUND]),
        ("connect(w,", "connect(of(1)->w(),\n  ", [FOUND]),
        # what leads nowhere itself leads on to what it is joined with
        (
            "this, &Watcher::onFound);",
            "this, &Watcher::told);\n  connect(this, &Watcher::told, this, &Watcher::onFound);",
            [FOUND],
        ),
        ("this, &Watcher::onFound);", "this, &Watcher::told);", []),
        # what has a body does what that says
        ("&Worker::found,", "&Worker::written,", []),
        ("&Worker::found,", "&Base::failed,", []),
        # two calls, a table and a list of three join nothing
        ("connect(w, &Worker::found, this, ", "on(w, &Worker::found); on(", []),
        (
            "connect(w, &Worker::found, this, &Watcher::onFound)",
            "a = {&Worker::found, &Watcher::onFound}",
            [],
        ),
        ("this, &Watcher::onFound", "&Watcher::onFound, &Watcher::told", []),
        ("emit found(3);", "", []),
        # what macros are given that name members with the types of their parameters
        (
            "&Worker::found, this, &Watcher::onFound",
            "OF(found(int)), this, TO(onFound(int))",
            [FOUND],
        ),
        ("&Worker::found, this, &Watcher::onFound", "OF(found(int)), TO(onFound(int))", [FOUND]),
        ("&Worker::found, this, &Watcher::onFound", "OF(written(int)), TO(onFound(int))", []),
        ("&Worker::found, this, &Watcher::onFound", "OF(found(int)), w, TO(onFound(int))", []),
        (
            "connect(w, &Worker::found, this, &Watcher::onFound",
            "a->connect(w, OF(found(int)), TO(onFound(int))",
            [],
        ),
    ],
)
def test_what_a_call_joins(before: str, after: str, expected: list[str]) -> None:
    check(changed(JOINED, before, after), *expected)
