// The report below the animation: the data of a run for a reader without the tool.

import { shown } from "./data";
import { make } from "./dom";
import type { Page } from "./main";
import { Plots } from "./plots";

function section(title: string): HTMLElement {
  const made = make("section");
  made.append(make("h2", "", title));
  return made;
}

function table(heads: string[], rows: string[][]): HTMLTableElement {
  const made = make("table", "grid");
  const head = make("tr");
  for (const text of heads) head.append(make("th", "", text));
  made.append(head);
  for (const row of rows) {
    const line = make("tr");
    for (const text of row) line.append(make("td", "", text));
    made.append(line);
  }
  return made;
}

const withUnit = (unit: string) => (unit === "1" ? "" : unit);

export function addReport(root: HTMLElement, page: Page): void {
  const { data, run } = page;
  document.documentElement.dataset.kind = "report";
  const box = make("main", "report");
  const { check, report } = data;
  if (check !== undefined) {
    const facts = section("What it is");
    const rolling = check.degrees_of_freedom_of_positions !== check.degrees_of_freedom;
    facts.append(
      table(
        ["", ""],
        [
          ["degrees of freedom", `${check.degrees_of_freedom}${rolling ? ` (of positions ${check.degrees_of_freedom_of_positions})` : ""}`],
          ["coordinates, constraints", `${check.coordinates}, ${check.constraints}`],
          ["redundant constraints", check.redundant.length === 0 ? "none" : check.redundant.join("; ")],
          ["mass", `${shown(check.mass, 6)} kg`],
          ["assembly", check.moves.length === 0 ? "all joints fit as placed" : `${check.moves.length} bodies were moved by initialization`],
        ],
      ),
    );
    const bodies = section("Bodies");
    bodies.append(
      table(
        ["body", "mass, kg", "centre of mass, m", "principal moments, kg.m2"],
        check.bodies
          .slice(0, 200)
          .map((b) => [b.name, shown(b.mass, 6), b.centre.map((x) => shown(x)).join(" "), b.inertia.map((x) => shown(x)).join(" ")]),
      ),
    );
    const settings = section("Parameters and inputs");
    settings.append(
      table(
        ["name", "value", "unit", ""],
        [...check.parameters, ...check.inputs].map((p) => [p.name, data.run?.set[p.name] ?? shown(p.value, 7), withUnit(p.unit), p.about]),
      ),
    );
    box.append(facts, bodies, settings);
  }
  const energies = data.variables.map((v) => v.name).filter((name) => name.startsWith("energy.") && !name.endsWith("_power"));
  const hidden = new Set(data.hidden);
  const outputs = data.variables.map((v) => v.name).filter((n) => n !== "time" && !hidden.has(n) && !n.startsWith("energy."));
  const plots: Plots[] = [];
  const plot = (title: string, names: string[]) => {
    if (names.length === 0) return;
    const part = section(title);
    const place = make("div", "plots");
    part.append(place);
    box.append(part);
    requestAnimationFrame(() => {
      const made = new Plots(place, run, (t) => page.seek(t), 220);
      made.show(names);
      plots.push(made);
    });
  };
  plot("Outputs", outputs.slice(0, 40));
  plot("Energy balance", energies);
  if (data.run !== undefined) {
    const solver = section("Solver");
    solver.append(
      table(
        ["", ""],
        Object.entries(data.run.statistics).map(([name, value]) => [name, shown(value, 6)]),
      ),
    );
    box.append(solver);
  }
  if (report?.tolerances !== undefined) {
    const accuracy = section("How the result changes with the tolerance");
    const text =
      "Largest difference of each output over the run from a run with a hundredth of the tolerance, relative to the change of the output.";
    accuracy.className = "wide";
    accuracy.append(make("p", "about", text));
    const names = (report.outputs ?? []).slice(0, 40);
    accuracy.append(
      table(
        [
          "",
          ...report.tolerances.map(
            (t) => `${Number(t.tolerance.toPrecision(3)).toExponential()}${t.tolerance === report.used ? " (used)" : ""}`,
          ),
        ],
        [["solver steps", ...report.tolerances.map((t) => String(t.steps))]].concat(
          names.map((name, i) => [name, ...(report.tolerances ?? []).map((t) => shown(t.differences[i], 3))]),
        ),
      ),
    );
    box.append(accuracy);
  }
  root.append(box);
  page.followers.push((t) => {
    for (const p of plots) p.cursor(t);
  });
  window.addEventListener("resize", () => {
    for (const p of plots) p.resize();
  });
}
