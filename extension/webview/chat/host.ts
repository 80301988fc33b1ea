// The page's host inside a conversation: finds the question of the tool call that the page is shown for, and does what the extension
// host does in the editor, as far as the program around it can.

import {
  type HistoryEntry,
  historyGet,
  type Inbox,
  type InboxChange,
  type InboxItem,
  inboxDidChange,
  inboxSubscribe,
  noticeAttend,
} from "../../src/protocol.gen";
import {
  codeNotAsked,
  type HostState,
  hostCopy,
  hostDidChange,
  hostDidSubscribe,
  hostOpen,
  hostOpenLink,
  hostReadFiles,
  hostRun,
} from "../boundary";
import { copyText } from "../browser/copy";
import { Link } from "../link";
import { english, type StringKey, translator } from "../strings";
import { Bridge, type HostContext, type ToolResult } from "./bridge";
import { Pipe, SidecarError } from "./pipe";
import { wear } from "./theme";
import { arriving, ended, toldId } from "./told";

interface Call {
  id?: number;
  method: string;
  params?: unknown;
}

/** How long a host may take to say which call the page is for, in milliseconds; some say it only when the call is over. */
const tellTime = 400;

/** How long it takes until a lost connection is tried again, in milliseconds: first, and at most. */
const retries = { first: 500, most: 10_000 };

/** The most that the server reads of one message, in characters that take no more than a byte each. */
const messageLimit = 15 * 1024 * 1024;

export class ChatHost {
  readonly link = new Link((message) => this.post(message as Call));
  private readonly bridge = new Bridge();
  private readonly pipe: Pipe;
  private context: HostContext = {};
  private input: unknown;
  private result: ToolResult | undefined;
  private inputCame = () => {};
  /** The page has asked how things stand, and is told of changes since. */
  private opened = false;
  private ready = () => {};
  private readonly known = new Promise<void>((resolve) => {
    this.ready = resolve;
  });
  /** The question that is shown live. */
  private question: string | undefined;
  private torn = false;
  private state: HostState = {
    strings: english,
    locale: "en",
    folders: [],
    keep: false,
    phrases: [],
    only: "",
    commands: ["escape"],
    trouble: null,
  };

  constructor(key: string) {
    this.pipe = new Pipe(this.bridge, key);
    void this.start();
  }

  private async start(): Promise<void> {
    const { bridge } = this;
    const input = new Promise<void>((resolve) => {
      this.inputCame = resolve;
    });
    bridge.on<{ arguments?: unknown }>("ui/notifications/tool-input", ({ arguments: given }) => {
      this.input = given ?? {};
      this.inputCame();
      this.showResult();
    });
    bridge.on<{ arguments?: unknown }>("ui/notifications/tool-input-partial", ({ arguments: given }) =>
      this.showTold(arriving(given)),
    );
    bridge.on<ToolResult>("ui/notifications/tool-result", (result) => {
      this.result = result;
      this.inputCame();
      this.showResult();
    });
    bridge.on<HostContext>("ui/notifications/host-context-changed", (changed) => this.changed(changed));
    bridge.on("ui/resource-teardown", () => {
      this.torn = true;
      this.pipe.call("app/close", {}).catch(() => {});
    });
    this.changed(await bridge.start("1"));
    this.watch();
    await this.learnTexts();
    this.ready();
    if (this.context.toolInfo?.id === undefined) {
      await Promise.race([input, pause(tellTime)]);
    }
    await this.live();
  }

  private changed(changed: HostContext): void {
    this.context = { ...this.context, ...changed };
    wear(this.context);
  }

  /** Gets the texts in the host's language. */
  private async learnTexts(): Promise<void> {
    const { locale = "en" } = this.context;
    document.documentElement.lang = locale;
    let texts: Record<string, string> = {};
    if (!/^en\b/i.test(locale)) {
      try {
        texts = (await this.pipe.call<Record<string, string> | null>("app/texts", { locale })) ?? {};
      } catch {
        // better a page in English than none
      }
    }
    const strings = Object.fromEntries(
      Object.entries(english).map(([key, text]) => [key, texts[text] ?? text]),
    );
    this.change({ strings, locale });
  }

  /** Tells the host how high the page is, and the sidecar whether the user can see it. */
  private watch(): void {
    const root = document.documentElement;
    let told = "";
    new ResizeObserver(() => {
      const { width, height } = document.body.getBoundingClientRect();
      const size = { width: Math.ceil(width), height: Math.ceil(height) };
      if (told !== JSON.stringify(size)) {
        told = JSON.stringify(size);
        this.bridge.notify("ui/notifications/size-changed", size);
      }
    }).observe(document.body);
    let inView = true;
    const tell = () => this.attend(inView && !document.hidden);
    new IntersectionObserver((entries) => {
      inView = entries.at(-1)?.isIntersecting ?? inView;
      tell();
    }).observe(root);
    document.addEventListener("visibilitychange", tell);
  }

  private seen = true;

  private attend(seen: boolean): void {
    if (seen !== this.seen) {
      this.seen = seen;
      this.tellAttendance();
    }
  }

  private tellAttendance(): void {
    const { seen, question } = this;
    if (question !== undefined) {
      this.pipe.call(noticeAttend.method, { tells: seen, focused: seen, visible: seen }).catch(() => {});
    }
  }

  /** Shows the question for as long as it is open, over every loss of the connection. */
  private async live(): Promise<void> {
    for (let wait = retries.first; !this.torn; ) {
      try {
        const id = await this.find();
        if (id === undefined) {
          if (this.isOver()) {
            return; // it is over, and shown as the conversation tells it
          }
          continue;
        }
        await this.show(id);
        wait = retries.first;
        if (await this.follow()) {
          return;
        }
      } catch (error) {
        if (this.isOver()) {
          return;
        }
        if (!(error instanceof SidecarError && error.isNoPage)) {
          this.lost();
          await pause(wait);
          wait = Math.min(wait * 2, retries.most);
        }
      }
    }
  }

  /** Whether the conversation tells how the question ended, and nobody else has told more of it. */
  private isOver(): boolean {
    const { question, result, input } = this;
    return question === undefined && result !== undefined && ended(input ?? {}, result) !== undefined;
  }

  /** The id of the call's question; undefined while there is none. */
  private async find(): Promise<string | undefined> {
    const { input, context } = this;
    const { questionId } = await this.pipe.call<{ questionId: string }>("app/open", {
      call: context.toolInfo?.id,
      tool: context.toolInfo?.tool?.name ?? toolOf(input),
      arguments: input,
    });
    return questionId || undefined;
  }

  private async show(id: string): Promise<void> {
    let inbox = await this.pipe.call<Inbox>(inboxSubscribe.method, {});
    if (inbox.items.length === 0 && !inbox.more) {
      const ended = await this.endedItem(id);
      inbox = { ...inbox, items: ended ? [ended] : [] };
    }
    this.question = id;
    const folders = inbox.items.flatMap(({ workspaces = [] }) => workspaces.map(({ uri }) => uri));
    this.change({ only: id, trouble: null, folders }); // the conversation is in no other window
    this.subscribed(inbox);
    this.tellAttendance();
  }

  /** A question that is not open, as it ended; undefined where it is only on its way to the disk. */
  private async endedItem(questionId: string): Promise<InboxItem | undefined> {
    try {
      return closedItem(await this.pipe.call<HistoryEntry>(historyGet.method, { questionId }));
    } catch (error) {
      if (error instanceof SidecarError && !error.isNoPage) {
        return undefined;
      }
      throw error;
    }
  }

  /** Passes what changes to the page; true when the question is over. */
  private async follow(): Promise<boolean> {
    while (!this.torn) {
      const news = await this.pipe.call<{ method: string; params: InboxChange }[]>("app/news", {});
      let over = false;
      for (const { method, params } of news) {
        if (method === inboxDidChange.method) {
          this.link.receive({ jsonrpc: "2.0", method, params });
          over ||= params.items?.some(({ state }) => state === "closed") ?? false;
        }
      }
      if (over) {
        this.pipe.call("app/close", {}).catch(() => {});
        return true;
      }
    }
    return true;
  }

  private lost(): void {
    this.link.lost();
    if (this.question !== undefined) {
      this.change({ trouble: { message: this.t("browser.lost"), restarting: true } });
    }
  }

  /** Shows a question as the conversation alone tells it, until the sidecar does. */
  private showTold(item: InboxItem | undefined): void {
    if (item !== undefined && this.question === undefined) {
      this.change({ only: toldId });
      this.subscribed({ items: [item] });
    }
  }

  private showResult(): void {
    if (this.result !== undefined) {
      this.showTold(ended(this.input ?? {}, this.result));
    }
  }

  /** The inbox begins anew; a page that has not opened yet asks for it. */
  private inbox: Inbox = { items: [] };

  private subscribed(inbox: Inbox): void {
    this.inbox = inbox;
    if (this.opened) {
      this.tell(hostDidSubscribe.method, { inbox, awaited: [] });
    }
  }

  private change(changed: Partial<HostState>): void {
    this.state = { ...this.state, ...changed };
    if (this.opened) {
      this.tell(hostDidChange.method, changed);
    }
  }

  private tell(method: string, params: unknown): void {
    this.link.receive({ jsonrpc: "2.0", method, params });
  }

  private t(key: StringKey, values?: Record<string, string | number>): string {
    return translator(this.state.strings, this.state.locale)(key, values);
  }

  private post(call: Call): boolean {
    const run = this.methods[call.method];
    if (run !== undefined || call.method.startsWith("host/")) {
      void this.answer(call, run ?? (() => ({}))); // the rest only an editor can do
    } else if (this.question === undefined || this.state.trouble !== null) {
      return false;
    } else {
      void this.answer(call, (params) => this.ask(call.method, params));
    }
    return true;
  }

  private async ask(method: string, params: unknown): Promise<unknown> {
    if (JSON.stringify(params).length > messageLimit) {
      throw new SidecarError(-32_600, this.t("problem.tooLong"));
    }
    return this.pipe.call(method, params);
  }

  private async answer({ id, params }: Call, run: (params: never) => unknown): Promise<void> {
    try {
      const result = (await run(params as never)) ?? {};
      this.link.receive({ jsonrpc: "2.0", id, result });
    } catch (error) {
      const code = error instanceof SidecarError && !error.isNoPage ? error.code : codeNotAsked;
      const message = error instanceof Error ? error.message : "";
      this.link.receive({ jsonrpc: "2.0", id, error: { code, message } });
    }
  }

  private readonly methods: Readonly<Record<string, (params: never) => unknown>> = {
    [hostOpen.method]: async () => {
      await this.known;
      this.opened = true;
      return this.state;
    },
    [inboxSubscribe.method]: () => this.inbox,
    [hostReadFiles.method]: ({ uris }: { uris: string[] }) => ({
      files: uris.map((name) => ({ name, refused: "notRead" })),
    }),
    [hostCopy.method]: ({ text }: { text: string }) => copyText(text, this.t("problem.notCopied")),
    [hostOpenLink.method]: ({ href }: { href: string }) => this.bridge.request("ui/open-link", { url: href }),
    [hostRun.method]: ({ command }: { command: string }) => {
      if (command === "escape" && document.activeElement instanceof HTMLElement) {
        document.activeElement.blur();
      }
    },
  };
}

/** The tool by what its calls hold, where the host does not name it. */
function toolOf(input: unknown): string {
  return typeof input === "object" && input !== null && "questions" in input
    ? "AskUserQuestion"
    : "ask_followup_question";
}

/** A question from the history, as the inbox would tell it. */
function closedItem(entry: HistoryEntry): InboxItem {
  const { questionId, agent, payload, rendered, guidance, askedAt = 0, outcome } = entry;
  const asked = payload ?? { question: "", suggest: [] };
  return {
    questionId,
    session: "",
    agent,
    tool: "",
    state: "closed",
    ask: "questions" in asked ? "questions" : "followup",
    payload: asked,
    rendered,
    guidance,
    askedAt,
    order: 0,
    outcome,
  };
}

function pause(time: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}
