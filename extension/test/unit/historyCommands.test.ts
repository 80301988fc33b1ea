// The history's commands: what the user is asked and told.

import { beforeEach, expect, test } from "vitest";
import { type CancellationToken, ResponseError } from "vscode-jsonrpc";
import { deleteHistory } from "../../src/commands/deleteHistory";
import { exportHistory } from "../../src/commands/exportHistory";
import { importLog } from "../../src/commands/importLog";
import {
  CodeCancelled,
  type HistoryImportProgress,
  type HistoryImportResult,
  type Request,
} from "../../src/protocol.gen";
import type { Participant } from "../../src/sidecar/sidecar";
import { FakeLog } from "./fake/log";
import { cancellation, dialogs, executed, progressed, Uri, user, written } from "./fake/vscode";

beforeEach(() => {
  for (const list of [user.asked, progressed, written, executed, dialogs.shown]) {
    list.length = 0;
  }
  user.choices = {};
  dialogs.press = undefined;
});

/** The texts of messages and the buttons that were offered. */
const told = (method: string) => user.asked.filter(([name]) => name === method).map(([, ...args]) => args);

const pickFirst = (items: never[]) => items[0];

type Handlers = Record<string, (params: never, token?: CancellationToken) => unknown>;

/** Asks handlers by their methods. */
function asking(handlers: Handlers) {
  return async <P, R>({ method }: Request<P, R>, params: P, token?: CancellationToken): Promise<R> =>
    (await handlers[method]?.(params as never, token)) as R;
}

function exporter(query = { text: "", filter: {} }) {
  const exports: unknown[][] = [];
  const outcome = { error: undefined as Error | undefined };
  const write = (method: string) => (params: object) => {
    exports.push([method, params]);
    if (outcome.error) {
      throw outcome.error;
    }
    return { count: 2, text: "text" };
  };
  const run = exportHistory({
    sidecar: { request: asking({ "history/export": write("export"), "history/text": write("text") }) },
    page: { shownHistory: () => query },
  });
  return { run, exports, outcome };
}

test("an export asks for the form and the file, and offers to open it", async () => {
  const { run, exports } = exporter();
  user.choices = {
    pick: [pickFirst],
    save: [() => Uri.file("/home/me/history.md")],
    information: [() => "Open"],
  };
  await run({ questionIds: ["a"] });
  expect(exports).toEqual([
    ["export", { questionIds: ["a"], format: "markdown", path: "/home/me/history.md" }],
  ]);
  expect(told("save")[0]?.[0]).toMatchObject({ filters: { Markdown: ["md"] } });
  expect(told("information")).toEqual([["2 entries were exported to /home/me/history.md.", "Open"]]);
  expect(executed).toEqual([["vscode.open", Uri.file("/home/me/history.md")]]);
});

test("from the palette all is exported, or what the view shows, where that is less", async () => {
  const whole = exporter();
  user.choices = { pick: [(items: never[]) => items[1]], save: [() => Uri.file("/x.json")] };
  await whole.run();
  expect(whole.exports).toEqual([["export", { text: "", filter: {}, format: "json", path: "/x.json" }]]);
  const query = { text: "port", filter: {} };
  const part = exporter(query);
  user.choices = { pick: [pickFirst, pickFirst], save: [() => Uri.file("/x.md")] };
  await part.run({ viewId: "followup.history" } as never);
  expect(part.exports).toEqual([["export", { ...query, format: "markdown", path: "/x.md" }]]);
});

test.each(["pick", "save"])("an export ends where the user leaves at %s", async (left) => {
  const { run, exports } = exporter();
  user.choices = { pick: [pickFirst], save: [() => Uri.file("/x.md")], [left]: [() => undefined] };
  await run();
  expect(exports).toEqual([]);
  expect(told("information")).toEqual([]);
});

test("into a workspace that is no folder of this machine the editor writes", async () => {
  const { run, exports } = exporter();
  const uri = Uri.from({ scheme: "vscode-vfs", path: "/repo/history.md" });
  user.choices = { pick: [pickFirst], save: [() => uri] };
  await run();
  expect(exports).toEqual([["text", { text: "", filter: {}, format: "markdown" }]]);
  expect(written).toEqual([[uri.toString(), "text"]]);
});

test("an export that fails is told with a way to the log; one that was cancelled is not", async () => {
  const { run, outcome } = exporter();
  const choices = () => ({ pick: [pickFirst], save: [() => Uri.file("/x.md")] });
  user.choices = choices();
  outcome.error = new ResponseError(CodeCancelled, "cancelled");
  await run();
  expect(dialogs.shown).toEqual([]);
  user.choices = choices();
  outcome.error = new Error("the disk is full");
  dialogs.press = "Open Log";
  await run();
  expect(dialogs.shown).toEqual([["The history could not be exported: the disk is full", "Open Log"]]);
  expect(executed).toEqual([["followup.showLog"]]);
});

function deleter(visible: boolean, late = false) {
  const calls: unknown[][] = [];
  const run = deleteHistory({
    sidecar: {
      request: asking({
        "history/delete": (target) => {
          calls.push(["delete", target]);
          return { count: 3, undo: "u", undoUntil: 1 };
        },
        "history/restore": ({ undo }: { undo: string }) => {
          calls.push(["restore", undo]);
          if (late) {
            throw new Error("The time to undo it has passed.");
          }
          return { count: 3 };
        },
      }),
    },
    page: {
      history: { visible },
      deleted: (result) => calls.push(["tell", result.count]),
      historyChanged: () => calls.push(["changed"]),
    },
  });
  return { run, calls };
}

test("all is deleted only when it is confirmed; on the screen the view offers the way back", async () => {
  const { run, calls } = deleter(true);
  await run();
  expect(calls).toEqual([]);
  user.choices = { warning: [() => "Delete"] };
  await run();
  expect(told("warning")[1]?.[1]).toMatchObject({ modal: true });
  expect(calls).toEqual([
    ["delete", { all: true, text: "", filter: {} }],
    ["tell", 3],
  ]);
  expect(told("information")).toEqual([]);
});

test("without the view a message offers the way back, and says when it was too late", async () => {
  const { run, calls } = deleter(false, true);
  user.choices = { warning: [() => "Delete"], information: [() => "Undo"] };
  await run();
  expect(told("information")).toEqual([["3 entries of the history were deleted.", "Undo"]]);
  expect(calls.slice(-2)).toEqual([["restore", "u"], ["changed"]]);
  expect(told("warning").at(-1)).toEqual(["The time to undo it has passed."]);
});

const nothingFound: HistoryImportResult = {
  added: 0,
  known: 0,
  unanswered: 0,
  files: 1,
  skippedCount: 0,
  skipped: [],
  damagedCount: 0,
  damaged: [],
};

function importer(result: Partial<HistoryImportResult> | Error = {}) {
  const log = new FakeLog();
  const calls: unknown[][] = [];
  let progress: (progress: HistoryImportProgress) => void = () => {};
  const on = (_type: unknown, listener: typeof progress) => {
    progress = listener;
  };
  const request = asking({
    "history/findLogs": () => ({
      places: [
        { tool: "Claude Code", paths: ["/home/me/.claude/projects"] },
        { tool: "Codex", paths: ["/a", "/b", "/c", "/d"] },
        { tool: "Cline", paths: ["/e"] },
      ],
    }),
    "history/countLogs": ({ paths: [path] }: { paths: string[] }) => {
      if (path === "/e") {
        throw new Error("it cannot be read");
      }
      return { added: path === "/a" ? 1 : 7 };
    },
    "history/import": ({ paths, token: id }: { paths: string[]; token: string }, token) => {
      calls.push(["import", paths]);
      progress({ token: "another's", read: 9, found: 9 });
      progress({ token: id, read: 100_000, found: 1 });
      progress({ token: id, read: 12_300_000, total: 24_600_000, found: 2 });
      if (result instanceof Error) {
        cancellation.fire();
        calls.push(["cancelled", token?.isCancellationRequested]);
        throw result;
      }
      return { ...nothingFound, ...result };
    },
  });
  const addParticipant = (participant: Participant) => void participant({ on } as never);
  const page = { historyChanged: () => calls.push(["changed"]) };
  const run = importLog({ sidecar: { request, addParticipant }, page, log });
  return { run, calls, log };
}

test("logs are imported from where a tool keeps them, with the progress in bytes and questions", async () => {
  const { run, calls } = importer({ added: 1, summary: "1 question came" });
  user.choices = { pick: [pickFirst], information: [() => "Show History"] };
  await run();
  expect(calls).toEqual([["import", ["/home/me/.claude/projects"]], ["changed"]]);
  expect(executed).toEqual([["followup.showHistory"]]);
  expect(told("pick")[0]?.[0]).toMatchObject([
    { label: "All of Claude Code", description: "7 new questions", detail: "/home/me/.claude/projects" },
    { label: "All of Codex", description: "1 new question", detail: "/a, /b, /c, …" },
    { label: "All of Cline", description: "", detail: "/e" },
    { label: "Choose files…" },
    { label: "Choose folders…" },
  ]);
  expect(progressed).toEqual([
    { message: "0.1 MB read, questions found: 1", increment: 0 },
    { message: "12.3 MB of 24.6 MB read, questions found: 2", increment: 50 },
  ]);
  expect(told("information")).toEqual([["1 question came", "Show History"]]);
});

test.each([
  [3, true],
  [4, false],
])("files and folders are chosen in dialogs of their own (%i)", async (at, files) => {
  const { run, calls } = importer();
  user.choices = { pick: [(items: never[]) => items[at]], open: [() => [Uri.file("/a"), Uri.file("/b")]] };
  await run();
  expect(told("open")[0]?.[0]).toMatchObject({
    canSelectFiles: files,
    canSelectFolders: !files,
    canSelectMany: true,
  });
  expect(calls).toEqual([["import", ["/a", "/b"]], ["changed"]]);
});

test("damaged lines are told of, with the details in the log", async () => {
  const { run, log } = importer({
    added: 5,
    summary: "5 questions came",
    skippedCount: 1,
    skipped: [{ file: "/b.json", line: 0, reason: "not a log" }],
    damagedCount: 2,
    damaged: [{ file: "/a.jsonl", line: 7, reason: "unexpected end" }],
  });
  user.choices = { pick: [pickFirst], warning: [() => "Show Details"] };
  await run();
  expect(told("warning")).toEqual([["5 questions came", "Show Details", "Show History"]]);
  expect(log.lines).toEqual([
    "warn /b.json: not a log",
    "warn /a.jsonl:7: unexpected end",
    "warn … and 1 more that could not be read",
  ]);
  expect(executed).toEqual([["followup.showLog"]]);
});

test("a cancelled import says what is kept, a failed one why, and one without any log so", async () => {
  const cancelled = importer(new ResponseError(CodeCancelled, "cancelled"));
  user.choices = { pick: [pickFirst] };
  await cancelled.run();
  expect(cancelled.calls.at(-2)).toEqual(["cancelled", true]);
  expect(told("information")).toEqual([
    ["The import was cancelled. What had been read until then is in the history."],
  ]);
  user.choices = { pick: [pickFirst] };
  await importer(new Error("no such file")).run();
  expect(dialogs.shown).toEqual([["The log could not be imported: no such file", "Open Log"]]);
  user.choices = { pick: [pickFirst] };
  await importer({ files: 0 }).run();
  expect(told("warning")).toEqual([["No log was found there that could be read."]]);
});

test("one import runs at a time, and a dialog that is left ends it", async () => {
  const { run, calls } = importer({ added: 1, summary: "1 question came" });
  let leave: (value: unknown) => void = () => {};
  user.choices = { pick: [() => new Promise((resolve) => (leave = resolve))] };
  const first = run();
  await run();
  await expect.poll(() => told("pick").length).toBe(1);
  expect(told("information")).toEqual([["An import is under way already."]]);
  leave(undefined);
  await first;
  expect(calls).toEqual([]);
  // A message that stays on the screen keeps nobody from the next import.
  user.choices = { pick: [pickFirst, () => undefined], information: [() => new Promise(() => {})] };
  void run();
  await expect.poll(() => told("information").length).toBe(2);
  await run();
  expect(told("pick").length).toBe(3);
});
