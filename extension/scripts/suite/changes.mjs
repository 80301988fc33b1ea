// What a change of files reaches: the Go packages to test, and the test files of the units and of the interface.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { webviewOptions } from "../../build.mjs";
import { root } from "../lib/paths.mjs";

/** @param {string[]} command */
function lines([program = "", ...args]) {
  const text = execFileSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  return text.split("\n").filter(Boolean);
}

/**
 * The files that differ from the last commit on main, relative to the root: committed on this branch, not committed, and
 * new. Where that is nothing, those of the last commit itself.
 * @returns {{files: string[], since: string}}
 */
export function changedFiles() {
  const base = mainBase();
  const fresh = lines(["git", "ls-files", "--others", "--exclude-standard"]);
  const files = [...new Set([...lines(["git", "diff", "--name-only", "--no-renames", base]), ...fresh])];
  if (files.length > 0) return { files, since: `since ${base.slice(0, 10)}` };
  return {
    files: lines(["git", "diff-tree", "--no-commit-id", "--name-only", "--no-renames", "-r", "-m", "HEAD"]),
    since: "in the last commit",
  };
}

/** The last commit on main that this branch has. */
function mainBase() {
  for (const main of ["main", "origin/main"]) {
    try {
      return lines(["git", "merge-base", "HEAD", main])[0] ?? "HEAD";
    } catch {
      // There is no such branch.
    }
  }
  return "HEAD";
}

/**
 * The packages whose tests a change reaches: those with a changed file, also in their testdata, those that import what is
 * no test in one of them, and those whose tests name a changed file from elsewhere.
 * @param {string[]} files
 * @returns {{changed: string[], reached: string[]}} folders that begin with "./"
 */
export function goPackages(files) {
  const listed = lines([
    "go",
    "list",
    "-e", // the tests tell better what does not build
    "-f",
    '{{.Dir}}\t{{.ImportPath}}\t{{join .Deps " "}}\t{{join .TestImports " "}} {{join .XTestImports " "}}',
    "./...",
  ]).map((line) => {
    const [dir = "", name = "", deps = "", tests = ""] = line.split("\t");
    const folder = path.relative(root, dir).replaceAll(path.sep, "/");
    return { folder, name, deps: new Set(deps.split(" ")), tests: tests.split(" ").filter(Boolean) };
  });
  const byName = new Map(listed.map((one) => [one.name, one]));
  const modules = files.some((file) => ["go.mod", "go.sum"].includes(file));
  /** Packages with a changed file, and those in which more than a test has changed. @type {Set<string>} */
  const changed = new Set();
  /** @type {Set<string>} */
  const sources = new Set();
  for (const file of files) {
    const own = listed
      .filter(({ folder }) => file.startsWith(`${folder}/`))
      .toSorted((a, b) => b.folder.length - a.folder.length)[0];
    const isTest = file.endsWith("_test.go") || file.includes("/testdata/");
    if (own) {
      changed.add(own.name);
      if (!isTest) sources.add(own.name);
    }
    if (!file.endsWith(".go")) {
      for (const one of listed.filter(({ folder }) => testsName(folder, file))) changed.add(one.name);
    }
  }
  const reaches = (/** @type {string} */ name) =>
    sources.has(name) || [...(byName.get(name)?.deps ?? [])].some((dep) => sources.has(dep));
  const reached = listed.filter(
    (one) => modules || changed.has(one.name) || reaches(one.name) || one.tests.some(reaches),
  );
  const folders = (/** @type {typeof listed} */ some) => some.map(({ folder }) => `./${folder}`);
  return {
    changed: folders(listed.filter(({ name }) => modules || changed.has(name))),
    reached: folders(reached),
  };
}

/**
 * Whether the tests in a folder name a file, or all in its folder, by a path to elsewhere.
 * @param {string} folder
 * @param {string} file
 */
function testsName(folder, file) {
  if (file.startsWith(`${folder}/`)) return false;
  const exact = path.posix.relative(folder, file);
  return readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith("_test.go"))
    .some((name) => {
      const text = readFileSync(path.join(root, folder, name), "utf8");
      return text.includes(`"${exact}"`) || text.includes(`"${path.posix.dirname(exact)}/*`);
    });
}

/** What every test file of a suite depends on, beside what it imports. */
const common = ["package-lock.json", "tsconfig.json", "extension/build.mjs", "extension/test/order.mts"];

/**
 * The test files of a suite that a change reaches: through what they import, by naming a file that they read, or, those in
 * `opened`, only through the page that they open in the browser.
 * @param {"unit" | "webview"} suite
 * @param {string[]} files
 * @returns {Promise<{reached: string[], opened: string[], of: number}>} absolute
 */
export async function testFiles(suite, files) {
  const folder = path.join(root, "extension", "test", suite);
  const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  const of = tests.length;
  const all = {
    reached: tests.map((name) => path.join(folder, name)),
    opened: /** @type {string[]} */ ([]),
    of,
  };
  const config = `extension/test/${suite}/vitest.config.mts`;
  if (files.some((file) => common.includes(file) || file === config)) return all;

  // The page's two views are one bundle; what belongs to each of them is what its parts import.
  const parts = (/** @type {string} */ view) =>
    ["components/app.ts", "controller.ts", "styles/index.css"].map(
      (name) => `extension/webview/${view}${name}`,
    );
  const bundles =
    suite === "webview"
      ? await inputsOf({
          ...webviewOptions(path.join(root, "unwritten"), true),
          entryPoints: ["", "history/"].flatMap(parts),
        })
      : new Map();
  const imports = await inputsOf({
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    entryPoints: all.reached,
    outdir: path.join(root, "unwritten"),
    absWorkingDir: root,
    alias: { vscode: path.join(root, "extension", "test", "unit", "fake", "vscode.ts") },
  });
  const inputsOfTest = (/** @type {string} */ name) =>
    imports.get(`extension/test/${suite}/${name}`) ?? new Set();
  const imported = tests.filter((name) => {
    const inputs = inputsOfTest(name);
    return files.some((file) => inputs.has(file) || named(inputs, file));
  });
  const opened = tests.filter((name) => {
    const inputs = inputsOfTest(name);
    if (imported.includes(name) || !inputs.has("extension/test/webview/stage.ts")) return false;
    // The history's tests open its view, all others the questions.
    const view = inputs.has("extension/test/webview/history-harness.ts") ? "history/" : "";
    const page = new Set(parts(view).flatMap((part) => [...(bundles.get(part) ?? [])]));
    for (const name of ["test/webview/bundle.ts", "webview/main.ts", "webview/views.ts"]) {
      page.add(`extension/${name}`);
    }
    return files.some((file) => page.has(file));
  });
  const whole = (/** @type {string[]} */ names) => names.map((name) => path.join(folder, name));
  return {
    reached: whole(tests.filter((name) => [...imported, ...opened].includes(name))),
    opened: whole(opened),
    of,
  };
}

/**
 * Whether a file holds data and one of the tests' own files names it, or its folder.
 * @param {Set<string>} inputs
 * @param {string} file
 */
function named(inputs, file) {
  if (!/\.(json|txt|md|css|svg)$/.test(file)) return false;
  const folder = path.posix.dirname(file);
  const name = path.posix.basename(file).split(".", 2).join(".");
  return [...inputs]
    .filter((input) => input.startsWith("extension/test/") && existsSync(path.join(root, input)))
    .some((input) => {
      const text = readFileSync(path.join(root, input), "utf8");
      const top = folder.includes("/") || folder === "." ? [] : [`${folder}/`];
      const there = path.posix.relative(path.posix.dirname(input), folder);
      return (
        [name, ...top].some((word) => ['"', "`", "/"].some((before) => text.includes(before + word))) ||
        (folder !== "." && there !== "" && ['"', "`"].some((before) => text.includes(`${before}${there}/`)))
      );
    });
}

/**
 * What goes into each of the bundles that esbuild would make, by their entry points.
 * @param {import("esbuild").BuildOptions} options
 * @returns {Promise<Map<string, Set<string>>>}
 */
async function inputsOf(options) {
  const { metafile } = await build({ ...options, write: false, metafile: true, logLevel: "silent" });
  /** @param {string} file @param {Set<string>} found */
  const collect = (file, found) => {
    if (found.has(file)) return found;
    found.add(file);
    for (const { path: next, external } of metafile.inputs[file]?.imports ?? [])
      if (!external) collect(next, found);
    return found;
  };
  const entries = Object.values(metafile.outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  return new Map(entries.map((entry) => [entry, collect(entry, new Set())]));
}
