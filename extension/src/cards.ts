// The host's side of the boundary to the interface: shows the inbox as cards and takes what the user does with them.

import type {
  AnswerImage,
  CardAnswer,
  CardMeta,
  EditorFile,
  HostMessage,
  ViewMessage,
} from "../webview/boundary";
import type { Drafts } from "./drafts";
import { elsewhere, type InboxDifference, type InboxModel, type Question } from "./inbox";
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
  /** The window's workspace folders, as URIs. */
  folders(): readonly string[];
  /** An error in words for the user. */
  describe(error: unknown): string;
  /** What the interface asks of the editor. */
  act(action: "escape" | "openLog" | "restart" | "askSample"): void;
  /** Reads files of the editor's that were dropped on a card; at most `room` images of at most so many bytes. */
  readFiles(uris: readonly string[], room: number, bytes: number): Promise<EditorFile[]>;
  /** Opens a link (http, https or mailto) that an agent wrote, after the user was asked. */
  openLink(href: string): void;
}

/** The schemes of the links that may be opened. */
const linkSchemes = ["http:", "https:", "mailto:"];

/** Whether a link that an agent wrote may be opened at all. */
export function mayOpen(href: string): boolean {
  return URL.canParse(href) && linkSchemes.includes(new URL(href).protocol);
}

/** Trouble with the sidecar, as the interface shows it. */
export type Trouble = Extract<HostMessage, { type: "trouble" }>;

/** Talks to one interface at a time, whichever is open. */
export class Cards {
  private post: ((message: HostMessage) => void) | undefined;
  private ready = false;
  private trouble: Trouble = { type: "trouble", message: null, restarting: false };
  private storage: Extract<HostMessage, { type: "storage" }> = { type: "storage", problem: null };
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
      this.noteDraft(difference);
      this.send(this.toMessage(difference));
    }
  }

  /** Shows or ends trouble. */
  showTrouble(message: string | null, restarting: boolean): void {
    this.trouble = { type: "trouble", message, restarting };
    this.send(this.trouble);
  }

  /** Shows or ends that what is asked and answered cannot be saved. */
  showStorage(problem: string | null): void {
    this.storage = { type: "storage", problem };
    this.send(this.storage);
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

  /** Clears closed cards away, but for those with words of the user's that were not sent. */
  clearClosed(): void {
    this.send({ type: "clearClosed" });
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
      case "readFiles": {
        const files = await this.options.readFiles(message.uris, message.room, message.bytes);
        this.send({ type: "files", request: message.request, files });
        break;
      }
      case "openLink":
        if (mayOpen(message.href)) {
          this.options.openLink(message.href);
        }
        break;
      case "dismiss":
        await this.close(message.id, questionDismiss, { questionId: message.id });
        break;
      case "clear":
        this.options.inbox.forget(message.ids);
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
      this.send(this.askMessage(question));
    }
    this.send(this.trouble);
    this.send(this.storage);
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
    if (open) {
      this.options.drafts.set(id, draft);
    }
  }

  private noteDraft(difference: InboxDifference): void {
    const { drafts } = this.options;
    if (difference.kind === "remove") {
      drafts.forget(difference.id);
    } else if (difference.kind === "put" && difference.question.item.state === "closed") {
      drafts.forget(difference.question.item.questionId);
    } else if (difference.kind === "put") {
      drafts.learn(difference.question.item);
    }
  }

  private toMessage(difference: InboxDifference): HostMessage {
    switch (difference.kind) {
      case "put":
        return this.askMessage(difference.question);
      case "grow": {
        const { questionId, text, suggest, parts } = difference.growth;
        return { type: "append", id: questionId, text, suggest, parts };
      }
      case "remove":
        return { type: "remove", id: difference.id };
    }
  }

  private askMessage(question: Question): HostMessage {
    const { drafts, folders } = this.options;
    const { item } = question;
    return askMessage(question, {
      draft: item.state === "closed" ? undefined : drafts.get(item.questionId),
      elsewhere: elsewhere(item, folders()),
      orphaned: item.orphaned,
    });
  }
}

function askMessage(
  { item, payload }: Question,
  more: Pick<CardMeta, "draft" | "elsewhere" | "orphaned">,
): HostMessage {
  const { questionId, agent, askedAt, order, guidance, outcome, rendered } = item;
  // A call that is held for guidance is never in the inbox.
  const state = item.state === "held" ? "closed" : item.state;
  const meta: CardMeta = { id: questionId, agent, state, askedAt, order, guidance, outcome, ...more };
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
