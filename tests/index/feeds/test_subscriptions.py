"""From a call on a library's object to the functions registered with it."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import changed, check

SIGNAL = """
//- signals.py
from elsewhere import Signal
finished = Signal()
//- handlers.py
from signals import finished
def store(sender, document, **kwargs): ...
def note(document, copies): ...
def show(page): ...
//- consumer.py
from signals import finished
def consume(doc):
    finished.send(
        sender=None,
        document=doc.get(copy=1),
    )
//- apps.py
from signals import finished
from handlers import note, show, store
def ready():
    finished.connect(note)
    finished.connect(store)
"""
SENT, NOTED, SHOWN = (
    f"consumer.py:consume feeds handlers.py:{name} type" for name in ("store", "note", "show")
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SENT]),
        ("connect(store)", "connect(receiver=store)", [SENT]),
        ("finished.connect(store)", "...", []),
        # registered by a decorator: a member of the object, or a call with the object
        ("def store(", "@finished.connect\ndef store(", [SENT]),
        ("def store(", "@receiver(finished, weak=False)\ndef store(", [SENT]),
        ("def show(page)", "@receiver(finished)\ndef show(sender, *, document)", [SENT, SHOWN]),
        # only functions with the parameters that are sent
        ("connect(store)", "connect(note)", []),
        ("sender=None", "copies=2", [SENT, NOTED]),
        ("connect(store)", "connect(show)", []),
        # nothing is passed by keyword
        ("sender=None,\n        document=", "", []),
        # the called member is itself the one that registers functions
        ("finished.send(", "finished.connect(", []),
        # the object's type is the repository's own, or there is no object
        ("from elsewhere import Signal", "class Signal: ...", []),
        ("finished = Signal()", "finished = 3", []),
    ],
)
def test_call_on_external_object_feeds_registered_functions(
    before: str, after: str, expected: list[str]
) -> None:
    check(changed(SIGNAL, before, after), *expected)
