// How the window notifies the user of an unseen question, depending on its settings.

import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import * as vscode from "vscode";
import { Emitter } from "vscode-jsonrpc";
import { Notices } from "../../src/page/notices";
import { type Notice, type NoticeChange, noticeDidChange } from "../../src/protocol.gen";
import { notified, timedChoice } from "../../src/settings";
import { passes } from "../wait";
import { FakeLog } from "./fake/log";
import { env, set, user, window } from "./fake/vscode";

const notice: Notice = {
  questionId: "q",
  title: "Harbour asks you",
  text: "Which port?",
  ask: "followup",
  choices: ["8080", "3000"],
};

/** A notification on the screen. */
interface Toast {
  message: string;
  buttons: string[];
  /** Clicks a button, or closes the notification. */
  click(button?: string): Promise<void>;
}

let toasts: Toast[] = [];

/** The editor shows the next message, and keeps it until it is clicked. */
function showNext(): void {
  user.choices.information ??= [];
  user.choices.information.push(
    (message: string, ...items: { title: string }[]) =>
      new Promise((resolve) => {
        toasts.push({
          message,
          buttons: items.map(({ title }) => title),
          click: async (button) => {
            resolve(items.find(({ title }) => title === button));
            await new Promise((done) => setImmediate(done));
          },
        });
      }),
  );
}

const toast = () => toasts.at(-1) as Toast;

/** A window's notices, with a fake sidecar. */
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
    show: async (id) => void shown.push(id),
    changed: () => {},
    log: new FakeLog(),
  });
  onTestFinished(() => notices.dispose());
  for (const participant of participants) {
    await participant(connection);
  }
  const again = () => Promise.all(participants.map((participant) => participant(connection)));
  return { notices, sent, shown, page, states, again, tell: (change: NoticeChange) => tell(change) };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout"] });
  user.prompts.length = 0;
  user.choices = {};
  toasts = [];
  showNext();
});
afterEach(() => vi.useRealTimers());

test("shows the question as plain text, with the first suggestions and Show as buttons", async () => {
  const { tell, shown } = await open();
  tell({ notices: [notice] });
  expect(toast().message).toBe("Harbour asks you: Which port?");
  expect(toast().buttons).toEqual(["8080", "3000", "Show"]);
  await toast().click("Show");
  expect(shown).toEqual(["q"]);
});

test.each(["[free](command:workbench.action.terminal.new)", "](command:x) [y](https://example.com)"])(
  "an agent cannot inject a link: %s",
  async (written) => {
    const { tell } = await open();
    tell({ notices: [{ ...notice, title: written, text: written }] });
    expect(toast().message).not.toMatch(/\[[^\]]*\]\(/);
  },
);

test("reports the window's state to the sidecar whenever it changes", async () => {
  const { notices, sent, page } = await open();
  window.focus(false);
  page.visible = true;
  notices.attend();
  window.focus(true);
  const about = { canNotify: true, questions: [], workspaceFolders: [] };
  expect(sent.slice(1)).toEqual([
    ["notice/attend", { ...about, focused: true, visible: false, shown: [] }],
    ["notice/attend", { ...about, focused: false, visible: false }],
    ["notice/attend", { ...about, focused: false, visible: true }],
    ["notice/attend", { ...about, focused: true, visible: true }],
  ]);
});

test("a button answers the notification's question, but not in its first moment", async () => {
  const { tell, sent } = await open();
  showNext();
  tell({ notices: [notice] });
  await toast().click("3000");
  expect(sent.map(([method]) => method)).not.toContain("question/answer");
  expect(toasts).toHaveLength(1);
  vi.advanceTimersByTime(500);
  expect(toasts).toHaveLength(2); // it appears again
  vi.advanceTimersByTime(600);
  await toast().click("3000");
  expect(sent.at(-1)).toEqual(["question/answer", { questionId: "q", provenance: "clicked", suggestion: 1 }]);
  showNext();
  tell({ notices: [{ ...notice, ask: "questions" }] });
  vi.advanceTimersByTime(600);
  await toast().click("8080");
  expect(sent.at(-1)).toEqual([
    "question/answer",
    { questionId: "q", provenance: "clicked", picks: [{ options: [0] }] },
  ]);
});

test.each([
  ["its question was answered elsewhere", (tell: (change: NoticeChange) => void) => tell({ ended: ["q"] })],
  ["nothing can be answered any more", (_: unknown, fail: () => void) => fail()],
])("a late choice, because %s, changes nothing and says so", async (_, end) => {
  const { tell, states, sent } = await open();
  tell({ notices: [notice] });
  end(tell, () => states.fire({ kind: "failed" }));
  vi.advanceTimersByTime(600);
  await toast().click("8080");
  expect(sent.map(([method]) => method)).toEqual(["notice/configure", "notice/attend"]);
  expect(String(user.prompts.at(-1)?.[1])).toContain("That question was already closed.");
});

test("a choice that the sidecar reports as second changes nothing and says so", async () => {
  const { tell } = await open({ accepted: false });
  tell({ notices: [notice] });
  vi.advanceTimersByTime(600);
  await toast().click("8080");
  expect(String(user.prompts.at(-1)?.[1])).toContain("That question was already closed.");
});

test("closing a notification answers nothing", async () => {
  const { tell, sent, shown } = await open();
  tell({ notices: [notice] });
  await toast().click();
  expect(sent.map(([method]) => method)).toEqual(["notice/configure", "notice/attend"]);
  expect([shown, user.prompts.length]).toEqual([[], 1]);
});

test("reports a rejected answer and links to the question", async () => {
  const { tell, shown } = await open({ fails: "The disk is full." });
  tell({ notices: [notice] });
  vi.advanceTimersByTime(600);
  user.choices.warning = [(_message: string, show: string) => show];
  await toast().click("8080");
  expect(user.prompts.at(-1)).toEqual(["warning", "The answer was not sent: The disk is full.", "Show"]);
  await passes(() => expect(shown).toEqual(["q"]));
});

test("desktop notifications and sound are on only where the user sits at this machine", () => {
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
])("converts %s seconds to %s ms", (seconds, after) => {
  set["followup.timedChoice.seconds"] = seconds;
  onTestFinished(() => void delete set["followup.timedChoice.seconds"]);
  expect(timedChoice()).toEqual({ after });
});

test("reports questions in tabs as visible", async () => {
  const { notices, sent, page } = await open();
  page.alone = ["q"];
  notices.attend();
  expect(sent.at(-1)).toMatchObject(["notice/attend", { visible: false, questions: ["q"] }]);
});

test("a notification survives a sidecar restart, and the new sidecar can end it", async () => {
  const { tell, states, again, sent } = await open();
  tell({ notices: [notice] });
  states.fire({ kind: "restarting" });
  await again();
  expect(sent.at(-1)).toMatchObject(["notice/attend", { focused: true, visible: false, shown: ["q"] }]);
  expect(toasts).toHaveLength(1);
  tell({ ended: ["q"] });
  await again();
  expect(sent.at(-1)?.[1]).toMatchObject({ shown: [] });
});
