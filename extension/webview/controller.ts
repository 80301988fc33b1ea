// What the user can do, for the components: each act is checked against the state of the moment, told to the
// state, and posted to the host.

import { clicked, composed, emptyDraft } from "./answer";
import type { CardAnswer, Draft, HostMessage } from "./boundary";
import { DraftKeeper, type VsCodeApi } from "./drafts";
import { GestureGuard } from "./gesture";
import type { Card } from "./state";
import { Store } from "./store";

export class Controller {
  readonly store = new Store();
  private readonly drafts: DraftKeeper;
  private readonly gestures = new GestureGuard();

  constructor(private readonly api: VsCodeApi) {
    this.drafts = new DraftKeeper(api, () => this.store.state);
  }

  /** Restores what the page had kept and tells the host that it listens. */
  start(): void {
    this.store.dispatch({ type: "restored", drafts: this.drafts.restore() });
    this.api.postMessage({ type: "ready" });
  }

  /** Takes a message of the host's. */
  receive(message: HostMessage): void {
    const open = "meta" in message && message.meta.state !== "closed";
    this.store.dispatch(message);
    if ((message.type === "ask" && !open) || message.type === "remove") {
      this.drafts.forget(message.type === "ask" ? message.meta.id : message.id);
    }
  }

  /** Chooses a suggestion. `from` is the user's own event. */
  choose(id: string, suggestion: number, from: Event): boolean {
    const card = this.card(id);
    return card?.suggest[suggestion] !== undefined && this.act(card, clicked(suggestion, card.draft), from);
  }

  /** Sends what stands in the composer. */
  submit(id: string, from: Event): boolean {
    const card = this.card(id);
    const answer = card && composed(card.draft ?? emptyDraft, card.suggest);
    return card !== undefined && answer != null && this.act(card, answer, from);
  }

  /** Declines the question. */
  dismiss(id: string, from: Event): boolean {
    const card = this.card(id);
    return card !== undefined && this.act(card, null, from);
  }

  /** The question's draft of the moment. */
  draft(id: string): Draft {
    return this.card(id)?.draft ?? emptyDraft;
  }

  /** Changes what the user has begun. */
  redraft(id: string, next: (draft: Draft) => Draft): void {
    const phase = this.card(id)?.phase;
    if (phase === undefined || phase === "closed") {
      return;
    }
    const draft = { ...next(this.draft(id)), changedAt: Date.now() };
    this.store.dispatch({ type: "drafted", id, draft });
    this.drafts.touch(id);
  }

  /** Keeps at once what is still being gathered. */
  flush(): void {
    this.drafts.flush();
  }

  /** Tells the host something that needs no state. */
  post(type: "escape" | "openLog" | "restart" | "askSample"): void {
    this.api.postMessage({ type });
  }

  private card(id: string): Card | undefined {
    return this.store.state.cards.find((card) => card.id === id);
  }

  /** Posts an answer or, for null, a dismissal; false when the card cannot be answered now. */
  private act(card: Card, answer: CardAnswer | null, from: Event): boolean {
    if (
      card.phase !== "pending" ||
      this.store.state.trouble !== null ||
      !this.gestures.allows(card.id, from)
    ) {
      return false;
    }
    this.drafts.flush();
    this.store.dispatch({ type: "sent", id: card.id, answer });
    this.api.postMessage(
      answer === null ? { type: "dismiss", id: card.id } : { type: "answer", id: card.id, answer },
    );
    return true;
  }
}
