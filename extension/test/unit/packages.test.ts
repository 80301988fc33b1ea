// The packages: their check, and the licences of all bundled software.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.mjs";
import {
  goModules,
  licencesOf,
  missingNotices,
  noticesText,
  npmPackages,
  platforms,
} from "../../scripts/package/bundled.mjs";
import { contents, flawsIn } from "../../scripts/package/check.mjs";
import {
  addresses,
  detailsPage,
  relativeLinks,
  withoutRelativeLinks,
} from "../../scripts/package/readme.mjs";
import { billOfMaterials } from "../../scripts/package/sbom.mjs";
import { isFor, type Target, targets } from "../../scripts/package/targets.mjs";

/** The first bytes of a program, by the formats' specifications. */
function program({ goos, goarch }: Target): Buffer {
  const file = Buffer.alloc(256);
  const machine = {
    linux: { amd64: 62, arm64: 183, arm: 40 },
    darwin: { amd64: 0x01000007, arm64: 0x0100000c },
    windows: { amd64: 0x8664, arm64: 0xaa64 },
  }[goos as "linux"][goarch as "amd64"];
  if (goos === "linux") {
    file.write("\x7fELF");
    file.set([goarch === "arm" ? 1 : 2, 1], 4);
    file.writeUInt16LE(machine, 18);
  } else if (goos === "darwin") {
    file.writeUInt32LE(0xfeedfacf);
    file.writeUInt32LE(machine, 4);
  } else {
    file.write("MZ");
    file.writeUInt32LE(0x80, 0x3c);
    file.write("PE\0\0", 0x80);
    file.writeUInt16LE(machine, 0x84);
  }
  return file;
}

test("recognises programs of another platform", () => {
  expect(targets.map(({ name }) => name).sort()).toEqual(
    [
      ...["linux-x64", "linux-arm64", "linux-armhf", "alpine-x64", "alpine-arm64"],
      ...["darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"],
    ].sort(),
  );
  for (const made of targets) {
    const takers = targets.filter((target) => isFor(target, program(made)));
    const same = targets.filter(({ goos, goarch }) => goos === made.goos && goarch === made.goarch);
    expect(takers).toEqual(same);
  }
  expect(targets.filter((target) => isFor(target, Buffer.from("#!")))).toEqual([]);
});

const [linux, arm] = targets as [Target, Target];
const part = {
  type: "npm",
  name: "lit",
  version: "3.0.0",
  licences: ["BSD-3-Clause"],
  text: "Some licence",
} as const;
const parts = () => [{ ...part, licences: [...part.licences] }];

/** A package's valid files. */
function files(target = linux): Map<string, Buffer> {
  const binary = program(target);
  const sha256 = createHash("sha256").update(binary).digest("hex");
  const content: Record<string, string | Buffer> = {
    ...Object.fromEntries(contents.map((name) => [name, ""])),
    "extension.vsixmanifest": `<Identity TargetPlatform="${target.name}"/>`,
    "extension/bin/followup.br": brotliCompressSync(binary),
    "extension/bin/followup.json": JSON.stringify({ size: binary.length, sha256 }),
    "extension/bin/NOTICES.txt": noticesText(parts()),
  };
  return new Map(Object.entries(content).map(([name, text]) => [name, Buffer.from(text)]));
}

test.each<[string, (files: Map<string, Buffer>) => unknown, string[]]>([
  ["nothing", () => {}, []],
  [
    "a map",
    (all) => all.set("extension/extension/dist/extension.js.map", Buffer.alloc(0)),
    ["js.map does not belong"],
  ],
  [
    "a binary as it is",
    (all) => all.set("extension/bin/followup", Buffer.alloc(0)),
    ["extension/bin/followup does not belong"],
  ],
  ["a module", (all) => all.set("extension/node_modules/lit/index.js", Buffer.alloc(0)), ["does not belong"]],
  ...[
    ...["LICENSE.txt", "readme.md", "package.nls.fr.json", "l10n/bundle.l10n.zh-cn.json", "bin/NOTICES.txt"],
    ...["extension/dist/webview.js", "extension/dist/questions.css", "extension/walkthrough/agent.md"],
  ].map((name): [string, (files: Map<string, Buffer>) => unknown, string[]] => [
    `no ${name}`,
    (all) => all.delete(`extension/${name}`),
    [`there is no file extension/${name}`],
  ]),
  ...[
    "[a](docs/using.md)",
    "![a](docs/a.webp)",
    "[![a](https://a.b/c.png)](docs/using.md)",
    "[a]: docs/using.md",
    '<source srcset="docs/a.webp">',
  ].map((link): [string, (files: Map<string, Buffer>) => unknown, string[]] => [
    `the README's ${link}`,
    (all) => all.set("extension/readme.md", Buffer.from(link)),
    ["leads nowhere outside of the repository"],
  ]),
  [
    "another platform's name",
    (all) => all.set("extension.vsixmanifest", Buffer.from('TargetPlatform="linux-arm64"')),
    ["does not name the platform linux-x64"],
  ],
  [
    "another platform's binary",
    (all) => {
      for (const name of ["br", "json"]) {
        all.set(`extension/bin/followup.${name}`, files(arm).get(`extension/bin/followup.${name}`) as Buffer);
      }
    },
    ["is no program for linux-x64"],
  ],
  [
    "another build's hash",
    (all) => all.set("extension/bin/followup.json", Buffer.from('{"size":256,"sha256":"0"}')),
    ["is not what bin/followup.json says"],
  ],
  [
    "another build's length",
    (all) => {
      const says = JSON.parse(`${all.get("extension/bin/followup.json")}`);
      all.set("extension/bin/followup.json", Buffer.from(JSON.stringify({ ...says, size: 255 })));
    },
    ["is not what bin/followup.json says"],
  ],
  [
    "a licence without its text",
    (all) => all.set("extension/bin/NOTICES.txt", Buffer.from("\nlit 3.0.0 (BSD-3-Clause)\n")),
    ["has not the licence of lit 3.0.0"],
  ],
  [
    "another version's licence",
    (all) => all.set("extension/bin/NOTICES.txt", Buffer.from("\nlit 2.0.0 (BSD-3-Clause)\nSome licence")),
    ["has not the licence of lit 3.0.0"],
  ],
])("rejects a package with %s", (_, change, flaws) => {
  const all = files();
  change(all);
  expect(flawsIn(all, linux, parts)).toEqual(flaws.map((flaw) => expect.stringContaining(flaw)));
});

const readme = readFileSync(path.join(root, "README.md"), "utf8");

test("the details page has what users need, and nothing for contributors", () => {
  const headings = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);
  expect(headings(readme)).toContain("For developers");
  const page = detailsPage(readme);
  expect(headings(page)).toEqual(headings(readme).filter((heading) => heading !== "For developers"));
  expect(page).toContain("Followup: Connect Your Agents…");
  expect(page).toContain("MIT licensed");
  expect(page).not.toMatch(/\bmake \w|CONTRIBUTING|\.test\.ts|_test\.go|<!--/);
  expect(detailsPage(readme, "https://github.com/o/n")).not.toMatch(/\bmake \w|CONTRIBUTING|\.test\.ts|<!--/);
});

test("removes links that need the repository's address from the README if there is none", () => {
  expect(relativeLinks(readme).length).toBeGreaterThan(10);
  const packaged = detailsPage(readme);
  expect(relativeLinks(packaged)).toEqual([]);
  expect(packaged).not.toMatch(/<img|<source/);
  const text =
    'Read [the guide](docs/a.md#b).\n\n![a](b.png)\n\n<picture><img src="c.png"></picture>\n\n[d](https://e.f)';
  expect(withoutRelativeLinks(text)).toBe("Read the guide.\n\n[d](https://e.f)");
});

test("makes every link absolute at the release's tag", () => {
  const packaged = detailsPage(readme, "https://github.com/o/n", "v1.2.3");
  expect(relativeLinks(packaged)).toEqual([]);
  expect(packaged).toContain("](https://github.com/o/n/blob/v1.2.3/docs/using.md");
  const text =
    '[a](b.md#c) ![d](e.png) <source srcset="f.webp"> <a href="g.md">h</a> [i](#j) [k](mailto:l@m.n)';
  const at = "https://github.com/o/n";
  expect(withoutRelativeLinks(text, at)).toBe(
    `[a](${at}/blob/HEAD/b.md#c) ![d](${at}/raw/HEAD/e.png) <source srcset="${at}/raw/HEAD/f.webp"> ` +
      `<a href="${at}/blob/HEAD/g.md">h</a> [i](#j) [k](mailto:l@m.n)`,
  );
});

test("derives the manifest's other addresses from the repository's", () => {
  const url = "https://github.com/o/n";
  for (const spelled of [url, `git+${url}.git`]) {
    expect(addresses({ repository: { url: spelled } })).toEqual({
      repository: { type: "git", url },
      bugs: { url: `${url}/issues` },
      homepage: `${url}#readme`,
    });
  }
  expect(addresses({})).toEqual({});
  expect(() => addresses({ repository: { url: "o/n" } })).toThrow("https://github.com/OWNER/NAME, not o/n");
});

test("knows the licence of every bundled npm package", async () => {
  const packages = await npmPackages();
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["@vscode/codicons", "lit-html", "vscode-jsonrpc"]),
  );
  expect(packages.filter(({ licences, text }) => licences.length === 0 || text.length < 500)).toEqual([]);
  expect(packages.map(({ name }) => name).filter((name) => /vitest|esbuild|vsce$/.test(name))).toEqual([]);
});

test("the archives, deb, rpm, npm packages and the container have the licences of everything in the program", {
  timeout: 600_000, // Go lists the modules of eight platforms
}, async () => {
  const read = (name: string) => readFileSync(path.join(root, name), "utf8");
  const built = process.env.FOLLOWUP_PROGRAM;
  const folder = mkdtempSync(path.join(tmpdir(), "followup-notices-"));
  try {
    const own = built ?? path.join(folder, "followup");
    if (!built) {
      execFileSync("go", ["build", "-o", own, "./cmd/followup"], { cwd: root });
    }
    const modules = goModules(own);
    expect(modules.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["std", "modernc.org/sqlite", "github.com/jackc/pgx/v5"]),
    );
    const file = path.join(folder, "of/NOTICES.txt");
    execFileSync(process.execPath, [path.join(root, "extension/scripts/package/notices.mjs"), file]);
    const notices = readFileSync(file, "utf8");
    expect(missingNotices(notices, [...modules, ...(await npmPackages())])).toEqual([]);
    // Those of other systems, too.
    expect(notices).toContain("\ngithub.com/inconshreveable/mousetrap ");
  } finally {
    rmSync(folder, { recursive: true });
  }

  const config = read(".goreleaser.yaml");
  const list = (name: string) => new RegExp(`${name}: \\[(.*)\\]`).exec(config)?.[1]?.split(", ") ?? [];
  const ignored = [...config.matchAll(/\{ goos: (\w+), goarch: (\w+) \}/g)].map(
    ([, os, arch]) => `${os} ${arch}`,
  );
  const all = list("goos").flatMap((os) => list("goarch").map((arch) => `${os} ${arch}`));
  expect([...platforms].sort()).toEqual(all.filter((platform) => !ignored.includes(platform)).sort());
  expect(config).toContain("- node extension/scripts/package/notices.mjs bin/NOTICES.txt");
  expect(config).toContain("- { src: bin/NOTICES.txt, strip_parent: true,");
  expect(config).toContain("- { src: bin/NOTICES.txt, dst: /usr/share/doc/followup/NOTICES.txt,");
  expect(read("Dockerfile")).toMatch(/^COPY .*\/LICENSE .*\/NOTICES\.txt \/usr\/share\/doc\/followup\/$/m);
  expect(read(".github/workflows/release.yml")).toMatch(/tar -xzf .* followup LICENSE NOTICES\.txt$/m);
});

test("recognises licences by their text, however its lines break", () => {
  const mit = "Permission is hereby granted, free of\n charge, to any person obtaining a copy";
  const bsd = "Redistribution and use in source\nand binary forms, with or without";
  expect(licencesOf(mit)).toEqual(["MIT"]);
  expect(licencesOf(bsd)).toEqual(["BSD-2-Clause"]);
  expect(licencesOf(`${bsd} … Neither the name of`)).toEqual(["BSD-3-Clause"]);
  expect(licencesOf(`${mit}\n\nApache License\nVersion 2.0`)).toEqual(["MIT", "Apache-2.0"]);
  expect(licencesOf("All rights reserved.")).toEqual([]);
});

test("the bill of materials lists bundled packages with the hashes they were installed by", async () => {
  const std = {
    type: "golang" as const,
    name: "std",
    version: "1.26.8",
    licences: ["BSD-3-Clause"],
    text: "",
  };
  const bundled = [...(await npmPackages()), std];
  const bill = JSON.parse(billOfMaterials(bundled, new Date(0)));
  expect(bill.components.map(({ name }: { name: string }) => name)).toEqual(bundled.map(({ name }) => name));
  expect(bill.components.find(({ name }: { name: string }) => name === "@vscode/codicons")).toMatchObject({
    purl: expect.stringMatching(/^pkg:npm\/%40vscode\/codicons@\d/),
    hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
  });
  expect(bill.components.at(-1)).toMatchObject({ purl: "pkg:golang/std@1.26.8", hashes: [] });
  const ids = bill.components.map((component: { "bom-ref": string }) => component["bom-ref"]);
  expect(bill.dependencies[0]).toEqual({ ref: bill.metadata.component["bom-ref"], dependsOn: ids });
  expect(bill.metadata.timestamp).toBe("1970-01-01T00:00:00.000Z");
  expect(bill.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(JSON.parse(billOfMaterials(bundled, new Date(0))).serialNumber).toBe(bill.serialNumber);
  expect(JSON.parse(billOfMaterials(bundled, new Date(1))).serialNumber).not.toBe(bill.serialNumber);
});
