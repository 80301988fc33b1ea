// The restart command: a hanging keeper is replaced before the sidecar is restarted.

import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { restart } from "../../src/commands/commands";
import type { Launch } from "../../src/sidecar/transport";
import { FakeLog } from "./fake/log";

async function run(launch: (subcommand: string) => Promise<Launch>): Promise<string[]> {
  const done: string[] = [];
  await restart(
    { launch, sidecar: { restart: async () => void done.push("sidecar") }, log: new FakeLog() },
    ({ command, args }) => {
      const stream = () => new PassThrough().end();
      const ended = Promise.resolve().then(() => {
        done.push([command, ...args].join(" "));
        return "exit status 0";
      });
      return { stdin: stream(), stdout: stream(), stderr: stream(), ended, kill: () => {} };
    },
  );
  return done;
}

test("restarts the keeper, then the sidecar", async () => {
  const launch = async (subcommand: string) => ({ command: "followup", args: [subcommand] });
  expect(await run(launch)).toEqual(["followup keeper restart", "sidecar"]);
});

test("leaves the user's keeper running if the sidecar keeps its own inbox", async () => {
  const launch = async (subcommand: string) => ({ command: "followup", args: [subcommand, "--alone"] });
  expect(await run(launch)).toEqual(["sidecar"]);
});

test("reports a missing program", async () => {
  const missing = async () => {
    throw new Error("missing");
  };
  expect(await run(missing)).toEqual(["sidecar"]);
});
