// The process that serves browsers.

import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { openBrowser } from "../../src/commands/processes";
import { ProblemError } from "../../src/sidecar/errors";
import { WebServer } from "../../src/sidecar/web";
import { FakeLog } from "./fake/log";
import { dialogs, executed, opened } from "./fake/vscode";

/** A program that does as `followup web` does, as far as is seen from here. */
const node = (script: string) => () => ({ command: process.execPath, args: ["-e", script, "--"] });

/** Where the browser is on the same machine, nothing is forwarded. */
const here = async (address: string) => address;

const log = new FakeLog();
const pids = `console.log(JSON.stringify({ url: "http://x/#" + process.pid + process.argv.slice(1) })); setInterval(() => {}, 1e6)`;

test("gives the address that was printed, and ends with the window and before the next start", async () => {
  const web = new WebServer(node(pids), here, log);
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

test("calls that come together start one process", async () => {
  const web = new WebServer(node(pids), here, log);
  const [one, other] = await Promise.all([web.start(), web.start()]);
  web.dispose();
  expect(one).toBe(other);
});

test("it takes the port of the last time again, where its pages are, and another one where that is taken", async () => {
  const script = `const at = process.argv[process.argv.indexOf("--listen") + 1];
    const port = process.argv.includes("--listen") ? Number(at.split(":")[1]) : 0;
    require("node:net").createServer().listen(port, "127.0.0.1", function () {
      console.log(JSON.stringify({ url: "http://127.0.0.1:" + this.address().port + "/#" + process.pid }));
    }).on("error", () => process.exit(1));`;
  const web = new WebServer(node(script), here, log);
  const port = (url: string) => new URL(url).port;
  const first = await web.start();
  const second = await web.start();
  expect([port(second), second === first]).toEqual([port(first), false]);
  web.dispose();
  await expect.poll(() => alive(Number(new URL(second).hash.slice(1)))).toBe(false);
  const other = createServer().listen(Number(port(first)), "127.0.0.1");
  await once(other, "listening");
  expect(port(await web.start())).not.toBe(port(first));
  web.dispose();
  other.close();
});

/** A program that listens as it is told, and gives its arguments in place of a secret. */
const listening = `const at = process.argv.indexOf("--listen") + 1;
  const server = require("node:net").createServer();
  server.listen(at > 0 ? Number(process.argv[at].split(":")[1]) : 0, "127.0.0.1", () => {
    console.log(JSON.stringify({ url: "http://127.0.0.1:" + server.address().port + "/#" + process.argv.slice(4) }));
  });`;

test("where the editor forwards the port, the process is told the address that the browser has, and no other", async () => {
  const forwarded: string[] = [];
  let folder = "one";
  const forward = async (address: string) => {
    forwarded.push(address);
    return `https://name.example/${folder}/${new URL(address).port}/?token=x`;
  };
  const web = new WebServer(node(listening), forward, log);
  const told = (url: string) => decodeURIComponent(new URL(url).hash.slice(1)).split(",");
  const first = await web.start();
  const { origin, port, host } = new URL(first);
  expect(forwarded).toEqual([`${origin}/`]);
  expect(told(first)).toEqual(["--listen", host, "--host", `https://name.example/one/${port}/`]);
  const again = await web.start();
  expect([again, forwarded.length]).toEqual([first, 2]);
  folder = "two";
  expect(told(await web.start())).toEqual(["--listen", host, "--host", `https://name.example/two/${port}/`]);
  web.dispose();
});

test("an editor that cannot forward the port serves this machine", async () => {
  const web = new WebServer(node(listening), () => Promise.reject(new Error("no tunnel")), log);
  expect(new URL(await web.start()).hash).toBe("");
  expect(log.lines).toContainEqual(expect.stringMatching(/does not forward http:.*: no tunnel$/));
  web.dispose();
});

test("it is told to end, so that it can do so in order", async () => {
  const ordered = new FakeLog();
  const script = `process.on("SIGTERM", () => process.exit(7)); console.log('{"url":"http://x/"}'); setInterval(() => {}, 1e6)`;
  const web = new WebServer(node(script), here, ordered);
  await web.start();
  web.dispose();
  await expect.poll(() => ordered.lines).toContain("info followup web has ended: exit status 7");
});

test("the command opens the address, and tells what is wrong in words, with a way to the log", async () => {
  opened.length = 0;
  dialogs.shown.length = 0;
  dialogs.press = "Open Log";
  executed.length = 0;
  await openBrowser({ start: async () => "http://127.0.0.1:7/#secret" })();
  expect(opened.map(String)).toEqual(["http://127.0.0.1:7/#secret"]);
  const absent = new ProblemError({ kind: "missing", looked: "/x", source: "setting", reason: "absent" });
  for (const error of [new Error("no port"), absent]) {
    await openBrowser({ start: () => Promise.reject(error) })();
  }
  dialogs.press = undefined;
  expect(dialogs.shown.map(([text]) => text)).toEqual([
    "The browser could not be served: no port",
    expect.stringMatching(/served: The setting .* names the sidecar \/x, but nothing is there\.$/),
  ]);
  expect(executed).toEqual([["followup.showLog"], ["followup.showLog"]]);
});

test.each([
  ["what it told", node("console.error('no port'); process.exit(1)"), "no port"],
  ["how it ended", node("process.exit(3)"), "exit status 3"],
  ["that it is not there", () => ({ command: "/no/such/program", args: [] }), "ENOENT"],
])("where nothing is served, the error is %s", async (_, launch, words) => {
  await expect(new WebServer(launch, here, log).start()).rejects.toThrow(words);
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
