"""From the caller of a member without a body to the member that a call connects it with."""

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
        # a second member without a body is followed to what it is connected with
        (
            "this, &Watcher::onFound);",
            "this, &Watcher::told);\n  connect(this, &Watcher::told, this, &Watcher::onFound);",
            [FOUND],
        ),
        ("this, &Watcher::onFound);", "this, &Watcher::told);", []),
        # a member with a body does what its body says
        ("&Worker::found,", "&Worker::written,", []),
        ("&Worker::found,", "&Base::failed,", []),
        # two calls, a table and a list of three connect nothing
        ("connect(w, &Worker::found, this, ", "on(w, &Worker::found); on(", []),
        (
            "connect(w, &Worker::found, this, &Watcher::onFound)",
            "a = {&Worker::found, &Watcher::onFound}",
            [],
        ),
        ("this, &Watcher::onFound", "&Watcher::onFound, &Watcher::told", []),
        ("emit found(3);", "", []),
        # macros whose arguments are members with their parameter types
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
def test_connected_signal_feeds_its_slot(before: str, after: str, expected: list[str]) -> None:
    check(changed(JOINED, before, after), *expected)
