// The host's side of the boundary to the interface: shows the inbox as cards and takes what the user does with them.

import type { AnswerImage, CardAnswer, CardMeta, HostMessage, ViewMessage } from "../webview/boundary";
import type { Drafts } from "./drafts";
import type { InboxDifference, InboxModel, Question } from "./inbox";
import {
  type AnswerParams,
  type CloseResult,
  type Image,
  questionAnswer,
  questionDismiss,
  questionReply,
  type Request,
} from "./protocol.gen";

/** What cards need of their surroundings. */
export interface CardsOptions {
  inbox: InboxModel;
  drafts: Drafts;
  /** The interface's texts by key, in the user's language. */
  strings: Record<string, string>;
  /** The editor's display language. */
  locale: string;
  /** Sends a request to the sidecar. */
  request<P, R>(type: Request<P, R>, params: P): Promise<R>;
  /** An error in words for the user. */
  describe(error: unknown): string;
  /** What the interface asks of the editor. */
  act(action: "escape" | "openLog" | "restart" | "askSample"): void;
  /** Opens a link (http, https or mailto) that an agent wrote, after the user was asked. */
  openLink(href: string): void;
}

/** The schemes of the links that may be opened. */
const linkSchemes = ["http:", "https:", "mailto:"];

/** Trouble with the sidecar, as the interface shows it. */
export type Trouble = Extract<HostMessage, { type: "trouble" }>;

/** Talks to one interface at a time, whichever is open. */
export class Cards {
  private post: ((message: HostMessage) => void) | undefined;
  private ready = false;
  private trouble: Trouble = { type: "trouble", message: null, restarting: false };
  private focus: Extract<HostMessage, { type: "focus" }> | undefined;

  constructor(private readonly options: CardsOptions) {}

  /** An interface was opened; it says ready when it listens. */
  attach(post: (message: HostMessage) => void): void {
    this.post = post;
    this.ready = false;
  }

  /** The interface is gone. */
  detach(): void {
    this.post = undefined;
    this.ready = false;
  }

  /** Shows what has changed. */
  show(differences: readonly InboxDifference[]): void {
    for (const difference of differences) {
      this.forgetDraft(difference);
      this.send(toMessage(difference));
    }
  }

  /** Shows or ends trouble. */
  showTrouble(message: string | null, restarting: boolean): void {
    this.trouble = { type: "trouble", message, restarting };
    this.send(this.trouble);
  }

  /** Puts the keyboard focus on a card, now or as soon as an interface is ready. */
  focusCard(id?: string): void {
    const message = { type: "focus", id } as const;
    if (this.ready) {
      this.send(message);
    } else {
      this.focus = message;
    }
  }

  /** Takes a message of the interface's. */
  async receive(message: ViewMessage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.begin();
        break;
      case "answer":
        await this.close(message.id, questionAnswer, toParams(message.id, message.answer));
        break;
      case "answerQuestions":
        await this.close(message.id, questionAnswer, {
          questionId: message.id,
          // The sidecar finds the provenance of picks itself.
          provenance: "clicked",
          picks: message.answer.picks,
          images: toImages(message.answer.images),
        });
        break;
      case "reply":
        await this.close(message.id, questionReply, {
          questionId: message.id,
          ...message.reply,
          images: toImages(message.reply.images),
        });
        break;
      case "openLink":
        if (URL.canParse(message.href) && linkSchemes.includes(new URL(message.href).protocol)) {
          this.options.openLink(message.href);
        }
        break;
      case "dismiss":
        await this.close(message.id, questionDismiss, { questionId: message.id });
        break;
      case "draft":
        this.keepDraft(message.id, message.draft);
        break;
      default:
        this.options.act(message.type);
    }
  }

  private begin(): void {
    const { strings, locale, drafts, inbox } = this.options;
    this.ready = true;
    this.send({ type: "init", strings, locale, drafts: drafts.all() });
    for (const question of inbox.all()) {
      this.send(askMessage(question));
    }
    this.send(this.trouble);
    if (this.focus) {
      this.send(this.focus);
      this.focus = undefined;
    }
  }

  private send(message: HostMessage): void {
    if (this.ready) {
      this.post?.(message);
    }
  }

  private async close<P>(id: string, type: Request<P, CloseResult>, params: P): Promise<void> {
    const { inbox, request, describe } = this.options;
    try {
      const { accepted, outcome } = await request(type, params);
      if (!accepted) {
        // It had an outcome already, perhaps from before this window knew of it.
        this.show(inbox.close(id, outcome));
      }
    } catch (error) {
      this.send({ type: "refused", id, message: describe(error) });
    }
  }

  private keepDraft(id: string, draft: Parameters<Drafts["set"]>[1]): void {
    // A late draft of a question that is closed would never be asked for again.
    const open = this.options.inbox.get(id)?.item.state !== "closed";
    this.options.drafts.set(id, open ? draft : null);
  }

  private forgetDraft(difference: InboxDifference): void {
    if (difference.kind === "remove") {
      this.options.drafts.set(difference.id, null);
    } else if (difference.kind === "put" && difference.question.item.state === "closed") {
      this.options.drafts.set(difference.question.item.questionId, null);
    }
  }
}

function toMessage(difference: InboxDifference): HostMessage {
  switch (difference.kind) {
    case "put":
      return askMessage(difference.question);
    case "grow": {
      const { questionId, text, suggest, parts } = difference.growth;
      return { type: "append", id: questionId, text, suggest, parts };
    }
    case "remove":
      return { type: "remove", id: difference.id };
  }
}

function askMessage({ item, payload }: Question): HostMessage {
  const { questionId, agent, askedAt, order, guidance, outcome, rendered } = item;
  // A call that is held for guidance is never in the inbox.
  const state = item.state === "held" ? "closed" : item.state;
  const meta: CardMeta = { id: questionId, agent, state, askedAt, order, guidance, outcome };
  return "questions" in payload
    ? { type: "ask", ask: "questions", payload, rendered, meta }
    : { type: "ask", ask: "followup", payload, rendered, meta };
}

function toParams(questionId: string, answer: CardAnswer): AnswerParams {
  const { provenance, suggestion, text, mode, images } = answer;
  return {
    questionId,
    provenance,
    suggestion,
    text,
    mode,
    images: toImages(images),
  };
}

/** A file's name stays here. */
function toImages(images: AnswerImage[] | undefined): Image[] | undefined {
  return images?.map(({ mimeType, data }) => ({ mimeType, data }));
}
