// The sessions of chats: when one is closed that nobody says is closed.

import { expect, onTestFinished, test } from "vitest";
import type { FollowupApi, ItemState } from "../../src/agents/api";
import { Chats, stillTime } from "../../src/agents/chats";
import { FakeLog } from "./fake/log";

/** An editor's window: sessions by key, and a clock. */
function editor() {
  const memory = new Map<string, unknown>();
  const sessions = new Map<string, { states: ItemState[]; closed: number }>();
  const clock = { now: 1_000 };
  const api = {
    broken: false,
    meanwhile: async () => {},
    openSession: async ({ agent, key }: { agent: string; key: string }) => {
      if (api.broken) {
        throw new Error("no sidecar");
      }
      const id = `${agent} ${key}`;
      const session = sessions.get(id) ?? { states: [], closed: 0 };
      sessions.set(id, session);
      return {
        get: async () => {
          await api.meanwhile();
          return { conversation: session.states.map((state) => ({ state })) };
        },
        close: async () => void session.closed++,
      };
    },
  };
  const window = () => {
    const state = {
      get: (key: string, otherwise: unknown) => memory.get(key) ?? otherwise,
      update: async (key: string, value: unknown) => void memory.set(key, value),
    };
    const chats = new Chats(api as unknown as FollowupApi, state as never, new FakeLog(), () => clock.now);
    onTestFinished(() => chats.dispose());
    return chats;
  };
  return { window, sessions, clock, api, closed: (id: string) => sessions.get(id)?.closed };
}

const chat = { agent: "Chat", key: "1" };

test("a chat that has been still for a day is closed, once; another one is not", async () => {
  const { window, clock, closed } = editor();
  const chats = window();
  await chats.openSession(chat);
  clock.now += stillTime - 1;
  await chats.closeStill();
  expect(closed("Chat 1")).toBe(0);
  await chats.openSession({ agent: "Chat", key: "2" });
  clock.now += 1;
  await chats.closeStill();
  await chats.closeStill();
  expect([closed("Chat 1"), closed("Chat 2")]).toEqual([1, 0]);
});

test("asking again begins the day anew", async () => {
  const { window, clock, closed } = editor();
  const chats = window();
  await chats.openSession(chat);
  clock.now += stillTime - 1;
  await chats.openSession(chat);
  clock.now += stillTime - 1;
  await chats.closeStill();
  expect(closed("Chat 1")).toBe(0);
});

test.each(["streaming", "pending", "queued", "held"] as const)(
  "a question that is %s keeps it open, however long",
  async (state) => {
    const { window, clock, sessions, closed } = editor();
    const chats = window();
    await chats.openSession(chat);
    sessions.get("Chat 1")?.states.push("closed", state);
    clock.now += 10 * stillTime;
    await chats.closeStill();
    expect(closed("Chat 1")).toBe(0);
    sessions.get("Chat 1")?.states.pop();
    await chats.closeStill();
    expect(closed("Chat 1")).toBe(1);
  },
);

test("a chat that asks while it is looked at stays open", async () => {
  const { window, clock, api, closed } = editor();
  const chats = window();
  await chats.openSession(chat);
  clock.now += stillTime;
  api.meanwhile = async () => void (await chats.openSession(chat));
  await chats.closeStill();
  expect(closed("Chat 1")).toBe(0);
});

test("the next window goes on where the last one ended, and what fails is tried again", async () => {
  const { window, clock, api, closed } = editor();
  await window().openSession(chat);
  clock.now += stillTime;
  const next = window();
  api.broken = true;
  await next.closeStill();
  api.broken = false;
  expect(closed("Chat 1")).toBe(0);
  await next.closeStill();
  expect(closed("Chat 1")).toBe(1);
});
