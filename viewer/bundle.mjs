// viewer.html: the page with its program and style in it, and places for the data that the tool puts there.
//
// The policy of the page names the program and the style by their hashes: nothing else is run, and nothing is loaded.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "..", "build", "viewer", "viewer.html");

const read = (...path) => readFileSync(join(here, ...path), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

const made = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  write: false,
});
// A program inside HTML must not hold what ends it.
const js = `${made.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--").trim()}`;
const css = (read("node_modules/uplot/dist/uPlot.min.css") + read("src/style.css")).replaceAll("</", "<\\/").trim();
const licences = ["three", "uplot"]
  .map((name) => {
    const { version } = JSON.parse(read("node_modules", name, "package.json"));
    return `${name} ${version}\n${read("node_modules", name, "LICENSE").trim()}`;
  })
  .join("\n\n")
  .replaceAll("--", "- -");

let page = read("page.html");
const put = (mark, text) => {
  page = page.replace(mark, () => text);
};
put("@LICENCES@", `This page contains\n\n${licences}`);
put("@SCRIPT@", hash(js));
put("@STYLE@", hash(css));
put("@CSS@", css);
put("@JS@", js);
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, page);
