"""The files that count as changed, in the repositories of developers and CI."""

import pytest
from sources import changed_files, git, own_headers


def commit(root, **files):
    for name, text in files.items():
        (root / name).write_text(text)
    author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    assert git("add", "-A", root=root) is not None
    assert git(*author, "commit", "-m", "change", root=root) is not None


def changed(root):
    return {path.name for path in changed_files(root)}


@pytest.fixture
def clone(tmp_path):
    """A clone of a repository with two commits."""
    origin = tmp_path / "origin"
    origin.mkdir()
    git("init", "-b", "main", root=origin)
    commit(origin, a="1", b="1")
    commit(origin, b="2", c="2")
    git("clone", origin, tmp_path / "clone", root=tmp_path)
    return tmp_path / "clone"


def test_in_a_fresh_clone_the_last_commit_is_the_change(clone):
    assert changed(clone) == {"b", "c"}


def test_own_commits_and_uncommitted_files_are_the_change(clone):
    commit(clone, d="3")
    commit(clone, e="4")
    (clone / "a").write_text("edited")
    (clone / "new").write_text("untracked")
    assert changed(clone) == {"a", "d", "e", "new"}


def test_without_a_commit_to_compare_with_everything_is_the_change(clone, tmp_path):
    shallow = tmp_path / "shallow"
    git("clone", "--depth=1", f"file://{clone}", shallow, root=tmp_path)
    assert changed(shallow) == {"a", "b", "c"}


def test_headers_are_followed_through_other_headers(tmp_path):
    (tmp_path / "a.cpp").write_text('#include "b.h"\n#include <vector>\n')
    (tmp_path / "b.h").write_text('#include "c.h"\n')
    (tmp_path / "c.h").write_text('#include "b.h"\n')
    assert {path.name for path in own_headers(tmp_path / "a.cpp", tmp_path)} == {"b.h", "c.h"}
