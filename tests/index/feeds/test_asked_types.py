"""From what asks a type for a member of elsewhere to the method that such types are made for."""

from __future__ import annotations

import pytest

from tests.index.feeds.checking import changed, check

JOBS = """
//- app/Jobs/Resize.php
<?php
namespace App\\Jobs;
use Illuminate\\Dispatchable;
class Resize {
  use Dispatchable;
  public function __construct(public int $x) {}
  public function handle(): void { Shrink::dispatch($this->x)->onQueue('slow'); }
}
//- app/Jobs/Shrink.php
<?php
namespace App\\Jobs;
use Illuminate\\Dispatchable;
class Shrink {
  use Dispatchable;
  public function handle(): void { $this->shrink(); }
  public function shrink() {}
}
//- app/Jobs/Tell.php
<?php
namespace App\\Jobs;
use Illuminate\\Dispatchable;
class Tell {
  use Dispatchable;
  public function handle(): void {}
  public static function now() {}
}
//- app/C.php
<?php
namespace App;
use App\\Jobs\\Resize;
use App\\Jobs\\Tell as Say;
class C {
  function run() { Resize::dispatch(3); }
  function end() { Say::dispatch(); }
}
"""
RESIZE = "app/C.php:C.run feeds app/Jobs/Resize.php:Resize.handle name/1"
SHRINK = "app/Jobs/Resize.php:Resize.handle feeds app/Jobs/Shrink.php:Shrink.handle name/1"
TELL = "app/C.php:C.end feeds app/Jobs/Tell.php:Tell.handle name/1"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", [RESIZE, SHRINK, TELL]),
        # of too few types it is asked
        ("Say::dispatch()", "Say::now()", []),
        # they have nothing in common
        ("public function handle(): void {}", "public function tell(): void {}", []),
        ("public function handle(): void {}", "private function handle(): void {}", []),
        # of what is not made for anything nothing from elsewhere is asked
        ("class Tell {\n  use Dispatchable;", "class Tell {", []),
        # one that is asked for many things is a record
        ("Say::dispatch()", "Say::all(); Say::find(1); Say::count(); Say::dispatch()", []),
        # the member is known
        ("public static function now", "public static function dispatch", []),
    ],
)
def test_types_that_are_asked(before: str, after: str, expected: list[str]) -> None:
    check(changed(JOBS, before, after), *expected)


def test_types_that_have_more_than_one_thing_in_common() -> None:
    """What comes of it is not known."""
    more = "public function __toString() {}\n  public function"
    check(JOBS.replace("public function handle", f"{more} handle"))
