// The mechanism in space: parts as instances of few geometries, moved by the poses of their bodies.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Anchor, Arrow, Part, Quadruple, Run, Scene, Triple } from "./data";
import { makeGeometry, piecesOf } from "./shapes";

export interface Theme {
  background: number;
  grid: number;
  gridMain: number;
  gridOnPlane: number;
  roles: Record<string, number>;
  force: number;
  torque: number;
  path: number;
}

export const themes: Record<"light" | "dark", Theme> = {
  light: {
    background: 0xf4f6f9,
    grid: 0xd9dfe7,
    gridMain: 0xc2cad6,
    gridOnPlane: 0xb6c0cc,
    roles: { body: 0x7d93b2, joint: 0x3f4a5a, spring: 0xd97a2b, contact: 0xc9d2dc, ground: 0x5a6472, load: 0x39414d, look: 0x9aa5b4 },
    force: 0xd6294a,
    torque: 0x8a3ffc,
    path: 0x1a73e8,
  },
  dark: {
    background: 0x14181f,
    grid: 0x29303b,
    gridMain: 0x3a4453,
    gridOnPlane: 0x434e5d,
    roles: { body: 0x8aa2c4, joint: 0xb9c2cf, spring: 0xf0984d, contact: 0x39424f, ground: 0x7c8796, load: 0xc9d1db, look: 0x8f9bad },
    force: 0xff6680,
    torque: 0xb48aff,
    path: 0x6cb0ff,
  },
};

/// One drawn piece: an instance of a geometry.
interface Instance {
  batch: Batch;
  index: number;
  element: number;
  body: number;
  local: THREE.Matrix4;
  between?: [Anchor, Anchor];
  color?: string;
  role: string;
}

class Batch {
  mesh!: THREE.InstancedMesh;
  readonly instances: Instance[] = [];
  constructor(
    readonly geometry: string,
    readonly opacity: number,
    readonly layer: string,
  ) {}
}

const up = new THREE.Vector3(0, 0, 1);

/// Makes dark colors of a file visible on a dark background.
function lighten(color: THREE.Color): void {
  const { h, s, l } = color.getHSL({ h: 0, s: 0, l: 0 }, THREE.SRGBColorSpace);
  if (l < 0.5) color.setHSL(h, s, 0.34 + 0.32 * l, THREE.SRGBColorSpace);
}

function vector(at: Triple): THREE.Vector3 {
  return new THREE.Vector3(at[0], at[1], at[2]);
}
function quaternion(q: Quadruple | undefined): THREE.Quaternion {
  return q === undefined ? new THREE.Quaternion() : new THREE.Quaternion(q[1], q[2], q[3], q[0]);
}

interface Pose {
  columns: (Float32Array | undefined)[];
  position: THREE.Vector3;
  quaternion: THREE.Quaternion;
  matrix: THREE.Matrix4;
  modes: Float32Array[];
  shapes: number[][]; // of points of a flexible body
  moved: Float32Array; // displacements x y z, in body axes
}

interface ArrowView {
  arrow: Arrow;
  element: number;
  columns: Float32Array[];
  most: number;
}

export interface Shown {
  joints: boolean;
  forces: boolean;
  centres: boolean;
  paths: boolean;
  grid: boolean;
  names: boolean;
}

export class World {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly up: THREE.Vector3;
  shown: Shown = { joints: true, forces: false, centres: false, paths: false, grid: true, names: false };
  arrowScale = 1;
  follow = -1;
  mainBody = -1;
  selected = -1;
  time = 0;

  private readonly batches: Batch[] = [];
  private readonly byElement = new Map<number, Instance[]>();
  private readonly poses: Pose[] = [];
  private readonly arrows: ArrowView[] = [];
  private sprites: { sprite: THREE.Sprite; body: number; at: THREE.Vector3; label: boolean; wide: number }[] = [];
  private theme: Theme = themes.light;
  private grid: THREE.GridHelper | undefined;
  private gridStep = 1;
  private readonly gridHome = new THREE.Vector3();
  private readonly light = new THREE.DirectionalLight(0xffffff, 2.1);
  private shafts!: THREE.InstancedMesh;
  private heads!: THREE.InstancedMesh;
  private arcs!: THREE.InstancedMesh;
  private centres!: THREE.InstancedMesh;
  private readonly pathLines = new THREE.Group();
  private pathKey = "";
  private readonly raycaster = new THREE.Raycaster();
  private hovered = -1;
  private readonly followed = new THREE.Vector3();
  private readonly box = new THREE.Box3();
  private outline: THREE.Vector3[] = []; // points that must all be visible
  private radius = 0; // of a sphere around a mechanism that travels far, which may rotate

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly model: Scene,
    readonly run: Run,
  ) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    const gravity = vector(model.gravity);
    this.up = gravity.length() > 0 ? gravity.normalize().negate() : this.isPlanar() ? new THREE.Vector3(0, 1, 0) : up.clone();
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.makePoses();
    this.makeParts();
    this.makeArrows();
    this.makeCentres();
    this.scene.add(this.pathLines);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xa9b4c2, 1.6), this.light, this.light.target);
    this.box.copy(this.findBox(this.outline));
    this.fitRails();
    const outline: THREE.Vector3[] = [];
    const atStart = this.findBox(outline, 1);
    this.widenPlanes(60 * atStart.getSize(new THREE.Vector3()).length());
    this.makeLight();
    this.makeShadow();
    // The camera follows a mechanism that travels far, which would be small in a view of its whole
    // way.
    if (this.box.getSize(new THREE.Vector3()).length() > 3 * model.size) {
      this.box.copy(atStart);
      this.outline = outline;
      this.mainBody = model.bodies.reduce((best, body, i) => ((body.mass ?? 0) > (model.bodies[best]?.mass ?? 0) ? i : best), 0);
      this.place(run.start);
      const centre = this.position({ body: this.mainBody, at: model.bodies[this.mainBody]?.centre ?? [0, 0, 0] });
      this.radius = outline.reduce((most, point) => Math.max(most, point.distanceTo(centre)), 0);
    }
    this.move(run.start);
    this.setTheme("light");
    this.view("start");
    if (this.mainBody > 0) this.setFollow(this.mainBody);
  }

  // Poses

  private makePoses(): void {
    for (const body of this.model.bodies) {
      const pose: Pose = {
        columns: (body.pose ?? []).map((name) => this.run.values(name)),
        position: vector(body.position),
        quaternion: quaternion(body.quaternion),
        matrix: new THREE.Matrix4(),
        modes: [],
        shapes: (body.points ?? []).map((point) => point.shapes),
        moved: new Float32Array(3 * (body.points ?? []).length),
      };
      const modes = (body.modes ?? []).map((name) => this.run.values(name));
      if (!modes.includes(undefined)) pose.modes = modes as Float32Array[];
      if (pose.columns.some((column) => column === undefined)) pose.columns = [];
      pose.matrix.compose(pose.position, pose.quaternion, new THREE.Vector3(1, 1, 1));
      this.poses.push(pose);
    }
  }

  private place(t: number): void {
    const [frame, part] = this.run.at(t);
    const one = new THREE.Vector3(1, 1, 1);
    const next = Math.min(frame + 1, this.run.frames - 1);
    const q1 = new THREE.Quaternion();
    for (const pose of this.poses) {
      const c = pose.columns;
      if (c.length < 3) continue;
      const at = (i: number, k: number) => (c[i] as Float32Array)[k] as number;
      const mixed = (i: number) => at(i, frame) + part * (at(i, next) - at(i, frame));
      pose.position.set(mixed(0), mixed(1), mixed(2));
      if (c.length === 7) {
        pose.quaternion.set(at(4, frame), at(5, frame), at(6, frame), at(3, frame));
        q1.set(at(4, next), at(5, next), at(6, next), at(3, next));
        pose.quaternion.slerp(q1, part);
        pose.quaternion.normalize();
      }
      pose.matrix.compose(pose.position, pose.quaternion, one);
      // Σ φ_k q_k
      if (pose.modes.length === 0) continue;
      const q = pose.modes.map((mode) => (mode[frame] as number) + part * ((mode[next] as number) - (mode[frame] as number)));
      for (const [point, shapes] of pose.shapes.entries())
        for (let i = 0; i < 3; ++i) {
          let sum = 0;
          for (let k = 0; k < q.length; ++k) sum += (q[k] as number) * (shapes[3 * k + i] as number);
          pose.moved[3 * point + i] = sum;
        }
    }
  }

  position(anchor: Anchor, into = new THREE.Vector3()): THREE.Vector3 {
    const pose = this.poses[anchor.body] as Pose;
    into.set(anchor.at[0], anchor.at[1], anchor.at[2]);
    if (anchor.point !== undefined) {
      const first = 3 * anchor.point;
      into.x += pose.moved[first] ?? 0;
      into.y += pose.moved[first + 1] ?? 0;
      into.z += pose.moved[first + 2] ?? 0;
    }
    return into.applyMatrix4(pose.matrix);
  }

  /// Position and quaternion (w x y z) of a body as drawn.
  pose(body: number): number[] {
    const { position: p, quaternion: q } = this.poses[body] as Pose;
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  /// Whether the whole mechanism moves in a plane z = constant and rotates about z.
  isPlanar(): boolean {
    for (const body of this.model.bodies)
      if (body.pose !== undefined)
        for (const [k, name] of body.pose.entries()) {
          if (k !== 2 && k !== 4 && k !== 5) continue;
          const v = this.run.variable(name);
          if (v !== undefined && v.column !== undefined) {
            const values = this.run.values(name) as Float32Array;
            const first = values[0] as number;
            if (values.some((x) => Math.abs(x - first) > 1e-5 * (k === 2 ? this.model.size : 1))) return false;
          }
        }
    return this.model.bodies.length > 1;
  }

  // Parts

  private batch(geometry: string, opacity: number, layer: string): Batch {
    let found = this.batches.find((b) => b.geometry === geometry && b.opacity === opacity && b.layer === layer);
    if (found === undefined) {
      found = new Batch(geometry, opacity, layer);
      this.batches.push(found);
    }
    return found;
  }

  private makeParts(): void {
    for (const [index, element] of this.model.elements.entries())
      for (const part of element.parts) {
        if (part.shape === "text") this.addText(part);
        else this.addPart(index, part, element.kind === "joint" && part.shape !== "tube" ? "joints" : "");
      }
    for (const batch of this.batches) {
      const material = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.15 });
      if (batch.geometry === "plane" || batch.geometry.startsWith("mesh")) material.side = THREE.DoubleSide;
      if (batch.opacity < 1) {
        material.transparent = true;
        material.opacity = batch.opacity;
        material.depthWrite = batch.opacity > 0.6;
      }
      batch.mesh = new THREE.InstancedMesh(makeGeometry(batch.geometry, this.model), material, batch.instances.length);
      batch.mesh.frustumCulled = false;
      batch.mesh.castShadow = batch.geometry !== "plane" && batch.opacity === 1;
      batch.mesh.receiveShadow = true;
      batch.mesh.userData = { batch };
      this.scene.add(batch.mesh);
    }
  }

  private addPart(element: number, part: Part, layer: string): void {
    const frame = new THREE.Matrix4();
    let length = 1;
    if (part.between === undefined) frame.compose(vector(part.at ?? [0, 0, 0]), quaternion(part.quaternion), new THREE.Vector3(1, 1, 1));
    else length = this.position(part.between[0]).distanceTo(this.position(part.between[1]));
    const opacity = part.opacity ?? (part.role === "contact" ? 0.55 : 1);
    for (const piece of piecesOf(part, length, this.model.size)) {
      const batch = this.batch(piece.geometry, opacity, layer);
      const instance: Instance = {
        batch,
        index: batch.instances.length,
        element,
        body: part.body ?? 0,
        local: frame.clone().multiply(piece.matrix),
        role: part.role,
      };
      const color = piece.color ?? part.color;
      if (color !== undefined) instance.color = color;
      if (part.between !== undefined) instance.between = part.between;
      batch.instances.push(instance);
      const list = this.byElement.get(element);
      if (list === undefined) this.byElement.set(element, [instance]);
      else list.push(instance);
    }
  }

  private addText(part: Part, label = false): void {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const high = label ? 32 : 64;
    const font = `600 ${high}px system-ui, sans-serif`;
    const dark = label && this.theme === themes.dark;
    context.font = font;
    canvas.width = Math.ceil(context.measureText(part.text ?? "").width + 0.375 * high);
    canvas.height = 1.375 * high;
    context.font = font;
    context.textBaseline = "middle";
    context.lineWidth = high / 7;
    context.lineJoin = "round";
    context.strokeStyle = dark ? "rgba(20,24,31,0.85)" : "rgba(255,255,255,0.85)";
    context.strokeText(part.text ?? "", 0.19 * high, 0.72 * high);
    context.fillStyle = part.color ?? (dark ? "#e6eaf0" : "#222b38");
    context.fillText(part.text ?? "", 0.19 * high, 0.72 * high);
    const texture = new THREE.CanvasTexture(canvas);
    texture.colorSpace = THREE.SRGBColorSpace;
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, depthTest: !label, sizeAttenuation: !label }));
    const height = (part.size[0] ?? 0.05) * 1.375;
    const wide = canvas.width / canvas.height;
    sprite.scale.set(height * wide, height, 1);
    sprite.userData = { text: part.text ?? "", color: context.fillStyle };
    if (label) {
      sprite.renderOrder = 6;
      sprite.center.set(0.5, -0.25); // above its point
    }
    this.sprites.push({ sprite, body: part.body ?? 0, at: vector(part.at ?? [0, 0, 0]), label, wide });
    this.scene.add(sprite);
  }

  // Arrows, centres of mass, paths

  private makeArrows(): void {
    for (const [element, e] of this.model.elements.entries())
      for (const arrow of e.arrows ?? []) {
        const columns = arrow.variables.map((name) => this.run.values(name));
        if (columns.some((column) => column === undefined)) continue;
        const known = columns as Float32Array[];
        let most = 0;
        for (let i = 0; i < this.run.frames; ++i) {
          const size = Math.hypot(...known.map((column) => column[i] as number));
          if (Number.isFinite(size)) most = Math.max(most, size);
        }
        this.arrows.push({ arrow, element, columns: known, most });
      }
    const count = Math.max(this.arrows.length, 1);
    const material = () => new THREE.MeshStandardMaterial({ roughness: 0.4 });
    this.shafts = new THREE.InstancedMesh(makeGeometry("cylinder", this.model), material(), count);
    this.heads = new THREE.InstancedMesh(makeGeometry("cone", this.model), material(), count);
    this.arcs = new THREE.InstancedMesh(makeGeometry("arc", this.model), material(), count);
    for (const mesh of [this.shafts, this.heads, this.arcs]) {
      mesh.frustumCulled = false;
      this.scene.add(mesh);
    }
  }

  private makeCentres(): void {
    const material = new THREE.MeshStandardMaterial({ color: 0xf2c230, depthTest: false });
    this.centres = new THREE.InstancedMesh(makeGeometry("sphere", this.model), material, this.model.bodies.length);
    this.centres.frustumCulled = false;
    this.centres.renderOrder = 5;
    this.scene.add(this.centres);
  }

  private moveArrows(): void {
    const nothing = new THREE.Matrix4().makeScale(0, 0, 0);
    const [frame, part] = this.run.at(this.time);
    const next = Math.min(frame + 1, this.run.frames - 1);
    const most: Record<string, number> = { force: 0, torque: 0 };
    for (const view of this.arrows) most[view.arrow.of] = Math.max(most[view.arrow.of] as number, view.most);
    const r = 0.006 * this.model.size;
    for (const [i, view] of this.arrows.entries()) {
      for (const mesh of [this.shafts, this.heads, this.arcs]) mesh.setMatrixAt(i, nothing);
      if (!this.shown.forces) continue;
      const { arrow } = view;
      const body = this.poses[arrow.at.body] as Pose;
      const numbers = view.columns.map((c) => (c[frame] as number) + part * ((c[next] as number) - (c[frame] as number)));
      const value = new THREE.Vector3();
      if (numbers.length === 3) {
        value.set(numbers[0] as number, numbers[1] as number, numbers[2] as number);
        if (arrow.axes !== undefined) value.applyQuaternion((this.poses[arrow.axes] as Pose).quaternion);
      } else if (arrow.axis !== undefined) {
        value
          .copy(vector(arrow.axis))
          .applyQuaternion(body.quaternion)
          .multiplyScalar(numbers[0] as number);
      } else if (arrow.from !== undefined) {
        value
          .copy(this.position(arrow.at))
          .sub(this.position(arrow.from))
          .normalize()
          .multiplyScalar(numbers[0] as number);
      }
      if (arrow.reverse) value.negate();
      const length = (this.arrowScale * 0.2 * this.model.size * value.length()) / ((most[arrow.of] as number) || 1);
      if (!(length > 1e-3 * this.model.size)) continue;
      const at = this.position(arrow.at);
      const turn = new THREE.Quaternion().setFromUnitVectors(up, value.clone().normalize());
      const head = Math.min(4 * r, 0.5 * length);
      if (arrow.of === "force") {
        const shaft = length - head;
        const along = value.clone().normalize();
        this.shafts.setMatrixAt(
          i,
          new THREE.Matrix4().compose(at.clone().addScaledVector(along, shaft / 2), turn, new THREE.Vector3(r, r, shaft)),
        );
        this.heads.setMatrixAt(
          i,
          new THREE.Matrix4().compose(
            at.clone().addScaledVector(along, length - head / 2),
            turn,
            new THREE.Vector3(0.45 * head, 0.45 * head, head),
          ),
        );
      } else {
        const radius = 0.35 * length;
        this.arcs.setMatrixAt(i, new THREE.Matrix4().compose(at, turn, new THREE.Vector3(radius, radius, radius)));
        // The arc ends on −y of its plane, where it goes towards +x.
        const tip = new THREE.Matrix4().compose(
          new THREE.Vector3(0.15 * radius, -radius, 0),
          new THREE.Quaternion().setFromUnitVectors(up, new THREE.Vector3(1, 0, 0)),
          new THREE.Vector3(0.22 * radius, 0.22 * radius, 0.5 * radius),
        );
        this.heads.setMatrixAt(i, new THREE.Matrix4().compose(at, turn, new THREE.Vector3(1, 1, 1)).multiply(tip));
      }
      const color = new THREE.Color(arrow.of === "force" ? this.theme.force : this.theme.torque);
      for (const mesh of [this.shafts, this.heads, this.arcs]) mesh.setColorAt(i, color);
    }
    for (const mesh of [this.shafts, this.heads, this.arcs]) {
      mesh.visible = this.shown.forces && this.arrows.length > 0;
      mesh.boundingSphere = null;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
    }
  }

  private moveCentres(): void {
    this.centres.visible = this.shown.centres;
    if (!this.shown.centres) return;
    const r = (0.012 * this.model.size) / Math.sqrt(Math.max(this.model.bodies.length / 15, 1));
    for (const [i, body] of this.model.bodies.entries()) {
      const matrix = new THREE.Matrix4();
      if (body.centre === undefined) matrix.makeScale(0, 0, 0);
      else matrix.makeScale(r, r, r).setPosition(this.position({ body: i, at: body.centre }));
      this.centres.setMatrixAt(i, matrix);
    }
    this.centres.instanceMatrix.needsUpdate = true;
  }

  /// Draws the path of the centre of mass of the selected body, or of all bodies.
  private drawPaths(): void {
    const selected = this.selected >= 0 ? (this.model.elements[this.selected]?.bodies ?? []) : [];
    const bodies = selected.filter((b) => b > 0);
    const key = this.shown.paths ? `${bodies.join(",")} ${this.theme.path}` : "none";
    if (key === this.pathKey) return;
    this.pathKey = key;
    for (const line of this.pathLines.children) (line as THREE.Line).geometry.dispose();
    this.pathLines.clear();
    if (!this.shown.paths) return;
    const wanted = bodies.length > 0 ? bodies : [...this.poses.keys()].slice(1, 200);
    const now = this.time;
    const lines = wanted.map(() => new Float32Array(3 * this.run.frames));
    for (let frame = 0; frame < this.run.frames; ++frame) {
      this.place(this.run.time[frame] as number);
      for (const [k, body] of wanted.entries())
        this.position({ body, at: this.model.bodies[body]?.centre ?? [0, 0, 0] }).toArray(lines[k] as Float32Array, 3 * frame);
    }
    this.place(now);
    for (const points of lines) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
      this.pathLines.add(new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: this.theme.path })));
    }
  }

  // Motion

  move(t: number): void {
    this.time = t;
    this.place(t);
    const matrix = new THREE.Matrix4();
    const a = new THREE.Vector3();
    const b = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    for (const batch of this.batches) {
      for (const instance of batch.instances) {
        if (instance.between !== undefined) {
          this.position(instance.between[0], a);
          this.position(instance.between[1], b).sub(a);
          const length = b.length();
          if (length > 0) turn.setFromUnitVectors(up, b.divideScalar(length));
          matrix.compose(a, turn, new THREE.Vector3(1, 1, Math.max(length, 1e-9))).multiply(instance.local);
        } else {
          matrix.multiplyMatrices((this.poses[instance.body] as Pose).matrix, instance.local);
        }
        batch.mesh.setMatrixAt(instance.index, matrix);
      }
      batch.mesh.instanceMatrix.needsUpdate = true;
      batch.mesh.boundingSphere = null;
      batch.mesh.visible = batch.layer !== "joints" || this.shown.joints;
    }
    for (const { sprite, body, at, label } of this.sprites) {
      sprite.position.copy(at).applyMatrix4((this.poses[body] as Pose).matrix);
      if (label) sprite.visible = false; // until `placeLabels`
    }
    this.moveArrows();
    this.moveCentres();
    this.drawPaths();
    if (this.follow >= 0) {
      const body = this.model.bodies[this.follow];
      const now = this.position({ body: this.follow, at: body?.centre ?? [0, 0, 0] });
      const way = now.clone().sub(this.followed);
      this.camera.position.add(way);
      this.controls.target.add(way);
      this.light.position.add(way);
      this.light.target.position.add(way);
      this.followed.copy(now);
      this.moveGrid();
    }
  }

  setFollow(body: number): void {
    this.follow = body;
    if (body >= 0) this.position({ body, at: this.model.bodies[body]?.centre ?? [0, 0, 0] }, this.followed);
  }

  // Looks

  setTheme(name: "light" | "dark"): void {
    this.theme = themes[name];
    this.scene.background = new THREE.Color(this.theme.background);
    this.pathKey = "";
    this.makeGrid();
    this.makeLabels();
    this.paint();
    this.moveArrows();
    this.drawPaths();
  }

  private paint(): void {
    for (const batch of this.batches) {
      for (const instance of batch.instances) {
        const color = new THREE.Color(instance.color ?? this.theme.roles[instance.role] ?? 0x888888);
        if (instance.color !== undefined && this.theme === themes.dark) lighten(color);
        if (instance.element === this.selected) color.lerp(new THREE.Color(0xffd54a), 0.6);
        else if (instance.element === this.hovered) color.lerp(new THREE.Color(0xffffff), 0.4);
        batch.mesh.setColorAt(instance.index, color);
      }
      if (batch.mesh.instanceColor !== null) batch.mesh.instanceColor.needsUpdate = true;
    }
  }

  select(element: number): void {
    this.selected = element;
    this.pathKey = "";
    this.paint();
    this.drawPaths();
  }
  hover(element: number): void {
    if (element === this.hovered) return;
    this.hovered = element;
    this.paint();
  }

  /// The element at a place of the canvas, in pixels; −1: none.
  pick(x: number, y: number): number {
    const size = this.canvas.getBoundingClientRect();
    this.raycaster.setFromCamera(new THREE.Vector2((2 * x) / size.width - 1, 1 - (2 * y) / size.height), this.camera);
    const meshes = this.batches.filter((b) => b.mesh.visible && b.geometry !== "plane").map((b) => b.mesh);
    if (this.shown.forces) meshes.push(...[this.shafts, this.heads, this.arcs].filter((mesh) => mesh.visible));
    for (const hit of this.raycaster.intersectObjects(meshes, false)) {
      const { batch } = hit.object.userData as { batch?: Batch };
      const found = (batch?.instances ?? this.arrows)[hit.instanceId ?? 0];
      if (found !== undefined) return found.element;
    }
    return -1;
  }

  /// The position of an element on the canvas, in pixels.
  place2d(element: number): [number, number] {
    const instance = this.byElement.get(element)?.[0];
    const at = new THREE.Vector3();
    if (instance !== undefined) {
      const matrix = new THREE.Matrix4();
      instance.batch.mesh.getMatrixAt(instance.index, matrix);
      at.setFromMatrixPosition(matrix);
    }
    at.project(this.camera);
    const size = this.canvas.getBoundingClientRect();
    return [((at.x + 1) / 2) * size.width, ((1 - at.y) / 2) * size.height];
  }

  private makeGrid(): void {
    if (this.grid !== undefined) {
      this.scene.remove(this.grid);
      this.grid.dispose();
    }
    const wide = this.box.getSize(new THREE.Vector3()).length();
    const ten = 10 ** Math.floor(Math.log10(wide / 8));
    const step = ten * ([5, 2].find((k) => k * ten <= wide / 8) ?? 1);
    const count = 2 * Math.ceil(((this.mainBody > 0 ? 4 : 1.2) * wide) / (2 * step)) + 4;
    const { grid, gridMain, gridOnPlane } = this.theme;
    const onPlane = this.planeHeight() !== undefined;
    this.grid = new THREE.GridHelper(count * step, count, onPlane ? gridOnPlane : gridMain, onPlane ? gridOnPlane : grid);
    this.gridStep = step;
    this.grid.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), this.up);
    const middle = this.box.getCenter(new THREE.Vector3());
    middle.addScaledVector(this.up, this.floorHeight() - middle.dot(this.up));
    this.gridHome.copy(middle);
    this.moveGrid();
    this.grid.visible = this.shown.grid;
    this.scene.add(this.grid);
  }

  /// The grid follows the mechanism in whole steps, so that its lines stay in place.
  private moveGrid(): void {
    if (this.grid === undefined) return;
    const at = this.gridHome.clone();
    if (this.follow >= 0) at.copy(this.followed);
    at.addScaledVector(this.up, (this.gridHome.dot(this.up) - at.dot(this.up)) / this.up.lengthSq());
    for (const axis of ["x", "y", "z"] as const)
      if (Math.abs(this.up[axis]) < 0.5) at[axis] = Math.round(at[axis] / this.gridStep) * this.gridStep;
    this.grid.position.copy(at);
  }

  private planeHeight(): number | undefined {
    for (const e of this.model.elements)
      for (const p of e.parts)
        if (p.shape === "plane" && (p.body ?? 0) === 0 && p.role === "contact" && e.kind !== "joint")
          return vector(p.at ?? [0, 0, 0]).dot(this.up) + 1e-3 * this.model.size;
    return undefined;
  }

  setShown(shown: Partial<Shown>): void {
    Object.assign(this.shown, shown);
    if (this.grid !== undefined) this.grid.visible = this.shown.grid;
    this.makeLabels();
    this.move(this.time);
  }

  /// Labels of bodies, the heaviest first; in the colors of the theme.
  private makeLabels(): void {
    for (const { sprite } of this.sprites.filter((s) => s.label)) {
      this.scene.remove(sprite);
      sprite.material.map?.dispose();
      sprite.material.dispose();
    }
    this.sprites = this.sprites.filter((s) => !s.label);
    if (!this.shown.names) return;
    const bodies = [...this.model.bodies.entries()].slice(1).sort(([, one], [, other]) => (other.mass ?? 0) - (one.mass ?? 0));
    for (const [body, { centre, name }] of bodies.slice(0, 300))
      this.addText({ shape: "text", size: [1], role: "look", body, at: centre ?? [0, 0, 0], text: name }, true);
  }

  /// Labels have the size of letters of the page. If labels would overlap, that of the heavier body
  /// stays.
  private placeLabels(): void {
    if (!this.shown.names) return;
    this.camera.updateMatrixWorld();
    const { x: width, y: height } = this.renderer.getSize(new THREE.Vector2());
    const high = 17;
    const pixel = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
    const taken: { x: number; y: number; half: number }[] = [];
    const at = new THREE.Vector3();
    for (const { sprite, label, wide } of this.sprites) {
      if (!label) continue;
      at.copy(sprite.position).project(this.camera);
      const half = (high * wide) / 2;
      const x = (at.x * width) / 2;
      const y = (at.y * height) / 2;
      sprite.visible = at.z < 1 && taken.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > high);
      if (sprite.visible) taken.push({ x, y, half });
      sprite.scale.set(high * wide * pixel, high * pixel, 1);
    }
  }

  // Camera

  /// The box around all moving parts, at all times or at some of them. It also collects points, at
  /// a limited number of times.
  private findBox(points: THREE.Vector3[], only = 40): THREE.Box3 {
    const box = new THREE.Box3();
    const frames = Math.min(this.run.frames, only);
    const count = this.batches.reduce((sum, batch) => sum + batch.instances.length, 0);
    const every = Math.ceil((8 * count * frames) / 30_000);
    for (let k = 0; k < frames; ++k) {
      const add = (point: THREE.Vector3) => {
        box.expandByPoint(point);
        if (k % every === 0) points.push(point.clone());
      };
      const frame = Math.round((k * (this.run.frames - 1)) / Math.max(frames - 1, 1));
      this.place(this.run.time[frame] ?? 0);
      const at = new THREE.Vector3();
      for (const batch of this.batches) {
        if (batch.geometry === "plane") continue;
        for (const instance of batch.instances) {
          if (instance.role === "ground" && instance.batch.geometry.startsWith("cylinder") && instance.body === 0) continue;
          if (instance.between !== undefined) {
            add(this.position(instance.between[0], at));
            add(this.position(instance.between[1], at));
            continue;
          }
          const m = new THREE.Matrix4().multiplyMatrices((this.poses[instance.body] as Pose).matrix, instance.local);
          const geometry = makeBounds(batch);
          for (const corner of geometry) add(at.copy(corner).applyMatrix4(m));
        }
      }
    }
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    return box;
  }

  /// Planes of the ground extend as far as the mechanism moves and as the camera sees: to a horizon
  /// without corners.
  private widenPlanes(beyond: number): void {
    const size = this.box.getSize(new THREE.Vector3()).length();
    const middle = this.box.getCenter(new THREE.Vector3());
    for (const batch of this.batches)
      for (const instance of batch.instances) {
        if (batch.geometry !== "plane" || instance.body !== 0 || this.model.elements[instance.element]?.kind === "joint") continue;
        const at = new THREE.Vector3();
        const turn = new THREE.Quaternion();
        const wide = new THREE.Vector3();
        instance.local.decompose(at, turn, wide);
        const normal = up.clone().applyQuaternion(turn);
        const moved = middle.clone().addScaledVector(normal, normal.dot(at) - normal.dot(middle));
        const reach = Math.max(1.6 * size, size + beyond);
        instance.local.compose(moved, turn, wide.max(new THREE.Vector3(reach, reach, 1)));
      }
  }

  /// Rails of the ground extend as far as the bodies on them slide, and a little farther.
  private fitRails(): void {
    const rails = this.batches
      .flatMap((batch) => batch.instances)
      .filter(
        (i) =>
          i.body === 0 &&
          i.role === "ground" &&
          i.batch.geometry.startsWith("cylinder") &&
          this.model.elements[i.element]?.kind === "joint",
      );
    const frames = Math.min(this.run.frames, 200);
    for (const rail of rails) {
      const at = new THREE.Vector3();
      const turn = new THREE.Quaternion();
      const size = new THREE.Vector3();
      rail.local.decompose(at, turn, size);
      const axis = up.clone().applyQuaternion(turn);
      const body = this.model.elements[rail.element]?.bodies.find((b) => b > 0) ?? 0;
      this.place(this.run.start);
      const pose = (this.poses[body] as Pose).matrix;
      const on = at.clone().applyMatrix4(pose.clone().invert());
      // Extent of the body itself along the rail
      let [behind, ahead] = [0, 0];
      for (const instance of this.batches.flatMap((batch) => batch.instances)) {
        if (instance.body !== body || instance.between !== undefined) continue;
        const m = new THREE.Matrix4().multiplyMatrices(pose, instance.local);
        for (const corner of makeBounds(instance.batch)) {
          const s = corner.clone().applyMatrix4(m).sub(at).dot(axis);
          behind = Math.min(behind, s);
          ahead = Math.max(ahead, s);
        }
      }
      let least = 0;
      let most = 0;
      for (let k = 0; k < frames; ++k) {
        this.place(this.run.time[Math.round((k * (this.run.frames - 1)) / Math.max(frames - 1, 1))] ?? 0);
        const s = on
          .clone()
          .applyMatrix4((this.poses[body] as Pose).matrix)
          .sub(at)
          .dot(axis);
        least = Math.min(least, s);
        most = Math.max(most, s);
      }
      const margin = 0.08 * this.model.size;
      const [begin, end] = [least + behind - margin, most + ahead + margin];
      size.z = end - begin;
      for (const s of [begin, end]) {
        this.outline.push(at.clone().addScaledVector(axis, s));
        this.box.expandByPoint(this.outline.at(-1) as THREE.Vector3);
      }
      rail.local.compose(at.addScaledVector(axis, (begin + end) / 2), turn, size);
    }
  }

  /// Without a floor, shadows fall on the grid.
  private makeShadow(): void {
    const size = this.box.getSize(new THREE.Vector3()).length();
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(6 * size, 6 * size), new THREE.ShadowMaterial({ opacity: 0.16 }));
    floor.receiveShadow = true;
    floor.quaternion.setFromUnitVectors(up, this.up);
    const middle = this.box.getCenter(new THREE.Vector3());
    floor.position.copy(middle).addScaledVector(this.up, this.floorHeight() - middle.dot(this.up));
    this.scene.add(floor);
  }

  /// Below all moving parts; on a plane, if there is one.
  private floorHeight(): number {
    const size = this.box.getSize(new THREE.Vector3()).length();
    const lowest = Math.min(...[this.box.min, this.box.max].map((corner) => corner.dot(this.up)));
    return this.planeHeight() ?? lowest - 0.02 * size;
  }

  private makeLight(): void {
    const size = this.box.getSize(new THREE.Vector3()).length();
    const middle = this.box.getCenter(new THREE.Vector3());
    const { across, towards } = this.directions();
    this.light.position
      .copy(middle)
      .addScaledVector(this.up, 1.2 * size)
      .addScaledVector(towards, 0.7 * size)
      .addScaledVector(across, -0.5 * size);
    this.light.target.position.copy(middle);
    const few = this.batches.reduce((sum, batch) => sum + batch.instances.length, 0) < 400;
    this.renderer.shadowMap.enabled = few;
    this.light.castShadow = few;
    this.light.shadow.mapSize.set(2048, 2048);
    this.light.shadow.bias = -2e-4;
    this.light.shadow.normalBias = 0.002 * size;
    const camera = this.light.shadow.camera;
    camera.left = camera.bottom = -0.75 * size;
    camera.right = camera.top = 0.75 * size;
    camera.near = 0.05 * size;
    camera.far = 4 * size;
  }

  /// Directions to the right and towards the viewer, perpendicular to the vertical.
  private directions(): { across: THREE.Vector3; towards: THREE.Vector3 } {
    const towards = Math.abs(this.up.z) > 0.9 ? new THREE.Vector3(0, -1, 0) : new THREE.Vector3(0, 0, 1);
    towards.addScaledVector(this.up, -towards.dot(this.up)).normalize();
    return { across: new THREE.Vector3().crossVectors(this.up, towards), towards };
  }

  view(name: string): void {
    const { across, towards } = this.directions();
    const planar = this.isPlanar() && Math.abs(this.up.z) < 0.5;
    const from = new THREE.Vector3();
    switch (name) {
      case "front":
        from.copy(towards);
        break;
      case "side":
        from.copy(across);
        break;
      case "top":
        from.copy(this.up).addScaledVector(towards, 1e-3);
        break;
      default:
        from
          .copy(towards)
          .addScaledVector(across, planar ? 0.28 : 0.75)
          .addScaledVector(this.up, planar ? 0.22 : 0.5);
    }
    this.lookFrom(from.normalize());
  }

  fit(): void {
    this.lookFrom(this.camera.position.clone().sub(this.controls.target).normalize());
  }

  private lookFrom(from: THREE.Vector3): void {
    const right = new THREE.Vector3().crossVectors(this.up, from).normalize();
    const above = new THREE.Vector3().crossVectors(from, right);
    // The middle of the view from there, and the distance from which everything is visible
    const middle = this.box.getCenter(new THREE.Vector3());
    for (const axis of [right, above]) {
      const along = this.outline.map((point) => point.dot(axis));
      const [least, most] = [along.reduce((a, b) => Math.min(a, b), Infinity), along.reduce((a, b) => Math.max(a, b), -Infinity)];
      if (least <= most) middle.addScaledVector(axis, (least + most) / 2 - middle.dot(axis));
    }
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    let far = this.outline.length > 0 ? 0 : 2;
    const offset = new THREE.Vector3();
    for (const point of this.outline) {
      offset.subVectors(point, middle);
      const across = Math.abs(offset.dot(right)) / this.camera.aspect;
      far = Math.max(far, offset.dot(from) + Math.max(across, Math.abs(offset.dot(above))) / slope);
    }
    if (this.follow >= 0) {
      middle.copy(this.position({ body: this.follow, at: this.model.bodies[this.follow]?.centre ?? [0, 0, 0] }));
      if (this.follow === this.mainBody) far = (0.9 * this.radius) / Math.sin(Math.atan(slope * Math.min(this.camera.aspect, 1)));
    }
    far *= 1.1;
    const size = this.box.getSize(new THREE.Vector3()).length();
    this.camera.near = Math.max(far / 500, 1e-4 * size);
    this.camera.far = far + 20 * size;
    this.camera.position.copy(middle).addScaledVector(from, far);
    this.controls.target.copy(middle);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    if (this.follow >= 0) this.setFollow(this.follow);
  }

  /// Removes shadows first, then pixels; false if nothing more can be removed.
  simplify(): boolean {
    if (this.light.castShadow) {
      this.light.castShadow = false;
    } else if (this.coarse === 1) {
      this.coarse = 0.6;
      const { clientWidth, clientHeight } = this.canvas;
      this.resize(clientWidth, clientHeight);
    } else {
      return false;
    }
    return true;
  }
  private coarse = 1;

  resize(width: number, height: number, ratio = this.coarse * Math.min(window.devicePixelRatio, 2)): void {
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  render(): void {
    this.controls.update();
    this.placeLabels();
    this.renderer.render(this.scene, this.camera);
  }
}

const corners: THREE.Vector3[] = [];
for (const x of [-1, 1]) for (const y of [-1, 1]) for (const z of [-1, 1]) corners.push(new THREE.Vector3(x, y, z));

/// Corners of a box around a geometry of unit size, or around a mesh.
function makeBounds(batch: Batch): THREE.Vector3[] {
  const kind = batch.geometry.split(" ")[0];
  if (kind === "mesh" && batch.mesh !== undefined) {
    const around = batch.mesh.geometry;
    if (around.boundingBox === null) around.computeBoundingBox();
    const { min, max } = around.boundingBox as THREE.Box3;
    return corners.map((c) => new THREE.Vector3(c.x < 0 ? min.x : max.x, c.y < 0 ? min.y : max.y, c.z < 0 ? min.z : max.z));
  }
  if (kind === "box") return corners.map((c) => c.clone().multiplyScalar(0.5));
  if (kind === "cylinder" || kind === "cone") return corners.map((c) => new THREE.Vector3(c.x, c.y, 0.5 * c.z));
  if (kind === "torus") return corners.map((c) => new THREE.Vector3(1.1 * c.x, 1.1 * c.y, 0.1 * c.z));
  return corners;
}
