// What the user can do, for the components: each act is checked against the state of the moment, told to the
// state, and posted to the host.

import type { PickDraft } from "../src/protocol.gen";
import { clicked, composed, emptyDraft, images, isSendable } from "./answer";
import { type Attention, nowhere, sameAttention } from "./attention";
import type { Draft, HostMessage, ViewMessage } from "./boundary";
import { DraftKeeper, type VsCodeApi } from "./drafts";
import { EditorFiles } from "./editorFiles";
import { ActGuard } from "./guard";
import { isSubmittable, picksOf, repicked } from "./picks";
import type { Card, Sent } from "./state";
import { Store } from "./store";

export class Controller {
  readonly store = new Store();
  readonly files = new EditorFiles((message) => this.api.postMessage(message));
  readonly guard = new ActGuard<Element>();
  private readonly drafts: DraftKeeper;

  /** `attention` tells where the keyboard focus is at the moment. */
  constructor(
    private readonly api: VsCodeApi,
    private readonly attention: () => Attention = () => nowhere,
  ) {
    this.drafts = new DraftKeeper(api, () => this.store.state);
  }

  /** Restores what the page had kept and tells the host that it listens. */
  start(): void {
    this.store.dispatch({ type: "restored", ...this.drafts.restore() });
    this.api.postMessage({ type: "ready" });
  }

  /** Takes a message of the host's. */
  receive(message: HostMessage): void {
    if (message.type === "files") {
      this.files.receive(message);
      return;
    }
    const open = "meta" in message && message.meta.state !== "closed";
    this.attend();
    this.store.dispatch(message);
    if ((message.type === "ask" && !open) || message.type === "remove") {
      this.drafts.forget(message.type === "ask" ? message.meta.id : message.id);
    }
  }

  /** Takes note of where the keyboard focus is. */
  attend(): void {
    const attention = this.attention();
    if (!sameAttention(attention, this.store.state.attention)) {
      this.store.dispatch({ type: "attended", attention });
    }
  }

  /** Clears closed cards away, here and with the host. */
  clear(ids: readonly string[]): void {
    if (ids.length > 0) {
      this.store.dispatch({ type: "cleared", ids });
      this.drafts.store();
      this.api.postMessage({ type: "clear", ids });
    }
  }

  /** Chooses a suggestion. `from` is the user's own event. */
  choose(id: string, suggestion: number, from: Event): boolean {
    const card = this.card(id);
    if (card?.suggest[suggestion] === undefined) {
      return false;
    }
    const answer = clicked(suggestion, card.draft);
    return this.act(card, answer, { type: "answer", id, answer }, from);
  }

  /** Sends what stands in the composer: an answer, or a reply to a questionnaire. */
  submit(id: string, from: Event): boolean {
    const card = this.card(id);
    if (card?.parts) {
      return this.reply(card, from);
    }
    const answer = card && composed(card.draft ?? emptyDraft, card.suggest);
    return (
      card !== undefined && answer != null && this.act(card, answer, { type: "answer", id, answer }, from)
    );
  }

  /** Answers a questionnaire's only question with one of its options. */
  pickAndSubmit(id: string, option: number, from: Event): boolean {
    const card = this.card(id);
    if (card?.parts?.length !== 1 || card.parts[0]?.options[option] === undefined) {
      return false;
    }
    const answer = { picks: [{ options: [option] }], ...images(card.draft ?? emptyDraft) };
    return this.act(card, answer, { type: "answerQuestions", id, answer }, from);
  }

  /** Sends the picks of a questionnaire. */
  submitPicks(id: string, from: Event): boolean {
    const card = this.card(id);
    if (!card?.parts || !isSubmittable(card.draft, card.parts)) {
      return false;
    }
    const answer = { picks: picksOf(card.draft, card.parts), ...images(card.draft ?? emptyDraft) };
    return this.act(card, answer, { type: "answerQuestions", id, answer }, from);
  }

  /** Declines the question. */
  dismiss(id: string, from: Event): boolean {
    const card = this.card(id);
    return card !== undefined && this.act(card, null, { type: "dismiss", id }, from);
  }

  /** Changes what the user has begun for one question of a questionnaire. */
  repick(id: string, index: number, next: (pick: PickDraft) => PickDraft): void {
    const count = this.card(id)?.parts?.length ?? 0;
    if (index < count) {
      this.redraft(id, (draft) => repicked(draft, count, index, next));
    }
  }

  /** Shows another step of a questionnaire. The same gesture does not send it, too. */
  goTo(id: string, step: number, from: Event): void {
    this.guard.remember(`${id} step`, from);
    this.redraft(id, (draft) => ({ ...draft, step }));
  }

  /** Asks the host to open a link. */
  openLink(href: string): void {
    this.api.postMessage({ type: "openLink", href });
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

  private reply(card: Card, from: Event): boolean {
    const draft = card.draft ?? emptyDraft;
    if (!card.parts || !isSendable(draft)) {
      return false;
    }
    const reply = { text: draft.text, picks: picksOf(draft, card.parts), ...images(draft) };
    return this.act(card, reply, { type: "reply", id: card.id, reply }, from);
  }

  /** Posts what the user decided; null is a dismissal. False when the card cannot be answered now. */
  private act(card: Card, answer: Sent | null, message: ViewMessage, from: Event): boolean {
    if (card.phase !== "pending" || this.store.state.trouble !== null || !this.guard.allows(card.id, from)) {
      return false;
    }
    this.drafts.flush();
    this.store.dispatch({ type: "sent", id: card.id, answer });
    this.api.postMessage(message);
    return true;
  }
}
