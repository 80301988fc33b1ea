// The process that serves browsers.

import { expect, test } from "vitest";
import { WebServer } from "../../src/sidecar/web";

/** A program that does as `followup web` does, as far as is seen from here. */
const node = (script: string) => () => ({ command: process.execPath, args: ["-e", script, "--"] });

const log = { info: () => {}, warn: () => {} };

test("gives the address that was printed, and ends with the window and before the next start", async () => {
  const pids = `console.log(JSON.stringify({ url: "http://x/#" + process.pid + process.argv.slice(1) })); setInterval(() => {}, 1e6)`;
  const web = new WebServer(node(pids), log);
  const pid = (url: string) => Number(/#(\d+)/.exec(url)?.[1]);
  const first = await web.start();
  expect(first).toContain(`--json,--parent,${process.pid}`);
  const second = await web.start();
  expect(pid(second)).not.toBe(pid(first));
  web.dispose();
  for (const gone of [first, second].map(pid)) {
    await expect.poll(() => alive(gone)).toBe(false);
  }
});

test.each([
  ["what it told", node("console.error('no port'); process.exit(1)"), "no port"],
  ["how it ended", node("process.exit(3)"), "exit status 3"],
  ["that it is not there", () => ({ command: "/no/such/program", args: [] }), "ENOENT"],
])("where nothing is served, the error is %s", async (_, launch, words) => {
  await expect(new WebServer(launch, log).start()).rejects.toThrow(words);
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
