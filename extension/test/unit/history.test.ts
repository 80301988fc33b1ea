// What is asked of the sidecar for the history.

import { expect, test } from "vitest";
import { CancellationTokenSource, ResponseError } from "vscode-jsonrpc";
import { History } from "../../src/commands/history";
import { isCancelled } from "../../src/commands/messages";
import { CodeCancelled, type HistoryImportResult } from "../../src/protocol.gen";
import { makeHost } from "./fake/host";

const imported: HistoryImportResult = {
  added: 1,
  known: 2,
  unanswered: 3,
  files: 1,
  skippedCount: 0,
  skipped: [],
  damagedCount: 0,
  damaged: [],
};

async function start(handlers: Record<string, (params: never) => unknown> = {}) {
  const host = makeHost();
  const settings = { keep: true, retentionDays: 0 };
  Object.assign(host.machine.overrides, { "history/configure": () => ({}), ...handlers });
  const history = new History(host.sidecar, () => ({ ...settings }), host.log);
  host.sidecar.start();
  await host.sidecar.connected();
  return { ...host, history, settings };
}

test("every new process is told what is to be kept, and so is the running one when the settings change", async () => {
  const { machine, history, settings, sidecar } = await start();
  await machine.received(1, "history/configure");
  expect(machine.last.sent("history/configure")).toEqual([{ keep: true, retentionDays: 0 }]);
  Object.assign(settings, { keep: false, retentionDays: 30 });
  await history.configure();
  expect(machine.last.sent("history/configure")[1]).toEqual({ keep: false, retentionDays: 30 });
  await sidecar.restart();
  const second = await machine.received(2, "history/configure");
  expect(second.sent("history/configure")).toEqual([{ keep: false, retentionDays: 30 }]);
});

test("a sidecar that does not take the settings is told of in the log, and its questions are shown all the same", async () => {
  const { machine, log, history } = await start({
    "history/configure": () => new ResponseError(-32603, "no store"),
  });
  expect(machine.last.methods()).toContain("inbox/subscribe");
  await history.configure();
  expect(log.lines).toContain("error The sidecar did not take the history's settings: no store");
});

test("what is deleted or exported is named by ids, or by what lets it through", async () => {
  const { history, machine } = await start({
    "history/delete": () => ({ count: 1 }),
    "history/text": () => ({ count: 1, text: "" }),
    "history/export": () => ({ count: 1 }),
  });
  const all = { text: "port", filter: { outcomes: ["answered" as const] } };
  await history.delete({ questionIds: ["a", "b"] });
  await history.delete(all);
  expect(machine.last.sent("history/delete")).toEqual([{ questionIds: ["a", "b"] }, { all: true, ...all }]);
  await history.export({ questionIds: ["a"] }, "markdown");
  await history.export(all, "json", "/x.json");
  expect(machine.last.sent("history/text")).toEqual([{ format: "markdown", questionIds: ["a"] }]);
  expect(machine.last.sent("history/export")).toEqual([{ format: "json", ...all, path: "/x.json" }]);
});

test("an import tells how far it has come, each its own, and that the history has changed", async () => {
  const { history, machine } = await start({
    "history/import": async ({ token }: { token: string }) => {
      await machine.last.notify("history/didImport", { token: "another", read: 9, found: 9 });
      await machine.last.notify("history/didImport", { token, read: 1, total: 2, found: 3 });
      return imported;
    },
  });
  const told: unknown[] = [];
  // The answer to the settings that the process was told at its start comes before this one's.
  await history.configure();
  let changes = 0;
  history.onDidChange(() => changes++);
  expect(await history.import(["/a"], ({ token: _token, ...rest }) => told.push(rest))).toEqual(imported);
  expect(told).toEqual([{ read: 1, total: 2, found: 3 }]);
  expect(changes).toBe(1);
});

test("a cancelled import is cancelled in the sidecar", async () => {
  const source = new CancellationTokenSource();
  const { history, machine } = await start();
  machine.last.handle(
    "history/import",
    ((_params: unknown, token: typeof source.token) =>
      new Promise((resolve) =>
        token.onCancellationRequested(() => resolve(new ResponseError(CodeCancelled, "cancelled"))),
      )) as never,
  );
  const importing = history.import(["/a"], () => {}, source.token);
  await machine.received(1, "history/import");
  source.cancel();
  const error = await importing.catch((reason: unknown) => reason);
  expect(isCancelled(error)).toBe(true);
});
