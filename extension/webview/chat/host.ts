// The page's host inside a conversation: finds the question of its tool call, and does what the surrounding program permits.

import * as protocol from "../../src/protocol.gen";
import { closedItem } from "../cards";
import { Backoff, type Message, RequestError } from "../link";
import { PageHost } from "../pageHost";
import { english, inLanguage } from "../strings";
import { greet, type HostContext, openBridge, Pipe, pause, type ToolResult } from "./bridge";
import { arriving, conversationId, ended } from "./conversation";

/** How long a host may take to identify the page's call, in milliseconds; some do so only when the call has ended. */
const identifyTime = 400;

/** The maximum size of one message to the server, in bytes. */
const messageLimit = 15 * 1024 * 1024;

export class ChatHost extends PageHost {
  private readonly bridge = openBridge();
  private readonly pipe: Pipe;
  private context: HostContext = {};
  private input: unknown;
  private result: ToolResult | undefined;
  /** The call's arguments or its result have arrived. */
  private readonly came = Promise.withResolvers<void>();
  private question: string | undefined;
  private torn = false;
  private inView = true;
  private seen: boolean | undefined;

  constructor(key: string) {
    const state = { strings: english, locale: "en", folders: [], keep: false, phrases: [], trouble: null };
    super({ ...state, only: "", commands: ["escape"] }, messageLimit);
    this.pipe = new Pipe(this.bridge, key);
    void this.start();
  }

  private async start(): Promise<void> {
    const { bridge } = this;
    const on = <P>(method: string, listener: (params: P) => void) => bridge.on({ method }, listener);
    on("ui/notifications/tool-input", (call: { arguments?: unknown }) => {
      this.input = call.arguments ?? {};
      this.showResult();
    });
    on("ui/notifications/tool-input-partial", (call: { arguments?: unknown }) =>
      this.showFromConversation(arriving(call.arguments)),
    );
    on("ui/notifications/tool-result", (result: ToolResult) => {
      this.result = result;
      this.showResult();
    });
    on("ui/notifications/host-context-changed", (changed: HostContext) => this.follow(changed));
    on("ui/resource-teardown", () => {
      this.torn = true;
      this.endPage();
    });
    this.follow(await greet(bridge, "1"));
    this.watch();
    await this.learnTexts();
    this.known.resolve();
    if (this.context.toolInfo?.id === undefined) {
      await Promise.race([this.came.promise, pause(identifyTime)]);
    }
    await this.live();
  }

  /** Applies the host's theme. The stylesheet maps its variables to the editor's. */
  private follow(changed: HostContext): void {
    const { style } = document.documentElement;
    const variables = ({ styles }: HostContext) => Object.entries(styles?.variables ?? {});
    for (const [name] of variables(this.context)) {
      style.removeProperty(name);
    }
    this.context = { ...this.context, ...changed };
    for (const [name, value = ""] of variables(this.context)) {
      style.setProperty(name, value);
    }
    style.colorScheme = this.context.theme ?? "";
  }

  private async learnTexts(): Promise<void> {
    const { locale = "en" } = this.context;
    document.documentElement.lang = locale;
    // If the texts cannot be read, the page is in English.
    const texts = /^en\b/i.test(locale)
      ? null
      : await this.pipe.call<Record<string, string> | null>("app/texts", { locale }).catch(() => null);
    this.change({ strings: inLanguage(texts ?? {}), locale });
  }

  /** Reports the page's height to the host, and whether the user can see it to the sidecar. */
  private watch(): void {
    const root = document.documentElement;
    let sent = "";
    new ResizeObserver(() => {
      const { width, height } = document.body.getBoundingClientRect();
      const size = { width: Math.ceil(width), height: Math.ceil(height) };
      if (sent !== JSON.stringify(size)) {
        sent = JSON.stringify(size);
        this.bridge.notify({ method: "ui/notifications/size-changed" }, size);
      }
    }).observe(document.body);
    new IntersectionObserver((entries) => {
      this.inView = entries.at(-1)?.isIntersecting ?? this.inView;
      this.attend();
    }).observe(root);
    document.addEventListener("visibilitychange", () => this.attend());
  }

  private attend(): void {
    const seen = this.inView && !document.hidden;
    if (this.question !== undefined && seen !== this.seen) {
      this.seen = seen;
      const params = { canNotify: seen, focused: seen, visible: seen };
      this.pipe.call(protocol.noticeAttend.method, params).catch(() => {});
    }
  }

  /** Shows the question while it is open, across all interruptions of the connection. */
  private async live(): Promise<void> {
    const backoff = new Backoff();
    do {
      try {
        const id = await this.find();
        if (id !== undefined) {
          await this.show(id);
          backoff.reset();
          return await this.passNews();
        }
      } catch (error) {
        if (!(error instanceof RequestError && error.code === undefined)) {
          this.lost();
          await pause(backoff.next());
        }
      }
    } while (!this.torn && !this.isOver());
  }

  /** Whether the conversation shows how the question ended, and nothing else knows more. */
  private isOver(): boolean {
    const { question, result, input } = this;
    return question === undefined && result !== undefined && ended(input ?? {}, result) !== undefined;
  }

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
    let inbox = await this.pipe.call<protocol.Inbox>(protocol.inboxSubscribe.method, {});
    if (inbox.items.length === 0 && !inbox.more) {
      const ended = await this.endedItem(id);
      inbox = { ...inbox, items: ended ? [ended] : [] };
    }
    this.question = id;
    const folders = inbox.items.flatMap(({ workspaces = [] }) => workspaces.map(({ uri }) => uri));
    this.change({ only: id, trouble: null, folders }); // so that no question counts as another window's
    this.subscribed(inbox);
    this.seen = undefined; // the sidecar may have forgotten it
    this.attend();
  }

  /** The outcome of a question that is not open; undefined if it is only not saved yet. */
  private async endedItem(questionId: string): Promise<protocol.InboxItem | undefined> {
    const { method } = protocol.historyGet;
    try {
      return closedItem(await this.pipe.call<protocol.HistoryEntry>(method, { questionId }));
    } catch (error) {
      if (error instanceof RequestError && error.code !== undefined) {
        return undefined;
      }
      throw error;
    }
  }

  /** Forwards changes to the page until the question is closed. */
  private async passNews(): Promise<void> {
    for (let over = false; !over && !this.torn; ) {
      const news = await this.pipe.call<{ method: string; params: protocol.InboxChange }[]>("app/news", {});
      for (const { method, params } of news) {
        if (method === protocol.inboxDidChange.method) {
          this.link.receive({ jsonrpc: "2.0", method, params });
          over ||= params.items?.some(({ state }) => state === "closed") ?? false;
        }
      }
    }
    this.endPage();
  }

  private lost(): void {
    this.link.lost();
    if (this.question !== undefined) {
      this.change({ trouble: { message: this.t("browser.lost"), restarting: true } });
    }
  }

  /** Shows a question from the conversation alone, until the sidecar sends it. */
  private showFromConversation(item: protocol.InboxItem | undefined): void {
    if (item !== undefined && this.question === undefined) {
      this.change({ only: conversationId });
      this.subscribed({ items: [item] });
    }
  }

  private showResult(): void {
    this.came.resolve();
    if (this.result !== undefined) {
      this.showFromConversation(ended(this.input ?? {}, this.result));
    }
  }

  /** The inbox restarts. A page that has not opened yet requests it. */
  private inbox: protocol.Inbox = { items: [] };

  protected override subscribed(inbox: protocol.Inbox): void {
    this.inbox = inbox;
    if (this.opened) {
      super.subscribed(inbox);
    }
  }

  protected override pass({ id, method = "", params }: Message): boolean {
    if (method === protocol.inboxSubscribe.method) {
      void this.answer(id, async () => this.inbox);
    } else if (this.question === undefined || this.state.trouble !== null) {
      return false;
    } else {
      void this.answer(id, () => this.pipe.call(method, params));
    }
    return true;
  }

  private async answer(id: number | undefined, run: () => Promise<unknown>): Promise<void> {
    try {
      this.link.receive({ id, result: await run() });
    } catch (error) {
      const { code = protocol.CodeNotAsked } = error instanceof RequestError ? error : {};
      this.link.receive({ id, error: { code, message: error instanceof Error ? error.message : "" } });
    }
  }

  private endPage(): void {
    this.pipe.call("app/close", {}).catch(() => {});
  }

  async openLink({ href }: protocol.HostLink): Promise<void> {
    await this.bridge.request({ method: "ui/open-link" }, { url: href });
  }
}

/** The tool, derived from a call's content if the host does not name the tool. */
function toolOf(input: unknown): string {
  return typeof input === "object" && input !== null && "questions" in input
    ? "AskUserQuestion"
    : "ask_followup_question";
}
