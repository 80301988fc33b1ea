// The extension's parts with a fake sidecar, connected as in extension.ts.

import { Agents } from "../../../src/agents/agents";
import { Pages } from "../../../src/page/pages";
import type { Connection } from "../../../src/sidecar/connection";
import { Sidecar, type SidecarState } from "../../../src/sidecar/sidecar";
import { FakeLog } from "./log";
import { FakeMachine } from "./sidecar";

/** The maximum number of restarts in a test. */
export const restarts = 3;

/** Builds a host without starting its sidecar. */
export function makeHost(launch = () => ({ command: "/bin/followup", args: ["serve"] })) {
  const machine = new FakeMachine();
  const log = new FakeLog();
  const sidecar = new Sidecar({
    launch,
    greeting: () => ({ processId: 1, initializationOptions: { locale: "en" } }),
    trace: () => "off",
    log,
    delays: Array(restarts).fill(0),
    start: machine.start,
  });
  const states: string[] = [];
  sidecar.onDidChangeState((state) => states.push(state.kind));
  const agents = new Agents(sidecar);
  const state = {
    strings: {},
    locale: "en",
    folders: [],
    keep: true,
    phrases: [],
    commands: [],
    trouble: null,
  };
  const pages = new Pages({ state, sidecar, host: {} as never, log });
  return { machine, log, sidecar, states, agents, pages };
}

/** Builds a host and waits until its sidecar is running. */
export async function startHost() {
  const host = makeHost();
  host.sidecar.start();
  await host.machine.received(1, "inbox/subscribe");
  return host;
}

/** Waits for a state of the sidecar. */
export function reached(sidecar: Sidecar, kind: SidecarState["kind"]): Promise<SidecarState> {
  if (sidecar.state.kind === kind) {
    return Promise.resolve(sidecar.state);
  }
  return new Promise((resolve) => {
    const listener = sidecar.onDidChangeState((state) => {
      if (state.kind === kind) {
        listener.dispose();
        resolve(state);
      }
    });
  });
}

/** Waits for a process, and returns it. */
export async function running(sidecar: Sidecar): Promise<Connection> {
  await reached(sidecar, "running");
  return sidecar.connection as Connection;
}

/** Crashes one process after the other until no new one is started. */
export async function crashForGood(machine: FakeMachine, sidecar: Sidecar): Promise<void> {
  for (let number = 1; number <= restarts + 1; number++) {
    await machine.received(number, "inbox/subscribe");
    await running(sidecar);
    machine.last.crash();
    await machine.last.ended;
  }
  await reached(sidecar, "failed");
}
