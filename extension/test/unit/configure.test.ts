// Settings that the extension sends to each sidecar process.

import { expect, test } from "vitest";
import { ResponseError } from "vscode-jsonrpc";
import { historyConfigure } from "../../src/protocol.gen";
import { makeHost } from "./fake/host";

async function start(
  handlers: Record<string, (params: never) => unknown> = {},
  wanted?: (setting: { keep: boolean }) => boolean,
) {
  const host = makeHost();
  const settings = { keep: true, retentionDays: 0 };
  Object.assign(host.machine.overrides, { "history/configure": () => ({}), ...handlers });
  const configure = host.sidecar.configure(historyConfigure, () => ({ ...settings }), wanted);
  host.sidecar.start();
  await host.machine.received(1, "inbox/subscribe");
  return { ...host, configure, settings };
}

test("sends a setting to every new process, and to the running one when it changes", async () => {
  const { machine, configure, settings, sidecar } = await start();
  await machine.received(1, "history/configure");
  expect(machine.last.sent("history/configure")).toEqual([{ keep: true, retentionDays: 0 }]);
  Object.assign(settings, { keep: false, retentionDays: 30 });
  await configure();
  expect(machine.last.sent("history/configure")[1]).toEqual({ keep: false, retentionDays: 30 });
  await sidecar.restart();
  const second = await machine.received(2, "history/configure");
  expect(second.sent("history/configure")).toEqual([{ keep: false, retentionDays: 30 }]);
});

test("sends an unneeded setting only when it changes", async () => {
  const { machine, configure } = await start({}, ({ keep }) => !keep);
  expect(machine.last.sent("history/configure")).toEqual([]);
  await configure();
  expect(machine.last.sent("history/configure")).toEqual([{ keep: true, retentionDays: 0 }]);
});

test("logs a rejected setting and still shows questions", async () => {
  const { machine, log, configure } = await start({
    "history/configure": () => new ResponseError(-32603, "no store"),
  });
  expect(machine.last.methods()).toContain("inbox/subscribe");
  await configure();
  expect(log.lines.filter((line) => line === "error history/configure: no store")).toHaveLength(2);
});
