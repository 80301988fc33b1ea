// Leads the user through what takes several steps. The program has the steps ("followup guide", a process for each); here they are shown.

import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import * as protocol from "../protocol.gen";
import { messageOf } from "../sidecar/errors";
import { type Log, pipeLog } from "../sidecar/log";
import { type Launch, startProcess, type Transport } from "../sidecar/transport";
import { failed, isCancelled, offer } from "./messages";

/** What guides need of their surroundings. */
export interface GuideSurroundings {
  launch(subcommand: string): Promise<Launch>;
  options(): Omit<protocol.InitializationOptions, "protocolVersion">;
  saveHub(hub: protocol.HubConnectParams): Promise<void>;
  imported(): void;
  log: Log;
  start?(launch: Launch): Transport;
}

export class Guides implements vscode.Disposable {
  /** Those that run; undefined while the program starts. */
  private readonly running = new Map<protocol.GuideName, MessageConnection | undefined>();
  private readonly processes = new Set<Transport>();

  constructor(private readonly surroundings: GuideSurroundings) {}

  /** Runs a guide, or notifies it if it is running already. Its last messages stay while the next guide runs. */
  async start(guide: protocol.GuideName, more: Partial<protocol.GuideRunParams> = {}): Promise<void> {
    if (this.running.has(guide)) {
      await this.running.get(guide)?.sendNotification(protocol.guideAgain.method, {});
      return;
    }
    this.running.set(guide, undefined);
    const options = { ...this.surroundings.options(), protocolVersion: protocol.Version };
    try {
      const messages = await this.run({ ...more, guide, options });
      for (const message of messages) {
        void this.showMessage(message);
      }
      if (guide === "import" && messages.length > 0) {
        this.surroundings.imported();
      }
    } catch (error) {
      if (!isCancelled(error)) {
        void failed(messageOf(error));
      }
    } finally {
      this.running.delete(guide);
    }
  }

  /** A program whose input has ended ends, in order. */
  dispose(): void {
    for (const { stdin } of this.processes) {
      stdin.end();
    }
  }

  private async run(params: protocol.GuideRunParams): Promise<protocol.GuideMessage[]> {
    const { launch, log, start = startProcess } = this.surroundings;
    const program = start(await launch("guide"));
    this.processes.add(program);
    const { lastWords } = pipeLog(program.stderr, log);
    const { stdin, stdout } = program;
    const rpc = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    const source = new vscode.CancellationTokenSource();
    const meter = new Meter(() => source.cancel());
    this.answer(rpc, meter);
    rpc.listen();
    this.running.set(params.guide, rpc);
    try {
      const ended = program.ended.then((how) => {
        throw new Error(lastWords().split("\n", 1)[0] || how);
      });
      const { messages = [] } = await Promise.race([
        rpc.sendRequest<{ messages?: protocol.GuideMessage[] }>(
          protocol.guideRun.method,
          params,
          source.token,
        ),
        ended,
      ]);
      return messages;
    } finally {
      meter.end();
      source.dispose();
      rpc.dispose();
      stdin.end();
      this.processes.delete(program);
    }
  }

  private answer(rpc: MessageConnection, meter: Meter): void {
    const on = <P, R>({ method }: protocol.Request<P, R>, show: (params: P) => PromiseLike<R>) =>
      rpc.onRequest(method, async (params: P): Promise<unknown> => {
        meter.end();
        return show(params);
      });
    const onNotification = <P>({ method }: protocol.Notification<P>, show: (params: P) => void) =>
      rpc.onNotification(method, show);
    let pick: vscode.QuickPick<Item> | undefined;
    on(protocol.guidePick, (list) => {
      pick = vscode.window.createQuickPick<Item>();
      return choose(pick, list);
    });
    onNotification(protocol.guideDescribe, ({ item, description }) => {
      if (pick) {
        // What the user went to stays active.
        const [{ index: active } = { index: 0 }] = pick.activeItems;
        pick.items = pick.items.map((each) => (each.index === item ? { ...each, description } : each));
        pick.activeItems = pick.items.filter(({ index }) => index === active);
      }
    });
    on(protocol.guideInput, async ({ problem, ...line }) => {
      const validateInput = (text: string) => (text === line.value ? problem : undefined);
      return { text: await vscode.window.showInputBox({ ...line, ignoreFocusOut: true, validateInput }) };
    });
    on(protocol.guideConfirm, async ({ text, detail, button }) => ({
      agreed: (await vscode.window.showInformationMessage(text, { modal: true, detail }, button)) === button,
    }));
    on(protocol.guideOpenFiles, async (dialog) => {
      const uris = await vscode.window.showOpenDialog(dialog);
      return { paths: uris?.map(({ fsPath }) => fsPath) };
    });
    on(protocol.guideSaveFile, async ({ name, ...dialog }) => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
      const defaultUri = vscode.Uri.joinPath(folder, name);
      const uri = await vscode.window.showSaveDialog({ ...dialog, defaultUri });
      return { uri: uri?.toString(), path: uri?.scheme === "file" ? uri.fsPath : undefined };
    });
    on(protocol.guideWriteFile, async ({ uri, text }) => {
      await vscode.workspace.fs.writeFile(vscode.Uri.parse(uri), new TextEncoder().encode(text));
      return {};
    });
    on(protocol.guideForward, async ({ address }) => ({
      address: (await vscode.env.asExternalUri(vscode.Uri.parse(address))).toString(),
    }));
    on(protocol.guideBrowse, async ({ address }) => {
      await vscode.env.openExternal(vscode.Uri.parse(address));
      return {};
    });
    on(protocol.guideSaveHub, async (hub) => {
      await this.surroundings.saveHub(hub);
      return {};
    });
    onNotification(protocol.guideShowMessage, (message) => void this.showMessage(message));
    onNotification(protocol.guideCommand, ({ command }) => void vscode.commands.executeCommand(command));
    onNotification(protocol.guideProgress, (progress) => meter.show(progress));
  }

  private showMessage({ severity, text, buttons = [] }: protocol.GuideMessage): Promise<void> {
    const presses = buttons.map((button) => [button.title, () => this.press(button)]);
    return offer(severity, text, Object.fromEntries(presses));
  }

  private async press({ open = [], command, guide }: protocol.GuideButton): Promise<void> {
    const name = open.length > 1 ? await vscode.window.showQuickPick(open) : open[0];
    if (name !== undefined) {
      const isPath = !/^[\w+.-]{2,}:/.test(name);
      await vscode.commands.executeCommand("vscode.open", vscode.Uri[isPath ? "file" : "parse"](name));
    }
    if (command) {
      await vscode.commands.executeCommand(command);
    }
    if (guide) {
      await this.start(guide.guide, guide);
    }
  }
}

type Item = vscode.QuickPickItem & { index: number };

function choose(
  pick: vscode.QuickPick<Item>,
  { items, ...list }: protocol.GuidePickParams,
): Promise<protocol.GuidePickResult> {
  Object.assign(pick, { canSelectMany: false, matchOnDescription: true, keepScrollPosition: true, ...list });
  pick.items = items.map(({ icon, ...item }, index) => {
    const iconPath = icon ? new vscode.ThemeIcon(icon) : undefined;
    return { ...item, iconPath, index };
  });
  pick.selectedItems = pick.items.filter(({ picked }) => picked);
  return new Promise<protocol.GuidePickResult>((resolve) => {
    pick.onDidAccept(() => {
      const chosen = list.canSelectMany ? pick.selectedItems : pick.activeItems.slice(0, 1);
      if (list.canSelectMany || chosen.length > 0) {
        resolve({ chosen: chosen.map(({ index }) => index) });
      }
    });
    pick.onDidHide(() => resolve({}));
    pick.show();
  }).finally(() => pick.dispose());
}

class Meter {
  private latest: protocol.GuideProgressParams | undefined;
  private report = () => {};
  private close: (() => void) | undefined;

  constructor(private readonly cancel: () => void) {}

  show(progress: protocol.GuideProgressParams): void {
    this.latest = progress;
    if (this.close === undefined) {
      const { title, fixed } = progress;
      const closed = new Promise<void>((resolve) => {
        this.close = resolve;
      });
      const options = { location: vscode.ProgressLocation.Notification, title, cancellable: !fixed };
      // The editor calls back when it has shown it, which may be after the end.
      void vscode.window.withProgress(options, (shown, token) => {
        token.onCancellationRequested(this.cancel);
        let done = 0;
        this.report = () => {
          const { message, percent = 0 } = this.latest ?? {};
          shown.report({ message, increment: Math.max(0, percent - done) });
          done = Math.max(done, percent);
        };
        this.report();
        return closed;
      });
    } else {
      this.report();
    }
  }

  end(): void {
    this.close?.();
    this.close = undefined;
    this.report = () => {};
  }
}
