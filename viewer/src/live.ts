// A live page follows its file: it asks its server for a new run, and then reloads with the same
// camera and time.

import type { Page } from "./main";

interface Kept {
  t: number;
  playing: boolean;
  moved: boolean;
  camera: number[];
  target: number[];
}

const key = "mechfmu view";

export function recall(page: Page): void {
  const text = sessionStorage.getItem(key);
  if (text === null) return;
  sessionStorage.removeItem(key);
  const kept = JSON.parse(text) as Kept;
  // The view of a file that was invalid from the beginning is not a choice of the user.
  if (kept.moved) {
    page.moved = true;
    page.world.camera.position.fromArray(kept.camera);
    page.world.controls.target.fromArray(kept.target);
  }
  page.seek(kept.t);
  page.play(kept.playing);
}

export function keepUp(page: Page, version: number): void {
  setInterval(async () => {
    try {
      const now = Number(await (await fetch("version")).text());
      document.documentElement.dataset.server = "there";
      if (now === version) return;
      const kept: Kept = {
        t: page.t,
        playing: page.playing,
        moved: page.moved,
        camera: page.world.camera.position.toArray(),
        target: page.world.controls.target.toArray(),
      };
      sessionStorage.setItem(key, JSON.stringify(kept));
      location.reload();
    } catch {
      document.documentElement.dataset.server = "gone";
    }
  }, 500);
}
