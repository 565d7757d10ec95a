// The page: a moving mechanism, with time controlled by the reader.

import { type Element, type PageData, type Run, readRun, shown } from "./data";
import { make } from "./dom";
import { keepUp, recall } from "./live";
import { firstChoice, Plots } from "./plots";
import { addReport } from "./report";
import { drawSvg } from "./svg";
import { World } from "./world";

function button(text: string, title: string, act: () => void): HTMLButtonElement {
  const made = make("button", "", text);
  made.type = "button";
  made.title = title;
  made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}

const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

export class Page {
  readonly world: World;
  private readonly plots: Plots;
  private readonly outputs: string[];
  private chosen: string[];
  playing = false;
  private loop = true;
  private speed: number;
  t: number;
  private last = 0;
  private slow = 0; // frames in a row that took long
  private dark = matchMedia("(prefers-color-scheme: dark)").matches;

  private readonly stage = make("div", "stage");
  private readonly side = make("aside", "side");
  private readonly plotBox = make("div", "plots");
  private readonly facts = make("div", "facts");
  private readonly card = make("div", "card");
  private readonly tip = make("div", "tip");
  private readonly playButton: HTMLButtonElement;
  private readonly slider = make("input", "slider");
  private readonly clock = make("output", "clock");
  private readonly speedBox = make("select");
  private readonly followBox = make("select");
  private readonly toggles = new Map<string, HTMLButtonElement>();
  private direction = "start"; // of the view
  moved = false; // the camera, by hand
  readonly followers: ((t: number) => void)[] = []; // of the time, beside the plots

  constructor(
    readonly data: PageData,
    readonly run: Run,
    readonly root: HTMLElement,
  ) {
    const { scene } = data;
    this.t = run.start;
    this.speed = this.usualSpeed();
    const hidden = new Set(data.hidden);
    this.outputs = data.variables.map((v) => v.name).filter((name) => name !== "time" && !hidden.has(name));
    this.chosen = firstChoice(run, this.outputs);

    const head = make("header", "head");
    head.append(make("h1", "", scene.name), make("p", "about", scene.about));
    const canvas = make("canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("aria-label", "the mechanism; drag turns it");
    this.tip.hidden = true;
    this.card.hidden = true;
    this.stage.append(canvas, this.tip, this.card);
    this.world = new World(canvas, scene, run);
    this.playButton = button("▶", "play (space)", () => this.play(!this.playing));
    root.replaceChildren(head, this.tools(), this.stage, this.side, this.bar());
    if ((data.errors ?? []).length > 0) this.stage.append(this.errors());
    this.plots = new Plots(this.plotBox, run, (t) => this.seek(t));
    this.fillSide();
    this.listen(canvas);
    this.setDark(this.dark);
    this.resize();
    this.seek(run.start);
    requestAnimationFrame((now) => this.tick(now));
  }

  /// A speed at which a run takes some seconds: 1 if possible, otherwise slower or faster.
  private usualSpeed(): number {
    const duration = this.run.stop - this.run.start;
    if (duration >= 2 && duration <= 30) return 1;
    const wanted = duration / 8;
    return speeds.reduce((best, s) => (Math.abs(Math.log(s / wanted)) < Math.abs(Math.log(best / wanted)) ? s : best), 1);
  }

  // Parts of the page

  private tools(): HTMLElement {
    const box = make("div", "tools");
    const toggle = (key: string, text: string, title: string, on: boolean, act: (on: boolean) => void) => {
      const made = button(text, title, () => {
        const now = made.getAttribute("aria-pressed") !== "true";
        made.setAttribute("aria-pressed", String(now));
        act(now);
        this.draw();
      });
      made.setAttribute("aria-pressed", String(on));
      this.toggles.set(key, made);
      box.append(made);
    };
    box.append(
      button("fit", "show all (f)", () => this.view("")),
      button("3D", "view from the corner (1)", () => this.view("start")),
      button("front", "view from the front (2)", () => this.view("front")),
      button("side", "view from the side (3)", () => this.view("side")),
      button("top", "view from above (4)", () => this.view("top")),
    );
    toggle("j", "joints", "show joints (j)", true, (joints) => this.world.setShown({ joints }));
    toggle("a", "forces", "show forces and torques (a)", false, (forces) => this.world.setShown({ forces }));
    toggle("c", "centres", "show centres of mass (c)", false, (centres) => this.world.setShown({ centres }));
    toggle("p", "paths", "show paths of centres of mass (p)", false, (paths) => this.world.setShown({ paths }));
    toggle("n", "names", "show names of bodies (n)", false, (names) => this.world.setShown({ names }));
    toggle("g", "grid", "show the grid (g)", true, (grid) => this.world.setShown({ grid }));
    toggle("d", "dark", "dark or light (d)", this.dark, (dark) => this.setDark(dark));
    const scale = make("input", "scale");
    scale.type = "range";
    scale.min = "-1";
    scale.max = "1";
    scale.step = "0.05";
    scale.value = "0";
    scale.title = "length of arrows";
    scale.setAttribute("aria-label", scale.title);
    scale.addEventListener("input", () => {
      this.world.arrowScale = 10 ** Number(scale.value);
      this.world.move(this.t);
      this.draw();
    });
    this.followBox.title = "the camera follows a body";
    this.followBox.setAttribute("aria-label", this.followBox.title);
    this.followBox.append(new Option("follow …", "-1"));
    for (const [i, body] of this.data.scene.bodies.entries())
      if (i > 0 && i <= 500) this.followBox.append(new Option(body.name, String(i)));
    this.followBox.value = String(this.world.follow);
    this.followBox.addEventListener("change", () => this.world.setFollow(Number(this.followBox.value)));
    box.append(scale, this.followBox);
    return box;
  }

  private bar(): HTMLElement {
    const box = make("footer", "bar");
    const slider = this.slider;
    slider.type = "range";
    slider.min = String(this.run.start);
    slider.max = String(this.run.stop);
    slider.step = "any";
    slider.setAttribute("aria-label", "time");
    slider.addEventListener("input", () => this.seek(Number(slider.value)));
    for (const s of speeds) this.speedBox.append(new Option(`${s}×`, String(s), false, s === this.speed));
    this.speedBox.title = "speed (+ and −)";
    this.speedBox.setAttribute("aria-label", this.speedBox.title);
    this.speedBox.addEventListener("change", () => {
      this.speed = Number(this.speedBox.value);
    });
    const loop = button("⟳", "again and again (l)", () => {
      this.loop = !this.loop;
      loop.setAttribute("aria-pressed", String(this.loop));
    });
    loop.setAttribute("aria-pressed", "true");
    this.toggles.set("l", loop);
    box.append(this.playButton, slider, this.clock, this.speedBox, loop);
    return box;
  }

  /// Errors of the file, while it is edited.
  private errors(): HTMLElement {
    const box = make("div", "errors");
    for (const { file, line, text, severity } of this.data.errors ?? []) {
      const row = make("p", severity);
      row.append(make("b", "", `${file.split("/").pop() ?? ""}${line > 0 ? `:${line}` : ""}`), ` ${text}`);
      box.append(row);
    }
    return box;
  }

  private fillSide(): void {
    const choose = make("details", "choose");
    choose.append(make("summary", "", `variables (${this.outputs.length})`));
    const search = make("input");
    search.type = "search";
    search.placeholder = "find";
    const list = make("div", "list");
    for (const name of this.outputs.slice(0, 3000)) {
      const row = make("label");
      const box = make("input");
      box.type = "checkbox";
      box.checked = this.chosen.includes(name);
      box.addEventListener("change", () => {
        this.chosen = this.outputs.filter((n) => (n === name ? box.checked : this.chosen.includes(n)));
        this.plots.show(this.chosen);
        this.draw();
      });
      const variable = this.run.variable(name);
      row.title = variable?.about ?? "";
      row.append(box, make("span", "", name), make("small", "", variable?.unit ?? ""));
      list.append(row);
    }
    search.addEventListener("input", () => {
      for (const row of list.children)
        (row as HTMLElement).hidden = !(row.textContent ?? "").toLowerCase().includes(search.value.toLowerCase());
    });
    choose.append(search, list);
    this.side.append(choose, this.plotBox, this.facts);
    this.fillFacts();
    this.plots.show(this.chosen);
  }

  private fillFacts(): void {
    const { check } = this.data;
    if (check === undefined) return;
    const table = make("table");
    const row = (name: string, value: string) => {
      const line = make("tr");
      line.append(make("th", "", name), make("td", "", value));
      table.append(line);
    };
    row("degrees of freedom", String(check.degrees_of_freedom));
    row("coordinates", `${check.coordinates} of ${check.bodies.length} bodies`);
    row("constraints", String(check.constraints));
    if (check.redundant.length > 0) row("redundant", check.redundant.join("; "));
    row("mass", `${shown(check.mass)} kg`);
    row("assembly", check.moves.length === 0 ? "all joints fit" : `${check.moves.length} bodies were moved`);
    for (const p of [...check.parameters, ...check.inputs].slice(0, 60)) {
      const set = this.data.run?.set[p.name];
      row(p.name, `${set ?? shown(p.value, 6)} ${p.unit === "1" ? "" : p.unit}`);
    }
    const details = make("details");
    details.open = this.data.version !== undefined;
    details.append(make("summary", "", "facts"), table);
    this.facts.replaceChildren(details);
  }

  // Time

  seek(t: number): void {
    this.t = Math.min(Math.max(t, this.run.start), this.run.stop);
    this.world.move(this.t);
    this.slider.value = String(this.t);
    this.clock.textContent = `${this.t.toFixed(this.run.stop - this.run.start < 1 ? 4 : 2)} s`;
    this.plots.cursor(this.t);
    for (const follow of this.followers) follow(this.t);
    this.fillCard();
    this.draw();
  }

  play(on: boolean): void {
    if (on && this.t >= this.run.stop) this.t = this.run.start;
    this.playing = on;
    this.last = 0;
    this.playButton.textContent = on ? "⏸" : "▶";
  }

  private tick(now: number): void {
    if (this.playing) {
      if (this.last > 0) {
        let t = this.t + (this.speed * (now - this.last)) / 1000;
        if (t > this.run.stop) {
          const length = this.run.stop - this.run.start;
          t = this.loop && length > 0 ? this.run.start + ((t - this.run.start) % length) : this.run.stop;
          if (!this.loop) this.play(false);
        }
        this.seek(t);
      }
      // A slow machine draws less.
      const took = this.last > 0 ? now - this.last : 0;
      this.slow = took > 60 ? this.slow + 1 : Math.max(this.slow - 1, 0);
      if (this.slow > 6 && this.world.simplify()) this.slow = 0;
      this.last = now;
    }
    requestAnimationFrame((next) => this.tick(next));
  }

  /// One update for several changes.
  private waiting = false;
  draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.world.render();
    });
  }

  // Actions of the reader

  private view(name: string): void {
    if (name === "") {
      this.world.fit();
    } else {
      this.world.view(name);
      this.direction = name;
      this.moved = false;
    }
    this.draw();
  }

  private listen(canvas: HTMLCanvasElement): void {
    this.world.controls.addEventListener("change", () => this.draw());
    this.world.controls.addEventListener("start", () => {
      this.moved = true;
    });
    let down: [number, number] = [0, 0];
    canvas.addEventListener("pointerdown", (event) => {
      down = [event.offsetX, event.offsetY];
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 0) return;
      const element = this.world.pick(event.offsetX, event.offsetY);
      this.world.hover(element);
      const e = this.data.scene.elements[element];
      this.tip.hidden = e === undefined;
      if (e !== undefined) {
        this.tip.textContent = `${e.type === undefined ? "" : `${e.type} `}${e.kind} ${e.name}`;
        this.tip.style.left = `${event.offsetX + 14}px`;
        this.tip.style.top = `${event.offsetY + 10}px`;
      }
      this.draw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) > 4) return;
      this.select(this.world.pick(event.offsetX, event.offsetY));
    });
    window.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.stage);
    new ResizeObserver(() => this.plots.resize()).observe(this.plotBox);
  }

  private key(event: KeyboardEvent): void {
    const on = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (on instanceof HTMLInputElement && on.type !== "range" && on.type !== "checkbox") return;
    if (on instanceof HTMLSelectElement) return;
    const [frame] = this.run.at(this.t);
    const step = event.shiftKey ? 10 : 1;
    const frameTime = (k: number) => this.run.time[Math.min(Math.max(k, 0), this.run.frames - 1)] as number;
    const acts: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ArrowLeft: () => this.seek(frameTime(frame - step + (this.t >= this.run.stop ? 1 : 0))),
      ArrowRight: () => this.seek(frameTime(frame + step)),
      Home: () => this.seek(this.run.start),
      End: () => this.seek(this.run.stop),
      f: () => this.view(""),
      "1": () => this.view("start"),
      "2": () => this.view("front"),
      "3": () => this.view("side"),
      "4": () => this.view("top"),
      "+": () => this.changeSpeed(1),
      "-": () => this.changeSpeed(-1),
      Escape: () => this.select(-1),
    };
    const act = acts[event.key] ?? (this.toggles.has(event.key) ? () => this.toggles.get(event.key)?.click() : undefined);
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  private changeSpeed(by: number): void {
    const next = speeds[speeds.indexOf(this.speed) + by];
    if (next === undefined) return;
    this.speed = next;
    this.speedBox.value = String(next);
  }

  select(element: number): void {
    this.world.select(element);
    this.fillCard();
    this.draw();
  }

  private fillCard(): void {
    const e = this.data.scene.elements[this.world.selected];
    this.card.hidden = e === undefined;
    if (e === undefined) return;
    const lines: [string, string][] = this.values(e);
    const table = make("table");
    for (const [name, value] of lines) {
      const row = make("tr");
      row.append(make("th", "", name), make("td", "", value));
      table.append(row);
    }
    this.card.replaceChildren(make("h2", "", e.name), make("p", "", `${e.type ?? ""} ${e.kind}`.trim()));
    if (e.about !== undefined) this.card.append(make("p", "about", e.about));
    this.card.append(table);
  }

  private values(e: Element): [string, string][] {
    const { bodies } = this.data.scene;
    const made: [string, string][] = [];
    if (e.kind === "body") {
      const index = e.bodies[0] as number;
      const body = bodies[index];
      if (body?.mass !== undefined) made.push(["mass", `${shown(body.mass)} kg`]);
      if (body?.moments !== undefined) made.push(["moments", `${body.moments.map((x) => shown(x)).join(" ")} kg.m2`]);
      const pose = this.world.pose(index);
      made.push([
        "position",
        `${pose
          .slice(0, 3)
          .map((x) => shown(x))
          .join(" ")} m`,
      ]);
      made.push([
        "quaternion",
        pose
          .slice(3)
          .map((x) => shown(x))
          .join(" "),
      ]);
    } else {
      made.push(["between", e.bodies.map((b) => bodies[b]?.name ?? "").join(" – ")]);
    }
    for (const arrow of e.arrows ?? []) {
      const numbers = arrow.variables.map((name) => this.run.value(name, this.t));
      if (numbers.some((x) => x === undefined)) continue;
      made.push([arrow.of, `${numbers.map((x) => shown(x)).join(" ")} ${arrow.of === "force" ? "N" : "N.m"}`]);
    }
    for (const name of this.outputs)
      if (name.startsWith(`${e.name}.`) && made.length < 14)
        made.push([name.slice(e.name.length + 1), `${shown(this.run.value(name, this.t))} ${this.run.variable(name)?.unit ?? ""}`]);
    return made;
  }

  private setDark(dark: boolean): void {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.toggles.get("d")?.setAttribute("aria-pressed", String(dark));
    this.world.setTheme(dark ? "dark" : "light");
    this.plots.show(this.chosen);
    this.draw();
  }

  /// Draws only the mechanism, at a time.
  private drawing = false;
  async picture(order: Order, t: number): Promise<Blob> {
    const { world } = this;
    if (!this.drawing) {
      this.drawing = true;
      this.setDark(order.dark);
      world.resize(order.width, order.height, 1);
      world.view(order.view);
      const has = (what: string) => order.show.includes(what);
      world.setShown({ forces: has("forces"), centres: has("centres"), paths: has("paths"), names: has("names") });
    }
    world.move(t);
    world.render();
    if (order.svg) return new Blob([drawSvg(world.scene, world.camera, order.width, order.height)]);
    return new Promise((resolve, reject) =>
      world.canvas.toBlob((blob) => (blob === null ? reject(new Error("no picture")) : resolve(blob)), "image/png"),
    );
  }

  private resize(): void {
    if (this.drawing) return;
    this.world.resize(this.stage.clientWidth, this.stage.clientHeight);
    if (!this.moved) this.world.view(this.direction);
    this.draw();
  }
}

interface Order {
  width: number;
  height: number;
  times: number[];
  view: string;
  show: string[];
  dark: boolean;
  svg: boolean;
}

/// For the tool: draws pictures on request, and returns them.
async function drawFor(page: Page): Promise<void> {
  try {
    const order = (await (await fetch("order")).json()) as Order;
    for (const t of order.times) {
      const body = await page.picture(order, t);
      await fetch("frame", { method: "POST", body });
    }
  } catch (error) {
    await fetch("problem", { method: "POST", body: String(error) });
  }
}

async function start(): Promise<void> {
  const root = document.getElementById("page") as HTMLElement;
  try {
    const data = JSON.parse(document.getElementById("data")?.textContent ?? "") as PageData;
    const run = await readRun(data);
    const page = new Page(data, run, root);
    Object.assign(window, { mechfmu: page });
    if (data.report !== undefined) addReport(root, page);
    if (data.version !== undefined) {
      recall(page);
      keepUp(page, data.version);
    }
    document.documentElement.dataset.ready = "true";
    if (location.hash === "#draw") await drawFor(page);
  } catch (error) {
    root.replaceChildren(make("p", "error", `This page cannot be shown: ${(error as Error).message}`));
    throw error;
  }
}

void start();
