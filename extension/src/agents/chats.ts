// The sessions of chats, in which agents ask by the tools. The editor tells an extension of a chat's calls but not of its end
// (its event for that is not open to extensions), so a chat that has been still for a day and has no open question is taken for
// closed. One that is not gets a new session when it asks again.

import type { Disposable, Memento } from "vscode";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import type { FollowupApi, FollowupSession, SessionOptions } from "./api";

/** How long a chat is still before it is taken for closed, in milliseconds. */
export const stillTime = 24 * 60 * 60 * 1000;

/** How often that is looked at, in milliseconds. */
const lookEvery = 60 * 60 * 1000;

/** Where the workspace's state holds them. */
const stateKey = "followup.chats";

/** A chat whose session is open. */
type Chat = Pick<SessionOptions, "agent" | "key"> & {
  /** When it asked last, in milliseconds since 1970. */
  asked: number;
};

/** Opens the sessions of chats, and closes them. */
export class Chats implements Disposable {
  private readonly timer = setInterval(() => void this.closeStill(), lookEvery);

  constructor(
    private readonly api: Pick<FollowupApi, "openSession">,
    /** Holds the chats beyond the window's end. */
    private readonly state: Pick<Memento, "get" | "update">,
    private readonly log: Log,
    private readonly now = Date.now,
  ) {}

  dispose(): void {
    clearInterval(this.timer);
  }

  /** Opens the session of a chat that asks. */
  async openSession(options: SessionOptions): Promise<FollowupSession> {
    await this.note(options, this.now());
    return this.api.openSession(options);
  }

  /** Closes the sessions of chats that have been still and wait for no answer. */
  async closeStill(): Promise<void> {
    for (const chat of this.chats().filter(({ asked }) => this.now() - asked >= stillTime)) {
      const { agent, key } = chat;
      try {
        const session = await this.api.openSession({ agent, key });
        const { conversation } = await session.get();
        if (conversation.some(({ state }) => state !== "closed")) {
          continue;
        }
        if (this.chats().some((each) => isSame(each, chat) && each.asked === chat.asked)) {
          await session.close();
          await this.note(chat, undefined);
        }
      } catch (error) {
        // It is tried again.
        this.log.warn(`The session of a chat could not be closed: ${messageOf(error)}`);
      }
    }
  }

  private chats(): readonly Chat[] {
    return this.state.get<Chat[]>(stateKey, []);
  }

  /** Keeps when a chat asked, or that it is closed. */
  private async note(chat: Pick<Chat, "agent" | "key">, asked: number | undefined): Promise<void> {
    const { agent, key } = chat;
    const others = this.chats().filter((each) => !isSame(each, chat));
    await this.state.update(stateKey, asked === undefined ? others : [...others, { agent, key, asked }]);
  }
}

function isSame(one: Pick<Chat, "agent" | "key">, other: Pick<Chat, "agent" | "key">): boolean {
  return one.agent === other.agent && one.key === other.key;
}
