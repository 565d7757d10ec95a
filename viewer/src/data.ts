// Data of a page: the scene and its motion. docs/animation.md describes both.

export type Triple = [number, number, number];
export type Quadruple = [number, number, number, number];

export interface Anchor {
  body: number;
  at: Triple;
  point?: number; // of a flexible body
}

export interface Part {
  shape: string;
  size: number[];
  role: string;
  color?: string;
  opacity?: number;
  body?: number;
  at?: Triple;
  quaternion?: Quadruple; // w x y z
  between?: [Anchor, Anchor];
  text?: string;
  mesh?: number;
}

export interface Arrow {
  of: "force" | "torque";
  variables: string[];
  at: Anchor;
  axis?: Triple;
  from?: Anchor;
  axes?: number;
  reverse?: boolean;
}

export interface Element {
  kind: string;
  name: string;
  type?: string;
  about?: string;
  bodies: number[];
  parts: Part[];
  arrows?: Arrow[];
}

export interface Body {
  name: string;
  about?: string;
  mass?: number;
  centre?: Triple;
  moments?: Triple;
  position: Triple;
  quaternion?: Quadruple;
  pose?: string[];
  modes?: string[];
  points?: { at: Triple; shapes: number[] }[]; // shapes: x y z of each mode
}

export interface Scene {
  name: string;
  about: string;
  gravity: Triple;
  size: number;
  bodies: Body[];
  elements: Element[];
  meshes: { points: number[]; triangles: number[] }[];
}

export interface Variable {
  name: string;
  unit?: string;
  about?: string;
  column?: number;
  step?: number; // unit of its whole numbers
  constant?: number | null;
}

export interface CheckRow {
  name: string;
  value: number | null;
  unit: string;
  about: string;
}

export interface Check {
  name: string;
  about: string;
  degrees_of_freedom: number;
  degrees_of_freedom_of_positions: number;
  coordinates: number;
  constraints: number;
  redundant: string[];
  mass: number;
  moves: { body: string; distance: number; angle: number }[];
  bodies: { name: string; mass: number; centre: Triple; inertia: Triple }[];
  parameters: CheckRow[];
  inputs: CheckRow[];
  outputs: CheckRow[];
  states: string[];
}

export interface Report {
  made?: string;
  tolerances?: { tolerance: number; steps: number; differences: number[] }[];
  outputs?: string[];
  used?: number;
}

export interface PageData {
  scene: Scene;
  frames: number;
  variables: Variable[];
  hidden: string[];
  check?: Check;
  run?: { statistics: Record<string, number>; set: Record<string, string>; error: string };
  report?: Report;
  version?: number; // of a live page
  errors?: { file: string; line: number; text: string; severity: string }[];
  data?: string;
}

/// The values of all variables over time.
export class Run {
  readonly time: Float32Array;
  private readonly columns: Float32Array[];
  private readonly byName = new Map<string, Variable>();
  private readonly constants = new Map<string, Float32Array>();

  constructor(
    readonly page: PageData,
    columns: Float32Array[],
  ) {
    this.columns = columns;
    for (const variable of page.variables) this.byName.set(variable.name, variable);
    this.time = this.values("time") ?? new Float32Array(1);
  }

  get frames(): number {
    return this.time.length;
  }
  get start(): number {
    return this.time[0] ?? 0;
  }
  get stop(): number {
    return this.time[this.time.length - 1] ?? 0;
  }

  variable(name: string): Variable | undefined {
    return this.byName.get(name);
  }

  /// Undefined if it was not recorded.
  values(name: string): Float32Array | undefined {
    const variable = this.byName.get(name);
    if (variable === undefined) return undefined;
    if (variable.column !== undefined) return this.columns[variable.column];
    let constant = this.constants.get(name);
    if (constant === undefined) {
      constant = new Float32Array(Math.max(this.page.frames, 1)).fill(variable.constant ?? Number.NaN);
      this.constants.set(name, constant);
    }
    return constant;
  }

  /// The frame before a time, and the fraction of the way to the next one, from 0 to 1.
  at(t: number): [number, number] {
    let low = 0;
    let high = this.frames - 1;
    if (high <= 0 || t <= this.start) return [0, 0];
    if (t >= this.stop) return [high - 1, 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.time[middle] as number) <= t) low = middle;
      else high = middle;
    }
    const begin = this.time[low] as number;
    const end = this.time[high] as number;
    return [low, end > begin ? (t - begin) / (end - begin) : 0];
  }

  value(name: string, t: number): number | undefined {
    const values = this.values(name);
    if (values === undefined) return undefined;
    const [frame, part] = this.at(t);
    const before = values[frame] as number;
    const after = values[Math.min(frame + 1, values.length - 1)] as number;
    return before + part * (after - before);
  }
}

/// Four planes of bytes of differences → floats; for each column the step of its whole numbers, or
/// undefined if these are the bits of floats.
export function unpack(bytes: Uint8Array, steps: (number | undefined)[], frames: number): Float32Array[] {
  const count = steps.length * frames;
  if (bytes.length !== 4 * count) throw new Error("the frames of this page are damaged");
  const made: Float32Array[] = [];
  let at = 0;
  for (const step of steps) {
    const bits = new Uint32Array(frames);
    const values = new Float32Array(bits.buffer);
    let before = 0;
    let slope = 0;
    for (let frame = 0; frame < frames; ++frame, ++at) {
      const difference =
        (bytes[at] as number) |
        ((bytes[count + at] as number) << 8) |
        ((bytes[2 * count + at] as number) << 16) |
        ((bytes[3 * count + at] as number) << 24);
      if (step === undefined) {
        before = (before + difference) >>> 0;
        bits[frame] = before;
      } else {
        slope = (slope + ((difference >>> 1) ^ -(difference & 1))) | 0;
        before = (before + slope) | 0;
        values[frame] = before * step;
      }
    }
    made.push(values);
  }
  return made;
}

async function inflated(base64: string): Promise<Uint8Array> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function readRun(page: PageData): Promise<Run> {
  const steps = page.variables.filter((v) => v.column !== undefined).map((v) => v.step);
  if (page.data === undefined || page.frames === 0) return new Run(page, []);
  return new Run(page, unpack(await inflated(page.data), steps, page.frames));
}

export function shown(value: number | null | undefined, digits = 4): string {
  if (value === undefined || value === null || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 2) : String(Number(value.toPrecision(digits)));
}
