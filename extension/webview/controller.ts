// What the user can do with a question, for the components: each act is checked against the state of the moment, told to the
// state, and sent to the sidecar.

import {
  type AnswerParams,
  type CloseResult,
  type HistoryEntry,
  historyGet,
  historyList,
  type ItemOutcome,
  type ItemTimer,
  type PickDraft,
  type Quote,
  questionAnswer,
  questionDismiss,
  questionReply,
  questionSaveDraft,
  questionTouch,
  type Request,
} from "../src/protocol.gen";
import {
  attached,
  type CardAnswer,
  clicked,
  composed,
  type Draft,
  emptyDraft,
  isSendable,
  type PicksAnswer,
  sentImages,
  withQuotes,
} from "./answer";
import { type Attention, nowhere, sameAttention } from "./attention";
import {
  type EditorFile,
  hostAddQuotes,
  hostDidFocus,
  hostDidSaveDraft,
  hostFindFiles,
  hostOpenQuestion,
  hostReadFiles,
  hostSetPhrases,
  type Subscription,
} from "./boundary";
import { type Card, closedKept, isAway, type Sent } from "./cards";
import { DraftKeeper } from "./drafts";
import { ActGuard } from "./guard";
import { limits } from "./images/plan";
import { Kept } from "./kept";
import { type Link, RequestError } from "./link";
import { Peer } from "./peer";
import { isSubmittable, picksOf, repicked } from "./picks";
import type { ViewEvent } from "./state";

/** Under which name the page keeps over a reload what is over on it. */
const shownName = "shown";

/** Under which name it keeps what is folded. */
const foldedName = "folded";

export class Controller extends Peer {
  readonly guard = new ActGuard<Element>();
  private readonly drafts: DraftKeeper;
  /** What was over on the page before it was loaded again, or whose end it had yet to learn. */
  private before: readonly string[] = [];
  /** What was added from the editor to questions that are yet to come. */
  private added: { questionId: string; quotes: Quote[] }[] = [];
  /** The question that the host was told has the focus. */
  private focused: string | undefined;
  /** Whose end is being asked for. */
  private readonly asking = new Set<string>();
  /** The clocks that were told to stop, as they were told, by question id: one that is told anew has not heard of it. */
  private readonly touched = new Map<string, ItemTimer>();

  /** `attention` tells where the keyboard focus is at the moment. */
  constructor(
    link: Link,
    private readonly attention: () => Attention = () => nowhere,
    private readonly kept = new Kept(),
  ) {
    super(link);
    this.drafts = new DraftKeeper(
      (params) => link.request(questionSaveDraft, params),
      kept,
      () => this.store.state,
    );
  }

  /** Restores what the page had kept and begins to listen. */
  override async start(): Promise<void> {
    const before = this.kept.remembered(shownName);
    this.before = Array.isArray(before) ? before : [];
    const folded = this.kept.remembered(foldedName);
    this.store.dispatch({
      type: "restored",
      ...this.drafts.restore(),
      folded: Array.isArray(folded) ? folded : [],
    });
    let { cards, presumed } = this.state;
    this.store.subscribe(() => {
      if (cards !== this.state.cards || presumed !== this.state.presumed) {
        ({ cards, presumed } = this.state);
        this.keepShown();
      }
    });
    this.link.on(hostAddQuotes, (added) => {
      this.added.push(added);
      this.placeQuotes();
    });
    this.link.on(hostDidSaveDraft, ({ questionId: id, draft }) => {
      this.store.dispatch({ type: "draftSaved", id, draft });
      this.drafts.learn(id, draft);
    });
    await super.start();
  }

  private keepShown(): void {
    const { cards, presumed } = this.state;
    const shown = [...cards.filter(({ phase }) => phase === "closed" || phase === "sending"), ...presumed];
    this.kept.remember(shownName, [...new Set([...shown.map(({ id }) => id), ...this.before])]);
  }

  /** Shows again what was over before the page was loaded, and learns how the rest has ended. */
  private async recall(): Promise<void> {
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
      this.keepShown();
      for (const { questionId } of shown) {
        this.drafts.keep(questionId);
      }
    } catch {
      // The next snapshot asks again.
    }
  }

  /** Takes note of where the keyboard focus is. */
  attend(): void {
    const attention = this.attention();
    if (!sameAttention(attention, this.store.state.attention)) {
      this.store.dispatch({ type: "attended", attention });
    }
    if (attention.at === "card" && attention.id !== this.focused) {
      this.focused = attention.id;
      this.link.notify(hostDidFocus, { questionId: attention.id });
    }
  }

  /** Puts what was added from the editor into the drafts of its questions, as far as these are here. */
  private placeQuotes(): void {
    this.added = this.added.filter(({ questionId, quotes }) => {
      // What is on its way goes as it was sent; should it come back, they are added then.
      const phase = this.card(questionId)?.phase;
      const known = phase !== undefined && phase !== "sending";
      if (known) {
        this.redraft(questionId, (draft) => withQuotes(draft, quotes));
      }
      return !known;
    });
  }

  /** The user is at a question: no choice is made for them any more. */
  touch(id: string): void {
    const timer = this.card(id)?.timer;
    if (timer !== undefined && this.touched.get(id) !== timer) {
      this.touched.set(id, timer);
      // Where the connection is gone, the next snapshot brings the clock again, and it is touched again.
      this.link.request(questionTouch, { questionId: id }).catch(() => {});
    }
  }

  /** A touch holds for good, even where it met a connection that was gone. */
  private touchAgain(): void {
    for (const id of [...this.touched.keys()]) {
      const card = this.card(id);
      if (card?.phase === "closed") {
        this.touched.delete(id);
      } else {
        this.touch(id);
      }
    }
  }

  /** Clears closed cards away. */
  clear(ids: readonly string[]): void {
    if (ids.length > 0) {
      this.before = this.before.filter((id) => !ids.includes(id));
      this.store.dispatch({ type: "cleared", ids });
      for (const id of ids) {
        this.drafts.keep(id);
      }
    }
  }

  /** Folds a question to its title, or unfolds it. */
  fold(id: string, folded: boolean): void {
    this.store.dispatch({ type: "folded", id, folded });
    const shown = new Set(this.state.cards.map((card) => card.id));
    this.kept.remember(
      foldedName,
      [...this.state.folded].filter((each) => shown.has(each)),
    );
  }

  /** Chooses a suggestion. `from` is the user's own event. */
  choose(id: string, suggestion: number, from: Event): boolean {
    const card = this.card(id);
    return (
      card?.suggest[suggestion] !== undefined && this.answer(card, clicked(suggestion, card.draft), from)
    );
  }

  /** Sends what stands in the composer: an answer, or a reply to a questionnaire. */
  submit(id: string, from: Event): boolean {
    const card = this.card(id);
    if (card?.parts) {
      return this.reply(card, from);
    }
    const answer = card && composed(card.draft ?? emptyDraft, card.suggest);
    return card !== undefined && answer != null && this.answer(card, answer, from);
  }

  /** Answers a questionnaire's only question with one of its options. */
  pickAndSubmit(id: string, option: number, from: Event): boolean {
    const card = this.card(id);
    if (card?.parts?.length !== 1 || card.parts[0]?.options[option] === undefined) {
      return false;
    }
    return this.answer(card, { picks: [{ options: [option] }], ...attached(card.draft ?? emptyDraft) }, from);
  }

  /** Sends the picks of a questionnaire. */
  submitPicks(id: string, from: Event): boolean {
    const card = this.card(id);
    if (!card?.parts || !isSubmittable(card.draft, card.parts)) {
      return false;
    }
    const picks = picksOf(card.draft, card.parts);
    return this.answer(card, { picks, ...attached(card.draft ?? emptyDraft) }, from);
  }

  /** Declines the question. */
  dismiss(id: string, from: Event): boolean {
    const card = this.card(id);
    return card !== undefined && this.act(card, null, questionDismiss, { questionId: id }, from);
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

  /** What files of the editor's are; of the images among them at most `room` are read. */
  async readFiles(uris: readonly string[], room: number): Promise<EditorFile[]> {
    try {
      return (await this.link.request(hostReadFiles, { uris: [...uris], room, bytes: limits.fileBytes }))
        .files;
    } catch {
      return uris.map((name) => ({ name, refused: "notRead" }));
    }
  }

  /** Changes the user's ready phrases. */
  setPhrases(phrases: readonly string[]): void {
    this.told({ type: "host", host: { phrases } });
    this.link.notify(hostSetPhrases, { phrases: [...phrases] });
  }

  /** Opens a question wide. */
  openWide(questionId: string): void {
    this.drafts.flush();
    this.link.notify(hostOpenQuestion, { questionId });
  }

  /** The workspace's files whose paths hold the text, the best first; none where the host has no files. */
  async findFiles(text: string): Promise<readonly string[]> {
    try {
      return (await this.link.request(hostFindFiles, { text })).files ?? [];
    } catch {
      return [];
    }
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

  /** Saves at once what is still being gathered. */
  flush(): void {
    this.drafts.flush();
  }

  private card(id: string): Card | undefined {
    return this.store.state.cards.find((card) => card.id === id);
  }

  protected override subscribed(subscription: Subscription): void {
    this.drafts.resume();
    super.subscribed(subscription);
    void this.recall();
  }

  protected override told(event: ViewEvent): void {
    this.attend();
    const before = this.store.state.cards;
    super.told(event);
    this.placeQuotes();
    this.touchAgain();
    const items =
      event.type === "snapshot" ? event.inbox.items : event.type === "change" ? event.change.items : [];
    for (const { questionId, draft } of items ?? []) {
      this.drafts.learn(questionId, draft ?? {});
    }
    if (before !== this.store.state.cards) {
      const open = new Set(
        this.store.state.cards.flatMap(({ id, phase }) => (phase === "closed" ? [] : [id])),
      );
      for (const { id, phase } of before) {
        if (phase !== "closed" && !open.has(id)) {
          this.drafts.forget(id);
        }
      }
    }
    for (const { id } of this.store.state.presumed) {
      void this.learnEnd(id);
    }
  }

  /** Asks how a question ended that was gone when the connection was there again: perhaps what was sent arrived. */
  private async learnEnd(id: string): Promise<void> {
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
    this.drafts.keep(id);
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

  private answer(card: Card, answer: CardAnswer | PicksAnswer, from: Event): boolean {
    // The sidecar finds the provenance of picks itself.
    const params: AnswerParams = {
      questionId: card.id,
      provenance: "clicked",
      ...answer,
      ...sentImages(answer.images),
    };
    return this.act(card, answer, questionAnswer, params, from);
  }

  private reply(card: Card, from: Event): boolean {
    const draft = card.draft ?? emptyDraft;
    if (!card.parts || !isSendable(draft)) {
      return false;
    }
    const reply = { text: draft.text, picks: picksOf(draft, card.parts), ...attached(draft) };
    const params = { questionId: card.id, ...reply, ...sentImages(reply.images) };
    return this.act(card, reply, questionReply, params, from);
  }

  /** Sends what the user decided; null is a dismissal. False when the card cannot be answered now. */
  private act<P>(
    card: Card,
    answer: Sent | null,
    type: Request<P, CloseResult>,
    params: P,
    from: Event,
  ): boolean {
    const { state } = this.store;
    if (
      card.phase !== "pending" ||
      state.trouble !== null ||
      isAway(state, card) ||
      !this.guard.allows(card.id, from)
    ) {
      return false;
    }
    this.drafts.flush();
    this.store.dispatch({ type: "sent", id: card.id, answer });
    this.link.request(type, params).then(
      ({ accepted, outcome }) => {
        if (!accepted) {
          // It had an outcome already, perhaps from before this page knew of it.
          this.told({ type: "ended", id: card.id, outcome });
        }
      },
      (error: unknown) => {
        const message = error instanceof RequestError ? error.message : String(error);
        this.told({ type: "refused", id: card.id, message });
      },
    );
    return true;
  }
}
