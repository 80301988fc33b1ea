#!/usr/bin/env node
// Creates the commit of a release and its tag. Compared to HEAD, the commit has two generated changes: the module's path is the
// repository's address, and the page that the program embeds is included, so that `go install` builds the whole program. docs/releasing.md
//
//   node extension/scripts/tag.mjs [--sign]

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/paths.mjs";
import { runScript, StepError } from "./lib/step.mjs";
import { withModulePath } from "./package/module.mjs";
import { addresses } from "./package/readme.mjs";

const { values } = parseArgs({ options: { sign: { type: "boolean", default: false } } });
const page = "internal/web/page";

await runScript(main);

function main() {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const { repository } = addresses(manifest);
  if (!repository)
    throw new StepError("package.json has no repository: set it once, as docs/releasing.md says.");
  const tag = `v${manifest.version}`;
  const folder = mkdtempSync(path.join(tmpdir(), "followup-tag-"));
  const run = (/** @type {string} */ command, /** @type {string[]} */ ...args) =>
    execFileSync(command, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  if (execFileSync("git", ["status", "--porcelain"], { cwd: root }).length > 0) {
    throw new StepError("There are changes that are not committed.");
  }
  execFileSync("git", ["worktree", "add", "--quiet", "--detach", folder], { cwd: root });
  try {
    symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
    rename(folder, repository.url.replace("https://", ""));
    run("gofmt", "-w", "cmd", "internal"); // the order of imports has changed
    run("node", "extension/build.mjs", "--only", "browser");
    run("git", "add", "--update");
    run("git", "add", "--force", page);
    run("git", "commit", "--quiet", "--message", `Release ${manifest.version}`);
    run(
      "git",
      "tag",
      values.sign ? "--sign" : "--annotate",
      "--message",
      `Followup ${manifest.version}`,
      tag,
    );
  } finally {
    rmSync(path.join(folder, "node_modules"), { force: true });
    execFileSync("git", ["worktree", "remove", "--force", folder], { cwd: root });
  }
  process.stdout.write(`${tag}: push it with git push origin ${tag}\n`);
}

/**
 * @param {string} folder
 * @param {string} module
 */
function rename(folder, module) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  for (const name of files) {
    if (!/\.go$|^go\.mod$|^\.golangci\.yml$/.test(name) || /(^|[\\/])node_modules[\\/]/.test(name)) continue;
    const file = path.join(folder, name);
    const text = readFileSync(file, "utf8");
    const changed = withModulePath(name, text, module);
    if (changed !== text) writeFileSync(file, changed);
  }
}
