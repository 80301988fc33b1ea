// A sidecar's life: handshake, crashes, limited restarts, clean exit.

import { afterEach, expect, test, vi } from "vitest";
import { ResponseError } from "vscode-jsonrpc";
import { CodeRefused, CodeVersionMismatch, sessionGet, Version } from "../../src/protocol.gen";
import { handshakeLimit } from "../../src/sidecar/connection";
import { FollowupError } from "../../src/sidecar/errors";
import { makeHost, reached, restarts, running, startHost } from "./fake/host";

const hosts: ReturnType<typeof makeHost>[] = [];
const keep = <T extends ReturnType<typeof makeHost>>(host: T): T => {
  hosts.push(host);
  return host;
};
afterEach(async () => {
  await Promise.all(hosts.splice(0).map(({ sidecar }) => sidecar.stop()));
});

test("the handshake sends the version and the greeting", async () => {
  const { machine, sidecar } = keep(await startHost());
  const [initialize] = machine.last.sent("initialize");
  expect(initialize).toMatchObject({
    processId: 1,
    trace: "off",
    initializationOptions: { protocolVersion: Version, locale: "en" },
  });
  expect(machine.last.methods().slice(0, 3)).toEqual(["initialize", "initialized", "inbox/subscribe"]);
  expect(sidecar.state).toMatchObject({ kind: "running", server: { name: "fake", pid: 1001 } });
});

test("reports another version in the reply as a problem of its own and ends the process", async () => {
  const host = keep(makeHost());
  host.machine.overrides.initialize = () => ({
    protocolVersion: Version + 1,
    serverInfo: {},
    capabilities: {},
  });
  host.sidecar.start();
  const state = await reached(host.sidecar, "failed");
  expect(state).toMatchObject({
    problem: expect.stringContaining(
      `version ${Version}, but the sidecar /bin/followup speaks version ${Version + 1}.`,
    ),
  });
  expect(await host.machine.last.ended).toBe("signal SIGKILL");
});

test("reports the same problem if the sidecar refuses our version", async () => {
  const host = keep(makeHost());
  host.machine.overrides.initialize = () =>
    new ResponseError(CodeVersionMismatch, "another version", { protocolVersion: 9 });
  host.sidecar.start();
  expect(await reached(host.sidecar, "failed")).toMatchObject({
    problem: expect.stringContaining("speaks version 9."),
  });
});

test("reports a sidecar that ends before the handshake with its last output", async () => {
  const host = keep(makeHost());
  host.machine.overrides.initialize = () => {
    host.machine.last.stderr.write("panic: no memory\n\ngoroutine 1\n");
    host.machine.last.stderr.once("end", () => host.machine.last.crash("exit status 2"));
    host.machine.last.stderr.end();
    return new Promise(() => {});
  };
  host.sidecar.start();
  expect(await reached(host.sidecar, "failed")).toMatchObject({
    problem: "The Followup sidecar /bin/followup could not be started: exit status 2: panic: no memory",
  });
});

test("gives up on a program that never answers", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const host = keep(makeHost());
    host.machine.overrides.initialize = () => new Promise(() => {});
    host.sidecar.start();
    await host.machine.received(1, "initialize");
    vi.advanceTimersByTime(handshakeLimit);
    expect(await reached(host.sidecar, "failed")).toMatchObject({
      problem: expect.stringMatching(/could not be started: no answer within 30 s$/),
    });
    expect(await host.machine.last.ended).toBe("signal SIGKILL");
  } finally {
    vi.useRealTimers();
  }
});

test("reports a missing binary, and looks again at the next start", async () => {
  let missing = true;
  const host = keep(
    makeHost(() => {
      if (missing) {
        throw new Error("/x is missing");
      }
      return { command: "/bin/followup", args: [] };
    }),
  );
  host.sidecar.start();
  const failed = await reached(host.sidecar, "failed");
  expect(failed).toMatchObject({ problem: "/x is missing" });
  await expect(host.sidecar.request(sessionGet, { session: "s" })).rejects.toThrow("/x is missing");
  missing = false;
  await host.sidecar.restart();
  expect(host.sidecar.state.kind).toBe("running");
});

test("restarts after a crash, a bounded number of times", async () => {
  const { machine, sidecar, states } = keep(await startHost());
  for (let crash = 1; crash <= restarts; crash++) {
    machine.last.crash();
    await reached(sidecar, "restarting");
    await running(sidecar);
    expect(machine.processes).toHaveLength(crash + 1);
  }
  machine.last.crash("signal SIGSEGV");
  expect(await reached(sidecar, "failed")).toMatchObject({
    problem: expect.stringContaining(
      `${restarts + 1} times in a short time and was not restarted (signal SIGSEGV)`,
    ),
  });
  expect(machine.processes).toHaveLength(restarts + 1);
  expect(states.filter((state) => state === "restarting")).toHaveLength(restarts);
  const error = await sidecar.request(sessionGet, { session: "s" }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FollowupError);
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("SIGSEGV") });

  await sidecar.restart();
  expect(sidecar.state.kind).toBe("running");
});

test("replaces a sidecar that refuses the inbox, and finally reports why", async () => {
  const host = keep(makeHost());
  host.machine.overrides["inbox/subscribe"] = () => new ResponseError(CodeRefused, "reload the window");
  host.sidecar.start();
  expect(await reached(host.sidecar, "failed")).toMatchObject({
    problem: expect.stringContaining("(reload the window)"),
  });
  expect(host.machine.last.methods().slice(-2)).toEqual(["shutdown", "exit"]);
});

test("resends a request that a crash interrupted", async () => {
  const { machine, sidecar } = keep(await startHost());
  const first = machine.last;
  machine.overrides["session/get"] = () => ({ session: "s", consecutiveMistakes: 3 });
  first.handle("session/get", () => new Promise(() => {}));
  const state = sidecar.request(sessionGet, { session: "s" });
  await machine.received(1, "session/get");
  first.crash();
  expect(await state).toMatchObject({ consecutiveMistakes: 3 });
  expect(machine.last.number).toBe(2);
});

test("reads a dying process's last output", async () => {
  const { machine, sidecar } = keep(await startHost());
  const connection = await running(sidecar);
  const reply = connection.request(sessionGet, { session: "s" });
  // initialize, inbox/subscribe and this one
  await machine.until(({ replies }) => replies === 3);
  machine.last.crash();
  expect(await reply).toMatchObject({ consecutiveMistakes: 7 });
});

test("stopping sends shutdown, then exit", async () => {
  const { machine, sidecar, states } = keep(await startHost());
  await sidecar.stop();
  expect(machine.last.methods().slice(-2)).toEqual(["shutdown", "exit"]);
  expect(states.at(-1)).toBe("stopped");
  expect(machine.processes).toHaveLength(1);
});

test("restarts a sidecar that dies during shutdown", async () => {
  const { machine, sidecar } = keep(await startHost());
  const first = machine.last;
  first.handle("shutdown", () => new Promise(() => {}));
  const restarted = sidecar.restart();
  await machine.received(1, "shutdown");
  first.crash();
  await restarted;
  expect(machine.last.number).toBe(2);
  expect(sidecar.state.kind).toBe("running");
});

test("kills a sidecar that refuses to shut down", async () => {
  const host = keep(await startHost());
  const { machine, sidecar } = host;
  machine.last.handle("shutdown", () => new ResponseError(1, "no"));
  await sidecar.stop();
  expect(await machine.last.ended).toBe("signal SIGKILL");
});
