// The npm package "followup", whose command runs the program for the platform. The programs are optional
// dependencies, one per platform, so npm downloads only the matching one, and no script runs at installation.

import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/paths.mjs";

/** Node's names. @type {Record<string, string>} */
const systems = { windows: "win32" };
/** @type {Record<string, string>} */
const processors = { amd64: "x64" };

/** Runs the program, and exits with its status. */
const launcher = `#!/usr/bin/env node
const { spawn } = require("node:child_process");
const name = \`followup-\${process.platform}-\${process.arch}\`;
let program;
try {
  program = require.resolve(\`\${name}/followup\${process.platform === "win32" ? ".exe" : ""}\`);
} catch {
  console.error(\`followup: there is no program for \${process.platform} \${process.arch}, or npm left out the optional dependency \${name}.\`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
process.on("SIGINT", () => {}); // a terminal also sends it to the program
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", ({ message }) => {
  console.error(\`followup: \${message}\`);
  process.exitCode = 1;
});
child.on("exit", (status, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exitCode = status;
});
`;

/**
 * Writes the packages as folders, and returns the folders in the order for npm publish: the platforms' first.
 * @param {string} folder
 * @param {{goos: string, goarch: string, path: string}[]} programs
 * @param {Record<string, any>} manifest that of the extension
 * @param {string} notices the file with the licences of everything in the programs
 */
export function writeNpmPackages(folder, programs, manifest, notices) {
  const { version, license, repository, homepage, bugs } = manifest;
  const common = { version, license, repository, homepage, bugs };
  const write = (
    /** @type {string} */ name,
    /** @type {object} */ rest,
    /** @type {[string, string][]} */ files,
  ) => {
    const at = path.join(folder, name);
    mkdirSync(at, { recursive: true });
    writeFileSync(
      path.join(at, "package.json"),
      `${JSON.stringify({ name, ...common, ...rest }, null, 2)}\n`,
    );
    for (const [file, from] of [...files, ["LICENSE", path.join(root, "LICENSE")]]) {
      copyFileSync(from, path.join(at, file));
    }
    return at;
  };
  const platforms = programs.map(({ goos, goarch, path: program }) => {
    const [os, cpu] = [systems[goos] ?? goos, processors[goarch] ?? goarch];
    const name = `followup-${os}-${cpu}`;
    const file = os === "win32" ? "followup.exe" : "followup";
    const description = `The program of the package followup, for ${os} ${cpu}`;
    const at = write(name, { description, os: [os], cpu: [cpu], files: [file, "NOTICES.txt"] }, [
      [file, program],
      ["NOTICES.txt", notices],
    ]);
    chmodSync(path.join(at, file), 0o755);
    return { name, at };
  });
  const main = write(
    "followup",
    {
      description: "The inbox where coding agents ask their user",
      keywords: ["agent", "question", "mcp", "human in the loop"],
      bin: { followup: "followup.js" },
      files: ["followup.js"],
      engines: { node: ">=18" },
      optionalDependencies: Object.fromEntries(platforms.map(({ name }) => [name, version])),
    },
    [],
  );
  writeFileSync(path.join(main, "followup.js"), launcher, { mode: 0o755 });
  return [...platforms.map(({ at }) => at), main];
}
