// Runs every test of the project: Go with the race detector, the extension's units, the interface in Chromium, and the whole
// in a real editor. The last line counts them; anything but all passed is a failure, a skipped test too.
//
//   node extension/scripts/test.mjs [SUITE…]     all suites, or those named: go, unit, webview, editor

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const out = join(root, "extension", "test", "out");

/** Runs a command in the root; onLine gets its output line by line where it is not simply shown. */
function run(command, args, onLine) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", onLine ? "pipe" : "inherit", "inherit"],
      shell: process.platform === "win32",
    });
    child.on("error", reject);
    if (onLine) {
      createInterface({ input: child.stdout }).on("line", onLine);
    }
    child.on("close", (status) => resolve(status ?? 1));
  });
}

/** Go's tests, from the events of `go test -json`. Of what passes, only a line a package is shown. */
async function go() {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const said = new Map();
  const status = await run("go", ["test", "-race", "-json", "./..."], (line) => {
    let event;
    try {
      event = JSON.parse(line);
    } catch {
      console.log(line);
      return;
    }
    const name = `${event.Package ?? event.ImportPath} ${event.Test ?? ""}`;
    switch (event.Action) {
      case "output":
      case "build-output":
        said.set(name, (said.get(name) ?? "") + event.Output);
        break;
      case "pass":
      case "fail":
      case "skip":
        finish(event, name);
    }
  });
  function finish(event, name) {
    if (event.Test) {
      count[{ pass: "passed", fail: "failed", skip: "skipped" }[event.Action]]++;
    } else if (event.Action !== "skip") {
      console.log(`${event.Action === "pass" ? "ok  " : "FAIL"} ${event.Package} (${event.Elapsed} s)`);
    }
    if (event.Action !== "pass") {
      process.stdout.write(said.get(name) ?? "");
    }
    said.delete(name);
  }
  for (const text of said.values()) {
    process.stdout.write(text); // of a package that could not be built
  }
  if (status !== 0 && count.failed === 0) {
    count.failed = 1;
  }
  return count;
}

/** The tests under one of the vitest configurations. */
async function vitest(suite) {
  const report = join(out, `${suite}.json`);
  rmSync(report, { force: true });
  const status = await run(process.execPath, [
    join(root, "node_modules", "vitest", "vitest.mjs"),
    "run",
    "--config",
    join(root, "extension", "test", suite, "vitest.config.mts"),
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ]);
  const count = { passed: 0, failed: 0, skipped: 0 };
  try {
    const result = JSON.parse(readFileSync(report, "utf8"));
    count.passed = result.numPassedTests;
    count.failed = result.numFailedTests;
    count.skipped = result.numPendingTests + result.numTodoTests;
  } catch (error) {
    console.error(`${suite}: no report: ${error.message}`);
  }
  if (count.failed === 0 && (status !== 0 || count.passed === 0)) {
    count.failed = 1;
  }
  return count;
}

/** A step that the tests need; it counts only when it fails. */
async function step(name, command, args) {
  const status = await run(command, args);
  if (status !== 0) {
    console.error(`${name} failed with status ${status}`);
  }
  return { passed: 0, failed: status === 0 ? 0 : 1, skipped: 0 };
}

const node = (script, ...args) => [process.execPath, [join(root, "extension", "scripts", script), ...args]];

const suites = {
  go: [() => step("installing what the tests need", ...node("install-editor.mjs")), go],
  unit: [
    () =>
      step("type check", process.execPath, [
        join(root, "node_modules", "typescript", "bin", "tsc"),
        "--noEmit",
        "-p",
        ".",
      ]),
    () => vitest("unit"),
  ],
  webview: [
    () => step("build", process.execPath, [join(root, "extension", "build.mjs")]),
    () => vitest("webview"),
  ],
  editor: [() => step("package", "make", ["package"]), () => vitest("editor")],
};

mkdirSync(out, { recursive: true });
const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(suites);
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of names) {
  for (const part of suites[name] ?? []) {
    console.log(`\n── ${name}`);
    const count = await part();
    for (const key of Object.keys(total)) {
      total[key] += count[key];
    }
  }
  if (!suites[name]) {
    console.error(`there is no suite ${name}; there are ${Object.keys(suites).join(", ")}`);
    total.failed++;
  }
}
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed + total.skipped + (total.passed === 0 ? 1 : 0) === 0 ? 0 : 1);
