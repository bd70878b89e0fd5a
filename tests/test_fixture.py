from tests.fixture import MarkedRange, parse


def test_marks_are_removed_and_remembered() -> None:
    fixture = parse("""
        //- a/b.py
        def <<f:f():
            <|>pass>>
        //- c.go
        x << 1 >> 2
    """)
    assert fixture.files["a/b.py"] == "def f():\n    pass\n"
    assert fixture.files["c.go"].strip() == "x << 1 >> 2"
    assert fixture.cursors == [("a/b.py", 2, 4)]
    assert fixture.ranges["f"] == MarkedRange("a/b.py", 1, 2, "f():\n    pass")
