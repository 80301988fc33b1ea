// Runs the sidecar's program, finds its process on the machine, and ends its keeper.

import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { vi } from "vitest";
import { storageFolder } from "../../../scripts/lib/code-server.mjs";
import { root } from "../../../scripts/lib/paths.mjs";

/** The program as it was built. */
export const program = process.env.FOLLOWUP_PROGRAM ?? path.join(root, "bin/followup");

/** The environment variable that marks every process of one editor with the editor's folder. */
export const folderVariable = "FOLLOWUP_TEST_FOLDER";

const startTimeout = 30_000;

/** Waits until an editor has exactly one sidecar besides `except`, and returns its process id. */
export async function sidecarProcess(editorFolder: string, except?: number): Promise<number> {
  return await vi.waitFor(
    async () => {
      const running = (await sidecars(editorFolder)).filter((pid) => pid !== except);
      const [pid] = running;
      if (running.length !== 1 || !pid) throw new Error(`${running.length} sidecars run, not one`);
      return pid;
    },
    { timeout: startTimeout, interval: 50 },
  );
}

/** Every `followup serve` with the editor's mark, from Linux's process files. */
async function sidecars(editorFolder: string): Promise<number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = names.map(async (name) => {
    const read = (file: string) => readFile(`/proc/${name}/${file}`, "utf8").catch(() => "");
    const [program = "", command] = (await read("cmdline")).split("\0");
    if (!path.basename(program).startsWith("followup") || command !== "serve") return [];
    const marked = (await read("environ")).split("\0").includes(`${folderVariable}=${editorFolder}`);
    return marked ? [Number(name)] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Stops the keeper of an editor's folder, if one runs: it would write there for a minute after its last client. */
export async function stopKeeper(editorFolder: string): Promise<void> {
  const stop = promisify(execFile)(program, ["keeper", "stop", "--storage", storageFolder(editorFolder)]);
  await stop.catch((error: { code?: unknown }) => {
    if (error.code !== 1) throw error; // 1: none runs
  });
}
