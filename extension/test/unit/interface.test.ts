// The parts of a window outside its pages: the badge, the status bar, and pages that open by themselves.

import { afterEach, beforeEach, expect, test } from "vitest";
import * as vscode from "vscode";
import { openInterface } from "../../src/page/interface";
import type { InboxEntry, NoticeChange } from "../../src/protocol.gen";
import { passes } from "../wait";
import { makeHost } from "./fake/host";
import { item } from "./fake/sidecar";
import { executed, makeWebview, set, shown, workspace } from "./fake/vscode";

const closing: (() => unknown)[] = [];

beforeEach(() => {
  executed.length = 0;
  shown.panels.clear();
});
afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
  workspace.workspaceFolders = undefined;
  delete set["followup.openWide"];
  delete set["followup.reveal"];
});

/** A window whose sidecar has some open questions. */
async function open(questions: Partial<InboxEntry>[] = []) {
  const { machine, sidecar, log } = makeHost();
  machine.overrides["inbox/list"] = () => ({ questions });
  const window = openInterface(vscode.Uri.file("/extension"), sidecar, log);
  closing.push(
    () => window.dispose(),
    () => sidecar.stop(),
  );
  sidecar.start();
  const process = await machine.received(1, "inbox/subscribe");
  const tell = (change: NoticeChange) => process.notify("notice/didChange", change);
  return { window, process, tell, questions, machine };
}

/** The view opens, and its page requests the state. */
function openView() {
  const view = makeWebview();
  const posted: { method: string; params: unknown }[] = [];
  view.webview.postMessage = (message) => void posted.push(message as (typeof posted)[number]);
  shown.views.resolveWebviewView(view);
  return Object.assign(view, { posted, open: () => view.say({ id: 1, method: "host/open" }) });
}

const titles = () => [...shown.panels].map(({ title }) => title);

test("the badge and the status bar count open questions, the latter while the view is hidden", async () => {
  const { tell } = await open();
  await tell({ waiting: { count: 2, answerable: true } });
  await passes(() => expect(shown.status.text).toBe("$(bell-dot) 2"));
  expect([shown.status.command, shown.status.tooltip]).toEqual([
    "followup.focus",
    "2 questions wait for your answer",
  ]);
  expect(executed.at(-1)).toEqual(["setContext", "followup.waiting", true]);
  const view = openView();
  expect(view.badge).toEqual({ value: 2, tooltip: "2 questions wait for your answer" });
  expect([shown.status.text, shown.status.command]).toEqual(["$(history)", "followup.showHistory"]);
  view.hide();
  expect(shown.status.text).toBe("$(bell-dot) 2");
  await tell({ waiting: { count: 1, answerable: true } });
  await passes(() => expect(view.badge?.tooltip).toBe("A question waits for your answer"));
  await tell({ waiting: { count: 0, answerable: false } });
  await passes(() => expect(view.badge).toBeUndefined());
  expect(executed.at(-1)).toEqual(["setContext", "followup.waiting", false]);
  view.dispose();
  expect(shown.status.text).toBe("$(history)");
});

test("sends the window's folders before it subscribes, and when they change", async () => {
  workspace.openFolders("file:///a");
  const { process, machine } = await open();
  const methods = process.methods();
  expect(methods.indexOf("notice/attend")).toBeLessThan(methods.indexOf("inbox/subscribe"));
  workspace.openFolders("file:///a", "file:///b");
  await machine.received(1, "notice/attend", 2);
  const folders = (uris: string[]) => uris.map((uri) => ({ uri, name: uri }));
  expect(process.sent("notice/attend").map(({ workspaceFolders }) => workspaceFolders)).toEqual([
    folders(["file:///a"]),
    folders(["file:///a", "file:///b"]),
  ]);
});

test("reveals the view once for each question, even across a sidecar restart", async () => {
  const { tell, machine, process } = await open();
  const view = openView();
  await tell({ reveals: ["a"] });
  await tell({ reveals: ["a", "b"] });
  await tell({ reveals: ["b"] });
  process.crash();
  const next = await machine.received(2, "inbox/subscribe");
  await next.notify("notice/didChange", { reveals: ["a", "b"] });
  set["followup.reveal"] = "never";
  await next.notify("notice/didChange", { reveals: ["c"], waiting: { count: 3, answerable: true } });
  await passes(() => expect(view.badge?.value).toBe(3));
  expect(view.revealed).toBe(2);
});

const wide: InboxEntry[] = [{ questionId: "a", agent: "Roo", title: "Which layout?", answerable: true }];

test("opens a question with previews in a tab once, if the setting says so", async () => {
  const { tell } = await open();
  await tell({ wide, waiting: { count: 1, answerable: true } });
  await passes(() => expect(shown.status.text).toBe("$(bell-dot) 1"));
  expect(titles()).toEqual([]);
  set["followup.openWide"] = "previews";
  await tell({ wide }); // it is no longer new
  await tell({ wide: [{ ...wide[0], questionId: "b" } as InboxEntry] });
  await passes(() => expect(titles()).toEqual(["Which layout?"]));
  for (const panel of shown.panels) {
    panel.dispose();
  }
  await tell({
    wide: [{ ...wide[0], questionId: "b" } as InboxEntry],
    waiting: { count: 2, answerable: true },
  });
  await passes(() => expect(shown.status.text).toBe("$(bell-dot) 2"));
  expect(titles()).toEqual([]);
});

/** A window with tabs of some questions. */
async function tabbed(...ids: string[]) {
  const opened = await open(ids.map((questionId) => ({ questionId, title: `Question ${questionId}?` })));
  for (const id of ids) {
    await opened.window.openQuestion(id);
  }
  return opened;
}

test("closes a question's tab with it unless the user is in it, and links to the history afterwards", async () => {
  const { process, window, questions } = await tabbed("a", "b", "c", "d");
  expect(titles()).toEqual(["Question a?", "Question b?", "Question c?", "Question d?"]);
  const [, , third] = shown.panels;
  Object.assign(third ?? {}, { active: true });
  const closed = { state: "closed" } as const;
  await process.tell({ items: [item("a", closed), item("c", closed), item("d")], removed: ["b"] });
  await passes(() => expect(titles()).toEqual(["Question c?", "Question d?"]));
  questions.length = 0;
  await window.openQuestion("a");
  expect(titles()).toContain("Followup History");
});

test.each([
  [{ items: [item("a")] }, ["Question a?"]],
  [{ items: [item("a")], more: 1 }, ["Question a?", "Question b?"]],
])("a complete snapshot closes the tabs of missing questions: %j", async (inbox, left) => {
  const { machine, process } = await tabbed("a", "b");
  machine.overrides["inbox/subscribe"] = () => inbox;
  process.crash();
  const next = await machine.received(2, "inbox/subscribe");
  await next.notify("notice/didChange", { waiting: { count: 5, answerable: true } });
  await passes(() => expect(shown.status.text).toBe("$(bell-dot) 5"));
  await passes(() => expect(titles()).toEqual(left));
});

test("selects the last focused question, then the oldest", async () => {
  const { window, questions } = await open(
    ["a", "b", "c", "queued"].map((questionId) => ({ questionId, answerable: questionId !== "queued" })),
  );
  const ids = async () => (await window.answerable()).map(({ questionId }) => questionId);
  const { say, open: start } = openView();
  start();
  expect(await ids()).toEqual(["a", "b", "c"]);
  for (const questionId of ["b", "c"]) {
    say({ id: 2, method: "host/didFocus", params: { questionId } });
  }
  expect(await ids()).toEqual(["c", "b", "a"]);
  questions.splice(2, 1);
  expect(await ids()).toEqual(["b", "a"]);
});

test("delivers a command to a view that opens later", async () => {
  const { window } = await open();
  await window.add("a", []);
  await window.focus();
  const { posted, open: start } = openView();
  start();
  await passes(() =>
    expect(posted.map((message) => message.method).slice(-2)).toEqual(["host/addQuotes", "host/focus"]),
  );
});
