// Checks a finished package: it is complete, is for its platform, and contains nothing else.

import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { brotliDecompressSync } from "node:zlib";
import yauzl from "yauzl";
import { relativeCalls } from "../../src/sidecar/calls.mjs";
import { root } from "../lib/paths.mjs";
import { goModules, missingNotices, npmPackages } from "./bundled.mjs";
import { relativeLinks } from "./readme.mjs";
import { binaryName, isFor } from "./targets.mjs";

/** The maximum size of a published package in bytes. */
export const sizeLimit = 8_000_000;

const tree = (/** @type {string} */ folder) => readdirSync(path.join(root, folder));

/** The files of a package: from the packager, the builds and the tree. */
export const contents = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  ...["followup.br", "followup.json", "NOTICES.txt"].map((name) => `extension/bin/${name}`),
  ...["extension.js", "webview.js", "questions.css", "history.css"].map(
    (name) => `extension/extension/dist/${name}`,
  ),
  ...["readme.md", "changelog.md", "LICENSE.txt", "package.json"].map((name) => `extension/${name}`),
  ...tree(".").flatMap((name) => (/^package\.nls(\..+)?\.json$/.test(name) ? `extension/${name}` : [])),
  ...["l10n", "extension/icons", "extension/walkthrough"].flatMap((folder) =>
    tree(folder).map((name) => `extension/${folder}/${name}`),
  ),
];

/**
 * Returns the problems of a package; none if it can be published.
 * @param {string} file a VSIX
 * @param {import("./targets.mjs").Target} target
 * @returns {Promise<string[]>}
 */
export async function flawsOf(file, target) {
  const packages = await npmPackages();
  return flawsIn(await unzip(file), target, (binary) => [...packages, ...modulesOf(binary, target)]);
}

/**
 * @param {Map<string, Buffer>} files
 * @param {import("./targets.mjs").Target} target
 * @param {(binary: Buffer) => import("./bundled.mjs").Bundled[]} madeOf returns the bundled packages
 */
export function flawsIn(files, target, madeOf) {
  const flaws = [...files.keys()]
    .filter((name) => !contents.includes(name))
    .map((name) => `${name} does not belong into a package`);
  flaws.push(...contents.filter((name) => !files.has(name)).map((name) => `there is no file ${name}`));
  if (flaws.length > 0) return flaws;
  const text = (/** @type {string} */ name) => (files.get(name) ?? Buffer.alloc(0)).toString();
  if (!text("extension.vsixmanifest").includes(`TargetPlatform="${target.name}"`)) {
    flaws.push(`its manifest does not name the platform ${target.name}`);
  }
  const dead = ["readme.md", "changelog.md"].flatMap((name) => relativeLinks(text(`extension/${name}`)));
  flaws.push(...dead.map((target) => `the link to ${target} leads nowhere outside of the repository`));
  const says = JSON.parse(text("extension/bin/followup.json"));
  const packed = brotliDecompressSync(files.get("extension/bin/followup.br") ?? "");
  const binary = says.absoluteCalls ? Buffer.from(relativeCalls(packed)) : packed;
  if (says.size !== binary.length || says.sha256 !== createHash("sha256").update(binary).digest("hex")) {
    flaws.push("bin/followup.br is not what bin/followup.json says");
  }
  if (!isFor(target, binary)) return [...flaws, `bin/followup.br is no program for ${target.name}`];
  const notices = text("extension/bin/NOTICES.txt");
  const missing = missingNotices(notices, madeOf(binary));
  flaws.push(
    ...missing.map(({ name, version }) => `bin/NOTICES.txt has not the licence of ${name} ${version}`),
  );
  return flaws;
}

/**
 * @param {Buffer} binary
 * @param {import("./targets.mjs").Target} target
 */
function modulesOf(binary, target) {
  const folder = mkdtempSync(path.join(tmpdir(), "followup-check-"));
  try {
    const file = path.join(folder, binaryName(target));
    writeFileSync(file, binary, { mode: 0o755 });
    return goModules(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {string} file
 * @returns {Promise<Map<string, Buffer>>} the content of each file in it
 */
async function unzip(file) {
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  const zip = await promisify(yauzl.fromBuffer)(readFileSync(file), { lazyEntries: true });
  const read = promisify(zip.openReadStream.bind(zip));
  return await new Promise((resolve, reject) => {
    zip.on("error", reject).on("end", () => resolve(files));
    zip.on("entry", async (/** @type {import("yauzl").Entry} */ entry) => {
      try {
        files.set(entry.fileName, Buffer.concat(await (await read(entry)).toArray()));
        zip.readEntry();
      } catch (error) {
        reject(error);
      }
    });
    zip.readEntry();
  });
}
