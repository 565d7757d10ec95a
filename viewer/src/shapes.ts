// Geometries of unit size, one for each kind of shape: parts are instances of them, moved, turned
// and scaled.

import * as THREE from "three";
import type { Part, Scene } from "./data";

/// A piece of a part: its geometry, and its pose in the frame of the part.
export interface Piece {
  geometry: string;
  matrix: THREE.Matrix4;
  color?: string;
}

class Helix extends THREE.Curve<THREE.Vector3> {
  constructor(
    private readonly turns: number,
    private readonly length: number,
  ) {
    super();
  }
  /// A helix with straight ends on the axis.
  override getPoint(t: number, into = new THREE.Vector3()): THREE.Vector3 {
    const end = 0.1;
    const ramp = Math.min(1, t / end, (1 - t) / end);
    const angle = 2 * Math.PI * this.turns * t;
    return into.set(ramp * Math.cos(angle), ramp * Math.sin(angle), this.length * t);
  }
}

/// Names of geometries contain their parameters: "coil 8 0.16 12" has 8 turns of wire 0.16 of its
/// radius, is 12 radii long, and then scaled to length 1, so that its wire is round when the scene
/// stretches it to that length. "cylinder 16" and "sphere 16" have 16 sides.
export function makeGeometry(name: string, scene: Scene): THREE.BufferGeometry {
  const [kind, ...words] = name.split(" ");
  const [first = 0, second = 0, third = 1] = words.map(Number);
  switch (kind) {
    case "box":
      return new THREE.BoxGeometry(1, 1, 1);
    case "sphere":
      return new THREE.SphereGeometry(1, first || 24, Math.ceil(0.6 * (first || 24)));
    case "cylinder":
      return new THREE.CylinderGeometry(1, 1, 1, first || 24).rotateX(Math.PI / 2);
    case "cone":
      return new THREE.ConeGeometry(1, 1, 28).rotateX(Math.PI / 2);
    case "torus":
      return new THREE.TorusGeometry(1, first, 14, 56);
    case "arc":
      return new THREE.TorusGeometry(1, 0.07, 8, 40, 1.5 * Math.PI);
    case "plane":
      return new THREE.PlaneGeometry(1, 1);
    case "coil":
      return new THREE.TubeGeometry(new Helix(first, third), Math.round(first * 22), second, 7).scale(1, 1, 1 / third);
    case "mesh": {
      const mesh = scene.meshes[first];
      const made = new THREE.BufferGeometry();
      if (mesh !== undefined) {
        made.setAttribute("position", new THREE.Float32BufferAttribute(mesh.points, 3));
        made.setIndex(mesh.triangles);
      }
      const flat = made.toNonIndexed();
      flat.computeVertexNormals();
      return flat;
    }
  }
  throw new Error(`this page has a shape of another version: ${kind}`);
}

function scaled(x: number, y: number, z: number): THREE.Matrix4 {
  return new THREE.Matrix4().makeScale(x, y, z);
}

/// The pieces of a part. In stretched parts, z goes from 0 to 1 along their length, which the scene
/// scales; `length` is that at t = 0. Parts that are small compared with `size`, that of the
/// mechanism, have fewer sides.
export function piecesOf(part: Part, length: number, size: number): Piece[] {
  const [x = 1, y = 1, z = 1] = part.size;
  const radius = part.shape === "ellipsoid" ? Math.max(x, y, z) : x;
  const sides = radius > 0.02 * size ? 48 : radius > 0.004 * size ? 20 : 10;
  const [cylinder, sphere] = [`cylinder ${sides}`, `sphere ${sides}`];
  switch (part.shape) {
    case "box":
      return [{ geometry: "box", matrix: scaled(x, y, z) }];
    case "sphere":
      return [{ geometry: sphere, matrix: scaled(x, x, x) }];
    case "ellipsoid":
      return [{ geometry: sphere, matrix: scaled(x, y, z) }];
    case "cylinder":
      return [{ geometry: cylinder, matrix: scaled(x, x, y) }];
    case "cone":
      return [{ geometry: "cone", matrix: scaled(x, x, y) }];
    case "capsule":
      return [
        { geometry: cylinder, matrix: scaled(x, x, y) },
        { geometry: sphere, matrix: scaled(x, x, x).setPosition(0, 0, y / 2) },
        { geometry: sphere, matrix: scaled(x, x, x).setPosition(0, 0, -y / 2) },
      ];
    case "torus":
      return [{ geometry: `torus ${Number((y / x).toPrecision(3))}`, matrix: scaled(x, x, x) }];
    case "plane":
      return [{ geometry: "plane", matrix: scaled(x, y, 1) }];
    case "coil":
      return [
        {
          geometry: `coil ${z} ${Number((y / x).toPrecision(2))} ${Number((length / x).toPrecision(2))}`,
          matrix: scaled(x, x, 1),
        },
      ];
    case "tube":
      return [{ geometry: cylinder, matrix: scaled(x, x, 1).setPosition(0, 0, 0.5) }];
    case "mesh":
      return [{ geometry: `mesh ${part.mesh ?? 0}`, matrix: scaled(x, x, x) }];
    case "frame": {
      const r = 0.03 * x;
      const along = (axis: THREE.Vector3) =>
        new THREE.Matrix4()
          .makeRotationFromQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis))
          .multiply(scaled(r, r, x).setPosition(0, 0, x / 2));
      return [
        { geometry: "cylinder 10", matrix: along(new THREE.Vector3(1, 0, 0)), color: "#d9534f" },
        { geometry: "cylinder 10", matrix: along(new THREE.Vector3(0, 1, 0)), color: "#4fae62" },
        { geometry: "cylinder 10", matrix: along(new THREE.Vector3(0, 0, 1)), color: "#4f7fd9" },
      ];
    }
  }
  return [];
}
