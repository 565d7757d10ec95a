// What the Khronos validator says of glTF files, as JSON.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import validator from "gltf-validator";

const said = {};
for (const file of process.argv.slice(2)) {
  const { issues, info } = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  said[basename(file)] = { issues: issues.messages, animations: info.animationCount };
}
console.log(JSON.stringify(said));
