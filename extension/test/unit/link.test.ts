// The offer of the link by which terminals find the program.

import { expect, test } from "vitest";
import { Emitter } from "vscode-jsonrpc";
import { linkOffered, offerLinkOnce } from "../../src/commands/link";
import type { SidecarState } from "../../src/sidecar/sidecar";
import { passes } from "../wait";

/** A window of an editor with a memory that all windows share. */
function open(memory: Map<string, unknown>) {
  const states = new Emitter<SidecarState>();
  const sidecar = { state: { kind: "stopped" } as SidecarState, onDidChangeState: states.event };
  const started: string[] = [];
  offerLinkOnce(
    sidecar,
    { start: async (guide) => void started.push(guide) },
    {
      get: <T>(key: string) => memory.get(key) as T,
      update: async (key: string, value: unknown) => void memory.set(key, value),
    },
  );
  const change = (state: SidecarState) => {
    sidecar.state = state;
    states.fire(state);
  };
  return { started, change };
}

const running: SidecarState = { kind: "running", server: { name: "followup", version: "1", pid: 1 } };

test("offers the link when the program first runs, and never again", async () => {
  const memory = new Map<string, unknown>();
  const first = open(memory);
  first.change({ kind: "starting" });
  first.change({ kind: "failed", problem: "it is missing" });
  expect(memory.size).toBe(0);
  first.change(running);
  await passes(() => expect(first.started).toEqual(["link"]));
  expect(memory.get(linkOffered)).toBe(true);
  first.change({ kind: "restarting" });
  first.change(running);
  const second = open(memory);
  second.change(running);
  await Promise.resolve();
  expect([first.started, second.started]).toEqual([["link"], []]);
});
