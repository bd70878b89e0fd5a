"""Which variables a line of code assigns, and whether a later line uses the value."""

from __future__ import annotations

import pytest

from explorer_core.judges.offline.telling.assignments import (
    assigned_names,
    assigned_value,
    output_argument_pattern,
    output_arguments,
    source_offsets,
)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("row = read(line)", ["row"]),
        ("let row = read(line)?;", ["row"]),
        ("const auto row = read(line);", ["row"]),
        ("struct row *first = read(line);", ["first"]),
        ("$row = $this->read($line);", ["$row"]),
        ("@row = read(line)", ["@row"]),
        ("row, err := read(line)", ["row", "err"]),
        ("row, _ = read(line)", ["row", "_"]),
        ("int row, at = read(line);", ["at"]),
        ("let row: Row = read(line)", ["row"]),
        ("const { row, rest } = read(line)", ["row", "rest"]),
        ("let (row, rest) = read(line)?;", ["row", "rest"]),
        ("const [row, setRow] = useState(read(line))", ["row", "setRow"]),
        # not a plain variable
        ("self.row = read(line)", []),
        ("row->next = read(line);", []),
        ("rows[at] = read(line)", []),
        ("if row == read(line):", []),
        ("row => read(line)", []),
        ("row += read(line)", []),
        ("read(line, strict=True)", []),
        ("read(line)", []),
    ],
)
def test_names_assigned_by_a_line(code: str, names: list[str]) -> None:
    assert assigned_names(code) == names


@pytest.mark.parametrize(
    ("language", "code", "names"),
    [
        ("c", "if (!read(line, &row)) {", ["row"]),
        ("cpp", "if (!read(line, &row)) {", ["row"]),
        ("objc", "[self read:line into:&row];", []),
        ("objc", "if (!read(line, &row)) {", ["row"]),
        ("go", "err = read(&row, line)", ["row"]),
        ("zig", "try read(line, &row);", ["row"]),
        ("swift", "read(line, &row)", ["row"]),
        ("rust", "reader.read_line(&mut row)?;", ["row"]),
        ("csharp", "reader.Read(line, out row);", ["row"]),
        ("csharp", "reader.Read(line, out var row);", ["row"]),
        ("csharp", "reader.Read(ref row, line);", ["row"]),
        # only read
        ("rust", "reader.read_line(&row)?;", []),
        ("c", "read(line && row)", []),
        ("c", "read(line & row)", []),
        ("c", "read(row)", []),
        # the syntax means something else in this language, or nothing
        ("ruby", "lines.each(&row)", []),
        ("go", "read(line, out row)", []),
        (None, "read(line, &row)", []),
    ],
)
def test_variables_passed_to_be_written_into(
    language: str | None, code: str, names: list[str]
) -> None:
    assert output_arguments(code, output_argument_pattern(language)) == names


@pytest.mark.parametrize(
    ("code", "is_source"),
    [
        ("row = read(line)\nkeep(row)\nreturn True", True),
        ("row = read(line)\nkeep(1, row)\nreturn True", True),
        ("row = read(line)\nkeep(\n    row,\n)\nreturn True", True),
        ("row = read(line)\nrow.keep()\nreturn True", True),
        ("row = read(line)\nrow->keep();\nreturn 1;", True),
        # only returned or tested, or another name
        ("row = read(line)\nreturn row", False),
        ("row = read(line)\nreturn Ok(row)", False),
        ("row = read(line)\nif row == 0:\n    stop()", False),
        ("row = read(line)\nkeep(arrow)\nreturn True", False),
        ("row = read(line)\nkeep(other.row)\nreturn True", False),
        ("keep(row)\nrow.keep()\nreturn True", False),
    ],
)
def test_assignment_is_a_source_if_a_later_line_uses_it(code: str, is_source: bool) -> None:
    assert (0 in source_offsets(code.split("\n"))) == is_source


def test_use_on_an_excluded_line_does_not_count() -> None:
    code = ["row = read(line)", "log(row)", "return True"]
    assert source_offsets(code) == {0}
    assert not source_offsets(code, {1})


def test_long_line_is_scanned_in_linear_time() -> None:
    """Rescanning it from every bracket would take forever."""
    code = ["row = read(line)", "f(" * 200_000, "return True"]
    assert not source_offsets(code)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("rows = []", "[]"),
        ("const rows = {};", "{}"),
        ("rows := 0", "0"),
        ("  rows: null,", "null"),
        ("var rows = read(line)", "read(line)"),
        # not an assignment to a variable
        ("self.rows = 0", None),
        ("rows += 1", None),
        ("if rows == 1 {", None),
        ("else if rows:", None),
        ("rows::read(line)", None),
        ("row => line", None),
        ("read(rows)", None),
    ],
)
def test_value_assigned_by_a_line(code: str, value: str | None) -> None:
    assert assigned_value(code) == value
