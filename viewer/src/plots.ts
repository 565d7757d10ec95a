// Plots of variables over time, one panel for each unit, with a cursor that shows the time and can
// be dragged.

import uPlot from "uplot";
import type { Run } from "./data";
import { shown } from "./data";

const colors = ["#2f6fdb", "#d97a2b", "#2f9e6b", "#c2415f", "#8456c9", "#1597a5", "#9c8a1e", "#7d8694"];

export class Plots {
  private panels: uPlot[] = [];
  private time = 0;

  constructor(
    private readonly box: HTMLElement,
    private readonly run: Run,
    private readonly seek: (t: number) => void,
    private readonly height = 170,
  ) {}

  /// Draws these variables anew.
  show(names: string[]): void {
    for (const panel of this.panels) panel.destroy();
    this.panels = [];
    this.box.replaceChildren();
    const units = new Map<string, string[]>();
    for (const name of names) {
      const unit = this.run.variable(name)?.unit ?? "";
      const list = units.get(unit);
      if (list === undefined) units.set(unit, [name]);
      else list.push(name);
    }
    for (const [unit, list] of units) this.panels.push(this.panel(unit, list));
    this.cursor(this.time);
  }

  cursor(t: number): void {
    this.time = t;
    for (const panel of this.panels) panel.redraw(false, false);
  }

  resize(): void {
    const width = Math.max(this.box.clientWidth, 100);
    for (const panel of this.panels) panel.setSize({ width, height: this.height });
  }

  private panel(unit: string, names: string[]): uPlot {
    const css = getComputedStyle(document.documentElement);
    const ink = css.getPropertyValue("--ink-soft");
    const line = css.getPropertyValue("--line");
    const data: uPlot.AlignedData = [this.run.time, ...names.map((name) => this.run.values(name) ?? new Float32Array())];
    const axis: uPlot.Axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "11px system-ui" };
    const plot = new uPlot(
      {
        width: Math.max(this.box.clientWidth, 100),
        height: this.height,
        scales: { x: { time: false } },
        legend: { show: true, live: false },
        cursor: { drag: { x: false, y: false }, points: { show: false }, x: false, y: false },
        axes: [
          { ...axis, size: 26 },
          { ...axis, size: 58, label: unit, labelSize: 16, labelFont: "11px system-ui", values: (_, all) => all.map((v) => shown(v)) },
        ],
        series: [
          {},
          ...names.map((label, i) => ({ label, stroke: colors[i % colors.length] as string, width: 1.5, points: { show: false } })),
        ],
        hooks: {
          draw: [
            (u) => {
              const x = Math.round(u.valToPos(this.time, "x", true));
              const { top, height } = u.bbox;
              u.ctx.save();
              u.ctx.strokeStyle = css.getPropertyValue("--accent");
              u.ctx.lineWidth = 1.5 * devicePixelRatio;
              u.ctx.beginPath();
              u.ctx.moveTo(x, top);
              u.ctx.lineTo(x, top + height);
              u.ctx.stroke();
              u.ctx.restore();
            },
          ],
        },
      },
      data,
      this.box,
    );
    const over = plot.over;
    const go = (event: PointerEvent) => this.seek(plot.posToVal(event.offsetX, "x"));
    over.addEventListener("pointerdown", (event) => {
      over.setPointerCapture(event.pointerId);
      go(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (over.hasPointerCapture(event.pointerId)) go(event);
    });
    return plot;
  }
}

/// The default plots: a few of the first outputs that change, without energies; for a mechanism at
/// rest, the first ones.
export function firstChoice(run: Run, names: string[]): string[] {
  // Variables that change by more than rounding
  const changing = names.filter((name) => {
    const values = run.variable(name)?.column === undefined ? undefined : run.values(name);
    if (values === undefined) return false;
    const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
    const least = values.reduce((a, b) => Math.min(a, b), Infinity);
    return most - least > Math.max(1e-7, 1e-5 * Math.max(Math.abs(most), Math.abs(least)));
  });
  const notEnergy = (name: string) => !name.startsWith("energy.");
  const own = changing.filter(notEnergy);
  const atRest = names.filter((name) => notEnergy(name) && Math.abs(run.value(name, run.stop) ?? 0) > 1e-7);
  const chosen: string[] = [];
  const units = new Map<string, number>();
  for (const name of own.length > 0 ? own : changing.length > 0 ? changing : atRest) {
    const unit = run.variable(name)?.unit ?? "";
    const count = units.get(unit) ?? 0;
    if (count >= 3 || (count === 0 && units.size >= 3)) continue;
    units.set(unit, count + 1);
    chosen.push(name);
  }
  return chosen;
}
