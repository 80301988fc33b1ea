// The user's actions on questions: checks them against the state, applies them to it, and sends them to the
// sidecar.

import * as protocol from "../src/protocol.gen";
import {
  type Answer,
  attached,
  clicked,
  composed,
  type Draft,
  emptyDraft,
  isSendable,
  mostQuotes,
  type Sent,
  withQuotes,
} from "./answer";
import { type Card, isAway, isFollowup, isOver } from "./cards";
import { DraftKeeper } from "./drafts";
import { limits } from "./files";
import { Gesture } from "./gesture";
import { Kept } from "./kept";
import { type Link, RequestError } from "./link";
import { Peer } from "./peer";
import { isSubmittable, picksOf, repicked } from "./picks";
import type { ViewEvent } from "./state";
import type { StringKey } from "./strings";

const foldedName = "folded";

export class Controller extends Peer {
  readonly gesture = new Gesture();
  readonly drafts: DraftKeeper;
  private readonly asking = new Set<string>();
  /** Functions that send an unacknowledged answer, by question id. */
  private readonly unacknowledged = new Map<string, () => void>();
  /** Quotes added from the editor for questions that have not arrived yet. */
  private added: { questionId: string; quotes: protocol.Quote[] }[] = [];
  /** Shows the user a toast. */
  say: (key: StringKey, values?: Record<string, number>) => void = () => {};
  private focused: string | undefined;
  /** Stopped timers by question id, as received: one that is received again was not stopped yet. */
  private readonly touched = new Map<string, protocol.ItemTimer>();

  constructor(
    link: Link,
    private readonly kept = new Kept(),
  ) {
    super(link);
    this.drafts = new DraftKeeper(
      (params) => link.request(protocol.questionSaveDraft, params),
      kept,
      () => this.state,
    );
  }

  override async start(): Promise<void> {
    const folded = this.kept.remembered(foldedName);
    this.dispatch({
      type: "restored",
      ...this.drafts.restore(),
      folded: Array.isArray(folded) ? folded : [],
    });
    this.link.on(protocol.hostAddQuotes, (added) => {
      this.added.push(added);
      this.placeQuotes();
    });
    this.link.on(protocol.hostDidSaveDraft, ({ questionId: id, draft }) =>
      this.dispatch({ type: "draftSaved", id, draft }),
    );
    await super.start();
  }

  /** Records which question has the keyboard focus, and whether the focus is in a text box. */
  attend(id: string | undefined, writes: boolean): void {
    const writing = writes ? id : undefined;
    if (writing !== this.state.writing) {
      this.dispatch({ type: "writing", id: writing });
    }
    if (id !== undefined && id !== this.focused) {
      this.focused = id;
      this.link.host.didFocus({ questionId: id });
    }
  }

  /** The user has left the view: closed cards are removed, and open ones sorted. */
  leave(): void {
    this.drafts.flush();
    this.dispatch({ type: "left" });
  }

  /** Adds quotes from the editor to the drafts of their questions, if the questions have arrived. */
  private placeQuotes(): void {
    const added = this.added;
    this.added = [];
    for (const each of added) {
      const { questionId: id, quotes } = each;
      const phase = this.card(id)?.phase;
      if (phase === undefined || phase === "sending") {
        // An answer that is being sent does not change. If it is rejected, the quotes are added then.
        this.added.push(each);
      } else if (phase === "closed") {
        this.say("quotes.over");
      } else {
        const { draft, left } = withQuotes(this.draft(id), quotes);
        this.redraft(id, () => draft);
        if (left > 0) {
          this.say("quotes.tooMany", { count: left, limit: mostQuotes });
        }
      }
    }
  }

  /** The user works on a question, so its timed choice stops. */
  touch(id: string): void {
    const timer = this.card(id)?.timer;
    if (timer !== undefined && this.touched.get(id) !== timer) {
      this.touched.set(id, timer);
      // Without a connection, the next snapshot contains the timer again, and this is repeated.
      this.link.request(protocol.questionTouch, { questionId: id }).catch(() => {});
    }
  }

  clear(ids: readonly string[]): void {
    if (ids.length > 0) {
      this.dispatch({ type: "cleared", ids });
      for (const id of ids) {
        this.drafts.keep(id);
      }
    }
  }

  fold(id: string, folded: boolean): void {
    this.dispatch({ type: "folded", id, folded });
    const ids = this.state.cards.map((card) => card.id);
    this.kept.remember(
      foldedName,
      ids.filter((each) => this.state.folded.has(each)),
    );
  }

  choose(id: string, index: number): void {
    const card = this.card(id);
    if (card?.parts.length === 1 && card.parts[0]?.options[index]) {
      const { draft = emptyDraft } = card;
      const picks = [{ options: [index] }];
      const answer: Answer = isFollowup(card)
        ? clicked(index, draft)
        : { provenance: "clicked", picks, ...attached(draft) };
      this.act(id, protocol.questionAnswer, answer);
    }
  }

  submit(id: string): void {
    const card = this.card(id);
    const { parts = [], draft = emptyDraft } = card ?? {};
    const picks = { picks: picksOf(draft, parts), ...attached(draft) };
    if (card && isFollowup(card)) {
      const answer = composed(draft, parts[0]?.options ?? []);
      answer && this.act(id, protocol.questionAnswer, answer);
    } else if (draft.replying) {
      isSendable(draft) && this.act(id, protocol.questionReply, { text: draft.text, ...picks });
    } else if (isSubmittable(draft, parts)) {
      // The sidecar determines the provenance of picks itself.
      this.act(id, protocol.questionAnswer, { provenance: "clicked", ...picks });
    }
  }

  /** Allows or denies what a card asks for. */
  decide(id: string, decision: Omit<protocol.DecideParams, "questionId">): void {
    this.act(id, protocol.questionDecide, decision);
  }

  dismiss(id: string): void {
    this.act(id, protocol.questionDismiss, null);
  }

  repick(id: string, index: number, next: (pick: protocol.PickDraft) => protocol.PickDraft): void {
    const count = this.card(id)?.parts.length ?? 0;
    if (index < count) {
      this.redraft(id, (draft) => repicked(draft, count, index, next));
    }
  }

  /** Shows another step of a questionnaire. The same gesture cannot also send it. */
  goTo(id: string, step: number): void {
    this.gesture.allows(id, "step");
    this.redraft(id, (draft) => ({ ...draft, step }));
  }

  /** Reads the editor's files, at most `room` of their images. */
  async readFiles(uris: readonly string[], room: number): Promise<protocol.EditorFile[]> {
    const read = this.link.host.readFiles({ uris: [...uris], room, bytes: limits.fileBytes });
    const none = { files: uris.map((name) => ({ name, refused: "notRead" as const })) };
    return (await read.catch(() => none)).files;
  }

  setPhrases(phrases: string[]): void {
    this.dispatch({ type: "host", host: { phrases } });
    this.link.host.setPhrases({ phrases });
  }

  openWide(questionId: string): void {
    this.drafts.flush();
    this.link.host.openQuestion({ questionId });
  }

  /** The workspace's files whose paths contain the text, best first; none if the host has no files. */
  async findFiles(text: string): Promise<readonly string[]> {
    const { files = [] } = await this.link.host.findFiles({ text }).catch((): { files?: string[] } => ({}));
    return files;
  }

  draft(id: string): Draft {
    return this.card(id)?.draft ?? emptyDraft;
  }

  redraft(id: string, next: (draft: Draft) => Draft): void {
    const phase = this.card(id)?.phase;
    if (phase === undefined || phase === "closed") {
      return;
    }
    const draft = { ...next(this.draft(id)), changedAt: Date.now() };
    this.dispatch({ type: "drafted", id, draft });
    this.drafts.touch(id);
  }

  /** Replaces the user's text by another page's, or drops the other one. */
  settle(id: string, takes: boolean): void {
    const other = this.card(id)?.other;
    this.dispatch({ type: "settled", id });
    this.redraft(id, (draft) => (takes && other ? { ...other, step: draft.step } : draft));
  }

  private card(id: string): Card | undefined {
    return this.state.cards.find((card) => card.id === id);
  }

  protected override subscribed(inbox: protocol.Inbox): void {
    this.drafts.resume();
    super.subscribed(inbox);
    for (const [id, send] of [...this.unacknowledged]) {
      this.card(id)?.phase === "sending" ? send() : this.unacknowledged.delete(id);
    }
  }

  override dispatch(event: ViewEvent): void {
    const before = this.state.cards;
    super.dispatch(event);
    this.placeQuotes();
    // A touch is repeated until it succeeds, even if the connection was lost.
    for (const id of this.touched.keys()) {
      this.touch(id);
    }
    const news = event.type === "snapshot" ? event.inbox : event.type === "change" ? event.change : undefined;
    const open = new Set(this.state.cards.flatMap((card) => (isOver(card) ? [] : [card.id])));
    for (const card of before) {
      if (!isOver(card) && !open.has(card.id)) {
        this.drafts.forget(card.id);
      }
    }
    for (const { id, stale } of news && !news.more ? this.state.cards : []) {
      if (stale) {
        void this.learnEnd(id);
      }
    }
  }

  /** Asks how a question ended that is missing from the last snapshot: a sent answer may have arrived. */
  private async learnEnd(id: string): Promise<void> {
    if (this.asking.has(id)) {
      return;
    }
    this.asking.add(id);
    try {
      const { outcome } = await this.link.request(protocol.historyGet, { questionId: id });
      this.dispatch({ type: "ended", id, outcome });
    } catch (error) {
      if (error instanceof RequestError && error.code !== undefined) {
        this.dispatch({ type: "ended", id });
      } // Without a connection, the next snapshot asks again.
    } finally {
      this.asking.delete(id);
    }
  }

  /** Sends the user's decision, if the card can be answered now. null means a dismissal. */
  private act<P extends { questionId: string }>(
    id: string,
    type: protocol.Request<P, protocol.CloseResult>,
    answer: (Sent & Omit<P, "questionId">) | null,
  ): void {
    const card = this.card(id);
    const { trouble, hub } = this.state;
    const canBe = card?.phase === "pending" && trouble === null && !isAway(hub, card);
    if (canBe && this.gesture.allows(id, "decide")) {
      this.drafts.flush();
      this.dispatch({ type: "sent", id, answer });
      const params = { questionId: id, ...answer } as P;
      const send = () => void this.send(id, this.link.request(type, params));
      this.unacknowledged.set(id, send);
      send();
    }
  }

  private async send(id: string, sent: Promise<protocol.CloseResult>): Promise<void> {
    try {
      const { outcome } = await sent;
      // No later change reports an outcome from before the connection was lost.
      this.dispatch({ type: "ended", id, outcome });
    } catch (error) {
      if (error instanceof RequestError && error.code === undefined) {
        return; // It is sent again over the next connection. The sidecar counts it once, by its question's id.
      }
      this.dispatch({ type: "refused", id, message: error instanceof Error ? error.message : String(error) });
    }
    this.unacknowledged.delete(id);
  }
}
