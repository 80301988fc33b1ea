// The open questions of all agents and the last closed ones, as the sidecar tells them. Pure: changes in, differences out.

import type {
  Inbox,
  InboxChange,
  InboxGrowth,
  InboxItem,
  ItemOutcome,
  PartGrowth,
  Payload,
} from "./protocol.gen";

/** What the interface has to be told after a change. */
export type InboxDifference =
  /** A question is new or has changed as a whole. */
  | { kind: "put"; question: Question }
  /** A streaming question has grown. */
  | { kind: "grow"; growth: InboxGrowth }
  /** A question is gone without an outcome. */
  | { kind: "remove"; id: string };

/** A call as it stands. */
export class Question {
  private payloadSoFar: Payload;
  /** What has arrived of the text of the last question that grew, and was not put behind it yet. */
  private pieces: string[] = [];
  private growing = 0;

  constructor(readonly item: Readonly<InboxItem>) {
    this.payloadSoFar = structuredClone(item.payload);
  }

  /** What is known of the question's content. */
  get payload(): Payload {
    this.settle();
    return structuredClone(this.payloadSoFar);
  }

  /** Adds what has newly arrived. */
  grow({ text, suggest, parts }: InboxGrowth): void {
    this.addText(0, text);
    if ("suggest" in this.payloadSoFar) {
      this.payloadSoFar.suggest.push(...(suggest ?? []));
    }
    for (const part of parts ?? []) {
      this.growPart(part);
    }
  }

  private growPart({ index, text, header, options, multiSelect }: PartGrowth): void {
    if (!("questions" in this.payloadSoFar)) {
      return;
    }
    const { questions } = this.payloadSoFar;
    questions[index] ??= { question: "", header: "", options: [], multiSelect: false };
    const question = questions[index];
    this.addText(index, text);
    question.header = header ?? question.header;
    question.options.push(...(options ?? []));
    question.multiSelect ||= multiSelect ?? false;
  }

  private addText(index: number, text: string | undefined): void {
    if (!text) {
      return;
    }
    if (index !== this.growing) {
      this.settle();
      this.growing = index;
    }
    this.pieces.push(text);
  }

  /** The pieces are joined once for all that came since the last look, so that the cost stays linear. */
  private settle(): void {
    const question = questionAt(this.payloadSoFar, this.growing);
    if (question && this.pieces.length > 0) {
      question.question += this.pieces.join("");
    }
    this.pieces = [];
  }
}

function questionAt(payload: Payload, index: number): { question: string } | undefined {
  return "questions" in payload ? payload.questions[index] : payload;
}

/** The names of the workspace folders that a question is about, where none of them is open in this window. */
export function elsewhere(
  { workspaces = [] }: Pick<InboxItem, "workspaces">,
  folders: readonly string[],
): string | undefined {
  const here = workspaces.length === 0 || workspaces.some(({ uri }) => folders.includes(uri));
  return here ? undefined : workspaces.map(({ name }) => name).join(", ");
}

/** How many closed questions are kept for the user to look back at. */
export const keptClosed = 20;

/** The questions of this window's life. */
export class InboxModel {
  private readonly open = new Map<string, Question>();
  private readonly closed = new Map<string, Question>();
  /** What was open before the snapshot and has not come again yet, while more of the snapshot is to come. */
  private missing = new Set<string>();

  /**
   * Takes a snapshot in the place of everything open. What it does not hold, up to its last part, is gone, but for what
   * `keep` names: questions that are being asked again.
   */
  reset({ items, more }: Inbox, keep: (id: string) => boolean): InboxDifference[] {
    this.missing = new Set([...this.open.keys()].filter((id) => !keep(id)));
    const put = items.flatMap((item) => this.put(item));
    return [...(more ? [] : this.removeMissing()), ...put];
  }

  /** Applies a change. */
  apply({ removed = [], items = [], grown = [], more }: InboxChange): InboxDifference[] {
    return [
      ...removed.flatMap((id) => this.remove(id)),
      ...items.flatMap((item) => this.put(item)),
      ...grown.flatMap((growth) => this.grow(growth)),
      ...(more ? [] : this.removeMissing()),
    ];
  }

  private removeMissing(): InboxDifference[] {
    const gone = [...this.missing];
    this.missing.clear();
    return gone.flatMap((id) => this.remove(id));
  }

  /** Closes a question whose outcome became known otherwise. */
  close(id: string, outcome: ItemOutcome): InboxDifference[] {
    const question = this.open.get(id);
    return question
      ? this.put({ ...question.item, payload: question.payload, state: "closed", outcome })
      : [];
  }

  /** Drops closed questions that the user does not want to see any more. */
  forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.closed.delete(id);
    }
  }

  /** The question with that id, open or closed. */
  get(id: string): Question | undefined {
    return this.open.get(id) ?? this.closed.get(id);
  }

  /** All questions, in the order of their asking. */
  all(): Question[] {
    return [...this.closed.values(), ...this.open.values()].sort((a, b) => a.item.order - b.item.order);
  }

  /** How many questions of a window with these workspace folders wait for the user. */
  waiting(folders: readonly string[]): number {
    let count = 0;
    for (const { item } of this.open.values()) {
      count += item.state === "streaming" || elsewhere(item, folders) !== undefined ? 0 : 1;
    }
    return count;
  }

  private put(item: InboxItem): InboxDifference[] {
    const id = item.questionId;
    const question = new Question(item);
    this.missing.delete(id);
    if (item.state === "closed") {
      this.open.delete(id);
      this.closed.delete(id);
      this.closed.set(id, question);
    } else {
      // A question that is asked again after a crash is open again.
      this.closed.delete(id);
      this.open.set(id, question);
    }
    return [{ kind: "put", question }, ...this.forgetOldest()];
  }

  private grow(growth: InboxGrowth): InboxDifference[] {
    const question = this.open.get(growth.questionId);
    question?.grow(growth);
    return question ? [{ kind: "grow", growth }] : [];
  }

  private remove(id: string): InboxDifference[] {
    return this.open.delete(id) ? [{ kind: "remove", id }] : [];
  }

  private forgetOldest(): InboxDifference[] {
    const [oldest] = this.closed.keys();
    if (this.closed.size <= keptClosed || oldest === undefined) {
      return [];
    }
    this.closed.delete(oldest);
    return [{ kind: "remove", id: oldest }];
  }
}
