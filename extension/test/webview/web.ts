// The real `followup web` and an editor's sidecar on one store, for tests of the page in a browser.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { uuidv7 } from "../../src/agents/api";
import {
  type InboxItem,
  inboxDidChange,
  inboxSubscribe,
  initialize,
  initialized,
  type Notification,
  questionAsk,
  type Request,
  sessionOpen,
  Version,
} from "../../src/protocol.gen";
import { browserOfWorker } from "./browsers";
import { pageFolder } from "./bundle";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The imports of the page for browsers. Never loaded: they tell `vitest --changed` which tests open the page. */
export const shown = () => [import("../../webview/browser/host"), import("../../webview/browser/worker")];

/** Where each worker builds its program, unless FOLLOWUP_PROGRAM names one. An up-to-date program is not linked again. */
const ownProgram = fileURLToPath(
  new URL(`../out/sidecar-${process.env.VITEST_POOL_ID}/followup`, import.meta.url),
);

/** The program, and the worker's browser. */
export const launch = (options?: { whole: boolean }) =>
  Promise.all([Program.build(), browserOfWorker(options)]);

/** The sidecar's program and the page for browsers, built as for the package. */
export class Program {
  private readonly storages: string[] = [];

  private constructor(
    private readonly folder: string,
    readonly binary: string,
  ) {}

  /** Builds the program if necessary. */
  static async build(): Promise<Program> {
    const built = process.env.FOLLOWUP_PROGRAM;
    if (!built) await promisify(execFile)("go", ["build", "-o", ownProgram, "./cmd/followup"], { cwd: root });
    return new Program(await mkdtemp(join(tmpdir(), "followup-web-")), built ?? ownProgram);
  }

  async remove(): Promise<void> {
    // A keeper runs for a while after its last client, and writes in its folder until it exits. Without one, stopping fails.
    const stop = (storage: string) =>
      promisify(execFile)(this.binary, ["keeper", "stop", "--storage", storage]).catch(() => {});
    await Promise.all(this.storages.map(stop));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  /** Creates a folder for a separate store. */
  async storage(): Promise<string> {
    const storage = await mkdtemp(join(this.folder, "storage-"));
    this.storages.push(storage);
    return storage;
  }

  /** Starts `followup web`, with more flags; returns the printed address. */
  serve(storage: string, ...flags: string[]): Promise<Web> {
    return this.listen("web", storage, "--parent", String(process.pid), ...flags);
  }

  /** Starts `followup mcp` like an agent. */
  mcp(storage: string): ChildProcess {
    const args = ["mcp", "--storage", storage, "--page", pageFolder, "--log-level", "error"];
    return spawn(this.binary, args, { stdio: ["pipe", "pipe", "inherit"] });
  }

  /** Starts `followup hub`; returns its address. */
  hub(storage: string): Promise<Web> {
    return this.listen("hub", storage, "--log-level", "warn");
  }

  private async listen(command: string, storage: string, ...more: string[]): Promise<Web> {
    const args = [command, "--json", "--storage", storage, "--page", pageFolder, ...more];
    const web = spawn(this.binary, args, { stdio: ["ignore", "pipe", "pipe"] });
    const refusals: string[] = [];
    createInterface({ input: web.stderr }).on("line", (line) => refusals.push(line));
    const [line] = (await once(createInterface({ input: web.stdout }), "line")) as [string];
    return { url: (JSON.parse(line) as { url: string }).url, refusals, end: () => ended(web) };
  }

  /** Invites somebody to a hub, and returns the token. */
  async invite(storage: string, name: string, ...how: string[]): Promise<string> {
    const args = ["hub", "invite", name, "--json", "--storage", storage, ...how];
    const { stdout } = await promisify(execFile)(this.binary, args);
    return (JSON.parse(stdout) as { token: string }).token;
  }

  /** Revokes somebody's token at a hub. */
  async revoke(storage: string, name: string): Promise<void> {
    await promisify(execFile)(this.binary, ["hub", "revoke", name, "--storage", storage]);
  }

  /** Asks at a hub like a script, with a token; returns the script's output. */
  async askAt(hub: string, token: string, ...args: string[]): Promise<string> {
    const file = join(await this.storage(), "token");
    await writeFile(file, token, { mode: 0o600 });
    const all = ["ask", "--hub", hub, "--hub-token-file", file, "--hub-insecure", "--quiet", ...args];
    const { stdout } = await promisify(execFile)(this.binary, all);
    return stdout.trim();
  }

  /** Starts a sidecar like an editor, or like an agent without one, which shows no inbox. */
  async editor(storage: string, shows = true): Promise<Editor> {
    const sidecar = spawn(this.binary, ["serve", "--log-level", "error"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const rpc = createMessageConnection(
      new StreamMessageReader(sidecar.stdout),
      new StreamMessageWriter(sidecar.stdin),
    );
    const editor = new Editor(rpc, () => ended(sidecar));
    await editor.begin(storage, shows);
    return editor;
  }
}

/** A running `followup web`. */
export interface Web {
  /** The address with the secret. */
  url: string;
  /** The lines of its log. */
  refusals: string[];
  end(): Promise<void>;
}

/** Ends a process and waits for its exit. */
async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode === null && process.signalCode === null) {
    const exit = once(process, "exit");
    process.kill("SIGTERM");
    await exit;
  }
}

/** An editor with an agent in it. */
export class Editor {
  private readonly items = new Map<string, InboxItem>();
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly rpc: MessageConnection,
    readonly end: () => Promise<void>,
  ) {}

  async begin(storageFolder: string, shows: boolean): Promise<void> {
    this.rpc.onNotification(inboxDidChange.method, ({ items = [] }: { items?: InboxItem[] }) => {
      for (const item of items) {
        this.items.set(item.questionId, item);
      }
      for (const look of this.watchers) {
        look();
      }
    });
    this.rpc.listen();
    await this.request(initialize, {
      initializationOptions: { protocolVersion: Version, storageFolder },
    });
    await this.rpc.sendNotification(initialized.method, {});
    if (shows) {
      await this.request(inboxSubscribe, {});
    }
  }

  request<P, R>({ method }: Request<P, R>, params: P): Promise<R> {
    return this.rpc.sendRequest<R>(method, params);
  }

  notify<P>({ method }: Notification<P>, params: P): void {
    void this.rpc.sendNotification(method, params);
  }

  on<P>({ method }: Notification<P>, listener: (params: P) => void): void {
    this.rpc.onNotification(method, listener);
  }

  /** Waits for the only question that can be answered. */
  async pending(): Promise<InboxItem> {
    return await new Promise((resolve) => {
      const look = () => {
        const item = [...this.items.values()].find(({ state }) => state === "pending");
        if (item !== undefined) {
          this.watchers.delete(look);
          resolve(item);
        }
      };
      this.watchers.add(look);
      look();
    });
  }

  /** Whether no question is open. */
  get isEmpty(): boolean {
    return [...this.items.values()].every(({ state }) => state === "closed");
  }

  /** An agent asks; returns the question's id and the pending answer. */
  async ask(question: string, ...answers: string[]) {
    const { session } = await this.request(sessionOpen, {
      agent: "Harbour",
      key: uuidv7(),
      workspaceFolders: [{ uri: "file:///home/me/ferries", name: "ferries" }],
    });
    const questionId = uuidv7();
    const input = { question, follow_up: answers.map((text) => ({ text })) };
    const answer = this.request(questionAsk, {
      session,
      questionId,
      tool: "ask_followup_question",
      input,
    });
    await this.until(questionId, ({ state }) => state === "pending");
    return { questionId, answer };
  }

  /** Waits until the editor gets a question in this state. */
  until(questionId: string, check: (item: InboxItem) => boolean): Promise<InboxItem> {
    return new Promise((resolve) => {
      const look = () => {
        const item = this.items.get(questionId);
        if (item && check(item)) {
          this.watchers.delete(look);
          resolve(item);
        }
      };
      this.watchers.add(look);
      look();
    });
  }
}
