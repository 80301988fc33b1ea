// Shows guides, which lead the user through tasks of several steps. The program implements them: "followup guide", one process each.

import { homedir } from "node:os";
import * as vscode from "vscode";
import { ResponseError } from "vscode-jsonrpc";
import * as protocol from "../protocol.gen";
import { Connection } from "../sidecar/connection";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import { type Launch, startProcess, type Transport } from "../sidecar/transport";
import { failed, offer } from "./messages";

/** What guides depend on. */
export interface GuideSurroundings {
  launch(subcommand: string): Promise<Launch>;
  options(): Omit<protocol.InitializationOptions, "protocolVersion">;
  saveHub(hub: protocol.HubConnectParams): Promise<void>;
  imported(): void;
  showText(name: string, text: string): Promise<void>;
  log: Log;
  start?(launch: Launch): Transport;
}

export class Guides implements vscode.Disposable {
  /** The running guides; undefined while the program starts. */
  private readonly running = new Map<protocol.GuideName, Connection | undefined>();

  constructor(private readonly surroundings: GuideSurroundings) {}

  /** Runs a guide, or notifies it if it is running. Its last messages stay while the next guide runs. */
  async start(guide: protocol.GuideName, more: Partial<protocol.GuideRunParams> = {}): Promise<void> {
    if (this.running.has(guide)) {
      await this.running.get(guide)?.notify(protocol.guideAgain, {});
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
      if (!(error instanceof ResponseError && error.code === protocol.CodeCancelled)) {
        void failed(messageOf(error));
      }
    } finally {
      this.running.delete(guide);
    }
  }

  /** A program exits cleanly when its input ends. */
  dispose(): void {
    for (const program of this.running.values()) {
      program?.endInput();
    }
  }

  private async run(params: protocol.GuideRunParams): Promise<protocol.GuideMessage[]> {
    const { launch, log, start = startProcess } = this.surroundings;
    const program = new Connection(start(await launch("guide")), log);
    this.running.set(params.guide, program);
    const source = new vscode.CancellationTokenSource();
    const meter = new Meter(() => source.cancel());
    this.answer(program, meter);
    try {
      const died = program.ended.then((how) => Promise.reject(new Error(how)));
      const run = program.request(protocol.guideRun, params, source.token);
      const { messages = [] } = await Promise.race([run, died]);
      return messages;
    } finally {
      meter.end();
      source.dispose();
      program.endInput();
    }
  }

  private answer(program: Connection, meter: Meter): void {
    const on = <P, R>(type: protocol.Request<P, R>, show: (params: P) => PromiseLike<R>) =>
      program.answer(type, (params) => {
        meter.end();
        return show(params);
      });
    const act = <P>(
      type: protocol.Request<P, Record<string, never>>,
      run: (params: P) => PromiseLike<unknown>,
    ) =>
      on(type, async (params) => {
        await run(params);
        return {};
      });
    let pick: vscode.QuickPick<Item> | undefined;
    on(protocol.guidePick, (list) => {
      pick = vscode.window.createQuickPick<Item>();
      return choose(pick, list);
    });
    program.on(protocol.guideDescribe, ({ item, description }) => {
      if (pick) {
        // Keep the item that the user has moved to active.
        const [{ index: active } = { index: 0 }] = pick.activeItems;
        pick.items = pick.items.map((each) => (each.index === item ? { ...each, description } : each));
        pick.activeItems = pick.items.filter(({ index }) => index === active);
      }
    });
    on(protocol.guideInput, async ({ problem, ...line }) => {
      const validateInput = (text: string) => (text === line.value ? problem : undefined);
      return { text: await vscode.window.showInputBox({ ...line, ignoreFocusOut: true, validateInput }) };
    });
    act(protocol.guideShowText, ({ name, text }) => this.surroundings.showText(name, text));
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
    act(protocol.guideWriteFile, ({ uri, text }) =>
      vscode.workspace.fs.writeFile(vscode.Uri.parse(uri), new TextEncoder().encode(text)),
    );
    on(protocol.guideForward, async ({ address }) => ({
      address: (await vscode.env.asExternalUri(vscode.Uri.parse(address))).toString(),
    }));
    act(protocol.guideBrowse, ({ address }) => vscode.env.openExternal(vscode.Uri.parse(address)));
    act(protocol.guideSaveHub, (hub) => this.surroundings.saveHub(hub));
    program.on(protocol.guideShowMessage, (message) => void this.showMessage(message));
    program.on(protocol.guideCommand, ({ command }) => void vscode.commands.executeCommand(command));
    program.on(protocol.guideProgress, (progress) => meter.show(progress));
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
  // The dialog stays when the focus moves, such as to a text that the guide shows, or when a page takes the focus back late.
  const always = { ignoreFocusOut: true, matchOnDescription: true, keepScrollPosition: true };
  Object.assign(pick, { canSelectMany: false, ...always, ...list });
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

/** Shows the progress of a guide, until the next question or the end. */
class Meter {
  private shown: Promise<vscode.Progress<protocol.GuideProgressParams>> | undefined;
  private close = () => {};

  constructor(private readonly cancel: () => void) {}

  show(now: protocol.GuideProgressParams): void {
    const { title, fixed } = now;
    this.shown ??= new Promise((resolve) => {
      const closed = new Promise<void>((close) => {
        this.close = close;
      });
      const options = { location: vscode.ProgressLocation.Notification, title, cancellable: !fixed };
      // The editor calls back once the progress is shown, which may be after the end.
      void vscode.window.withProgress(options, (progress, token) => {
        token.onCancellationRequested(this.cancel);
        resolve(progress);
        return closed;
      });
    });
    void this.shown.then((progress) => progress.report(now));
  }

  end(): void {
    this.close();
    this.shown = undefined;
  }
}
