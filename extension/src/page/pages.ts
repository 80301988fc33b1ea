// The open pages of this window, and what all of them are told.

import type { Disposable } from "vscode-jsonrpc";
import {
  type FocusParams,
  type HistoryTarget,
  type Host,
  type HostState,
  hostAddQuotes,
  hostDidChange,
  hostDidSaveDraft,
  hostDidSubscribe,
  hostFocus,
  linkSchemes,
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
  request<P, R>(type: Request<P, R>, params: P): Promise<R>;
  /** What only the editor can do. */
  host: Omit<Host, "open" | "didShow">;
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
  private readonly narrowed = new Map<Pipe, Narrowed>();

  constructor(private readonly options: PagesOptions) {
    this.state = options.state;
    options.feed.onDidSubscribe(({ by, inbox }) => {
      for (const pipe of this.pipes) {
        if (pipe !== by) {
          pipe.tell(hostDidSubscribe, inbox);
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
    const { request, feed, host, log } = this.options;
    const pipe: Pipe = new Pipe({
      port,
      log,
      state: () => (only === undefined ? this.state : { ...this.state, only }),
      host: {
        ...host,
        openLink: async ({ href }) => (mayOpen(href) ? host.openLink({ href }) : undefined),
        didShow: async (shown) => void this.narrowed.set(pipe, shown),
      },
      // The changes of all pages begin anew with it.
      request: async (type, params) => {
        if (type.method === inboxSubscribe.method) {
          return feed.subscribe(pipe);
        }
        const result = await request(type, params);
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

  change(change: Partial<HostState>): void {
    this.state = { ...this.state, ...change };
    this.tell(hostDidChange, change);
  }

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
}
