// Keeps what the user has begun: posts it to the host and stores it with the page, however steadily they type, and at
// once when the page goes away.

import type { Draft as SavedDraft } from "../src/protocol.gen";
import { emptyDraft, isEmpty } from "./answer";
import type { Draft, ViewMessage } from "./boundary";
import { type KeptCard, toKept } from "./kept";
import type { ViewState } from "./state";

/** How long changes are gathered, in milliseconds. It does not begin anew with every key. */
const gatherTime = 300;

/** The same where a draft's images are heavy, in base64 characters: they go along each time, and to the disk. */
const heavyGatherTime = 1500;
const heavy = 1_000_000;

/** How long a draft is kept whose question is not asked again, in milliseconds. */
const keptTime = 30 * 24 * 60 * 60 * 1000;

/** What the page keeps over a reload. */
export interface KeptState {
  drafts: Record<string, SavedDraft>;
  /** Closed cards with words that were not sent, until the user clears them. */
  closed?: readonly KeptCard[];
}

/** The editor's interface to a webview, as acquireVsCodeApi() gives it. */
export interface VsCodeApi {
  postMessage(message: ViewMessage): void;
  getState(): unknown;
  setState(state: KeptState): void;
}

export class DraftKeeper {
  private readonly changed = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly api: VsCodeApi,
    private readonly state: () => ViewState,
  ) {}

  /** What the page kept before it was loaded, but for very old drafts. */
  restore(now = Date.now()): Required<KeptState> {
    const kept = this.api.getState() as Partial<KeptState> | null | undefined;
    const drafts = Object.entries(kept?.drafts ?? {});
    return {
      drafts: Object.fromEntries(drafts.filter(([, draft]) => now - (draft.changedAt ?? now) < keptTime)),
      closed: kept?.closed ?? [],
    };
  }

  /** The question's draft has changed. */
  touch(id: string): void {
    this.changed.add(id);
    this.timer ??= setTimeout(() => this.flush(), this.isHeavy() ? heavyGatherTime : gatherTime);
  }

  /** Posts and stores what has changed, at once. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.changed.size === 0) {
      return;
    }
    for (const id of this.changed) {
      const draft = this.draft(id) ?? emptyDraft;
      this.api.postMessage({ type: "draft", id, draft: isEmpty(draft) ? null : draft });
    }
    this.changed.clear();
    this.store();
  }

  /** Stores the drafts with the page, and the words that were not sent. */
  store(): void {
    const { cards, drafts } = this.state();
    const open = cards.flatMap(({ id, phase, draft }) =>
      phase === "closed" || draft === undefined || isEmpty(draft) ? [] : [[id, draft]],
    );
    const closed = cards.flatMap((card) => toKept(card) ?? []);
    this.api.setState({ drafts: { ...drafts, ...Object.fromEntries(open) }, closed });
  }

  /** The question is closed: there is nothing to post any more. */
  forget(id: string): void {
    this.changed.delete(id);
    this.store();
  }

  private isHeavy(): boolean {
    const images = [...this.changed].flatMap((id) => this.draft(id)?.images ?? []);
    return images.reduce((size, { data }) => size + data.length, 0) > heavy;
  }

  private draft(id: string): Draft | undefined {
    return this.state().cards.find((card) => card.id === id)?.draft;
  }
}
