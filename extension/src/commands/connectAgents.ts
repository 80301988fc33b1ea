// Followup: Connect Your Agents…

import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { sep } from "node:path";
import * as vscode from "vscode";
import { messageOf } from "../sidecar/errors";
import type { Log } from "../sidecar/log";
import { reasonOf } from "../sidecar/problems";
import type { Launch } from "../sidecar/transport";
import { failed } from "./messages";

/** What the command needs. */
export interface ConnectSurroundings {
  /** The sidecar's program, with a subcommand; it may throw a ProblemError. */
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
  /** Its state in words. */
  message: string;
}

/** What became of an agent, as `followup connect AGENT --json` tells it. */
interface Result {
  id: string;
  name: string;
  changed: boolean;
  files: { path: string; removed?: boolean }[];
  /** The settings that are added besides Followup's own entry, in words. */
  also: string[];
  /** What was done, and what is left to do, in words. */
  messages: string[];
  notes: string[];
  error?: string;
}

interface AgentItem extends vscode.QuickPickItem {
  agent: Agent;
}

/** Offers the agents of this machine, and has Followup's program write, or take back, what makes them ask here. */
export function connectAgents(surroundings: ConnectSurroundings): () => Promise<void> {
  return async () => {
    try {
      const { agents } = await run<{ agents: Agent[] }>(await surroundings.launch("connect"), []);
      const chosen = await choose(agents);
      if (chosen) {
        await apply(surroundings, agents, chosen);
      }
    } catch (error) {
      await notConnected(error);
    }
  };
}

function notConnected(error: unknown): Promise<void> {
  return failed(vscode.l10n.t("The agents could not be connected: {0}", reasonOf(error)));
}

/** Whether something of Followup's is in an agent's configuration. */
const isIn = ({ state }: Agent): boolean => state === "connected" || state === "partly";

/** A path as people write it. */
function short(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** What is to be connected in the end; those that are on the machine are proposed. */
async function choose(agents: readonly Agent[]): Promise<Set<string> | undefined> {
  const items: AgentItem[] = [...agents]
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
  return chosen && new Set(chosen.map(({ agent }) => agent.id));
}

async function apply(
  surroundings: ConnectSurroundings,
  agents: readonly Agent[],
  chosen: ReadonlySet<string>,
): Promise<void> {
  const ids = (wanted: (agent: Agent) => boolean) => agents.filter(wanted).map(({ id }) => id);
  const wanted = ids((agent) => chosen.has(agent.id) && agent.state !== "connected");
  if (!(await agreed(surroundings, wanted))) {
    return;
  }
  const connected = await change(surroundings, "connect", wanted);
  const disconnected = await change(
    surroundings,
    "disconnect",
    ids((agent) => isIn(agent) && !chosen.has(agent.id)),
  );
  const changed = [...connected, ...disconnected].filter((result) => result.changed);
  if (changed.length > 0) {
    const changedIds = (of: readonly Result[]) => of.filter((result) => result.changed).map(({ id }) => id);
    // What was partly there before is not taken away.
    const partly = new Set(ids(isIn));
    await tell(changed, async () => {
      await change(
        surroundings,
        "disconnect",
        changedIds(connected).filter((id) => !partly.has(id)),
      );
      await change(surroundings, "connect", changedIds(disconnected));
    });
  }
}

/** Shows which other settings connecting adds, before anything is written. */
async function agreed({ launch }: ConnectSurroundings, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) {
    return true;
  }
  const { results } = await run<{ results: Result[] }>(await launch("connect"), [...ids, "--dry-run"]);
  const detail = results.flatMap(({ also }) => also).join("\n\n");
  if (detail === "") {
    return true;
  }
  const connect = vscode.l10n.t("Connect");
  const question = vscode.l10n.t(
    "Followup adds more than its own entry to the agents' settings. Connect them?",
  );
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, connect)) === connect;
}

/** Connects or disconnects agents; what was done with each file stands in the log. What failed is told. */
async function change(
  { launch, log }: ConnectSurroundings,
  subcommand: "connect" | "disconnect",
  ids: readonly string[],
): Promise<Result[]> {
  if (ids.length === 0) {
    return [];
  }
  let results: Result[];
  try {
    ({ results } = await run<{ results: Result[] }>(await launch(subcommand), ids));
  } catch (error) {
    void notConnected(error);
    return [];
  }
  for (const { messages, notes, error } of results) {
    for (const line of [...messages, ...notes]) {
      log.info(line);
    }
    if (error !== undefined) {
      log.error(error);
      void failed(error);
    }
  }
  return results;
}

/** Tells what was done in one notice; from there the files can be looked at, or everything be taken back. */
async function tell(changed: readonly Result[], undo: () => Promise<void>): Promise<void> {
  const show = vscode.l10n.t("Show File");
  const back = vscode.l10n.t("Undo");
  const text = [...changed.map(({ messages: [done] }) => done), ...changed.flatMap(({ notes }) => notes)];
  const files = changed.flatMap((result) => result.files).filter(({ removed }) => !removed);
  const buttons = files.length > 0 ? [show, back] : [back];
  const choice = await vscode.window.showInformationMessage(text.join(" "), ...buttons);
  if (choice === show) {
    const path =
      files.length === 1 ? files[0]?.path : await vscode.window.showQuickPick(files.map(({ path }) => path));
    if (path !== undefined) {
      await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
    }
  } else if (choice === back) {
    await undo();
  }
}

/** Runs the program and reads the document that it prints; it does so also where an agent could not be connected. */
function run<T>({ command, args }: Launch, more: readonly string[]): Promise<T> {
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
}
