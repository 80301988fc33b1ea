// Reads the extension's settings.

import * as vscode from "vscode";
import { readPhrases, writePhrases } from "../webview/boundary";
import type * as protocol from "./protocol.gen";
import type { Greeting } from "./sidecar/connection";

/** The extension's current settings. */
const settings = () => vscode.workspace.getConfiguration("followup");

/** Calls a function once for each change of the settings or groups in its key. */
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

/** The window's part of the handshake. */
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

/** The path of the sidecar's binary; empty for the bundled one. */
export const sidecarPath = () => settings().get<string>("sidecar.path", "");

/** The team's hub, and the certificates to trust for it; each may be empty. */
export const hubSetting = () => ({
  url: settings().get("hub", "").trim().replace(/\/+$/, ""),
  certificates: settings().get("hubCertificates", ""),
});

/** Sets the team's hub for this machine; empty for none. */
export const setHub = (url: string) =>
  settings().update("hub", url === "" ? undefined : url, vscode.ConfigurationTarget.Global);

/** How much of the messages to and from the sidecar is logged. */
export function trace(): protocol.Trace {
  const value = settings().get<string>("trace", "off");
  return value === "messages" || value === "verbose" ? value : "off";
}

/** How calls of the language-model tool are parsed. */
export const reading = () => ({
  strict: settings().get("strict", false),
  mistakeLimit: settings().get("mistakeLimit", 3),
});

/** Whether the editor's own agents use the MCP server. By default, if the editor shows MCP Apps and starts servers by itself. */
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

/** The MCP server's variables: the editor's language, which may be one that --locale does not take. */
export const mcpVariables = () => ({ LC_ALL: vscode.env.language });

/** The MCP server's arguments, from the settings. */
export function mcpArguments(): string[] {
  const { strict, mistakeLimit } = reading();
  const { questions, options } = counts();
  return [
    ...(strict ? ["--strict"] : []),
    ...["--mistake-limit", String(Math.max(0, Math.floor(mistakeLimit) || 0))],
    ...["--max-questions", String(questions), "--max-options", String(options)],
  ];
}

/** The default limits for questions of a questionnaire, and options of a question. */
export function counts() {
  const within = (name: string) => Math.min(12, Math.max(4, Math.floor(settings().get(name, 4)) || 4));
  return { questions: within("maxQuestions"), options: within("maxOptions") };
}

/** Whether the view opens when a question arrives. */
export const revealsOnQuestion = () => settings().get<string>("reveal", "onQuestion") !== "never";

/** Whether questions with previews open in a tab by themselves. */
export const opensWide = () => settings().get<string>("openWide", "never") === "previews";

/** The user's ready phrases. */
export const phrases = () => readPhrases(settings().get<unknown>("phrases"));

/** Saves the user's ready phrases, for all windows. */
export async function setPhrases(wanted: unknown): Promise<void> {
  const next = writePhrases(settings().get("phrases"), wanted);
  await settings().update("phrases", next, vscode.ConfigurationTarget.Global);
}

/**
 * How the user is notified of unseen questions. On a remote machine there are no desktop notifications, and a sound only if the
 * user has enabled it there.
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

/** After how many milliseconds the first suggestion is chosen for the user (0 = never). */
export function timedChoice(): protocol.TimerConfigureParams {
  const seconds = settings().get<number>("timedChoice.seconds", 0);
  return { after: Number.isFinite(seconds) && seconds > 0 ? Math.ceil(Math.min(seconds, 86_400)) * 1000 : 0 };
}

/** How much of closed questions is kept. */
export const historyKept = (): protocol.HistoryConfigureParams => ({
  keep: settings().get("history.keep", true),
  retentionDays: Math.max(0, Math.floor(settings().get("history.retentionDays", 0))),
  keepImporting: settings().get("history.keepImporting", false),
});
