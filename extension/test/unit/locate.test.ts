// Where the binary is searched for, and how a real process starts and exits.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, expect, test } from "vitest";
import { locate, type Places } from "../../src/sidecar/locate";
import { startProcess } from "../../src/sidecar/transport";

const folder = mkdtempSync(join(tmpdir(), "followup-locate-"));
const binary = (name: string) => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n");
  chmodSync(path, 0o755);
  return path;
};

const places = {
  environment: {},
  setting: "",
  extensionPath: folder,
  storagePath: join(folder, "storage"),
  platform: "linux",
} as const;

beforeEach(() => rmSync(join(folder, "bin"), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Why a place has no binary. */
const problem = (where: Places) =>
  locate(where).then(
    () => "",
    ({ message }: Error) => message,
  );

test("prefers the environment over the setting, and the setting over the bundled binary", async () => {
  const [debug, set, bundled] = [binary("debug"), binary("set"), binary("bin/followup")];
  const environment = { FOLLOWUP_SIDECAR: debug };
  expect(await locate({ ...places, environment, setting: set })).toBe(debug);
  expect(await locate({ ...places, setting: ` ${set} ` })).toBe(set);
  expect(await locate(places)).toBe(bundled);
});

test("adds the file extension to the bundled binary on Windows", async () => {
  const bundled = binary("bin/followup.exe");
  expect(await locate({ ...places, platform: "win32" })).toBe(bundled);
});

test("never skips a configured path, and names it with the reason when it fails", async () => {
  binary("bin/followup");
  const absent = await problem({ ...places, environment: { FOLLOWUP_SIDECAR: "/nowhere/followup" } });
  expect(absent).toBe(
    "The environment variable FOLLOWUP_SIDECAR names the sidecar /nowhere/followup, but nothing is there.",
  );
  expect(await problem({ ...places, setting: folder })).toContain("that is not a file.");
  expect(await problem({ ...places, setting: "followup" })).toContain("that is not an absolute path.");
});

test.skipIf(process.platform === "win32")("a file that may not be executed is named", async () => {
  const plain = binary("plain");
  chmodSync(plain, 0o644);
  expect(await problem({ ...places, setting: plain })).toContain("that file is not executable.");
});

test("explains how to fix a missing bundled binary", async () => {
  const missing = await problem(places);
  expect(missing).toBe(
    `The sidecar was expected at ${join(folder, "bin", "followup")}, beside the extension, but nothing is there. ` +
      "Install the Followup build for this platform, or name a binary in the setting followup.sidecar.path.",
  );
});

test("exposes a process as streams and an exit status", async () => {
  const script =
    'process.stdin.on("data", (d) => { console.log("got " + d); console.error("log"); process.exit(3); })';
  const process_ = startProcess({ command: process.execPath, args: ["-e", script] });
  process_.stdin.write("x");
  const [out, err] = await Promise.all([text(process_.stdout), text(process_.stderr)]);
  expect([out.trim(), err.trim()]).toEqual(["got x", "log"]);
  expect(await process_.ended).toBe("exit status 3");
});

test("reports a killed process and one that cannot start", async () => {
  const waiting = startProcess({ command: process.execPath, args: ["-e", "process.stdin.resume()"] });
  waiting.kill();
  expect(await waiting.ended).toBe("signal SIGKILL");
  const impossible = startProcess({ command: join(folder, "absent"), args: [] });
  expect(await impossible.ended).toContain("ENOENT");
});
