// The checksums of the published files.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const name = "SHA256SUMS";

/**
 * Writes SHA256SUMS of all other files in a folder.
 * @param {string} folder
 */
export function writeSums(folder) {
  const files = readdirSync(folder).filter((file) => file !== name);
  const sums = files.sort().map((file) => {
    const hash = createHash("sha256").update(readFileSync(path.join(folder, file)));
    return `${hash.digest("hex")}  ${file}\n`;
  });
  writeFileSync(path.join(folder, name), sums.join(""));
}
