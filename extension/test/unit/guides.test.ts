// Guides in the editor, with a program in memory that follows the test's script.

import { PassThrough } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { Guides } from "../../src/commands/guides";
import { CodeCancelled, CodeRefused, type GuideMessage, type GuideRunParams } from "../../src/protocol.gen";
import type { Transport } from "../../src/sidecar/transport";
import { passes } from "../wait";
import { FakeLog } from "./fake/log";
import { cancellation, dialogs, executed, opened, progressed, Uri, user, written } from "./fake/vscode";

beforeEach(() => {
  for (const list of [texts, user.prompts, progressed, written, executed, dialogs.shown, opened]) {
    list.length = 0;
  }
  user.choices = {};
  dialogs.press = undefined;
});

/** The texts that were shown. */
const texts: [name: string, text: string][] = [];

/** The program's actions when a guide is run; returns the final message. */
type Run = (
  program: MessageConnection,
  params: GuideRunParams,
  isCancelled: () => boolean,
) => Promise<GuideMessage[]>;

/** Guides with this program. */
function guiding(run: Run) {
  const log = new FakeLog();
  const state = { launched: [] as string[], inputEnded: 0, historyRead: 0, hub: [] as unknown[], again: 0 };
  const ends: ((how: string) => void)[] = [];
  const guides = new Guides({
    launch: async (subcommand) => {
      state.launched.push(subcommand);
      return { command: "followup", args: [subcommand] };
    },
    options: () => ({ locale: "en", editorFolder: "/editor" }),
    saveHub: async (hub) => void state.hub.push(hub),
    imported: () => state.historyRead++,
    showText: async (...shown) => void texts.push(shown),
    log,
    start: (): Transport => {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
      stdin.on("finish", () => state.inputEnded++);
      const program = createMessageConnection(
        new StreamMessageReader(stdin),
        new StreamMessageWriter(stdout),
      );
      program.onRequest("guide/run", async (params: GuideRunParams, token) => ({
        messages: await run(program, params, () => token.isCancellationRequested),
      }));
      program.onNotification("guide/again", () => void state.again++);
      program.listen();
      const ended = new Promise<string>((resolve) => {
        ends.push((how) => {
          stderr.end("no room\n");
          stderr.on("close", () => resolve(how));
        });
      });
      return { stdin, stdout, stderr, ended, kill: () => {} };
    },
  });
  return { guides, log, state, ends };
}

/** The values that a method showed to the user. */
const posted = (method: string) =>
  user.prompts.filter(([name]) => name === method).map(([, ...args]) => args);

/** Runs a guide with one prompt, and returns the answer. */
async function answerTo(method: string, params: unknown): Promise<unknown> {
  let answer: unknown;
  const { guides } = guiding(async (program) => {
    answer = await program.sendRequest(method, params);
    return [];
  });
  await guides.start("connect");
  return answer;
}

test("passes the window's context to a guide and ends its program's input with it", async () => {
  const seen: unknown[] = [];
  const { guides, state } = guiding(async (_, params) => {
    seen.push(params);
    return [];
  });
  await guides.start("export", { target: { questionIds: ["a"] } });
  const options = { locale: "en", editorFolder: "/editor", protocolVersion: 1 };
  expect(seen).toEqual([{ guide: "export", options, target: { questionIds: ["a"] } }]);
  await passes(() => expect(state).toMatchObject({ launched: ["guide"], inputEnded: 1, historyRead: 0 }));
});

test("picks one item from a list whose descriptions may change, or cancels", async () => {
  const items = [{ label: "Codex", description: "counting…", icon: "history" }, { label: "Files" }];
  const { guides } = guiding(async (program) => {
    const chosen = program.sendRequest("guide/pick", { title: "Import", items });
    await program.sendNotification("guide/describe", { item: 0, description: "2 new" });
    expect([await chosen, await program.sendRequest("guide/pick", { title: "Import", items })]).toEqual([
      { chosen: [1] },
      {},
    ]);
    return [];
  });
  const described = [
    { label: "Codex", description: "2 new", iconPath: { id: "history" } },
    { label: "Files" },
  ];
  user.choices.pick = [
    async () => {
      await passes(() => expect(user.list.items).toMatchObject(described));
      return user.list.items[1];
    },
  ];
  await guides.start("import");
});

test("preselects items in a multi-select list", async () => {
  const items = [{ label: "A", picked: true }, { label: "B" }, { label: "C", picked: true }];
  expect(await answerTo("guide/pick", { title: "Connect", canSelectMany: true, items })).toEqual({});
  user.choices.pick = [(shown: unknown[]) => [shown[0], shown[1]]];
  expect(await answerTo("guide/pick", { title: "Connect", canSelectMany: true, items })).toEqual({
    chosen: [0, 1],
  });
});

test("prompts for a line and shows why the last one was invalid", async () => {
  user.choices.input = [() => "typed"];
  const line = { prompt: "Address", value: "x", problem: "That is no address", password: true };
  expect(await answerTo("guide/input", line)).toEqual({ text: "typed" });
  const [[options]] = posted("input") as [[{ validateInput(text: string): unknown }]];
  expect(options).toMatchObject({ prompt: "Address", value: "x", password: true, ignoreFocusOut: true });
  expect([options.validateInput("x"), options.validateInput("y")]).toEqual(["That is no address", undefined]);
  expect(await answerTo("guide/input", { prompt: "Address" })).toEqual({});
});

test("shows a text, and keeps a list open while the user is elsewhere", async () => {
  expect(await answerTo("guide/showText", { name: "Followup.diff", text: "+a" })).toEqual({});
  expect(texts).toEqual([["Followup.diff", "+a"]]);
  await answerTo("guide/pick", { title: "Review", items: [] });
  expect(user.list).toMatchObject({ ignoreFocusOut: true });
});

test("picks files and folders in dialogs, and writes a file that only the editor can write", async () => {
  user.choices = {
    open: [() => [Uri.file("/a"), Uri.file("/b")], () => undefined],
    save: [() => Uri.file("/x.md"), () => Uri.from({ scheme: "vscode-vfs", path: "/x.md" }), () => undefined],
  };
  const open = { title: "Import", openLabel: "Import", canSelectFolders: true, filters: { Logs: ["json"] } };
  expect(await answerTo("guide/openFiles", open)).toEqual({ paths: ["/a", "/b"] });
  expect(await answerTo("guide/openFiles", open)).toEqual({});
  expect(posted("open")).toEqual([[open], [open]]);
  const save = { title: "Export", saveLabel: "Export", name: "history.md" };
  expect(await answerTo("guide/saveFile", save)).toEqual({ uri: "file:///x.md", path: "/x.md" });
  expect(await answerTo("guide/saveFile", save)).toEqual({ uri: "vscode-vfs:///x.md" });
  expect(await answerTo("guide/saveFile", save)).toEqual({});
  await answerTo("guide/writeFile", { uri: "vscode-vfs://r/x.md", text: "text" });
  expect(written).toEqual([["vscode-vfs://r/x.md", "text"]]);
});

test("forwards and opens an address, runs commands, and saves a hub", async () => {
  expect(await answerTo("guide/forward", { address: "http://127.0.0.1:7/" })).toEqual({
    address: "http://127.0.0.1:7/",
  });
  await answerTo("guide/browse", { address: "http://127.0.0.1:7/#secret" });
  expect(opened.map(String)).toEqual(["http://127.0.0.1:7/#secret"]);
  const { guides, state } = guiding(async (program) => {
    await program.sendNotification("guide/command", { command: "followup.focus" });
    await program.sendNotification("guide/showMessage", { severity: "Information", text: "Busy" });
    await program.sendRequest("guide/saveHub", { url: "https://hub", token: "t" });
    return [];
  });
  await guides.start("hub");
  expect([executed, state.hub, posted("information")]).toEqual([
    [["followup.focus"]],
    [{ url: "https://hub", token: "t" }],
    [["Busy"]],
  ]);
});

test("shows progress, and cancelling it cancels the guide", async () => {
  const { guides } = guiding(async (program, _, isCancelled) => {
    for (const increment of [25, 50]) {
      await program.sendNotification("guide/progress", { title: "Importing", message: "Read", increment });
    }
    await passes(() => expect(progressed).toHaveLength(2));
    cancellation.fire();
    await passes(() => expect(isCancelled()).toBe(true));
    throw new ResponseError(CodeCancelled, "cancelled");
  });
  await guides.start("import");
  expect(progressed).toMatchObject([
    { message: "Read", increment: 25 },
    { message: "Read", increment: 50 },
  ]);
  expect(dialogs.shown).toEqual([]);
});

test("a message has buttons: to open a file, run a command, or start another guide", async () => {
  const seen: GuideRunParams[] = [];
  const buttons = [
    { title: "Show File", open: ["/a", "/b"] },
    { title: "Open", open: ["vscode-vfs://r/x.md"] },
    { title: "Show History", command: "followup.showHistory" },
    { title: "Undo", guide: { guide: "connect", agents: ["cline"], undo: true } },
  ];
  const { guides } = guiding(async (_, params) => {
    seen.push(params);
    return seen.length > buttons.length ? [] : [{ severity: "Information", text: "Done", buttons } as never];
  });
  user.choices = {
    information: buttons.map(
      ({ title }) =>
        () =>
          title,
    ),
    pick: [(paths: string[]) => paths[1]],
  };
  for (const _ of buttons) {
    await guides.start("connect");
  }
  await passes(() => expect(seen).toHaveLength(buttons.length + 1));
  expect(posted("information")[0]).toEqual(["Done", "Show File", "Open", "Show History", "Undo"]);
  expect(executed).toEqual([
    ["vscode.open", Uri.file("/b")],
    ["vscode.open", Uri.parse("vscode-vfs://r/x.md")],
    ["followup.showHistory"],
  ]);
  expect(seen.at(-1)).toMatchObject({ guide: "connect", agents: ["cline"], undo: true });
});

test("a running guide is notified of a second start, and an open message blocks no other guide", async () => {
  let end = () => {};
  const { guides, state } = guiding(async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return [{ severity: "Information", text: "Done" }];
  });
  user.choices.information = [() => new Promise(() => {})];
  const first = guides.start("import");
  await passes(() => expect(state.launched).toHaveLength(1));
  await guides.start("import");
  await passes(() => expect(state.again).toBe(1));
  end();
  await first;
  expect(state.historyRead).toBe(1);
  void guides.start("import");
  await passes(() => expect(state.launched).toHaveLength(2));
  guides.dispose();
  await passes(() => expect(state.inputEnded).toBe(2));
});

test("reports an error with a button that opens the log", async () => {
  dialogs.press = "Open Log";
  const refusing = guiding(async () => {
    throw new ResponseError(CodeRefused, "The agents could not be connected: no home");
  });
  await refusing.guides.start("connect");
  const dying = guiding(() => new Promise(() => {}));
  const run = dying.guides.start("connect");
  await passes(() => expect(dying.ends).toHaveLength(1));
  dying.ends[0]?.("exit status 1");
  await run;
  const absent = new Guides({
    launch: async () => {
      throw new Error("/x/followup is missing");
    },
    options: () => ({}),
    saveHub: async () => {},
    imported: () => {},
    showText: async () => {},
    log: new FakeLog(),
  });
  await absent.start("connect");
  expect(dialogs.shown.map(([text]) => text)).toEqual([
    "The agents could not be connected: no home",
    "exit status 1: no room",
    "/x/followup is missing",
  ]);
  expect(executed).toEqual([["followup.showLog"], ["followup.showLog"], ["followup.showLog"]]);
});
