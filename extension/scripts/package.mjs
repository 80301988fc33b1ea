#!/usr/bin/env node
// Creates the packages: a VSIX with the compressed sidecar for each platform, and checks each one.
//
//   node extension/scripts/package.mjs        only for this platform, quickly: followup-PLATFORM.vsix in the repository's root
//   node extension/scripts/package.mjs --all  for all platforms, as published: in packages/, with checksums and a bill of materials
//
// The Makefile builds the bundles, and sets GOFLAGS and CGO_ENABLED. The same commit gives the same bytes.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { absoluteCalls } from "../src/sidecar/calls.mjs";
import { root } from "./lib/paths.mjs";
import { runScript, StepError } from "./lib/step.mjs";
import { goModules, noticesText, npmPackages } from "./package/bundled.mjs";
import { flawsOf, sizeLimit } from "./package/check.mjs";
import { addresses, detailsPage } from "./package/readme.mjs";
import { billOfMaterials } from "./package/sbom.mjs";
import { buildSidecar, ownTarget } from "./package/sidecar.mjs";
import { writeSums } from "./package/sums.mjs";
import { binaryKey, isX86, targets } from "./package/targets.mjs";
import { createVSIX, listFiles, PackageManager } from "./package/vsce.mjs";

/** @typedef {import("./package/targets.mjs").Target} Target */

const packages = path.join(root, "packages");
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const sha256 = (/** @type {Buffer | string} */ content) => createHash("sha256").update(content).digest("hex");

const { values } = parseArgs({ options: { all: { type: "boolean", default: false } } });

await runScript(main);

async function main() {
  const wanted = values.all ? targets : [ownTarget()];
  const time = new Date(Number(process.env.SOURCE_DATE_EPOCH || commitTime()) * 1000);
  process.env.SOURCE_DATE_EPOCH = `${time.getTime() / 1000}`; // vsce reads it
  process.env.TZ = "UTC"; // a zip's times are local
  if (values.all) {
    rmSync(packages, { recursive: true, force: true });
    mkdirSync(packages);
  }
  // Slow work is done once for all targets that share a binary, and in parallel.
  /** @type {Map<string, {binary: string, packed: Promise<Buffer>}>} */
  const builds = new Map();
  for (const target of wanted) {
    const key = binaryKey(target);
    if (builds.has(key)) continue;
    const binary = buildSidecar(target);
    builds.set(key, { binary, packed: pack(readFileSync(binary), target) });
  }
  for (const target of wanted) {
    const { binary, packed } = /** @type {NonNullable<ReturnType<typeof builds.get>>} */ (
      builds.get(binaryKey(target))
    );
    await makePackage(target, binary, await packed);
  }
  if (values.all) {
    const modules = [...builds.values()].flatMap(({ binary }) => goModules(binary));
    const once = new Map(
      [...(await npmPackages()), ...modules].map((part) => [`${part.type} ${part.name}`, part]),
    );
    const bill = path.join(packages, `followup-${manifest.version}.cdx.json`);
    writeFileSync(bill, billOfMaterials([...once.values()], time));
    writeSums(packages);
  }
}

/** The commit's time in seconds; without a repository of git, that of an archive's files. */
function commitTime() {
  const log = spawnSync("git", ["log", "-1", "--format=%ct"], { cwd: root, encoding: "utf8" });
  if (log.status === 0) return log.stdout.trim();
  return String(Math.floor(statSync(path.join(root, "package.json")).mtimeMs / 1000));
}

/**
 * Compresses a binary: as far as possible if it is published, which takes most of a minute. The quick package is a sixth larger.
 * @param {Buffer} content
 * @param {Target} target
 * @returns {Promise<Buffer>}
 */
function pack(content, target) {
  return promisify(brotliCompress)(isX86(target) ? absoluteCalls(content) : content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: values.all ? constants.BROTLI_MAX_QUALITY : 5,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
}

/**
 * @param {Target} target
 * @param {string} binary
 * @param {Buffer} packed
 */
async function makePackage(target, binary, packed) {
  const file = values.all
    ? path.join(packages, `followup-${target.name}-${manifest.version}.vsix`)
    : path.join(root, `followup-${target.name}.vsix`);
  const folder = mkdtempSync(path.join(tmpdir(), "followup-package-"));
  try {
    await stage(folder, target, binary, packed);
    await createVSIX({
      cwd: folder,
      target: target.name,
      packagePath: file,
      dependencies: false,
      // An odd minor version is a pre-release in the Marketplace.
      preRelease: Number(manifest.version.split(".")[1]) % 2 === 1,
      rewriteRelativeLinks: false, // already done, including HTML's pictures
      allowMissingRepository: manifest.repository === undefined,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const flaws = await flawsOf(file, target);
  const { size } = statSync(file);
  if (values.all && size > sizeLimit) flaws.push(`it has ${size} bytes, more than ${sizeLimit}`);
  if (flaws.length > 0) throw new StepError(`${file}:\n  ${flaws.join("\n  ")}`);
  process.stdout.write(`${path.relative(root, file)}: ${(size / 1e6).toFixed(2)} MB\n`);
}

/**
 * Puts a package's files into a folder.
 * @param {string} folder
 * @param {Target} target
 * @param {string} binary
 * @param {Buffer} packed the binary, compressed
 */
async function stage(folder, target, binary, packed) {
  const put = (/** @type {string} */ name, /** @type {string | Buffer} */ content) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, 0o644); // independent of the umask
  };
  for (const name of await listFiles({ cwd: root, packageManager: PackageManager.None })) {
    put(name, readFileSync(path.join(root, name)));
  }
  const content = readFileSync(binary);
  put("bin/followup.br", packed);
  const says = { size: content.length, sha256: sha256(content), absoluteCalls: isX86(target) };
  put("bin/followup.json", `${JSON.stringify(says)}\n`);
  put("bin/NOTICES.txt", noticesText([...(await npmPackages()), ...goModules(binary)]));
  const known = addresses(manifest);
  put("package.json", `${JSON.stringify({ ...manifest, ...known }, null, 2)}\n`);
  const readme = readFileSync(path.join(root, "README.md"), "utf8");
  put("README.md", detailsPage(readme, known.repository?.url, `v${manifest.version}`));
}
