// Drives pages as a reader does, in a browser without a window, and writes what it saw as JSON:
//
//   node browser.mjs <page.html>... <<< '{"page.html": [["seek", 0.5], ["pose", 1], …]}'

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { chromium } from "playwright-core";

const orders = JSON.parse(readFileSync(0, "utf8"));
const args = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
if (process.getuid?.() === 0) args.push("--no-sandbox");
const browser = await chromium.launch({ executablePath: process.env.MECHFMU_BROWSER ?? "/usr/bin/chromium", args });
const seen = {};

const acts = {
  seek: (page, t) => page.evaluate((time) => window.mechfmu.seek(time), t),
  time: (page) => page.evaluate(() => window.mechfmu.t),
  pose: (page, body) => page.evaluate((b) => window.mechfmu.world.pose(b), body),
  /// How far points of a flexible body that are nodes are drawn from the bodies of these nodes, and how far they are moved by its modes.
  nodes: (page, name) =>
    page.evaluate((n) => {
      const { world, data } = window.mechfmu;
      const { bodies } = data.scene;
      const frame = bodies.findIndex((b) => b.name === n);
      let [apart, moved, found] = [0, 0, 0];
      for (const [node, body] of bodies.entries()) {
        if (!body.name.startsWith(`${n}.`)) continue;
        const at = bodies[frame].points.findIndex((p) => Math.hypot(...p.at.map((x, i) => x - body.position[i])) < 1e-6);
        if (at < 0) continue;
        const place = (point) => world.position({ body: frame, at: bodies[frame].points[at].at, point });
        const [x, y, z] = world.pose(node);
        const drawn = place(at);
        apart = Math.max(apart, Math.hypot(drawn.x - x, drawn.y - y, drawn.z - z));
        moved = Math.max(moved, drawn.distanceTo(place(undefined)));
        ++found;
      }
      return { apart, moved, found };
    }, name),
  key: async (page, key) => {
    await page.keyboard.press(key);
  },
  wait: (page, milliseconds) => page.waitForTimeout(milliseconds),
  /// Of a plot: the part of its width from the left.
  dragPlot: async (page, from, to) => {
    const box = await page.locator(".plots .u-over").first().boundingBox();
    await page.mouse.move(box.x + from * box.width, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + to * box.width, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
  },
  dragSlider: async (page, to) => {
    const box = await page.locator(".slider").boundingBox();
    await page.mouse.click(box.x + to * box.width, box.y + box.height / 2);
  },
  /// Clicks an element in space, and returns what the card says.
  clickElement: async (page, name) => {
    const at = await page.evaluate((n) => {
      const { world, data } = window.mechfmu;
      return world.place2d(data.scene.elements.findIndex((e) => e.name === n));
    }, name);
    const box = await page.locator("canvas").first().boundingBox();
    await page.mouse.move(box.x + at[0], box.y + at[1]);
    const tip = await page.locator(".tip").textContent();
    await page.mouse.click(box.x + at[0], box.y + at[1]);
    return { tip, card: await page.locator(".card").textContent() };
  },
  /// Turning the camera by a drag changes the picture.
  turn: async (page) => {
    const box = await page.locator("canvas").first().boundingBox();
    const before = await page.evaluate(() => window.mechfmu.world.camera.position.toArray());
    await page.mouse.move(box.x + 0.9 * box.width, box.y + 0.9 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.8 * box.height, { steps: 4 });
    await page.mouse.up();
    const after = await page.evaluate(() => window.mechfmu.world.camera.position.toArray());
    return Math.hypot(...after.map((x, i) => x - before[i]));
  },
  text: (page, selector) => page.locator(selector).first().textContent(),
  theme: (page) => page.evaluate(() => document.documentElement.dataset.theme),
  scripts: (page) => page.evaluate(() => document.scripts.length),
  /// Whether the page may ask the network.
  network: (page) =>
    page.evaluate(async () => {
      try {
        await fetch("http://127.0.0.1:9/");
        return "allowed";
      } catch (error) {
        return String(error);
      }
    }),
  /// How many colors the middle of the picture has.
  colors: (page) =>
    page.evaluate(() => {
      const { canvas } = window.mechfmu.world;
      window.mechfmu.world.render();
      const small = document.createElement("canvas");
      small.width = small.height = 64;
      const context = small.getContext("2d");
      context.drawImage(canvas, 0, 0, 64, 64);
      const { data } = context.getImageData(0, 0, 64, 64);
      const all = new Set();
      for (let i = 0; i < data.length; i += 4) all.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      return all.size;
    }),
  /// Frames per second while it plays.
  rate: (page, seconds) =>
    page.evaluate(async (s) => {
      const { world } = window.mechfmu;
      let count = 0;
      const render = world.render.bind(world);
      world.render = () => {
        ++count;
        render();
      };
      window.mechfmu.play(true);
      await new Promise((resolve) => setTimeout(resolve, 1000 * s));
      window.mechfmu.play(false);
      return count / s;
    }, seconds),
  screenshot: (page, path) => page.screenshot({ path }).then(() => null),
  /// The mechanism alone, on all of the page.
  bare: (page) =>
    page.evaluate(() => {
      document.querySelector(".stage").style = "position: fixed; inset: 0; z-index: 9";
      document.querySelector(".tools").style.display = "none";
      const { world } = window.mechfmu;
      world.resize(innerWidth, innerHeight, 1);
      world.view("start");
    }),
  /// Edits a file, as somebody does beside the page.
  write: (_page, path, text) => writeFileSync(path, text),
  until: (page, selector) => page.locator(`html[data-ready] ${selector}`).first().waitFor(),
  camera: (page) => page.evaluate(() => window.mechfmu.world.camera.position.toArray()),
  size: (page, width, height) => page.setViewportSize({ width, height }),
  overflow: (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
};

for (const file of process.argv.slice(2)) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
  const notes = { console: [], requests: [], results: [] };
  page.on("console", (message) => notes.console.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => notes.console.push(`error: ${error.message}`));
  page.on("request", (request) => notes.requests.push(request.url()));
  page.on("dialog", (dialog) => {
    notes.console.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const begin = performance.now();
  await page.goto(file.startsWith("http") ? file : `file://${file}`);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: 60_000 });
  notes.load = performance.now() - begin;
  for (const [act, ...words] of orders[basename(file)] ?? []) notes.results.push((await acts[act](page, ...words)) ?? null);
  seen[basename(file)] = notes;
  await page.close();
}
await browser.close();
console.log(JSON.stringify(seen));
