// The open pages of this window, and what all of them are told.

import type { CancellationToken, Disposable } from "vscode-jsonrpc";
import {
  type EditorFile,
  type FocusParams,
  type HistoryTarget,
  type HostCommand,
  type HostState,
  hostAddQuotes,
  hostConfirmDelete,
  hostCopy,
  hostDidChange,
  hostDidFocus,
  hostDidSaveDraft,
  hostDidShow,
  hostDidSubscribe,
  hostExport,
  hostFindFiles,
  hostFindPlaces,
  hostFocus,
  hostOpen,
  hostOpenLink,
  hostOpenPlace,
  hostOpenQuestion,
  hostReadFiles,
  hostRun,
  hostSetPhrases,
  linkSchemes,
  type Place,
} from "../../webview/boundary";
import {
  inboxSubscribe,
  type Notification,
  type Quote,
  questionSaveDraft,
  type Request,
  type SaveDraftParams,
  type SaveDraftResult,
} from "../protocol.gen";
import type { Log } from "../sidecar/log";
import type { Feed } from "./feed";
import { Pipe, type Port } from "./pipe";

/** What pages need of their surroundings. */
export interface PagesOptions {
  /** What a page is told first. */
  state: HostState;
  feed: Pick<Feed, "subscribe" | "onDidSubscribe">;
  /** Asks the sidecar. */
  request<P, R>(type: Request<P, R>, params: P, token: CancellationToken): Promise<R>;
  /** Reads files of the editor's that were dropped on a card; at most `room` images of at most so many bytes. */
  readFiles(uris: readonly string[], room: number, bytes: number): Promise<EditorFile[]>;
  /** Opens a link (http, https or mailto) that an agent wrote, after the user was asked. */
  openLink(href: string): void;
  /** Which of the places in files that an agent named can be opened, in their order. */
  findPlaces(places: readonly Place[]): Promise<boolean[]>;
  /** Opens such a place. */
  openPlace(place: Place): unknown;
  /** The workspace's files whose paths hold a text, the best first; the search before it is given up. */
  findFiles(text: string): Promise<string[]>;
  /** A question has got the keyboard focus. */
  focused(questionId: string): void;
  /** Opens a question in a tab of its own. */
  openQuestion(questionId: string): void;
  /** Changes the user's ready phrases. */
  setPhrases(phrases: unknown): Promise<void>;
  /** Puts a text into the clipboard. */
  copy(text: string): Thenable<void>;
  /** Asks the user whether everything that matches, so many entries, is to be deleted. */
  confirmDelete(count: number): Promise<boolean>;
  /** Leads the user through an export. */
  export(target: HistoryTarget): void;
  run(command: HostCommand): void;
  log: Log;
}

/** Whether a link that an agent wrote may be opened at all. */
export function mayOpen(href: string): boolean {
  return URL.canParse(href) && linkSchemes.includes(new URL(href).protocol);
}

/** What a page shows of the history: a text and a filter, which may narrow nothing. */
type Narrowed = Extract<HistoryTarget, { text: string }>;

/** A page that is open. */
export interface Page extends Disposable {
  /** Puts the keyboard focus there, now or as soon as the page is open. */
  focus(to: FocusParams): void;
  /** Adds something from the editor to what the user has begun for a question, now or as soon as the page is open. */
  add(questionId: string, quotes: Quote[]): void;
}

export class Pages {
  private readonly pipes = new Set<Pipe>();
  private state: HostState;
  /** What each page shows of the history. */
  private readonly narrowed = new Map<Pipe, Narrowed>();

  constructor(private readonly options: PagesOptions) {
    this.state = options.state;
    options.feed.onDidSubscribe(({ by, inbox, awaited }) => {
      for (const pipe of this.pipes) {
        if (pipe !== by) {
          pipe.tell(hostDidSubscribe, { inbox, awaited });
        }
      }
    });
  }

  /** What the history shows at the moment: a text and a filter, which may narrow nothing. */
  get shown(): Narrowed {
    return [...this.narrowed.values()].at(-1) ?? { text: "", filter: {} };
  }

  /** Connects a page, which shows all questions or one only. */
  open(port: Port, only?: string): Page {
    const { request, feed, log } = this.options;
    const pipe: Pipe = new Pipe({
      port,
      host: this.methods((shown) => this.narrowed.set(pipe, shown), only),
      tooLong: this.state.strings["problem.tooLong"] ?? "",
      log,
      // The changes of all pages begin anew with it.
      request: async (type, params, token) => {
        if (type.method === inboxSubscribe.method) {
          return feed.subscribe(pipe);
        }
        const result = await request(type, params, token);
        if (type.method === questionSaveDraft.method) {
          this.savedDraft(pipe, params as SaveDraftParams, result as SaveDraftResult);
        }
        return result;
      },
    });
    this.pipes.add(pipe);
    return {
      focus: (to) => pipe.tellLater(hostFocus, to),
      add: (questionId, quotes) => pipe.tellLater(hostAddQuotes, { questionId, quotes }),
      dispose: () => {
        this.pipes.delete(pipe);
        this.narrowed.delete(pipe);
        pipe.dispose();
      },
    };
  }

  /** The host is not what it was. */
  change(change: Partial<HostState>): void {
    this.state = { ...this.state, ...change };
    this.tell(hostDidChange, change);
  }

  /** Tells all open pages something of the host's. */
  tell<P>(type: Notification<P>, params: P): void {
    for (const pipe of this.pipes) {
      pipe.tell(type, params);
    }
  }

  /** Passes a notification of the sidecar's to all open pages. */
  pass<P>(type: Notification<P>, params: P): void {
    for (const pipe of this.pipes) {
      pipe.pass(type, params);
    }
  }

  /** The other pages have what one has saved of a draft; an image's data comes once from whoever added it. */
  private savedDraft(by: Pipe, saved: SaveDraftParams, { missing }: SaveDraftResult): void {
    for (const pipe of this.pipes) {
      if (pipe !== by && !missing?.length) {
        pipe.tell(hostDidSaveDraft, saved);
      }
    }
  }

  private methods(show: (shown: Narrowed) => void, only: string | undefined) {
    const { readFiles, openLink, findPlaces, findFiles, openPlace, setPhrases, copy, confirmDelete, run } =
      this.options;
    return {
      ...method(hostOpen, () => (only === undefined ? this.state : { ...this.state, only })),
      ...method(hostReadFiles, async ({ uris, room, bytes }) => ({
        files: await readFiles(uris, room, bytes),
      })),
      ...method(hostCopy, async ({ text }) => {
        await copy(String(text));
        return {};
      }),
      ...method(hostConfirmDelete, async ({ count }) => ({ confirmed: await confirmDelete(Number(count)) })),
      ...method(hostExport, ({ target }) => this.options.export(target)),
      ...method(hostOpenLink, ({ href }) => (mayOpen(href) ? openLink(href) : undefined)),
      ...method(hostFindPlaces, async ({ places }) => ({ known: await findPlaces([...places]) })),
      ...method(hostFindFiles, async ({ text }) => ({ files: await findFiles(String(text)) })),
      ...method(hostDidFocus, ({ questionId }) => this.options.focused(String(questionId))),
      ...method(hostOpenPlace, ({ place }) => openPlace(place)),
      ...method(hostSetPhrases, ({ phrases }) => setPhrases(phrases)),
      ...method(hostOpenQuestion, ({ questionId }) => this.options.openQuestion(String(questionId))),
      ...method(hostRun, ({ command }) => run(command)),
      ...method(hostDidShow, show),
    };
  }
}

/** A method of the host's by its name. */
function method<P, R>(type: Request<P, R> | Notification<P>, run: (params: P) => unknown) {
  return { [type.method]: run as (params: never) => unknown };
}
