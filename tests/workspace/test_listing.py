"""Which files a workspace lists, with and without git."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from explorer_core.contracts import Settings
from explorer_core.workspace import EmptyWorkspace, Workspace, WorkspaceError
from explorer_core.workspace import workspace as workspace_module
from explorer_core.workspace.walk import walk
from tests.fixture import parse
from tests.odd_files import OddFile, needs_pipes, odd_files

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
needs_links = pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    allow_local = ["-c", "protocol.file.allow=always"]
    command = ["git", *identity, *allow_local, *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def put_program(program: Path, marker: Path) -> Path:
    """Write a program that, when run, leaves a file and fails."""
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(f"#!/bin/sh\ntouch '{marker}'\nexit 1\n")
    program.chmod(0o755)
    return program


def list_paths(*folders: Path, settings: Settings | None = None) -> list[str]:
    return [entry.path for entry in Workspace.open(*folders, settings=settings).files()]


def check_both(
    tmp_path: Path, source: str, expected: list[str], links: Mapping[str, str] | None = None
) -> None:
    """Check that the scan and, if available, git list exactly the expected files."""
    for name in ("plain", "tracked") if shutil.which("git") else ("plain",):
        folder = parse(source).write(tmp_path / name)
        for link, target in (links or {}).items():
            (folder / link).symlink_to(target)
        if name == "tracked":
            git(folder, "init", "-q")
        assert list_paths(folder) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("//- b.py\nx\n//- a/c.py\ny\n", ["a/c.py", "b.py"]),
        ("//- .gitignore\n*.log\n//- a.log\nx\n//- d/b.log\nx\n", [".gitignore"]),
        (
            "//- .gitignore\n*\n!*.*\n!*/\n//- d/e/b.go\nx\n//- d/e/bin\nx\n//- tool\nx\n",
            [".gitignore", "d/e/b.go"],
        ),
        (
            "//- .gitignore\n/build/\n//- build/a.py\nx\n//- src/build/a.py\nx\n",
            [".gitignore", "src/build/a.py"],
        ),
        (
            "//- .gitignore\n*.g\n//- d/.gitignore\n!keep.g\n//- d/keep.g\nx\n//- d/b.g\nx\n",
            [".gitignore", "d/.gitignore", "d/keep.g"],
        ),
        # Each star matches as little as possible, but the last one of a name matches the rest.
        (
            "//- .gitignore\n*.g\na*b*c\nd*/e*f*/g\nd*/**/h\n//- dd/1/2/h\nx\n//- dd/h\nx\n"
            "//- a.g.g\nx\n//- abcbc\nx\n//- abcb\nx\n"
            "//- dd/eeffef/g\nx\n//- dd/ee/g\nx\n",
            [".gitignore", "abcb", "dd/ee/g"],
        ),
        # A line that is not a valid pattern is ignored.
        ("//- .gitignore\n!\n*.log\n//- a.log\nx\n//- b\nx\n", [".gitignore", "b"]),
        ("//- d/.gitignore\n/x.py\n//- d/x.py\nx\n//- d/e/x.py\nx\n", ["d/.gitignore", "d/e/x.py"]),
        (
            "//- .gitignore\n*\n!*.*\n!*/\nlogs\n"
            "//- a.py\nx\n//- d/e/b.py\nx\n//- d/plain\nx\n//- d/logs/c.py\nx\n",
            [".gitignore", "a.py", "d/e/b.py"],
        ),
        (
            "//- .gitignore\nd/**\n!d/keep/\n!d/keep/a.py\n"
            "//- d/a.py\nx\n//- d/keep/a.py\nx\n//- d/keep/b.py\nx\n",
            [".gitignore", "d/keep/a.py"],
        ),
        ("//- .gitignore\nd/\n//- d/.gitignore\n!a.py\n//- d/a.py\nx\n", [".gitignore"]),
        (
            "//- .github/ci.yml\nx\n//- \u00fcber/\u4e2d\u6587.py\nx\n",
            [".github/ci.yml", "über/中文.py"],
        ),
        (
            "//- .hg/hgrc\nx\n//- .svn/entries\nx\n//- d/.HG/hgrc\nx\n//- CVS/Root\nx\n"
            "//- cvs/a.py\nx\n",
            ["cvs/a.py"],
        ),
        ("//- .ssh/id_ecdsa\nx\n//- .git-credentials\nx\n//- .htpasswd\nx\n//- a.ppk\nx\n", []),
        ("//- .pgpass\nx\n//- .envrc\nx\n//- .aws/credentials\nx\n//- id_dsa\nx\n", []),
        ("//- .env\nS=1\n//- d/.ENV.local\nS=1\n//- key.PEM\nx\n//- env.py\nx\n", ["env.py"]),
    ],
)
def test_ignore_rules(tmp_path: Path, source: str, expected: list[str]) -> None:
    check_both(tmp_path, source, expected)


def test_ignore_file_outranks_gitignore_in_a_scan(tmp_path: Path) -> None:
    source = "//- .gitignore\n*.a\n//- .ignore\n!x.a\n//- x.a\n1\n//- y.a\n1\n"
    assert list_paths(parse(source).write(tmp_path)) == [".gitignore", ".ignore", "x.a"]


@needs_pipes
@odd_files
@pytest.mark.parametrize("name", [".gitignore", ".ignore"])
@pytest.mark.parametrize("opened", [".", "sub"])
def test_ignore_file_of_odd_kind_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: OddFile, name: str, opened: str
) -> None:
    """In a scan: ignore files of the folder itself and of those above it in its work tree."""
    monkeypatch.setenv("PATH", "")
    parse("//- sub/a.py\nx\n").write(tmp_path)
    (tmp_path / ".git").mkdir()
    odd(tmp_path / name, "*.py")
    assert any(path.endswith("a.py") for path in list_paths(tmp_path / opened))


@needs_links
def test_symlinked_ignore_file_is_skipped_as_by_git(tmp_path: Path) -> None:
    check_both(
        tmp_path, "//- a.py\nx\n//- rules\n*.py\n", ["a.py", "rules"], {".gitignore": "rules"}
    )


def test_scan_skips_environments_and_tagged_cache_folders(tmp_path: Path) -> None:
    source = "//- a.py\nx\n//- v/pyvenv.cfg\nx\n//- v/b.py\nx\n//- c/CACHEDIR.TAG\nx\n//- c/d\nx\n"
    assert list_paths(parse(source).write(tmp_path)) == ["a.py"]


@needs_git
def test_tracked_files_are_listed_though_ignored_unless_deleted(tmp_path: Path) -> None:
    parse("//- a.log\nx\n//- gone.py\nx\n").write(tmp_path)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "gone.py").unlink()
    assert list_paths(tmp_path) == [".gitignore", "a.log"]


@needs_git
def test_git_variables_of_the_environment_are_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a hook run by git."""
    for name in ("here", "there"):
        source = f"//- .gitignore\n*.log\n//- {name}.log\nx\n"
        folder = parse(source).write(tmp_path / name)
        git(folder, "init", "-q")
        git(folder, "add", "--force", ".")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "there/.git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "there/.git/index"))
    assert list_paths(tmp_path / "here") == [".gitignore", "here.log"]  # tracked, though ignored


@needs_git
def test_subfolder_of_a_work_tree_obeys_rules_above_it(tmp_path: Path) -> None:
    parse("//- .gitignore\n*.log\n//- sub/a.py\nx\n//- sub/a.log\nx\n").write(tmp_path)
    git(tmp_path, "init", "-q")
    assert list_paths(tmp_path / "sub") == ["a.py"]


@needs_git
def test_subfolder_obeys_rules_above_it_without_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parse("//- .gitignore\n*.log\n//- sub/a.py\nx\n//- sub/a.log\nx\n").write(tmp_path)
    git(tmp_path, "init", "-q")
    monkeypatch.setenv("PATH", "")
    assert list_paths(tmp_path / "sub") == ["a.py"]


@needs_git
def test_folder_ignored_by_its_repository_may_be_opened(tmp_path: Path) -> None:
    parse("//- .gitignore\nsub/\n//- sub/a.py\nx\n").write(tmp_path)
    git(tmp_path, "init", "-q")
    assert list_paths(tmp_path / "sub") == ["a.py"]


@needs_git
def test_nested_repositories_and_submodules_follow_their_own_rules(tmp_path: Path) -> None:
    library = parse("//- lib.py\nx\n//- .gitignore\n*.tmp\n").write(tmp_path / "library")
    git(library, "init", "-q")
    git(library, "add", ".")
    git(library, "commit", "-qm", "x")
    outer = parse("//- a.py\nx\n//- nested/n.py\nx\n//- nested/.gitignore\nskip\n").write(
        tmp_path / "outer"
    )
    git(outer, "init", "-q")
    git(outer / "nested", "init", "-q")
    git(outer, "submodule", "add", "-q", str(library), "vendor/lib")
    (outer / "nested" / "skip").write_text("x")
    (outer / "vendor" / "lib" / "x.tmp").write_text("x")
    assert list_paths(outer) == [
        ".gitmodules",
        "a.py",
        "nested/.gitignore",
        "nested/n.py",
        "vendor/lib/.gitignore",
        "vendor/lib/lib.py",
    ]


def set_fsmonitor(repository: Path, script: Path) -> None:
    git(repository, "config", "core.fsmonitor", str(script))


def remove_tree_object(repository: Path, script: Path) -> None:
    """Remove a folder's tree object, which git needs and would fetch."""
    git(repository, "sparse-checkout", "init", "--cone", "--sparse-index")
    git(repository, "sparse-checkout", "set", "keep")
    tree = git(repository, "rev-parse", "HEAD:sub")
    (repository / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": "ssh://nowhere/x",
        "core.sshCommand": str(script),
        "protocol.allow": "always",
    }.items():
        git(repository, "config", name, value)


@needs_git
@pytest.mark.skipif(os.name == "nt", reason="the program is a script of a shell")
@pytest.mark.parametrize("configure", [set_fsmonitor, remove_tree_object])
@pytest.mark.parametrize("below", ["", "nested"])
def test_program_named_in_git_settings_is_not_run(
    tmp_path: Path, configure: Callable[[Path, Path], None], below: str
) -> None:
    repository = parse("//- keep/a.py\nx\n//- sub/b.py\nx\n").write(tmp_path / "r" / below)
    for folder in {tmp_path / "r", repository}:
        git(folder, "init", "-q")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "x")
    script = put_program(tmp_path / "program", tmp_path / "ran")
    configure(repository, script)
    (tmp_path / "ran").unlink(missing_ok=True)
    assert f"{below}/keep/a.py".lstrip("/") in list_paths(tmp_path / "r")
    assert not (tmp_path / "ran").exists()


def set_worktree_elsewhere(repository: Path) -> None:
    git(repository, "config", "core.worktree", str(repository / "sub"))
    (repository / "new.py").touch()


def make_empty_git_folder(repository: Path) -> None:
    (repository / "sub" / ".git").mkdir()


def make_bare_repository(repository: Path) -> None:
    git(repository / "sub", "init", "-q", "--bare")
    (repository / "sub" / "info" / "exclude").write_text("*.py")


@needs_git
@pytest.mark.parametrize(
    ("disguise", "opened", "path", "is_listed"),
    [
        (set_worktree_elsewhere, ".", "new.py", True),
        (make_empty_git_folder, "sub", "a.log", False),
        (make_bare_repository, "sub", "b.py", True),
    ],
)
def test_other_repository_is_not_mistaken_for_that_of_the_folder(
    tmp_path: Path,
    disguise: Callable[[Path], None],
    opened: str,
    path: str,
    is_listed: bool,
) -> None:
    source = "//- a.py\nx\n//- a.log\nx\n//- sub/b.py\nx\n//- sub/a.log\nx\n"
    source += "//- sub/.gitignore\n*.log\n"
    repository = parse(source).write(tmp_path)
    git(repository, "init", "-q")
    git(repository, "add", ".")
    disguise(repository)
    assert (path in list_paths(repository / opened)) == is_listed


@needs_git
@pytest.mark.skipif(os.name == "nt", reason="the program is a script of a shell")
@pytest.mark.parametrize("opened", [["outer"], ["outer", "other"], ["other", "outer"]])
def test_git_program_inside_the_workspace_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]
) -> None:
    """Neither in the folder itself, nor around a nested repository, nor in another open folder."""
    for folder in ("outer", "outer/nested", "other"):
        git(parse("//- a.py\nx\n").write(tmp_path / folder), "init", "-q")
    for folder in opened:
        put_program(tmp_path / folder / "bin" / "git", tmp_path / "ran")
        monkeypatch.setenv("PATH", f"{tmp_path / folder / 'bin'}:{os.environ['PATH']}")
    assert [path for path in list_paths(*(tmp_path / each for each in opened)) if "nested" in path]
    assert not (tmp_path / "ran").exists()


@needs_git
def test_folder_known_to_git_in_other_case_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where the index may have `Sub` for a folder called `sub` on disk."""
    repository = parse("//- Sub/a.py\nx\n").write(tmp_path)
    git(repository, "init", "-q")
    real = os.path.realpath

    def as_on_disk(path: str, *, strict: bool = False) -> str:
        return real(path, strict=strict).replace("Sub", "sub")

    with monkeypatch.context() as patched:
        patched.setattr(os.path, "normcase", str.lower)
        patched.setattr(os.path, "realpath", as_on_disk)
        assert [path for path, _ in walk(repository, [repository])] == ["Sub/a.py"]


@needs_links
def test_symlinks_are_not_listed_and_loops_end(tmp_path: Path) -> None:
    outside = parse("//- secret.py\nx\n").write(tmp_path / "outside")
    inside = parse("//- a.py\nx\n//- d/b.py\nx\n").write(tmp_path / "inside")
    (inside / "link.py").symlink_to(inside / "a.py")
    (inside / "d" / "up").symlink_to(inside)
    (inside / "out").symlink_to(outside)
    assert list_paths(inside) == ["a.py", "d/b.py"]


@needs_git
@needs_links
def test_tracked_folder_replaced_by_a_symlink_is_not_followed(tmp_path: Path) -> None:
    outside = parse("//- a.py\nx\n").write(tmp_path / "outside")
    inside = parse("//- d/a.py\nx\n//- b.py\nx\n").write(tmp_path / "inside")
    git(inside, "init", "-q")
    git(inside, "add", ".")
    shutil.rmtree(inside / "d")
    (inside / "d").symlink_to(outside)
    assert "d/a.py" not in list_paths(inside)


@pytest.mark.skipif(os.name == "nt", reason="such names cannot exist there")
@pytest.mark.parametrize("name", [b"a\nb.py", b"\xff.py", "a\u2028b.py".encode(), b"a\x1b[1m"])
def test_names_that_break_a_line_are_left_out(tmp_path: Path, name: bytes) -> None:
    parse("//- ok.py\nx\n").write(tmp_path)
    Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name))).write_text("x")  # noqa: PTH118
    assert list_paths(tmp_path) == ["ok.py"]


def test_roots_of_one_name_are_numbered(tmp_path: Path) -> None:
    for folder in ("one/app", "two/app", "lib"):
        parse("//- a.py\nx\n").write(tmp_path / folder)
    workspace = Workspace.open(
        tmp_path / "one/app", tmp_path / "two/app", tmp_path / "lib", tmp_path / "lib"
    )
    assert [entry.path for entry in workspace.files()] == ["app-2/a.py", "app/a.py", "lib/a.py"]
    for entry in workspace.files():
        assert workspace.relative(workspace.absolute(entry.path)) == entry.path


def test_a_file_under_two_roots_is_listed_once(tmp_path: Path) -> None:
    parse("//- a.py\nx\n//- sub/b.py\nx\n").write(tmp_path / "top")
    assert list_paths(tmp_path / "top", tmp_path / "top" / "sub") == ["sub/b.py", "top/a.py"]


def test_forgotten_listing_is_made_again(tmp_path: Path) -> None:
    workspace = Workspace.open(parse("//- a.py\nx\n").write(tmp_path))
    workspace.files()
    (tmp_path / "b.py").write_text("y")
    workspace.forget_listing()
    assert [entry.path for entry in workspace.last_listing()] == ["a.py"]
    assert [entry.path for entry in workspace.files()] == ["a.py", "b.py"]
    assert workspace.last_listing() == workspace.files()


@pytest.mark.parametrize(("slow_s", "expect"), [(0.0, ["a.py"]), (1e6, ["a.py", "b.py"])])
def test_only_a_slow_listing_is_reused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow_s: float, expect: list[str]
) -> None:
    monkeypatch.setattr(workspace_module, "_SLOW_WALK_S", slow_s)
    monkeypatch.setattr(workspace_module, "_LISTING_REUSE", 1e6)
    workspace = Workspace.open(parse("//- a.py\nx\n").write(tmp_path))
    workspace.files()
    (tmp_path / "b.py").write_text("y")
    assert [entry.path for entry in workspace.files()] == expect


@pytest.mark.parametrize("interrupt", [Workspace.forget_listing, Workspace.watch_listing])
def test_listing_changed_meanwhile_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupt: Callable[[Workspace], None]
) -> None:
    workspace = Workspace.open(parse("//- a.py\nx\n").write(tmp_path))
    workspace.watch_listing()

    def walk_with_change_meanwhile(
        root: Path, roots: Sequence[Path]
    ) -> Iterator[tuple[str, os.stat_result]]:
        yield from list(walk(root, roots))
        (tmp_path / "b.py").write_text("y")
        interrupt(workspace)

    with monkeypatch.context() as patched:
        patched.setattr(workspace_module, "walk", walk_with_change_meanwhile)
        workspace.files()
    assert [entry.path for entry in workspace.files()] == ["a.py", "b.py"]


def test_unsaved_new_files_are_listed_unless_secret(tmp_path: Path) -> None:
    workspace = Workspace.open(parse("//- b.py\nx\n").write(tmp_path))
    workspace.overlays.set("a.py", "text")
    workspace.overlays.set("b.py", "text")
    workspace.overlays.set(".env", "text")
    workspace.overlays.set(".git/config", "text")
    assert [entry.path for entry in workspace.files()] == ["a.py", "b.py"]


def test_unsaved_text_may_have_a_name_too_long_for_the_disk(tmp_path: Path) -> None:
    workspace = Workspace.open(parse("//- b.py\nx\n").write(tmp_path))
    workspace.overlays.set(f"{'n' * 300}.py", "text")
    assert [entry.path for entry in workspace.files()] == ["b.py", f"{'n' * 300}.py"]


def check_refused(*folders: Path | str) -> None:
    with pytest.raises(WorkspaceError) as caught:
        Workspace.open(*folders)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_missing_folders_and_files_are_refused_as_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("x")
    check_refused(tmp_path / "missing")
    check_refused(tmp_path / "file")
    check_refused("nul\0byte")
    check_refused()

    def deny(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", deny)
    check_refused(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="such names cannot exist there")
def test_folder_whose_name_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"))
    folder.mkdir()
    check_refused(folder)


def test_empty_workspace_is_reported(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path)
    assert workspace.files() == []
    with pytest.raises(EmptyWorkspace, match="nothing to explore"):
        workspace.require_files()


def test_deleted_workspace_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.py").touch()
    workspace = Workspace.open(folder)
    assert len(workspace.require_files()) == 1
    monkeypatch.chdir(folder)
    (folder / "a.py").unlink()
    folder.rmdir()
    workspace.forget_listing()
    with pytest.raises(EmptyWorkspace, match="work is gone; open it again"):
        workspace.require_files()
    if sys.platform != "win32":
        with pytest.raises(WorkspaceError, match=r"'\.' no longer exists; change to another"):
            Workspace.open(".")
