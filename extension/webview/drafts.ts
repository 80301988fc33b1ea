// Keeps what the user has begun: posts it to the host and stores it with the page, a little after the last
// change, and at once when the page goes away.

import type { Draft as SavedDraft } from "../src/protocol.gen";
import { emptyDraft, isEmpty } from "./answer";
import type { Draft, ViewMessage } from "./boundary";
import type { ViewState } from "./state";

/** How long changes are gathered, in milliseconds. */
const gatherTime = 250;

/** The same when a draft has images, which go along each time. */
const gatherTimeWithImages = 1500;

/** How long a draft is kept whose question is not asked again, in milliseconds. */
const keptTime = 30 * 24 * 60 * 60 * 1000;

/** What the page keeps over a reload. */
export interface KeptState {
  drafts: Record<string, SavedDraft>;
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

  /** The drafts that the page kept before it was loaded, but for very old ones. */
  restore(now = Date.now()): Record<string, SavedDraft> {
    const kept = this.api.getState() as Partial<KeptState> | null | undefined;
    const drafts = Object.entries(kept?.drafts ?? {});
    return Object.fromEntries(drafts.filter(([, draft]) => now - (draft.changedAt ?? now) < keptTime));
  }

  /** The question's draft has changed. */
  touch(id: string): void {
    this.changed.add(id);
    clearTimeout(this.timer);
    const hasImages = [...this.changed].some((each) => (this.draft(each)?.images.length ?? 0) > 0);
    this.timer = setTimeout(() => this.flush(), hasImages ? gatherTimeWithImages : gatherTime);
  }

  /** Posts and stores what has changed. */
  flush(): void {
    clearTimeout(this.timer);
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

  /** Stores the drafts with the page. */
  store(): void {
    const { cards, drafts } = this.state();
    const open = cards.flatMap(({ id, draft }) =>
      draft === undefined || isEmpty(draft) ? [] : [[id, draft]],
    );
    this.api.setState({ drafts: { ...drafts, ...Object.fromEntries(open) } });
  }

  /** The question is closed: there is nothing to post any more. */
  forget(id: string): void {
    this.changed.delete(id);
    this.store();
  }

  private draft(id: string): Draft | undefined {
    return this.state().cards.find((card) => card.id === id)?.draft;
  }
}
