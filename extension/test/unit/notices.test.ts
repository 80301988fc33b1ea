// How the window tells of a question that the user does not see, and how the settings say it.

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as vscode from "vscode";
import { Emitter } from "vscode-jsonrpc";
import { Notices } from "../../src/page/notices";
import { noticeText } from "../../src/page/noticeText";
import { type Notice, type NoticeChange, noticeDidChange } from "../../src/protocol.gen";
import { notified, timedChoice } from "../../src/settings";
import { passes } from "../wait";
import { FakeLog } from "./fake/log";
import { cancellation, env, notifications, set, user, window } from "./fake/vscode";

const notice: Notice = {
  questionId: "q",
  title: "Harbour asks you",
  text: "Which port?",
  ask: "followup",
  choices: ["8080", "3000"],
};

/** The editor's own pattern of a link in a notification. */
const links = (text: string) => [
  ...text.matchAll(/\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)\)/g),
];

test("a notification has the question and a link for each choice, and one to the question", () => {
  const text = noticeText(notice, "Show");
  expect(text).toMatch(/^Harbour asks you: Which port\? \[1\. 8080\]/);
  expect(links(text).map(([, label, target = ""]) => [label, decodeURIComponent(target)])).toEqual([
    ["1. 8080", 'command:followup.notice.answer?["q",0]'],
    ["2. 3000", 'command:followup.notice.answer?["q",1]'],
    ["Show", 'command:followup.notice.show?["q"]'],
  ]);
});

test.each([
  "[free](command:workbench.action.terminal.new)",
  "Delete all [",
  "](command:x) [y](https://example.com)",
])("an agent writes no link, and stretches none of ours: %s", (written) => {
  const text = noticeText({ ...notice, title: written, text: written, choices: [written] }, "Show");
  expect(links(text).map(([, , target]) => target?.split("?")[0])).toEqual([
    "command:followup.notice.answer",
    "command:followup.notice.show",
  ]);
  expect(links(text)[0]?.[1]).toMatch(/^1\. /);
});

/** The notices of a window, around a sidecar that a test plays. */
async function open({ accepted = true, fails = "" } = {}) {
  const sent: [method: string, params: unknown][] = [];
  const states = new Emitter<{ kind: string }>();
  let tell = (_change: NoticeChange): void => {};
  const connection = {
    notify: async ({ method }: { method: string }, params: unknown) => void sent.push([method, params]),
    on: (type: { method: string }, listener: typeof tell) => {
      if (type.method === noticeDidChange.method) {
        tell = listener;
      }
    },
  };
  const participants: ((to: typeof connection) => Promise<void>)[] = [];
  const sidecar = {
    addParticipant: (each: (to: typeof connection) => Promise<void>) => void participants.push(each),
    connection,
    onDidChangeState: states.event,
    request: async ({ method }: { method: string }, params: unknown) => {
      sent.push([method, params]);
      if (fails) {
        throw new Error(fails);
      }
      return { accepted, outcome: {} };
    },
  };
  const shown: string[] = [];
  const page = { visible: false, alone: [] as string[] };
  const notices = new Notices({
    sidecar: sidecar as never,
    settings: () => ({ editor: true, desktop: false, sound: false }),
    visible: () => page.visible,
    visibleAlone: () => page.alone,
    show: (id) => void shown.push(id),
    log: new FakeLog(),
  });
  onTestFinished(() => notices.dispose());
  for (const participant of participants) {
    await participant(connection);
  }
  const again = () => Promise.all(participants.map((participant) => participant(connection)));
  return { notices, sent, shown, page, states, again, tell: (change: NoticeChange) => tell(change) };
}

const click = (choice: number) => vscode.commands.executeCommand("followup.notice.answer", "q", choice);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  user.asked.length = 0;
});
afterEach(() => vi.useRealTimers());

test("the sidecar is told how it stands with the window, whenever that changes", async () => {
  const { notices, sent, page } = await open();
  window.focus(false);
  notices.attend();
  page.visible = true;
  notices.attend();
  window.focus(true);
  expect(sent.slice(1)).toEqual([
    ["notice/attend", { tells: true, focused: true, visible: false, telling: [] }],
    ["notice/attend", { tells: true, focused: false, visible: false }],
    ["notice/attend", { tells: true, focused: false, visible: true }],
    ["notice/attend", { tells: true, focused: true, visible: true }],
  ]);
});

test("a notification goes when the sidecar says so, and when it can no longer be answered", async () => {
  const { tell, states, sent } = await open();
  tell({ told: [notice] });
  expect([...notifications]).toEqual([noticeText(notice, "Show")]);
  tell({ ended: ["q"] });
  await passes(() => expect(notifications.size).toBe(0));
  tell({ told: [notice] });
  states.fire({ kind: "failed" });
  await passes(() => expect(notifications.size).toBe(0));
  tell({ told: [notice] });
  cancellation.fire(); // the user wants it away; the question stays
  await passes(() => expect(notifications.size).toBe(0));
  expect(sent.map(([method]) => method)).toEqual(["notice/configure", "notice/attend"]);
});

test("a choice answers the question that the notification is about, but not in its first moment", async () => {
  const { tell, sent } = await open();
  tell({ told: [notice] });
  await click(1);
  expect(sent.map(([method]) => method)).not.toContain("question/answer");
  vi.advanceTimersByTime(600);
  await click(1);
  expect(sent.at(-1)).toEqual(["question/answer", { questionId: "q", provenance: "clicked", suggestion: 1 }]);
  await passes(() => expect(notifications.size).toBe(0));
  tell({ told: [{ ...notice, ask: "questions" }] });
  vi.advanceTimersByTime(600);
  await click(0);
  expect(sent.at(-1)).toEqual([
    "question/answer",
    { questionId: "q", provenance: "clicked", picks: [{ options: [0] }] },
  ]);
});

test("a choice that comes too late changes nothing, and says so", async () => {
  const { tell } = await open({ accepted: false });
  tell({ told: [notice] });
  vi.advanceTimersByTime(600);
  await click(0);
  await click(0); // the notification is gone
  expect(user.asked.map(([method, message]) => [method, String(message).slice(0, 31)])).toEqual([
    ["information", "That question was over already."],
    ["information", "That question was over already."],
  ]);
});

test("an answer that is not taken is told, and leads to the question", async () => {
  const { tell, shown } = await open({ fails: "The disk is full." });
  tell({ told: [notice] });
  vi.advanceTimersByTime(600);
  user.choices.warning = [(_message: string, show: string) => show];
  await click(0);
  expect(user.asked).toEqual([["warning", "The answer was not sent: The disk is full.", "Show"]]);
  expect(shown).toEqual(["q"]);
});

test("the desktop and its sound are this machine's only where the user sits at it", () => {
  onTestFinished(() => {
    Object.assign(env, { remoteName: undefined, uiKind: vscode.UIKind.Desktop, appHost: "desktop" });
    delete set["followup.notice.sound"];
  });
  const all = { editor: true, desktop: true, sound: true };
  expect(notified()).toEqual(all);
  for (const elsewhere of [
    { remoteName: "ssh-remote" },
    { uiKind: vscode.UIKind.Web },
    { appHost: "codespaces" },
  ]) {
    Object.assign(
      env,
      { remoteName: undefined, uiKind: vscode.UIKind.Desktop, appHost: "desktop" },
      elsewhere,
    );
    expect(notified()).toEqual({ editor: true, desktop: false, sound: false });
  }
  set["followup.notice.sound"] = true;
  expect(notified()).toEqual({ editor: true, desktop: false, sound: true });
});

test.each([
  [undefined, 0],
  [0, 0],
  [-5, 0],
  [Number.NaN, 0],
  ["90", 0],
  [1.5, 2000],
  [90, 90_000],
  [1e9, 86_400_000],
])("a time of %s seconds is %s ms", (seconds, after) => {
  set["followup.timedChoice.seconds"] = seconds;
  onTestFinished(() => void delete set["followup.timedChoice.seconds"]);
  expect(timedChoice()).toEqual({ after });
});

test("the sidecar is told of questions that are on the screen by themselves", async () => {
  const { notices, sent, page } = await open();
  page.alone = ["q"];
  notices.attend();
  expect(sent.at(-1)).toEqual([
    "notice/attend",
    { tells: true, focused: true, visible: false, questions: ["q"] },
  ]);
});

test("a notification stays over a restart of the sidecar, and is the new one's to end", async () => {
  const { tell, states, again, sent } = await open();
  tell({ told: [notice] });
  states.fire({ kind: "restarting" });
  await again();
  expect(sent.at(-1)).toEqual([
    "notice/attend",
    { tells: true, focused: true, visible: false, telling: ["q"] },
  ]);
  expect([...notifications]).toEqual([noticeText(notice, "Show")]);
  tell({ ended: ["q"] });
  await passes(() => expect(notifications.size).toBe(0));
});
