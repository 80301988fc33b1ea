// The messages between the extension host and the interface. Both sides import these types and nothing else of each other.
// Everything in a message survives JSON.

import type {
  Followup,
  Guidance,
  ItemOutcome,
  PartGrowth,
  Questionnaire,
  Pick as QuestionPick,
  Rendered,
  Draft as SavedDraft,
  Suggestion,
} from "../src/protocol.gen";

/** A card's place in a question's life. */
export type CardState = "streaming" | "pending" | "queued" | "closed";

/** What the interface knows of a question besides what is asked. */
export interface CardMeta {
  /** The question's id: a UUID, bound to every answer. */
  id: string;
  /** The agent's name, as it opened its session. */
  agent: string;
  state: CardState;
  /** When it was asked, in milliseconds since 1970. */
  askedAt: number;
  /** Where it stands among all open questions, oldest first. */
  order: number;
  /** Marks a request for guidance in place of a question: the agent's calls were invalid again and again. */
  guidance?: Guidance;
  /** How it ended; only on a closed card. */
  outcome?: ItemOutcome;
  /** What the user had begun for it, as it was last saved. */
  draft?: SavedDraft;
  /** Where it was asked, if that is another window: the names of its workspace folders. */
  elsewhere?: string;
  /** The agent that asked is gone; the answer is kept until an agent collects it. */
  orphaned?: boolean;
}

/** An image of the user's: base64 without a data: prefix. */
export interface AnswerImage {
  mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  data: string;
  /** The file's name, for its label; not sent to the agent. */
  name?: string;
}

/** What the user gave. A clicked suggestion is named by its index, so that the text comes from the sidecar's own record. */
export interface CardAnswer {
  provenance: "clicked" | "edited" | "typed";
  /** The index of the suggestion that was clicked, or that the edited text came from. */
  suggestion?: number;
  /** The user's text exactly as it was; absent for a click. */
  text?: string;
  /** The mode that goes with an edited suggestion; absent when it had none or the user took it off. */
  mode?: string;
  images?: AnswerImage[];
}

/** What the user chose of a questionnaire. */
export interface PicksAnswer {
  /** One for each question in order; one without an option and own words leaves its question out. */
  picks: QuestionPick[];
  images?: AnswerImage[];
}

/** What the user wrote about a questionnaire instead of answering it. */
export interface Reply extends PicksAnswer {
  /** The user's text exactly as it was; `picks` are those made so far. */
  text: string;
}

/** From the extension host to the interface. */
export type HostMessage =
  | {
      /** The first message after `ready`; all cards follow it as `ask`. Drafts of ids not asked again are dropped. */
      type: "init";
      /** The strings of the interface in the user's language, by key (see strings.ts); English where one is missing. */
      strings: Record<string, string>;
      /** The editor's display language, a BCP 47 tag. */
      locale: string;
      /** Where a draft was kept while no interface was open, by question id. */
      drafts: Record<string, SavedDraft>;
    }
  | {
      /** The seed's `ask("followup", payload)`: shows a card, or brings a shown one up to date (same id). */
      type: "ask";
      ask: "followup";
      payload: Followup;
      /** The question's Markdown; absent while it streams. */
      rendered?: Rendered;
      meta: CardMeta;
    }
  | {
      /** The same for a questionnaire. */
      type: "ask";
      ask: "questions";
      payload: Questionnaire;
      rendered?: Rendered;
      meta: CardMeta;
    }
  | {
      /** What has newly arrived of a streaming question. */
      type: "append";
      id: string;
      /** Text to put behind the question's text so far. */
      text?: string;
      /** Suggestions that are now complete, behind those so far. */
      suggest?: Suggestion[];
      /** The same of a questionnaire, by question. */
      parts?: PartGrowth[];
    }
  /** Takes a card away (withdrawn by the agent). */
  | { type: "remove"; id: string }
  /** The answer or dismissal was not taken: the draft stays and the message is shown on the card. */
  | { type: "refused"; id: string; message: string }
  /** What `readFiles` asked for, in its order; an image's bytes are in base64. */
  | { type: "files"; request: number; files: EditorFile[] }
  /** The keyboard focus goes to the first pending card (or to the named one). */
  | { type: "focus"; id?: string }
  /** Clears all closed cards away that hold no words which were not sent. */
  | { type: "clearClosed" }
  /** What is asked and answered cannot be saved, and why; null when it is saved again. */
  | { type: "storage"; problem: string | null }
  /** Trouble with the sidecar; null when it is over. Cards stay, their buttons are disabled while it lasts. */
  | { type: "trouble"; message: string | null; restarting: boolean };

/** What a user had begun for a question: the protocol's draft, with what the interface always has. */
export interface Draft extends SavedDraft {
  text: string;
  images: AnswerImage[];
}

/** A file of the editor's that was dropped on a card: an image, the path of anything else, or why it could not be read. */
export type EditorFile = { name: string } & (
  | { image: string }
  | { path: string }
  | { refused: "notRead" | "fileTooLarge" | "tooMany" }
);

/** From the interface to the extension host. */
export type ViewMessage =
  | { type: "ready" }
  | { type: "answer"; id: string; answer: CardAnswer }
  /** Answers a questionnaire. */
  | { type: "answerQuestions"; id: string; answer: PicksAnswer }
  /** Writes about a questionnaire instead of answering it. */
  | { type: "reply"; id: string; reply: Reply }
  | { type: "dismiss"; id: string }
  /** The user has cleared closed cards away; they are not to be shown again. */
  | { type: "clear"; ids: readonly string[] }
  /** What the user has begun, while it changes at least every half second; null when it is empty again. */
  | { type: "draft"; id: string; draft: Draft | null }
  /** Asks for files of the editor's, answered by `files` with the same number: at most `room` images of at most so many bytes. */
  | { type: "readFiles"; request: number; uris: string[]; room: number; bytes: number }
  /** A link in what an agent wrote: http, https or mailto. The host asks the user before it opens. */
  | { type: "openLink"; href: string }
  /** Esc: the keyboard focus goes back to the editor. Nothing is dismissed. */
  | { type: "escape" }
  | { type: "openLog" }
  | { type: "restart" }
  | { type: "askSample" };
