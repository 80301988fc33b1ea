// Builds the extension's bundles with esbuild: the extension host's (Node, CommonJS) and the views' (browser), and puts
// their stylesheets and icon font beside them.
//
//   node extension/build.mjs [--dev] [--watch] [--only extension|webview|browser]
//
// The page for browsers goes where the sidecar's own build finds it and takes it in.
//
// --dev leaves the code readable and writes source maps; --watch builds again whenever a source file changes.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { build, context } from "esbuild";

const extensionFolder = dirname(fileURLToPath(import.meta.url));

/** What both bundles have in common. */
function shared(dev) {
  return {
    bundle: true,
    minify: !dev,
    sourcemap: dev ? "linked" : false,
    sourcesContent: false,
    legalComments: "none",
    logLevel: "info",
    absWorkingDir: dirname(extensionFolder),
    tsconfig: join(extensionFolder, "..", "tsconfig.json"),
  };
}

/** The options of the bundle that runs in the extension host. */
export function extensionOptions(outputFolder, dev) {
  return {
    ...shared(dev),
    entryPoints: [join(extensionFolder, "src", "extension.ts")],
    outfile: join(outputFolder, "extension.js"),
    platform: "node",
    target: "node20",
    format: "cjs",
    external: ["vscode"],
  };
}

/** The options of the page's bundle: webview.js, and a stylesheet for each of its views. */
export function webviewOptions(outputFolder, dev) {
  return {
    ...shared(dev),
    entryPoints: {
      webview: join(extensionFolder, "webview", "main.ts"),
      questions: join(extensionFolder, "webview", "styles", "index.css"),
      history: join(extensionFolder, "webview", "history", "styles", "index.css"),
    },
    outdir: outputFolder,
    platform: "browser",
    target: "chrome138",
    format: "iife",
    define: { codicons: JSON.stringify(usedIcons()) },
  };
}

/** Where the sidecar takes the page for browsers from. */
export const browserFolder = join(dirname(extensionFolder), "internal", "web", "page");

/** The options of the page's bundle for browsers and conversations: browser.js, and a stylesheet for each. */
export function browserOptions(outputFolder, dev) {
  const folder = join(extensionFolder, "webview", "browser");
  return {
    ...webviewOptions(outputFolder, dev),
    entryPoints: {
      browser: join(folder, "main.ts"),
      worker: join(folder, "worker.ts"),
      page: join(folder, "page.css"),
      chat: join(extensionFolder, "webview", "chat", "chat.css"),
    },
    sourcemap: false,
  };
}

/** The icons that the interface uses: the content of each SVG, by its name in @vscode/codicons. */
function usedIcons() {
  const icons = join(
    dirname(createRequire(import.meta.url).resolve("@vscode/codicons/package.json")),
    "src",
    "icons",
  );
  const webview = join(extensionFolder, "webview");
  const sources = readdirSync(webview, { recursive: true }).filter((name) => name.endsWith(".ts"));
  const names = sources.flatMap(
    (name) =>
      readFileSync(join(webview, name), "utf8").match(/(?<=(?<![=|] ?)")[a-z][a-z-]*(?="(?! \|))/g) ?? [],
  );
  const used = [...new Set(names)].sort().filter((name) => existsSync(join(icons, `${name}.svg`)));
  return Object.fromEntries(
    used.map((name) => {
      const svg = readFileSync(join(icons, `${name}.svg`), "utf8");
      const [, box, inside] = /viewBox="([^"]*)"[^>]*>(.*)<\/svg>/s.exec(svg);
      return [name, { box, inside }];
    }),
  );
}

/** The rasterizer, which is loaded once. */
let rasterizer;

/** Draws the app's icons: the extension's, one without corners whose edge a system may cut off, and one of a single color for status bars. */
async function drawIcons(outputFolder) {
  rasterizer ??= readFile(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")).then(
    initWasm,
  );
  await rasterizer;
  const icon = await readFile(join(extensionFolder, "icons", "followup.svg"), "utf8");
  const maskable = icon
    .replace('viewBox="0 0 128 128"', 'viewBox="-28 -28 184 184"')
    .replace('<rect width="128" height="128" rx="28"', '<rect x="-28" y="-28" width="184" height="184"');
  const badge = await readFile(join(extensionFolder, "icons", "activity.svg"), "utf8");
  const drawn = {
    "icon-192": icon,
    "icon-512": icon,
    "icon-maskable-512": maskable,
    "icon-180": maskable,
    "badge-96": badge,
  };
  for (const [name, svg] of Object.entries(drawn)) {
    const width = Number(/\d+$/.exec(name)[0]);
    const drawing = new Resvg(svg, { fitTo: { mode: "width", value: width } }).render();
    await writeFile(join(outputFolder, `${name}.png`), flatPng(drawing));
  }
}

/**
 * A PNG whose lines have no filter. Flat shapes take a fifth of the bytes that the rasterizer's own filter leaves of them, and the program
 * that they are embedded in cannot compress them further.
 */
function flatPng({ width, height, pixels }) {
  const line = width * 4;
  const lines = Buffer.alloc(height * (line + 1));
  for (let y = 0; y < height; y++) {
    lines.set(pixels.subarray(y * line, (y + 1) * line), y * (line + 1) + 1);
    for (let at = y * (line + 1) + 1; at < (y + 1) * (line + 1); at += 4) {
      const alpha = lines[at + 3]; // the rasterizer has multiplied the colors by it
      for (let color = at; alpha > 0 && color < at + 3; color++) {
        lines[color] = Math.round((lines[color] * 255) / alpha);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8); // eight bits each of red, green, blue and alpha
  const chunks = [
    ["IHDR", header],
    ["IDAT", deflateSync(lines, { level: 9, memLevel: 9 })],
    ["IEND", Buffer.alloc(0)],
  ];
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, ...chunks.flatMap(([type, data]) => chunk(type, data))]);
}

function chunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return [length, typed, sum];
}

/** Copies the other files of the page: the document, the manifest, the icons, the texts. */
export async function copyBrowserFiles(outputFolder) {
  await mkdir(outputFolder, { recursive: true });
  const folder = join(extensionFolder, "webview", "browser");
  await copyFile(join(folder, "index.html"), join(outputFolder, "index.html"));
  await copyFile(join(folder, "manifest.json"), join(outputFolder, "manifest.json"));
  await copyFile(join(extensionFolder, "icons", "followup.svg"), join(outputFolder, "icon.svg"));
  await drawIcons(outputFolder);
  await mkdir(join(outputFolder, "l10n"), { recursive: true });
  for (const language of ["fr", "pt-br", "zh-cn"]) {
    const bundle = join(dirname(extensionFolder), "l10n", `bundle.l10n.${language}.json`);
    await copyFile(bundle, join(outputFolder, "l10n", `${language}.json`));
  }
}

/** Builds the page for browsers. Unchanged files are not touched, since Go may be compiling them. */
async function buildForBrowsers(dev) {
  const made = await mkdtemp(join(tmpdir(), "followup-page-"));
  try {
    await copyBrowserFiles(made);
    await build(browserOptions(made, dev));
    const names = await filesIn(made);
    for (const name of names) {
      const [file, content] = [join(browserFolder, name), await readFile(join(made, name))];
      if (!(await readFile(file).catch(() => undefined))?.equals(content)) {
        await mkdir(dirname(file), { recursive: true });
        const whole = join(browserFolder, "..", `.${name.replaceAll(/\W/g, "-")}.${process.pid}`);
        await writeFile(whole, content);
        await rename(whole, file);
      }
    }
    for (const name of await filesIn(browserFolder)) {
      if (!names.includes(name) && name !== ".gitignore") await rm(join(browserFolder, name));
    }
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** The files of a folder and of those in it, relative to it. */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

async function main() {
  const { values } = parseArgs({
    options: { dev: { type: "boolean" }, watch: { type: "boolean" }, only: { type: "string" } },
  });
  const options = { extension: extensionOptions, webview: webviewOptions, browser: browserOptions };
  if (values.only !== undefined && !Object.hasOwn(options, values.only)) {
    throw new Error(`--only is "extension", "webview" or "browser", not "${values.only}"`);
  }
  const wanted = values.only === undefined ? Object.keys(options) : [values.only];
  const outputFolder = join(extensionFolder, "dist");
  if (wanted.includes("browser") && values.watch) {
    await copyBrowserFiles(browserFolder);
  }
  if (!values.dev) {
    // Source maps of an earlier build would be packaged.
    const maps = ["extension.js", "webview.js", "questions.css", "history.css"].map((name) => `${name}.map`);
    await Promise.all(maps.map((name) => rm(join(outputFolder, name), { force: true })));
  }
  if (values.watch) {
    const bundles = wanted.map((name) =>
      options[name](name === "browser" ? browserFolder : outputFolder, values.dev ?? false),
    );
    const contexts = await Promise.all(bundles.map((bundle) => context(bundle)));
    await Promise.all(contexts.map((each) => each.watch()));
  } else {
    await Promise.all(
      wanted.map((name) =>
        name === "browser"
          ? buildForBrowsers(values.dev ?? false)
          : build(options[name](outputFolder, values.dev ?? false)),
      ),
    );
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  main().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
}
