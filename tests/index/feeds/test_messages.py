"""From the sender of an enumeration case to the function that acts on it."""

from __future__ import annotations

import pytest

from explorer_core.index.flow import find_spine
from tests.index.feeds.checking import changed, check
from tests.index.workspace import graph_of, id_of

EVENTS = """
//- src/lib.rs
mod event;
mod keys;
mod screen;
//- src/event.rs
pub enum Event {
    Key(u8),
    Paste {
        text: String,
    },
    Quit,
    Tick,
}
impl Event {
    pub fn run(self) {
        match self {
            Event::Quit => { stop(); }
            _ => {}
        }
    }
}
fn stop() {}
//- src/keys.rs
use crate::event::Event;
pub struct Keys { tx: Sender<Event> }
impl Keys {
    pub fn press(&self, key: u8) { self.tx.send(Event::Key(key)).unwrap(); }
    pub fn paste(&self) { self.put(Some(Event::Paste { text: String::new() })); }
    pub fn quit(&self) { self.tx.send(Event::Quit); }
    pub fn tick(&self) -> Option<Event> { Some(Event::Tick) }
    fn put(&self, event: Option<Event>) { self.tx.send(event) }
}
//- src/screen.rs
use crate::event::Event;
pub fn run(rx: Receiver<Event>) {
    match rx.recv() {
        Ok(Event::Key(key)) => {
            let mark = 1;
            draw(key);
        },
        Event::Paste { text } | Event::Tick => show(text),
        Event::Quit => rx.close(),
    }
}
fn draw(key: u8) {}
fn show(text: String) {}
pub fn name(event: Event) -> Name {
    match event {
        Event::Key(key) => Name::Of(draw(key)),
        Event::Quit => Name::Quit,
    }
}
"""
PRESSED = "src/keys.rs:Keys.press feeds src/screen.rs:run type"
PASTED = "src/keys.rs:Keys.paste feeds src/screen.rs:run type"
QUIT = "src/keys.rs:Keys.quit feeds src/screen.rs:run type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [PRESSED, PASTED]),
        ("Event::Quit => rx.close()", "Event::Quit => { rx.close(); }", [PRESSED, PASTED, QUIT]),
        ("Event::Quit => rx.close()", "Event::Quit => show(end)?", [PRESSED, PASTED, QUIT]),
        # the arm only evaluates to a value
        ("=> show(text)", "=> text.len()", [PRESSED]),
        ("=> show(text)", "=> Name::Pasted(show(text))", [PRESSED]),
        # among other arguments, it is an option and not a message
        ("send(Event::Key(key))", "send(Event::Key(key), 1)", [PASTED]),
        # a callee that returns or stores its argument sends nothing
        ("self.tx.send(Event::Key(key)).unwrap()", "Some(1).ok_or(Event::Key(key))", [PASTED]),
        ("{ self.tx.send(event) }", "{ self.last = event; }", [PRESSED]),
        # the callee handles it itself
        ("self.tx.send(Event::Key(key)).unwrap()", "crate::screen::run(Event::Key(key))", [PASTED]),
        # if no case carries data, all cases are plain values
        ("Key(u8),\n    Paste {\n        text: String,\n    },", "Key, Paste,", []),
        ("Ok(Event::Key(key))", "(_, Event::Key(key))", [PRESSED, PASTED]),
        # wrapped in another case
        ("Ok(Event::Key(key))", "Wrapped::In(Event::Key(key))", [PASTED]),
        # with many takers, it is not a message
        (
            "fn draw(key: u8) {}",
            "fn draw(key: u8) {}\n"
            + "".join(
                f"fn take{n}(e: Event) {{ match e {{ Event::Key(k) => draw(k), _ => {{}} }} }}\n"
                for n in range(4)
            ),
            [],
        ),
    ],
)
def test_sent_enum_case_feeds_function_acting_on_it(
    before: str, after: str, expected: list[str]
) -> None:
    check(changed(EVENTS, before, after), *expected)


@pytest.mark.parametrize(("end", "runs"), [("draw", True), ("show", False)])
def test_flow_follows_only_the_case_that_is_sent(end: str, runs: bool) -> None:
    graph = graph_of(EVENTS)
    ends = id_of(graph, "Keys.press"), id_of(graph, end)
    steps = find_spine(graph, dict.fromkeys(ends, 1.0)).steps
    assert (len({ends[0], ends[1]} & {step.symbol for step in steps}) == 2) == runs


SEALED = """
//- Event.kt
sealed class Event {
    class Key(val key: Int) : Event()
    data class Paste(val text: String) : Event()
    data object Quit : Event()
    data object Tick : Event()
}
//- Keys.kt
class Keys(private val bus: Bus) {
    fun press(key: Int) { bus.emit(Event.Key(key)) }
    fun paste(text: String) { put(Event.Paste(text)) }
    fun quit() { bus.emit(Event.Quit) }
    private fun put(event: Event) { bus.emit(event) }
}
//- Screen.kt
class Screen {
    fun run(event: Event) {
        when (event) {
            is Event.Key -> {
                val mark = 1
                draw(event.key)
            }
            is Event.Paste, Event.Tick -> show(event.text)
            Event.Quit -> bus.close()
        }
    }
    private fun draw(key: Int) {}
    private fun show(text: String) {}
    fun name(event: Event) = when (event) {
        is Event.Key -> Name.Of(draw(event.key))
        else -> Name.Quit
    }
}
"""
KOTLIN_PRESSED = "Keys.kt:Keys.press feeds Screen.kt:Screen.run type"
KOTLIN_PASTED = "Keys.kt:Keys.paste feeds Screen.kt:Screen.run type"
KOTLIN_QUIT = "Keys.kt:Keys.quit feeds Screen.kt:Screen.run type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [KOTLIN_PRESSED, KOTLIN_PASTED]),
        (
            "Event.Quit -> bus.close()",
            "Event.Quit -> left = 1",
            [KOTLIN_PRESSED, KOTLIN_PASTED, KOTLIN_QUIT],
        ),
        (
            "Event.Quit -> bus.close()",
            "Event.Quit -> { draw(0) }",
            [KOTLIN_PRESSED, KOTLIN_PASTED, KOTLIN_QUIT],
        ),
        ("sealed class", "sealed interface", [KOTLIN_PRESSED, KOTLIN_PASTED]),
        ("-> show(event.text)", "-> event.text.length", [KOTLIN_PRESSED]),
        ("bus.emit(Event.Key(key))", "bus.emit(Event.Key(key), 1)", [KOTLIN_PASTED]),
        ("{ bus.emit(event) }", "{ last = event }", [KOTLIN_PRESSED]),
        # types that do not derive from the one in which they stand are no cases of it
        ("class Key(val key: Int) : Event()", "class Key(val key: Int)", [KOTLIN_PASTED]),
    ],
)
def test_nested_subtypes_of_sealed_type_are_its_cases(
    before: str, after: str, expected: list[str]
) -> None:
    source = changed(SEALED, before, after)
    if after == "sealed interface":
        source = source.replace(": Event()", ": Event")
    check(source, *expected)


def test_constant_enum_entries_are_not_messages() -> None:
    source = """
//- Flag.kt
enum class Flag(val code: Int) { RED(1), BLUE(2) }
//- Marks.kt
class Marks(private val bus: Bus) {
    fun mark() { bus.emit(Flag.RED) }
    fun show(flag: Flag) {
        when (flag) {
            Flag.RED -> draw(1)
            else -> draw(2)
        }
    }
    private fun draw(key: Int) {}
}
"""
    check(source)
