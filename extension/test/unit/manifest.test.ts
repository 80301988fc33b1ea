// The parts that package.json names exist: texts in the l10n files, commands and pictures. The tools' schemas
// do not restrict arguments.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mcpProviderId } from "../../src/agents/mcp";
import { toolNames } from "../../src/agents/tools";
import { makeCommands } from "../../src/commands/commands";
import { english } from "../../webview/strings";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const read = (name: string) => readFileSync(join(root, name), "utf8");
const json = (name: string) => JSON.parse(read(name));
const manifest = json("package.json");
const commandIds = Object.keys(makeCommands({} as never));

/** The settings of all groups. */
const settings: Record<string, Record<string, unknown>> = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties }: { properties: object }) => properties),
);

/** The files of a folder whose names match, by their path from the root. */
function files(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: folder !== ".", encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}

/** The string literals passed to vscode.l10n.t. */
function translatedStrings(): string[] {
  const call = /l10n\.t\(\s*("(?:[^"\\]|\\.)*")/g;
  return files("extension/src", /\.ts$/).flatMap((name) =>
    [...read(name).matchAll(call)].map(([, literal]) => JSON.parse(literal as string) as string),
  );
}

/** Every string in a value, at any depth. */
function strings(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
}

test("l10n/bundle.l10n.json has every text of the extension and the interface; npm run test:unit -- -u rewrites it", async () => {
  const shown = Object.values(english);
  const used = [...new Set([...translatedStrings(), ...shown])].sort();
  expect(used.length).toBeGreaterThan(40);
  // The English bundle maps every text to itself.
  const bundle = Object.fromEntries(used.map((text) => [text, text]));
  await expect(`${JSON.stringify(bundle, null, 2)}\n`).toMatchFileSnapshot(
    join(root, "l10n/bundle.l10n.json"),
  );
});

test("every call of l10n.t has a literal text", () => {
  const all = files("extension/src", /\.ts$/).flatMap((name) => [...read(name).matchAll(/l10n\.t\(/g)]);
  // The interface's own texts are translated by their values.
  expect(translatedStrings()).toHaveLength(all.length - 1);
});

test("package.nls.json has exactly the texts that package.json names", () => {
  const named = strings(manifest).flatMap((each) => /^%(.+)%$/.exec(each)?.[1] ?? []);
  expect(Object.keys(json("package.nls.json")).sort()).toEqual([...new Set(named)].sort());
});

test("every language has the same texts", () => {
  for (const [names, base] of [
    [files("l10n", /^bundle\.l10n\..+\.json$/), "l10n/bundle.l10n.json"],
    [files(".", /^package\.nls\..+\.json$/), "package.nls.json"],
  ] as const) {
    for (const name of names) {
      expect(Object.keys(json(name)).sort(), name).toEqual(Object.keys(json(base)).sort());
    }
  }
});

test("registers exactly the contributed commands", () => {
  const contributed = manifest.contributes.commands.map(({ command }: { command: string }) => command).sort();
  expect([...commandIds].sort()).toEqual(contributed);
  const menus = manifest.contributes.menus["view/title"].map(({ command }: { command: string }) => command);
  const keys = manifest.contributes.keybindings.map(({ command }: { command: string }) => command);
  expect(contributed).toEqual(expect.arrayContaining([...menus, ...keys]));
});

test("commands, views and keys named in code exist", () => {
  const others = ["questions", "history", "question", "waiting", "asksByMcp", "mcp", "followup"];
  const known = [...commandIds, ...others.map((name) => `followup.${name}`), ...Object.keys(settings)];
  const sources = files("extension/src", /\.ts$/).filter((name) => !/extension\.ts$|locate\.ts$/.test(name));
  for (const name of sources) {
    for (const [, id] of read(name).matchAll(/"(followup\.\w+)"/g)) {
      expect(known, name).toContain(id);
    }
  }
});

test("the files named in package.json exist and are packaged", () => {
  const named = strings(manifest).filter((each) => /^(\.\/)?(extension|l10n)\/.+\.(png|svg|md)$/.test(each));
  expect(named.length).toBeGreaterThan(5);
  for (const file of named) {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(
      manifest.files.some((pattern: string) => file.startsWith(pattern.replace("**", ""))),
      file,
    ).toBe(true);
  }
  expect(manifest.files).toEqual(expect.arrayContaining(["bin/followup.br", "bin/followup.json", "l10n/**"]));
});

test.each([
  ["ask_followup_question", ["question", "follow_up"]],
  ["AskUserQuestion", ["questions", "metadata"]],
])("the schema of %s describes and does not restrict", (name, parameters) => {
  const tool = manifest.contributes.languageModelTools.find((each: { name: string }) => each.name === name);
  const { type, properties, ...rest } = tool.inputSchema;
  expect([type, rest]).toEqual(["object", {}]);
  expect(Object.keys(properties)).toEqual(parameters);
  for (const property of Object.values<Record<string, unknown>>(properties)) {
    expect(Object.keys(property)).toEqual(["description"]);
  }
  expect(tool.name).toMatch(/^(?!copilot_|vscode_)[\w-]+$/);
});

test("registers exactly the contributed tools", () => {
  const contributed = manifest.contributes.languageModelTools.map(({ name }: { name: string }) => name);
  expect(contributed).toEqual([...toolNames]);
});

test("offers no agent the same tool through both the MCP server and the extension", () => {
  const { mcpServerDefinitionProviders, languageModelTools } = manifest.contributes;
  expect(mcpServerDefinitionProviders.map(({ id }: { id: string }) => id)).toEqual([mcpProviderId]);
  for (const { when } of languageModelTools) {
    expect(when).toBe("!followup.asksByMcp");
  }
  expect(settings["followup.editorAgents"]).toMatchObject({
    enum: ["auto", "tools", "mcp"],
    default: "auto",
  });
});

test("a folder cannot set the sidecar's path, which has machine scope", () => {
  for (const name of ["followup.sidecar.path", "followup.hub", "followup.hubCertificates"]) {
    expect(settings[name]?.scope).toBe("machine");
  }
});

test("a folder cannot delete the history, whose settings have user scope", () => {
  for (const name of ["followup.history.keep", "followup.history.retentionDays"]) {
    expect(settings[name]?.scope).toBe("application");
  }
});

test("a folder cannot turn on logging of questions, which has user scope", () => {
  expect(settings["followup.trace"]?.scope).toBe("application");
});

test("timed choices are off by default, and neither a folder nor its container can turn them on", () => {
  expect(settings["followup.timedChoice.seconds"]).toMatchObject({
    scope: "application",
    default: 0,
    minimum: 0,
  });
});

test("every setting is in a titled group in order, and links lead to existing settings and commands", () => {
  for (const { title, properties } of manifest.contributes.configuration) {
    expect(title).toMatch(/^%settings\..+%$/);
    const orders = Object.values<{ order: number }>(properties).map(({ order }) => order);
    expect(orders).toEqual(orders.map((_, index) => index + 1));
  }
  for (const name of files(".", /^package\.nls.*\.json$/)) {
    const texts = strings(json(name)).join("\n");
    for (const [, setting] of texts.matchAll(/`#(followup\.[\w.]+)#`/g)) {
      expect(Object.keys(settings), name).toContain(setting);
    }
    for (const [, command] of texts.matchAll(/\(command:(followup\.[\w.]+)\)/g)) {
      expect([...commandIds, "followup.questions.focus"], name).toContain(command);
    }
  }
});

test("the page's build tools are dependencies, because make run installs nothing else before it shows the page", () => {
  const imported = [...read("extension/build.mjs").matchAll(/^import .* from "([^"]+)";$/gm)].map(
    ([, name]) => name as string,
  );
  const packages = imported.filter((name) => !/^(node:|\.)/.test(name));
  expect(packages.length).toBeGreaterThan(1);
  expect(Object.keys(manifest.dependencies)).toEqual(expect.arrayContaining(packages));
});
