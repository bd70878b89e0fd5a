"""Fake installed packages: their metadata and empty modules."""

from __future__ import annotations

from pathlib import Path


def install_package(
    site: Path, name: str, *, declares: str = "", files: tuple[str, ...] = ()
) -> None:
    about = site / f"{name}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    if declares:
        (about / "top_level.txt").write_text(declares)
    (about / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    for file in files:  # since Python 3.12, only files that exist count
        (site / file).parent.mkdir(exist_ok=True)
        (site / file).touch()
