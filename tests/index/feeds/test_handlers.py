"""From the code that raises a type's event to the handlers added to it."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import changed, check

ADDED = """
//- ILibrary.cs
public interface ILibrary { event EventHandler<int> Added; }
//- Library.cs
public class Library : ILibrary {
  public event EventHandler<int>? Added;
  public int Count;
  public void Add(int one) {
    if (Added is not null) Log(nameof(Added));
    Added?.Invoke(this, one);
  }
  public void Close() { Added -= this.OnOwn; Count += 1; }
  private void OnOwn(object sender, int one) { }
}
//- Watcher.cs
public class Watcher {
  private readonly ILibrary _library;
  public void Start() { _library.Added += OnAdded; }
  public void Stop() { _library.Added -= OnAdded; }
  public void Show(Library other) { other.Added += this.OnShown; other.Count += Most(); }
  private void OnAdded(object sender, int one) { }
  private void OnShown(object sender, int one) { }
  private int Most() => 1;
}
"""
ON_ADDED = "Library.cs:Library.Add feeds Watcher.cs:Watcher.OnAdded type"
ON_SHOWN = "Library.cs:Library.Add feeds Watcher.cs:Watcher.OnShown type"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [ON_ADDED, ON_SHOWN]),
        ("Added?.Invoke(this, one)", "Added(this, one)", [ON_ADDED, ON_SHOWN]),
        ("Added?.Invoke(this, one)", "Util.Tell(Added, this, one)", [ON_ADDED, ON_SHOWN]),
        ("Added?.Invoke(this, one)", "var all = this.Added; all(this, one)", [ON_ADDED, ON_SHOWN]),
        (": ILibrary", "", [ON_SHOWN]),
        ("_library.Added +=", "_library.Added -=", [ON_SHOWN]),
        # a field that is not an event may be anything
        ("event EventHandler<int>? Added", "EventHandler<int>? Added", []),
        (
            "Added -= this.OnOwn",
            "Added += this.OnOwn",
            [ON_ADDED, ON_SHOWN, "Library.cs:Library.Add feeds Library.cs:Library.OnOwn type"],
        ),
    ],
)
def test_raised_event_feeds_added_handlers(before: str, after: str, expected: list[str]) -> None:
    check(changed(ADDED, before, after), *expected)
