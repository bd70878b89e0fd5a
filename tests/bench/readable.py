"""Which files can a grammar not read? ``python -m tests.bench.readable TREE...``

Prints for each tree and language the number of files, and how many of them have syntax errors after
the repairs that extraction makes. Files of more than `_LARGEST` bytes are left out.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from explorer_core.index.extraction.extract import extract

_LARGEST = 400_000


def main() -> None:
    parser = argparse.ArgumentParser(description="Which files can a grammar not read?")
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    parser.add_argument("--show", action="store_true", help="name the files, too")
    args = parser.parse_args()
    for tree in args.trees:
        read, unreadable = Counter[str](), Counter[str]()
        for file in sorted(tree.rglob("*")):
            if not file.is_file() or file.stat().st_size > _LARGEST:
                continue
            path = file.relative_to(tree).as_posix()
            facts = extract(path, file.read_bytes().decode("utf-8", errors="replace"))
            if facts is None:
                continue
            read[facts.language] += 1
            unreadable[facts.language] += facts.has_errors
            if facts.has_errors and args.show:
                print(path)
        for language, count in sorted(read.items()):
            print(f"{tree}: {language}, {count:,} files, {unreadable[language]:,} with errors")


if __name__ == "__main__":
    main()
