// What a machine without the programs that every target needs shows.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findCommand, root } from "../../scripts/lib/paths.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "followup-tools-"));
  for (const name of ["sh", "sed", "dirname"]) symlinkSync(findCommand(name) ?? "", path.join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Puts a program on the PATH, which runs a script. */
function program(name: string, script: string): void {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

/** A `go` of a version, with the default setting of GOTOOLCHAIN or another one. */
const go = (version: string, toolchain = "auto") =>
  program("go", `[ "$2" = GOVERSION ] && echo ${version} || echo ${toolchain}`);

/** What the script prints, with nothing on the PATH but these programs. */
function said(): string {
  const { stdout, stderr, status } = spawnSync("sh", [path.join(root, "extension/scripts/tools.sh")], {
    env: { PATH: folder },
    encoding: "utf8",
  });
  expect([stdout, status]).toEqual(["", stderr === "" ? 0 : 1]);
  return stderr;
}

it.skipIf(process.platform === "win32")("names all missing programs in one line", () => {
  expect(said()).toBe(
    "This needs Go 1.26 or newer (not found on the PATH), Node 20 or newer (not found on the PATH), " +
      "npm (not found on the PATH), git (not found on the PATH).\n",
  );
});

it.skipIf(process.platform === "win32")(
  "names the versions of old programs, unless Go downloads a newer one",
  () => {
    program("npm", "");
    program("git", "");
    program("node", "echo v18.2.0");
    go("go1.19.8");
    expect(said()).toBe("This needs Go 1.26 or newer (found 1.19), Node 20 or newer (found 18.2.0).\n");
    program("node", "echo v20.0.0");
    go("go1.24.3", "local");
    expect(said()).toBe("This needs Go 1.26 or newer (found 1.24).\n");
    go("go1.24.3");
    expect(said()).toBe("");
    go("go1.27rc1", "local");
    expect(said()).toBe("");
  },
);
