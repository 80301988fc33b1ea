// Followup: Connect Your Agents…

import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { sep } from "node:path";
import * as vscode from "vscode";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import { reasonOf } from "../sidecar/problems";
import type { Launch } from "../sidecar/transport";
import { failed, offer } from "./messages";

/** What the command needs. */
export interface ConnectSurroundings {
  launch(subcommand: string): Launch | Promise<Launch>;
  log: Log;
}

/** An agent, as `followup connect --json` lists it. */
interface Agent {
  id: string;
  name: string;
  found: boolean;
  state: "none" | "partly" | "connected" | "foreign" | "broken";
  files: string[];
  message: string;
}

/** What became of an agent, as `followup connect AGENT --json` prints it. */
interface Result {
  changed: boolean;
  files: { path: string; removed?: boolean }[];
  /** The settings that are added besides Followup's own entry, in words. */
  also: string[];
  /** What was done, and what is left to do, in words. */
  messages: string[];
  notes: string[];
  error?: string;
}

const isIn = ({ state }: Agent): boolean => state === "connected" || state === "partly";

/** Offers the agents of this machine, and has Followup's program write, or take back, what makes them ask here. */
export function connectAgents({ launch, log }: ConnectSurroundings): () => Promise<void> {
  /** Runs the program and reads the document that it prints, also where an agent could not be connected. */
  const run = async <T>(...more: string[]): Promise<T> => {
    const { command, args } = await launch("connect");
    const all = [...args, ...more, "--json", "--locale", vscode.env.language];
    return new Promise((resolve, reject) => {
      execFile(command, all, { windowsHide: true, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
        try {
          resolve(JSON.parse(stdout) as T);
        } catch {
          reject(new Error(stderr.trim() || (error ? messageOf(error) : stdout.trim())));
        }
      });
    });
  };

  /** Connects these agents and disconnects the others. Returns those that have changed; what failed is shown. */
  const connectOnly = async (ids: readonly string[]): Promise<Result[]> => {
    const { results } = await run<{ results: Result[] }>(...ids, "--only");
    for (const { messages, notes, error } of results) {
      for (const line of [...messages, ...notes]) {
        log.info(line);
      }
      if (error !== undefined) {
        log.error(error);
        void failed(error);
      }
    }
    return results.filter(({ changed }) => changed);
  };

  /** Shows which other settings connecting adds, before anything is written. */
  const agreed = async (ids: readonly string[]): Promise<boolean> => {
    const { results } = await run<{ results: Result[] }>(...ids, "--only", "--dry-run");
    const detail = results.flatMap(({ also }) => also).join("\n\n");
    const connect = vscode.l10n.t("Connect");
    const question = vscode.l10n.t(
      "Followup adds more than its own entry to the agents' settings. Connect them?",
    );
    return (
      detail === "" ||
      (await vscode.window.showInformationMessage(question, { modal: true, detail }, connect)) === connect
    );
  };

  return async () => {
    try {
      const { agents } = await run<{ agents: Agent[] }>();
      const chosen = await choose(agents);
      if (chosen && (await agreed(chosen))) {
        const before = agents.filter(isIn).map(({ id }) => id);
        await tell(await connectOnly(chosen), () => connectOnly(before));
      }
    } catch (error) {
      await failed(vscode.l10n.t("The agents could not be connected: {0}", reasonOf(error)));
    }
  };
}

/** What is to be connected in the end; those that are on the machine are proposed. */
async function choose(agents: readonly Agent[]): Promise<string[] | undefined> {
  const home = homedir();
  const short = (path: string) => (path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path);
  const items = [...agents]
    .sort((one, other) => Number(other.found) - Number(one.found))
    .map((agent) => ({
      label: agent.name,
      description: agent.message,
      detail: agent.files.map(short).join(", "),
      picked: isIn(agent) || (agent.found && agent.state === "none"),
      agent,
    }));
  const chosen = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t("Connect Your Agents"),
    placeHolder: vscode.l10n.t("Agents that are checked ask in Followup; the others ask in their own way"),
    matchOnDescription: true,
  });
  return chosen?.map(({ agent }) => agent.id);
}

/** Says in one notice what was done; from there the files can be looked at, or everything be taken back. */
async function tell(changed: readonly Result[], undo: () => unknown): Promise<void> {
  if (changed.length === 0) {
    return;
  }
  const text = [...changed.map(({ messages: [done] }) => done), ...changed.flatMap(({ notes }) => notes)];
  const paths = changed.flatMap(({ files }) => files.flatMap(({ path, removed }) => (removed ? [] : path)));
  const show = async () => {
    const path = paths.length === 1 ? paths[0] : await vscode.window.showQuickPick(paths);
    if (path !== undefined) {
      await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
    }
  };
  await offer("Information", text.join(" "), {
    ...(paths.length > 0 && { [vscode.l10n.t("Show File")]: show }),
    [vscode.l10n.t("Undo")]: undo,
  });
}
