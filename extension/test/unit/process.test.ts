// The sidecar as a real process on real pipes.

import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { hubConnect, type Request, type Trace } from "../../src/protocol.gen";
import { Sidecar, type SidecarState } from "../../src/sidecar/sidecar";
import { reached, running } from "./fake/host";
import { FakeLog } from "./fake/log";

const script = fileURLToPath(new URL("./fake/serve.mjs", import.meta.url));
const started: Sidecar[] = [];

async function start(trace: Trace = "off") {
  const log = new FakeLog();
  const sidecar = new Sidecar({
    launch: () => ({ command: process.execPath, args: [script, "serve"] }),
    greeting: () => ({ processId: process.pid, initializationOptions: {} }),
    trace: () => trace,
    log,
    delays: [0],
  });
  started.push(sidecar);
  sidecar.start();
  await running(sidecar);
  return { sidecar, log };
}

const pid = (state: SidecarState) => (state.kind === "running" ? state.server.pid : 0);
const echo = { method: "test/echo" } as Request<{ text: string }, { params: { text: string } }>;

afterEach(async () => {
  await Promise.all(started.splice(0).map((sidecar) => sidecar.stop()));
});

test("starts, logs, and ends in order", async () => {
  const { sidecar, log } = await start();
  const connection = await running(sidecar);
  expect(pid(sidecar.state)).not.toBe(process.pid);
  await sidecar.stop();
  expect(await connection.ended).toBe("exit status 0");
  expect(log.lines).toContain("info shaking hands argument=serve");
});

test("passes a large message whole in both directions", async () => {
  const { sidecar } = await start();
  const text = "äöü🚀".repeat(1 << 20);
  const { params } = await sidecar.request(echo, { text });
  expect(params.text === text).toBe(true);
});

test("never logs a token, at any trace level", async () => {
  const { sidecar, log } = await start("verbose");
  await sidecar.request(echo, { text: "words" });
  await sidecar.request(hubConnect, { url: "https://hub.example", token: "followup_A" }).catch(() => {});
  const all = log.lines.join("\n");
  expect(all).toContain("'hub/connect ");
  expect(all).toContain("words");
  expect(all).not.toContain("followup_A");
});

test("replaces a killed process as often as the policy allows", async () => {
  const { sidecar } = await start();
  const first = pid(sidecar.state);
  process.kill(first, "SIGKILL");
  await reached(sidecar, "restarting");
  await running(sidecar);
  const second = pid(sidecar.state);
  expect(second).not.toBe(first);
  process.kill(second, "SIGKILL");
  expect(await reached(sidecar, "failed")).toMatchObject({
    // Windows has no signals: a killed process exits with a status.
    problem: expect.stringMatching(
      /2 times in a short time and was not restarted \((signal SIGKILL|exit status 1)\)/,
    ),
  });
});
