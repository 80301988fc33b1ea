// Where other tools keep their logs on this machine, so that the user need not look for them.

import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A place where a tool keeps its logs. */
export interface KnownLogs {
  /** The tool's name. */
  tool: string;
  /** The folder, absolute. */
  path: string;
}

/** The extensions that keep a folder for each task in the editor's global storage, by the name of their folder there. */
const taskFolders: Readonly<Record<string, string>> = {
  "Roo Code": "rooveterinaryinc.roo-cline",
  "Kilo Code": "kilocode.kilo-code",
  Cline: "saoudrizwan.claude-dev",
};

/**
 * The tools' folders that are there.
 *
 * @param home the user's home folder
 * @param globalStorage this extension's folder in the editor's global storage; the other extensions' stand beside it
 */
export function knownLogs(home: string, globalStorage: string): KnownLogs[] {
  const storage = dirname(globalStorage);
  const places = [
    { tool: "Claude Code", path: join(home, ".claude", "projects") },
    ...Object.entries(taskFolders).map(([tool, folder]) => ({ tool, path: join(storage, folder, "tasks") })),
  ];
  return places.filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
}
