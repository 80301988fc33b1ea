// The page's host in a browser: does what the extension host does in the editor, as far as a browser can.

import {
  historyText,
  inboxDidShow,
  inboxSubscribe,
  noticeAttend,
  noticeDidChange,
} from "../../src/protocol.gen";
import {
  type HistoryTarget,
  type HostState,
  hostConfirmDelete,
  hostCopy,
  hostDidChange,
  hostDidSubscribe,
  hostExport,
  hostOpen,
  hostOpenLink,
  hostReadFiles,
  hostRun,
  hostSetPhrases,
  readPhrases,
} from "../boundary";
import { Link } from "../link";
import { type StringKey, translator } from "../strings";
import { copyText } from "./copy";
import { type Connection, Socket } from "./socket";
import { applyNotices, attendance, closeNotices, drawAccount, isSeen, onSeen } from "./surroundings";

interface Call {
  id?: number;
  method: string;
  params?: unknown;
}

/** JSON-RPC's code for a message that is not looked at. */
const invalidRequest = -32600;

/** The most that the server reads of one message, in bytes. */
const messageLimit = 32 * 1024 * 1024;

/** Under which name the browser keeps the user's ready phrases, which in the editor are a setting. */
const phrasesKey = "followup.phrases";

function keptPhrases(): string[] {
  try {
    return readPhrases(JSON.parse(localStorage.getItem(phrasesKey) ?? "[]"));
  } catch {
    return [];
  }
}

export class BrowserHost {
  readonly link = new Link((message) => this.post(message as Call));
  private readonly socket = new Socket(
    (message) => this.link.receive(message),
    (connection) => this.changed(connection),
  );
  private state: HostState | undefined;
  private connection: Connection | undefined;
  private begun = () => {};
  /** Settles when it is known whether there is a connection. */
  private readonly known = new Promise<void>((resolve) => {
    this.begun = resolve;
  });

  constructor(
    private readonly locale: string,
    private readonly strings: Readonly<Record<string, string>>,
  ) {
    onSeen(() => this.showed());
    this.link.on(noticeDidChange, applyNotices);
    void this.socket.open();
  }

  /** A text in the user's language. */
  t(key: StringKey, values?: Record<string, string | number>): string {
    return translator(this.strings, this.locale)(key, values);
  }

  private post(call: Call): boolean {
    if (!call.method.startsWith("host/")) {
      const message = JSON.stringify(call);
      return isTooLong(message) ? this.refuse(call) : this.socket.send(message);
    }
    const run = this.methods[call.method] ?? (() => ({})); // the rest only an editor can do
    void this.answer(call, run);
    return true;
  }

  /** The server ends a connection that so long a message comes by, and it would only be sent again. */
  private refuse({ id }: Call): boolean {
    if (id !== undefined) {
      const error = { code: invalidRequest, message: this.t("problem.tooLong") };
      this.link.receive({ jsonrpc: "2.0", id, error });
    }
    return true;
  }

  private async answer({ id, params }: Call, run: (params: never) => unknown): Promise<void> {
    try {
      const result = (await run(params as never)) ?? {};
      this.link.receive({ jsonrpc: "2.0", id, result });
    } catch (error) {
      const message = error instanceof Error ? error.message : "";
      this.link.receive({ jsonrpc: "2.0", id, error: { code: -32603, message } });
    }
  }

  /** The first connection, or that there is none, is a part of what the page is told first; the later ones it is told of. */
  private changed(connection: Connection): void {
    const first = this.connection === undefined;
    this.connection = connection;
    if (connection !== "open" && !first) {
      closeNotices();
      this.link.lost(); // what the page asked first is still answered
    }
    const told = {
      // A connection that was lost is tried again by itself.
      commands: connection === "refused" ? (["escape", "restart"] as const) : (["escape"] as const),
      trouble:
        connection === "open"
          ? null
          : {
              message: this.t(connection === "lost" ? "browser.lost" : "browser.refused"),
              restarting: connection === "lost",
            },
    };
    if (connection === "open") {
      this.showed();
      drawAccount((key, values) => this.t(key, values));
    }
    this.state = {
      strings: this.strings,
      locale: this.locale,
      folders: [],
      keep: true,
      phrases: keptPhrases(),
      ...told,
    };
    this.begun();
    if (!first) {
      this.tell(hostDidChange.method, told);
      if (connection === "open") {
        void this.subscribe();
      }
    }
  }

  /** Agents that wait in other programs are told by the sidecar whether somebody could see their questions. */
  showed(): void {
    this.link.notify(inboxDidShow, { shown: isSeen() });
    this.link.notify(noticeAttend, attendance());
  }

  private async subscribe(): Promise<void> {
    try {
      const inbox = await this.link.request(inboxSubscribe, {});
      this.tell(hostDidSubscribe.method, { inbox, awaited: [] });
    } catch {
      // The connection was lost again.
    }
  }

  private tell(method: string, params: unknown): void {
    this.link.receive({ jsonrpc: "2.0", method, params });
  }

  private readonly methods: Readonly<Record<string, (params: never) => unknown>> = {
    [hostOpen.method]: async () => {
      await this.known;
      return this.state;
    },
    [hostReadFiles.method]: ({ uris }: { uris: string[] }) => ({
      files: uris.map((name) => ({ name, refused: "notRead" })),
    }),
    [hostCopy.method]: ({ text }: { text: string }) => copyText(text, this.t("problem.notCopied")),
    [hostConfirmDelete.method]: ({ count }: { count: number }) => ({
      confirmed: confirm(this.t("browser.confirmDelete", { count })),
    }),
    [hostExport.method]: ({ target }: { target: HistoryTarget }) => this.export(target),
    [hostOpenLink.method]: ({ href }: { href: string }) => this.openLink(href),
    [hostSetPhrases.method]: ({ phrases }: { phrases: string[] }) => {
      localStorage.setItem(phrasesKey, JSON.stringify(phrases));
    },
    [hostRun.method]: ({ command }: { command: string }) => {
      if (command === "restart") {
        this.socket.retry();
      } else if (command === "escape" && document.activeElement instanceof HTMLElement) {
        document.activeElement.blur();
      }
    },
  };

  private async export(target: HistoryTarget): Promise<void> {
    const { text } = await this.link.request(historyText, { format: "markdown", ...target });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
    link.download = "followup.md";
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** The page has let through http, https and mailto only. */
  private openLink(href: string): void {
    if (confirm(this.t("browser.openLink", { href }))) {
      window.open(href, "_blank", "noopener,noreferrer");
    }
  }
}

/** Whether a text is more in UTF-8 than the server reads; no character of it takes more than three bytes. */
function isTooLong(text: string): boolean {
  return text.length * 3 > messageLimit && new Blob([text]).size > messageLimit;
}
