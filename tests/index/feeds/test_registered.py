"""From a call on a class to the methods that the class body registers by name."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import changed, check

REGISTERED = """
//- app/models/change.rb
class Change < Outside
  after_create :scan
  validate :check
  def scan; end
  def check; end
end
//- app/models/fetch.rb
class Fetch
  def run
    Change.create(1)
  end
end
"""
SCANNED = "app/models/fetch.rb:Fetch.run feeds app/models/change.rb:Change.scan name/1"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [SCANNED]),
        ("Change.create(1)", "change = Change.new; change.create!", [SCANNED]),
        ("Change.create(1)", "Change.destroy(1)", []),
        ("Change.create(1)", "Other.create(1)", []),
        ("Change.create(1)", "Change.after_create(1)", []),
        # the called or the registering member is defined here
        ("def scan; end", "def self.create(n); end\n  def scan; end", []),
        ("def scan; end", "def self.after_create(n); end\n  def scan; end", []),
        # also if the registration is mixed in or inherited
        (
            "Change.create(1)",
            "Sub.create(1) if Change\n  end\nend\nclass Sub < Change\n  def x",
            [SCANNED],
        ),
    ],
)
def test_call_on_class_feeds_method_registered_by_name(
    before: str, after: str, expected: list[str]
) -> None:
    check(changed(REGISTERED, before, after), *expected)
