// Reads the extension's settings.

import * as vscode from "vscode";
import { readPhrases, writePhrases } from "../webview/boundary";
import type * as protocol from "./protocol.gen";
import type { Greeting } from "./sidecar/connection";

/** The extension's current settings. */
const settings = () => vscode.workspace.getConfiguration("followup");

/** Calls a function once for each change of the settings or groups that its key names. */
export function followSettings(changed: Readonly<Record<string, () => unknown>>): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    for (const [names, follow] of Object.entries(changed)) {
      if (names.split(" ").some((name) => event.affectsConfiguration(name))) {
        follow();
      }
    }
  });
}

/** The window's workspace folders. */
export function workspaceFolders(): protocol.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name }));
}

/** What the handshake says about this window. */
export function greeting(context: vscode.ExtensionContext): Greeting {
  return {
    processId: process.pid,
    clientInfo: { name: vscode.env.appName, version: vscode.version },
    initializationOptions: {
      locale: vscode.env.language,
      editorFolder: context.globalStorageUri.fsPath,
      workspaceFolders: workspaceFolders(),
    },
  };
}

/** The path of the sidecar's binary; empty when the bundled one is to be used. */
export const sidecarPath = () => settings().get<string>("sidecar.path", "");

/** The team's hub, and the certificates that are trusted for it; each may be empty. */
export const hubSetting = () => ({
  url: settings().get("hub", "").trim().replace(/\/+$/, ""),
  certificates: settings().get("hubCertificates", ""),
});

/** Sets the team's hub, for this machine; empty: none. */
export const setHub = (url: string) =>
  settings().update("hub", url === "" ? undefined : url, vscode.ConfigurationTarget.Global);

/** How much of the traffic with the sidecar is logged. */
export function trace(): protocol.Trace {
  const value = settings().get<string>("trace", "off");
  return value === "messages" || value === "verbose" ? value : "off";
}

/** How calls of the language-model tool are read. */
export const reading = () => ({
  strict: settings().get("strict", false),
  mistakeLimit: settings().get("mistakeLimit", 3),
});

/** Whether the editor's own agents use the MCP server; by default if the editor shows MCP Apps and starts servers by itself. */
export function asksByMcp(): boolean {
  const chosen = settings().get<string>("editorAgents", "auto");
  const chat = vscode.workspace.getConfiguration("chat.mcp");
  return chosen === "auto"
    ? chat.get("apps.enabled") === true &&
        chat.get<string>("access", "all") === "all" &&
        chat.get<string>("autostart", "newAndOutdated") !== "never"
    : chosen === "mcp";
}

/** The settings that the MCP server depends on. */
export const mcpSettings =
  "chat.mcp followup.editorAgents followup.strict followup.mistakeLimit followup.maxQuestions followup.maxOptions";

/** The MCP server's arguments, from the settings. */
export function mcpArguments(): string[] {
  const { strict, mistakeLimit } = reading();
  const { questions, options } = counts();
  return [
    ...["--locale", vscode.env.language],
    ...(strict ? ["--strict"] : []),
    ...["--mistake-limit", String(Math.max(0, Math.floor(mistakeLimit) || 0))],
    ...["--max-questions", String(questions), "--max-options", String(options)],
  ];
}

/** How many questions, and options of one, a questionnaire may hold, where an agent does not say it itself. */
export function counts() {
  const within = (name: string) => Math.min(12, Math.max(4, Math.floor(settings().get(name, 4)) || 4));
  return { questions: within("maxQuestions"), options: within("maxOptions") };
}

/** Whether the view appears when a question arrives. */
export const revealsOnQuestion = () => settings().get<string>("reveal", "onQuestion") !== "never";

/** Whether questions with previews are opened in a tab by themselves. */
export const opensWide = () => settings().get<string>("openWide", "never") === "previews";

/** The user's ready phrases. */
export const phrases = () => readPhrases(settings().get<unknown>("phrases"));

/** Changes the user's ready phrases, for all windows. */
export async function setPhrases(wanted: unknown): Promise<void> {
  const next = writePhrases(settings().get("phrases"), wanted);
  await settings().update("phrases", next, vscode.ConfigurationTarget.Global);
}

/**
 * How unseen questions are notified. On a remote machine there is no desktop notification, and a sound only if the user has enabled it
 * there.
 */
export function notified(): protocol.NoticeConfigureParams {
  const { remoteName, uiKind, appHost } = vscode.env;
  const remote = remoteName !== undefined || uiKind !== vscode.UIKind.Desktop || appHost !== "desktop";
  return {
    editor: settings().get("notice.editor", true),
    desktop: !remote && settings().get("notice.desktop", true),
    sound: settings().inspect<boolean>("notice.sound")?.globalValue ?? !remote,
  };
}

/** After how long the first suggestion is taken in the user's place; 0: never. */
export function timedChoice(): protocol.TimerConfigureParams {
  const seconds = settings().get<number>("timedChoice.seconds", 0);
  return { after: Number.isFinite(seconds) && seconds > 0 ? Math.ceil(Math.min(seconds, 86_400)) * 1000 : 0 };
}

/** What of closed questions is kept. */
export const historyKept = (): protocol.HistoryConfigureParams => ({
  keep: settings().get("history.keep", true),
  retentionDays: Math.max(0, Math.floor(settings().get("history.retentionDays", 0))),
  keepImporting: settings().get("history.keepImporting", false),
});
