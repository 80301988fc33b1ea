// The parts of a package besides Followup's own code, with their licences: the modules in the sidecar, and
// the npm packages in the bundles.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { browserOptions, extensionOptions, webviewOptions } from "../../build.mjs";
import { root } from "../lib/paths.mjs";
import { StepError } from "../lib/step.mjs";

/**
 * @typedef {object} Bundled
 * @property {"golang" | "npm"} type as package URLs name it
 * @property {string} name
 * @property {string} version
 * @property {string[]} licences their SPDX identifiers
 * @property {string} text the licences, and notices that have to go along
 */

const go = (/** @type {string[]} */ args, env = {}) =>
  execFileSync("go", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, ...env },
  });

/**
 * The modules in a binary, and Go's own library.
 * @param {string} binary
 * @returns {Bundled[]}
 */
export function goModules(binary) {
  return described([...go(["version", "-m", binary]).matchAll(/^\tdep\t(\S+)\t(\S+)/gm)]);
}

/** The systems and processors of the programs without an editor, as .goreleaser.yaml builds them. */
export const platforms = [
  ...["linux amd64", "linux arm64", "linux arm", "darwin amd64", "darwin arm64"],
  ...["windows amd64", "windows arm64", "freebsd amd64"],
];

/**
 * The modules in the programs without an editor, of all platforms, and Go's own library.
 * @returns {Bundled[]}
 */
export function programModules() {
  const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}";
  const lines = platforms.flatMap((platform) => {
    const [GOOS, GOARCH] = platform.split(" ");
    const env = { GOOS, GOARCH, CGO_ENABLED: "0" };
    return go(["list", "-deps", "-f", format, "./cmd/followup"], env).split("\n");
  });
  return described([...new Set(lines)].sort().flatMap((line) => [...line.matchAll(/^(\S+) (\S+)$/g)]));
}

/**
 * @param {RegExpExecArray[]} found the modules' names and versions
 * @returns {Bundled[]} with Go's own library
 */
function described(found) {
  const [goroot = "", version = ""] = go(["env", "GOROOT", "GOVERSION"]).trim().split("\n");
  const used = found.map(([, name = "", at = ""]) => ({ name, version: at }));
  const folders = go(["list", "-m", "-f", "{{.Dir}}", ...used.map(({ name }) => name)]).split("\n");
  return [
    { name: "std", version: version.replace(/^go/, ""), folder: goroot },
    ...used.map((module, index) => ({ ...module, folder: folders[index] ?? "" })),
  ].map(({ folder, ...module }) => ({ type: "golang", ...module, ...licence(module.name, folder) }));
}

/**
 * The packages in the bundles, as esbuild finds them, and the package of the icons.
 * @returns {Promise<Bundled[]>}
 */
export async function npmPackages() {
  const bundles = [extensionOptions, webviewOptions, browserOptions].map((options) =>
    build({ ...options("out", false), write: false, metafile: true, logLevel: "error" }),
  );
  const inputs = (await Promise.all(bundles)).flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const used = inputs.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set([...used, "node_modules/@vscode/codicons"])].sort().map((name) => {
    const folder = path.join(root, name);
    const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    return { type: "npm", name: manifest.name, version: manifest.version, ...licence(manifest.name, folder) };
  });
}

/**
 * @param {string} name
 * @param {string} folder
 */
function licence(name, folder) {
  const files = readdirSync(folder).filter((file) =>
    /^(licen[cs]e|copying|copyright|notice|patents|third-?party-?notices?)/i.test(file),
  );
  const texts = files.sort().map((file) => readFileSync(path.join(folder, file), "utf8").trim());
  const licences = licencesOf(texts.join("\n\n"));
  // Somebody must review a new dependency's licence before it is distributed.
  if (licences.length === 0) throw new StepError(`${name} has no licence that is known here, in ${folder}`);
  return { licences, text: texts.join("\n\n") };
}

/** Text that identifies each licence. @type {Record<string, RegExp>} */
const known = {
  MIT: /Permission is hereby granted, free of charge, to any person obtaining/,
  ISC: /Permission to use, copy, modify, and(\/or)? distribute this software for any purpose with or without fee/,
  "Apache-2.0": /Apache License,? Version 2\.0/,
  "BSD-3-Clause": /Redistribution and use in source and binary forms.*Neither the name/,
  "BSD-2-Clause": /Redistribution and use in source and binary forms(?!.*Neither the name)/,
  "CC-BY-4.0": /Creative Commons Attribution 4\.0 International/,
};

/**
 * The licences of a text, by their SPDX identifiers.
 * @param {string} text
 */
export function licencesOf(text) {
  const line = text.replaceAll(/\s+/g, " ");
  return Object.keys(known).filter((name) => known[name]?.test(line));
}

/**
 * The notices as they go along with a package.
 * @param {Bundled[]} bundled
 */
export function noticesText(bundled) {
  const rule = "=".repeat(80);
  const parts = bundled.map(
    ({ name, version, licences, text }) =>
      `${rule}\n${name} ${version} (${licences.join(", ")})\n${rule}\n\n${text}\n`,
  );
  return ["Followup contains the following software. Its own licence is in LICENSE.\n", ...parts].join("\n");
}

/**
 * The parts whose licences are missing in notices.
 * @param {string} notices
 * @param {Bundled[]} bundled
 */
export function missingNotices(notices, bundled) {
  return bundled.filter(
    ({ name, version, text }) => !notices.includes(`\n${name} ${version} (`) || !notices.includes(text),
  );
}
