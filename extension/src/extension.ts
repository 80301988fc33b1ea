// The extension's entry point, which only connects the parts.

import { delimiter, dirname } from "node:path";
import * as vscode from "vscode";
import { Agents } from "./agents/agents";
import type { FollowupApi } from "./agents/api";
import { McpServer } from "./agents/mcp";
import { registerTools } from "./agents/tools";
import { registerCommands } from "./commands/commands";
import { Guides } from "./commands/guides";
import { offerLinkOnce } from "./commands/link";
import { openInterface } from "./page/interface";
import { historyConfigure, timerConfigure } from "./protocol.gen";
import * as settings from "./settings";
import { Hub } from "./sidecar/hub";
import { binaryVariable, locate } from "./sidecar/locate";
import { Sidecar } from "./sidecar/sidecar";

let stop: (() => Promise<void>) | undefined;

/** Called by the editor. Returns the API for other extensions. */
export function activate(context: vscode.ExtensionContext): FollowupApi {
  const { extensionPath, extensionUri, extension, globalStorageUri, secrets, subscriptions } = context;
  const log = vscode.window.createOutputChannel("Followup", { log: true });
  const launch = async (subcommand: string) => {
    const storagePath = globalStorageUri.fsPath;
    const command = await locate({ setting: settings.sidecarPath(), extensionPath, storagePath });
    // The editor's terminals find the program by its name, after the user's own.
    context.environmentVariableCollection.append("PATH", delimiter + dirname(command));
    // In one process, a debugger sees everything, and the development build replaces no running keeper.
    const alone = subcommand === "serve" && process.env[binaryVariable]?.trim();
    return { command, args: alone ? [subcommand, "--alone"] : [subcommand] };
  };
  const sidecar = new Sidecar({
    launch: () => launch("serve"),
    greeting: () => settings.greeting(context),
    trace: settings.trace,
    log,
  });
  const mcp = new McpServer(launch, extension.packageJSON.version, log);
  const configureHistory = sidecar.configure(historyConfigure, settings.historyKept);
  // The last window's choice applies. A window without one does not disable the others' by opening.
  const configureTimer = sidecar.configure(timerConfigure, settings.timedChoice, ({ after }) => after > 0);
  const agents = new Agents(sidecar);
  const hub = new Hub(sidecar, secrets, vscode.env.remoteName ?? "", log);
  const page = openInterface(extensionUri, sidecar, log);
  const guides = new Guides({
    launch,
    options: () => settings.greeting(context).initializationOptions,
    saveHub: (set) => hub.keep(set),
    imported: () => page.historyChanged(),
    showText: (name, text) => page.showText(name, text),
    log,
  });
  subscriptions.push(
    log,
    page,
    guides,
    mcp,
    registerTools(agents, log),
    registerCommands({ launch, sidecar, guides, page, log, extensionId: extension.id }),
    secrets.onDidChange(() => hub.changed()),
    settings.followSettings({
      "followup.sidecar.path": () => {
        mcp.changed();
        void sidecar.restart();
      },
      [settings.mcpSettings]: () => mcp.changed(),
      "followup.hub followup.hubCertificates": () => hub.changed(),
      "followup.trace": () => sidecar.connection?.setTrace(settings.trace()),
      "followup.phrases": () => page.phrasesChanged(),
      "followup.notice": () => page.noticesChanged(),
      "followup.timedChoice": () => void configureTimer(),
      "followup.history": async () => {
        page.keepChanged();
        await configureHistory();
        page.historyChanged();
      },
    }),
  );
  if (context.extensionMode === vscode.ExtensionMode.Production) {
    subscriptions.push(offerLinkOnce(sidecar, guides, context.globalState));
  }
  stop = () => sidecar.stop();
  sidecar.start();
  return { apiVersion: agents.apiVersion, openSession: (options) => agents.openSession(options) };
}

/** Called by the editor before the extension host exits. */
export async function deactivate(): Promise<void> {
  await stop?.();
}
