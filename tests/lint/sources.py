"""The files of the repository, their includes, and the changed ones."""

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP_SUFFIXES = {".h", ".cpp"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)


def git(*arguments: str, root: Path = ROOT) -> list[str] | None:
    """The lines that git prints, or None when it fails: no repository, no such commit."""
    run = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False)
    return run.stdout.splitlines() if run.returncode == 0 else None


def all_files(root: Path = ROOT) -> list[Path]:
    """Every tracked file, and every untracked file that is not ignored; in a tree without git, all but build*/."""
    names = git("ls-files", "--cached", "--others", "--exclude-standard", root=root)
    if names is None:
        names = []
        for folder, subfolders, files in os.walk(root):
            subfolders[:] = [f for f in subfolders if not f.startswith((".git", "build", "__pycache__"))]
            names += [os.path.relpath(os.path.join(folder, file), root) for file in files]
    return sorted(path for name in set(names) if (path := root / name).is_file())


def cpp_files(root: Path = ROOT) -> list[Path]:
    return [path for path in all_files(root) if path.suffix in CPP_SUFFIXES]


def includes(path: Path) -> list[tuple[str, str, int]]:
    """(bracket, name, line) of every #include of a file."""
    text = path.read_text(encoding="utf-8")
    return [(m[1], m[2], text.count("\n", 0, m.start(2)) + 1) for m in INCLUDE.finditer(text)]


def own_headers(path: Path, root: Path = ROOT) -> set[Path]:
    """The headers of the repository that a file includes, directly or through others."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        for _, name, _ in includes(waiting.pop()):
            header = root / name
            if header not in found and header.is_file():
                found.add(header)
                waiting.append(header)
    return found


def changed_files(root: Path = ROOT) -> set[Path]:
    """The files that differ from the branch to be merged into, or from the previous commit, or all files.

    Uncommitted and untracked files always count as changed.
    """
    head = git("rev-parse", "HEAD", root=root)
    base = git("merge-base", "HEAD", "origin/HEAD", root=root) or git("merge-base", "HEAD", "origin/main", root=root)
    if base is None or base == head:
        base = git("rev-parse", "--verify", "--quiet", "HEAD~1", root=root)
    names = base and git("diff", "--name-only", "--diff-filter=d", base[0], root=root)
    if names is None:
        return set(all_files(root))
    untracked = git("ls-files", "--others", "--exclude-standard", root=root) or []
    return {root / name for name in names + untracked}
