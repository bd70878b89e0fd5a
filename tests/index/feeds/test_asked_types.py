"""From a call of a type's external member to the method that such types exist for."""

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
        # too few types are called with it
        ("Say::dispatch()", "Say::now()", []),
        # the types have no public method in common
        ("public function handle(): void {}", "public function tell(): void {}", []),
        ("public function handle(): void {}", "private function handle(): void {}", []),
        # without an external supertype, the member cannot come from outside
        ("class Tell {\n  use Dispatchable;", "class Tell {", []),
        # a type called with many different members is a record
        ("Say::dispatch()", "Say::all(); Say::find(1); Say::count(); Say::dispatch()", []),
        # the member is defined here
        ("public static function now", "public static function dispatch", []),
    ],
)
def test_external_member_of_type_feeds_its_method(
    before: str, after: str, expected: list[str]
) -> None:
    check(changed(JOBS, before, after), *expected)


def test_no_edge_if_types_share_several_methods() -> None:
    """It is then unknown which method is run."""
    more = "public function __toString() {}\n  public function"
    check(JOBS.replace("public function handle", f"{more} handle"))
