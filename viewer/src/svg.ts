// The picture as polygons: triangles in front of the camera, shaded flat, the farthest first; above
// them paths and letters.

import * as THREE from "three";

interface Polygon {
  depth: number;
  points: string;
  color: string;
  opacity: number;
}

/// The part of a polygon in front of the camera: z ≤ nearest.
function clip(corners: readonly THREE.Vector3[], nearest: number): THREE.Vector3[] {
  return corners.flatMap((p, i) => {
    const q = corners[(i + 1) % corners.length] as THREE.Vector3;
    const kept = p.z <= nearest ? [p.clone()] : [];
    if (p.z <= nearest !== q.z <= nearest) kept.push(p.clone().lerp(q, (nearest - p.z) / (q.z - p.z)));
    return kept;
  });
}

export function drawSvg(scene: THREE.Scene, camera: THREE.PerspectiveCamera, width: number, height: number): string {
  scene.updateMatrixWorld();
  camera.updateMatrixWorld();
  const light = new THREE.Vector3(-0.35, 0.65, 0.68).normalize(); // in axes of the camera
  const polygons: Polygon[] = [];
  const corners = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()] as const;
  const side = new THREE.Vector3();
  const normal = new THREE.Vector3();
  const color = new THREE.Color();
  const matrix = new THREE.Matrix4();
  scene.traverseVisible((object) => {
    if (!(object instanceof THREE.InstancedMesh)) return;
    const material = object.material as THREE.MeshStandardMaterial;
    const places = object.geometry.getAttribute("position");
    const index = object.geometry.getIndex();
    const count = index === null ? places.count : index.count;
    for (let instance = 0; instance < object.count; ++instance) {
      object.getMatrixAt(instance, matrix);
      matrix.premultiply(object.matrixWorld).premultiply(camera.matrixWorldInverse);
      color.copy(material.color);
      if (object.instanceColor !== null) object.getColorAt(instance, color);
      for (let i = 0; i < count; i += 3) {
        for (const [k, corner] of corners.entries())
          corner.fromBufferAttribute(places, index === null ? i + k : index.getX(i + k)).applyMatrix4(matrix);
        const [a, b, c] = corners;
        const behind = corners.filter((corner) => corner.z > -camera.near).length;
        if (behind === 3) continue;
        normal.subVectors(b, a).cross(side.subVectors(c, a)).normalize();
        let facing = -normal.dot(a);
        if (facing < 0 && material.side === THREE.DoubleSide) {
          normal.negate();
          facing = -facing;
        }
        if (!(facing > 0)) continue;
        const shade = 0.45 + 0.6 * Math.max(normal.dot(light), 0);
        const shaded = color.clone().multiplyScalar(shade);
        // Ground that reaches behind the camera is under everything else.
        const depth = behind > 0 ? -camera.far : (a.z + b.z + c.z) / 3;
        const points = (behind > 0 ? clip(corners, -camera.near) : corners)
          .map((corner) => {
            corner.applyMatrix4(camera.projectionMatrix);
            return `${(((corner.x + 1) / 2) * width).toFixed(1)},${(((1 - corner.y) / 2) * height).toFixed(1)}`;
          })
          .filter((point, k, all) => all.indexOf(point) === k);
        if (points.length < 3) continue;
        polygons.push({ depth, points: points.join(" "), color: `#${shaded.getHexString()}`, opacity: material.opacity });
      }
    }
  });
  const place = (at: THREE.Vector3): [number, number] => {
    at.project(camera);
    return [((at.x + 1) / 2) * width, ((1 - at.y) / 2) * height];
  };
  const above: string[] = [];
  scene.traverseVisible((object) => {
    if (object instanceof THREE.Line && !(object instanceof THREE.LineSegments)) {
      const places = object.geometry.getAttribute("position");
      const stroke = (object.material as THREE.LineBasicMaterial).color.getHexString();
      const points = Array.from({ length: places.count }, (_, i) =>
        place(new THREE.Vector3().fromBufferAttribute(places, i))
          .map((x) => x.toFixed(1))
          .join(),
      );
      above.push(`<polyline points="${points.join(" ")}" fill="none" stroke="#${stroke}" stroke-width="1.2"/>`);
    } else if (object instanceof THREE.Sprite) {
      const { text, color: fill } = object.userData as { text: string; color: string };
      const far = -object.position.clone().applyMatrix4(camera.matrixWorldInverse).z;
      const [x, y] = place(object.position.clone());
      const attenuated = object.material.sizeAttenuation ? far : 1;
      const high = (object.scale.y * height) / (2 * Math.tan((camera.fov * Math.PI) / 360) * attenuated) / 1.375;
      const escaped = text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
      above.push(
        `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" font-size="${high.toFixed(1)}" font-family="sans-serif" font-weight="600" text-anchor="middle" dominant-baseline="middle" fill="${fill}" stroke="#fff" stroke-width="${(0.12 * high).toFixed(1)}" paint-order="stroke">${escaped}</text>`,
      );
    }
  });
  polygons.sort((one, other) => one.depth - other.depth);
  const back = scene.background instanceof THREE.Color ? `#${scene.background.getHexString()}` : "none";
  const lines = polygons.map(
    ({ points, color: fill, opacity }) =>
      `<polygon points="${points}" fill="${fill}" stroke="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ""}/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" stroke-width="0.4" stroke-linejoin="round">`,
    `<rect width="100%" height="100%" fill="${back}" stroke="none"/>`,
    ...lines,
    ...above,
    "</svg>\n",
  ].join("\n");
}
