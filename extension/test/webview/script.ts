// The messages to and from the page in the tests' own form, and their translation to JSON-RPC with the
// protocol's types. Only this file and the harness depend on the boundary.

import type {
  Approval,
  DecideParams,
  Draft,
  EditorFile,
  Followup,
  Guidance,
  HistoryEntry,
  HistoryFacetsResult,
  HistoryFilter,
  HistoryPage,
  HistoryTarget,
  HostCommand,
  HostFocusParams,
  HostOpenDiffParams,
  HostState,
  HubState,
  InboxChange,
  InboxItem,
  ItemOutcome,
  ItemTimer,
  PartGrowth,
  Place,
  Questionnaire,
  Quote,
  ReadOnly,
  Rendered,
  Suggestion,
} from "../../src/protocol.gen";
import type { Answer, Sent } from "../../webview/answer";
import type { ViewEvent } from "../../webview/state";

/** A card's state in a question's life. */
export type CardState = "streaming" | "pending" | "queued" | "closed";

/** A question's data besides its text. */
export interface CardMeta {
  id: string;
  agent: string;
  state: CardState;
  askedAt: number;
  order: number;
  guidance?: Guidance;
  outcome?: ItemOutcome;
  draft?: Draft;
  /** The name of the folder in which it was asked, if that is another window's. */
  elsewhere?: string;
  /** The team's hub where it was asked. */
  hub?: string;
  readOnly?: ReadOnly;
  orphaned?: boolean;
  expires?: number;
  noCancel?: boolean;
  beside?: boolean;
  timer?: ItemTimer;
  /** The text that the agent wrote before. */
  context?: string;
}

/** A message to the page. */
export type Posted =
  /** The host's first response. The drafts are those that the sidecar has saved. */
  | {
      type: "init";
      strings: Record<string, string>;
      locale: string;
      drafts?: Record<string, Draft>;
      keep?: boolean;
      phrases?: string[];
      diffs?: boolean;
    }
  | { type: "ask"; payload: Followup | Questionnaire | Approval; rendered?: Rendered; meta: CardMeta }
  | { type: "append"; id: string; text?: string; suggest?: Suggestion[]; parts?: PartGrowth[] }
  | { type: "remove"; id: string }
  /** The question's last request is refused. */
  | { type: "refused"; id: string; message: string }
  | { type: "files"; request: number; files: EditorFile[] }
  /** The places in files, among the requested ones, that the editor has. */
  | { type: "places"; request: number; places: Place[] }
  | { type: "foundFiles"; request: number; files: string[] }
  /** The editor adds quotes. */
  | { type: "quotes"; id: string; quotes: Quote[] }
  | { type: "focus"; on?: HostFocusParams["on"]; id?: string }
  | { type: "clearClosed" }
  | { type: "storage"; problem: string | null; hung?: boolean }
  | { type: "hub"; hub: HubState }
  | { type: "trouble"; message: string | null; restarting: boolean }
  | { type: "keep"; keep: boolean }
  /** The page shows only that question. */
  | { type: "only"; only: string }
  /** Another page has saved a draft. */
  | { type: "draftSaved"; id: string; draft: Draft }
  | { type: "phrases"; phrases: string[] }
  | { type: "page"; request: number; page: HistoryPage }
  | { type: "failed"; request: number; message: string }
  | { type: "facets"; facets: HistoryFacetsResult }
  | { type: "entry"; id: string; entry?: HistoryEntry; message?: string }
  | { type: "changed" }
  /** A deletion: the one that the page requested, otherwise another page's. */
  | { type: "deleteAll" }
  | { type: "deleted"; ids?: string[]; count: number; undo?: string; undoFor?: number }
  | { type: "restored"; undo: string; count: number; message?: string }
  | { type: "counted"; count: number }
  | { type: "confirmed"; confirmed: boolean }
  | { type: "text"; text: string }
  | { type: "copied" }
  /** The requested deletion failed. */
  | { type: "notice"; message: string };

/** A message from the page. */
export type Heard =
  | { type: "ready" }
  | { type: "answer"; id: string; answer: Answer }
  | { type: "answerQuestions"; id: string; answer: Sent }
  | { type: "reply"; id: string; reply: Sent }
  | { type: "decide"; id: string; decision: Omit<DecideParams, "questionId"> }
  | { type: "dismiss"; id: string }
  /** An empty draft is null. */
  | { type: "draft"; id: string; draft: Draft | null }
  | { type: "findPlaces"; request: number; texts: string[] }
  | { type: "openPlace"; text: string }
  | ({ type: "openDiff" } & HostOpenDiffParams)
  | { type: "openQuestion"; id: string }
  | { type: "setPhrases"; phrases: string[] }
  | { type: "findFiles"; request: number; text: string }
  | { type: "readFiles"; request: number; uris: string[]; room: number; bytes: number }
  | { type: "openLink"; href: string }
  | { type: HostCommand }
  | { type: "list"; request: number; text: string; filter: HistoryFilter; after?: string }
  | { type: "facets" }
  | { type: "get"; id: string }
  | { type: "delete"; target: HistoryTarget }
  | { type: "count"; target: HistoryTarget }
  | { type: "confirm"; count: number }
  | { type: "restore"; undo: string }
  | { type: "export"; target: HistoryTarget }
  | { type: "copy"; text: string }
  | { type: "copyEntries"; ids: string[] };

/** A message from the page in its original form. */
export interface Message {
  id?: number;
  method?: string;
  params?: unknown;
}

/** An action of the fake in the page: it sends a notification, or responds to the last request of a matching method. */
export type Line =
  | { tell: string; params: unknown }
  | { drafts: Record<string, Draft> }
  | {
      answer: readonly string[];
      /** The params that the request must have; absent means any. */
      where?: Record<string, unknown>;
      result?: unknown;
      error?: { code: number; message: string };
      /** The action if there is no such request; absent means that the test is wrong. */
      otherwise?: Line;
    };

const refused = -32092;

/** All commands that an editor supports. */
const commands: HostCommand[] = [
  "connectAgents",
  "escape",
  "openQuestion",
  "openLog",
  "restart",
  "askSample",
  "import",
  "openSettings",
  "connectHub",
];

/** How a message is sent. */
export function linesOf(posted: Posted): Line[] {
  switch (posted.type) {
    case "init": {
      const { strings, locale, drafts = {}, keep = true, phrases = [], diffs } = posted;
      const state: HostState = {
        strings,
        locale,
        folders: [],
        keep,
        phrases,
        commands,
        trouble: null,
        diffs,
      };
      const otherwise: Line = { tell: "host/didChange", params: { strings, locale, keep, phrases, diffs } };
      return [{ drafts }, { answer: ["host/open"], result: state, otherwise }];
    }
    case "refused":
      return [
        {
          answer: ["question/answer", "question/reply", "question/decide", "question/dismiss"],
          where: { questionId: posted.id },
          error: { code: refused, message: posted.message },
        },
      ];
    case "files":
      return [{ answer: ["host/readFiles"], where: { id: posted.request }, result: { files: posted.files } }];
    case "places":
      return [
        { answer: ["host/findPlaces"], where: { id: posted.request }, result: { places: posted.places } },
      ];
    case "foundFiles":
      return [{ answer: ["host/findFiles"], where: { id: posted.request }, result: { files: posted.files } }];
    case "quotes":
      return [{ tell: "host/addQuotes", params: { questionId: posted.id, quotes: posted.quotes } }];
    case "focus":
      return [{ tell: "host/focus", params: { on: posted.on ?? "question", id: posted.id } }];
    case "clearClosed":
      return [{ tell: "host/clearClosed", params: {} }];
    case "trouble": {
      const { message, restarting } = posted;
      return [
        { tell: "host/didChange", params: { trouble: message === null ? null : { message, restarting } } },
      ];
    }
    case "phrases":
      return [{ tell: "host/didChange", params: { phrases: posted.phrases } }];
    case "only":
      return [{ tell: "host/didChange", params: { only: posted.only } }];
    case "draftSaved":
      return [{ tell: "host/didSaveDraft", params: { questionId: posted.id, draft: posted.draft } }];
    case "keep":
      return [{ tell: "host/didChange", params: { keep: posted.keep } }];
    case "page":
      return [
        { answer: ["history/list", "history/search"], where: { id: posted.request }, result: posted.page },
      ];
    case "failed":
      return [
        {
          answer: ["history/list", "history/search"],
          where: { id: posted.request },
          error: { code: refused, message: posted.message },
        },
      ];
    case "facets":
      return [{ answer: ["history/facets"], result: posted.facets }];
    case "entry": {
      const { id, entry, message = "" } = posted;
      const outcome = entry ? { result: entry } : { error: { code: refused, message } };
      return [{ answer: ["history/get"], where: { questionId: id }, ...outcome }];
    }
    case "changed":
      return [{ tell: "history/didChange", params: {} }];
    case "deleted": {
      const { count, undo, undoFor = 0 } = posted;
      const result = { count, ...(undo && { undo, undoUntil: Date.now() + undoFor }) };
      return [{ answer: ["history/delete"], result }];
    }
    case "deleteAll":
      return [{ tell: "host/deleteAll", params: {} }];
    case "restored": {
      const { undo, count, message } = posted;
      const outcome = message === undefined ? { result: { count } } : { error: { code: refused, message } };
      return [{ answer: ["history/restore"], where: { undo }, ...outcome }];
    }
    case "counted":
      return [{ answer: ["history/delete"], where: { countOnly: true }, result: { count: posted.count } }];
    case "confirmed":
      return [{ answer: ["host/confirmDelete"], result: { confirmed: posted.confirmed } }];
    case "text":
      return [{ answer: ["history/text"], result: { count: 1, text: posted.text } }];
    case "copied":
      return [{ answer: ["host/copy"], result: {} }];
    case "notice":
      return [{ answer: ["history/delete"], error: { code: refused, message: posted.message } }];
    default:
      return [{ tell: "inbox/didChange", params: changeOf(posted) }];
  }
}

/** The message's change of the inbox. */
export function changeOf(
  posted: Extract<Posted, { type: "ask" | "append" | "remove" | "storage" | "hub" }>,
): InboxChange {
  switch (posted.type) {
    case "ask":
      return { items: [itemOf(posted)] };
    case "append": {
      const { id, text, suggest, parts } = posted;
      return { grown: [{ questionId: id, text, suggest, parts }] };
    }
    case "remove":
      return { removed: [posted.id] };
    case "hub":
      return { hub: posted.hub };
    case "storage":
      return {
        storage:
          posted.problem === null
            ? { saved: true }
            : { saved: false, problem: posted.problem, ...(posted.hung ? { hung: true } : {}) },
      };
  }
}

function itemOf({ payload, rendered, meta }: Extract<Posted, { type: "ask" }>): InboxItem {
  const { id, elsewhere, ...rest } = meta;
  const workspaces = elsewhere === undefined ? undefined : [{ uri: `file:///${elsewhere}`, name: elsewhere }];
  const [ask, tool] =
    "questions" in payload
      ? (["questions", "AskUserQuestion"] as const)
      : "subject" in payload
        ? (["approval", "request_approval"] as const)
        : (["followup", "ask_followup_question"] as const);
  return { questionId: id, session: "session", tool, ask, payload, rendered, workspaces, ...rest };
}

/** A message in the tests' form; undefined for messages about the page itself. */
export function heardIn({ id = 0, method, params }: Message): Heard | undefined {
  // biome-ignore lint/suspicious/noExplicitAny: each method has params of its own
  const { questionId = "", ...rest } = (params ?? {}) as any;
  switch (method) {
    case "host/open":
      return { type: "ready" };
    case "question/answer": {
      const { provenance: _, ...picks } = rest;
      return "picks" in rest
        ? { type: "answerQuestions", id: questionId, answer: picks }
        : { type: "answer", id: questionId, answer: rest };
    }
    case "question/reply":
      return { type: "reply", id: questionId, reply: rest };
    case "question/decide":
      return { type: "decide", id: questionId, decision: rest };
    case "question/dismiss":
      return { type: "dismiss", id: questionId };
    case "question/saveDraft": {
      const { changedAt: _, ...begun } = rest.draft as Draft;
      const empty = Object.keys(begun).length === 0;
      return { type: "draft", id: questionId, draft: empty ? null : rest.draft };
    }
    case "host/run":
      return { type: rest.command as HostCommand };
    case "host/findPlaces":
      return { type: "findPlaces", request: id, ...rest };
    case "host/findFiles":
      return { type: "findFiles", request: id, ...rest };
    case "host/openQuestion":
      return { type: "openQuestion", id: questionId };
    case "host/setPhrases":
      return { type: "setPhrases", ...rest };
    case "host/openDiff":
      return { type: "openDiff", ...rest };
    case "host/openPlace":
      return { type: "openPlace", ...rest };
    case "host/readFiles":
      return {
        type: "readFiles",
        request: id,
        ...rest,
      };
    case "history/list":
    case "history/search":
      return {
        type: "list",
        request: id,
        text: rest.text ?? "",
        filter: rest.filter ?? {},
        after: rest.after,
      };
    case "history/facets":
      return { type: "facets" };
    case "history/get":
      return { type: "get", id: questionId };
    case "history/delete": {
      const { questionIds, text, filter, countOnly } = rest;
      return {
        type: countOnly ? "count" : "delete",
        target: questionIds ? { questionIds } : { text, filter },
      };
    }
    case "history/restore":
      return { type: "restore", undo: rest.undo };
    case "history/text":
      return { type: "copyEntries", ids: rest.questionIds };
    case "host/confirmDelete":
      return { type: "confirm", count: rest.count };
    case "host/copy":
      return { type: "copy", text: rest.text };
    case "host/export":
      return { type: "export", target: rest.target };
    case "host/openLink":
      return { type: "openLink", href: rest.href };
    default:
      return undefined;
  }
}

/** The events of a message. */
export function eventOf(posted: Posted | ViewEvent): ViewEvent {
  switch (posted.type) {
    case "ask":
    case "append":
    case "remove":
    case "storage":
    case "hub":
      return { type: "change", change: changeOf(posted) };
    case "trouble": {
      const { message, restarting } = posted;
      return { type: "host", host: { trouble: message === null ? null : { message, restarting } } };
    }
    default:
      return posted as ViewEvent;
  }
}

/** The places of some words in texts, in order. */
export function placed(texts: string[], ...words: string[]): Place[] {
  const starts = (text: string, word: string) =>
    [...text].flatMap((_, at) => (text.startsWith(word, at) ? [at] : []));
  return texts.flatMap((text, index) =>
    words
      .flatMap((word) =>
        starts(text, word).map((start) => ({ text: index, start, end: start + word.length })),
      )
      .sort((one, other) => one.start - other.start)
      .map((place) => ({ ...place, file: "/workspace" })),
  );
}
