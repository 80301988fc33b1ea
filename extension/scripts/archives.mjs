#!/usr/bin/env node
// Creates the parts of a release for users without an editor, beside the extension's packages: archives, deb and rpm, files for Homebrew
// and Scoop, npm packages and their bill of materials, in packages/. Then writes the checksums of all files there. docs/releasing.md
//
//   node extension/scripts/archives.mjs --goreleaser=MODULE@VERSION

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { runScript, StepError } from "./lib/step.mjs";
import { goModules, missingNotices, npmPackages } from "./package/bundled.mjs";
import { writeNpmPackages } from "./package/npm.mjs";
import { addresses, detailsPage } from "./package/readme.mjs";
import { billOfMaterials } from "./package/sbom.mjs";
import { writeSums } from "./package/sums.mjs";

/** @typedef {{type: string, name: string, path: string, goos: string, goarch: string}} Artifact as goreleaser lists it */

const { values } = parseArgs({ options: { goreleaser: { type: "string" } } });
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const packages = path.join(root, "packages");
const dist = path.join(root, "dist");
const git = (/** @type {string[]} */ ...args) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

await runScript(main);

async function main() {
  const known = addresses(manifest);
  const isTagged = git("tag", "--points-at", "HEAD").split("\n").includes(`v${manifest.version}`);
  const env = { ...process.env, VERSION: manifest.version };
  if (known.repository) {
    const { url } = known.repository;
    Object.assign(env, { REPOSITORY: url, OWNER: new URL(url).pathname.split("/")[1] });
  }
  const readme = readFileSync(path.join(root, "README.md"), "utf8");
  mkdirSync(path.join(root, "bin"), { recursive: true });
  writeFileSync(
    path.join(root, "bin", "README.md"),
    detailsPage(readme, known.repository?.url, `v${manifest.version}`),
  );
  const how = isTagged ? ["--skip=publish"] : ["--snapshot"];
  execFileSync("go", ["run", `${values.goreleaser}`, "release", "--clean", ...how], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  mkdirSync(packages, { recursive: true });
  /** @type {Artifact[]} */
  const artifacts = JSON.parse(readFileSync(path.join(dist, "artifacts.json"), "utf8"));
  for (const { type, path: file } of artifacts) {
    if (["Archive", "Linux Package", "Homebrew Cask", "Scoop Manifest"].includes(type)) {
      copyFileSync(path.join(root, file), path.join(packages, path.basename(file)));
    }
  }
  const programs = artifacts
    .filter(({ type }) => type === "Binary")
    .map((program) => ({ ...program, path: path.join(root, program.path) }));
  const parts = [...(await npmPackages()), ...programs.flatMap((program) => goModules(program.path))];
  const notices = path.join(root, "bin", "NOTICES.txt");
  const missing = missingNotices(readFileSync(notices, "utf8"), parts).map(({ name }) => name);
  if (missing.length > 0) throw new StepError(`${notices} has not the licences of ${missing.join(", ")}`);
  const folders = writeNpmPackages(path.join(dist, "npm"), programs, { ...manifest, ...known }, notices);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", packages, ...folders], {
    cwd: root,
    stdio: "inherit",
  });
  const once = new Map(parts.map((part) => [`${part.type} ${part.name}`, part]));
  const time = new Date(Number(git("log", "-1", "--format=%ct")) * 1000);
  writeFileSync(
    path.join(packages, `followup-${manifest.version}-archives.cdx.json`),
    billOfMaterials([...once.values()], time),
  );
  writeSums(packages);
  rmSync(dist, { recursive: true });
}
