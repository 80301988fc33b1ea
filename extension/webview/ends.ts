// How the questions of the page have ended: what was over on it before it was loaded again, and what went while nobody told of it.

import { type HistoryEntry, historyGet, historyList, type ItemOutcome } from "../src/protocol.gen";
import { closedKept } from "./cards";
import type { Kept } from "./kept";
import { type Link, RequestError } from "./link";
import type { Store } from "./store";

/** Under which name the page keeps over a reload what is over on it. */
const shownName = "shown";

export class Ends {
  /** What was over on the page before it was loaded again, or whose end it had yet to learn. */
  private before: readonly string[] = [];
  /** Whose end is being asked for. */
  private readonly asking = new Set<string>();

  /** `attend` takes note of where the focus is, before a card closes; `ended` is called once the end of a question shows. */
  constructor(
    private readonly link: Link,
    private readonly store: Store,
    private readonly kept: Kept,
    private readonly attend: () => void,
    private readonly ended: (id: string) => void,
  ) {}

  /** Reads what was kept, and keeps from now on what is over. */
  start(): void {
    const before = this.kept.remembered(shownName);
    this.before = Array.isArray(before) ? before : [];
    let { cards, presumed } = this.store.state;
    this.store.subscribe(() => {
      const { state } = this.store;
      if (cards !== state.cards || presumed !== state.presumed) {
        ({ cards, presumed } = state);
        this.keep();
      }
    });
  }

  /** Shows again what was over before the page was loaded, and learns how the rest has ended. */
  async recall(): Promise<void> {
    if (this.before.length === 0) {
      return;
    }
    try {
      const { entries } = await this.link.request(historyList, { limit: closedKept });
      const listed = new Map(entries.map((entry) => [entry.questionId, entry]));
      const whole = this.before.map((id) => {
        const entry = listed.get(id);
        return entry === undefined || entry.shortened ? this.entryOf(id) : entry;
      });
      // What was cleared meanwhile stays away.
      const shown = (await Promise.all(whole)).flatMap((entry) =>
        entry && this.before.includes(entry.questionId) ? entry : [],
      );
      this.before = [];
      this.store.dispatch({ type: "recalled", entries: shown });
      this.keep();
      for (const { questionId } of shown) {
        this.ended(questionId);
      }
    } catch {
      // The next snapshot asks again.
    }
  }

  /** Asks how a question ended that was gone when the connection was there again: perhaps what was sent arrived. */
  async learn(id: string): Promise<void> {
    if (this.asking.has(id)) {
      return;
    }
    this.asking.add(id);
    let outcome: ItemOutcome | undefined;
    try {
      outcome = (await this.entryOf(id))?.outcome;
    } catch {
      return; // There is no connection; the next snapshot asks again.
    } finally {
      this.asking.delete(id);
    }
    this.attend();
    this.store.dispatch({ type: "ended", id, outcome });
    this.ended(id);
  }

  /** What the user has cleared away does not come back. */
  forget(ids: readonly string[]): void {
    this.before = this.before.filter((id) => !ids.includes(id));
  }

  private keep(): void {
    const { cards, presumed } = this.store.state;
    const shown = [...cards.filter(({ phase }) => phase === "closed" || phase === "sending"), ...presumed];
    this.kept.remember(shownName, [...new Set([...shown.map(({ id }) => id), ...this.before])]);
  }

  /** What the history has of a question; undefined where it has nothing. Rejects where nobody could be asked. */
  private async entryOf(questionId: string): Promise<HistoryEntry | undefined> {
    try {
      return await this.link.request(historyGet, { questionId });
    } catch (error) {
      if (error instanceof RequestError && error.code !== undefined) {
        return undefined;
      }
      throw error;
    }
  }
}
