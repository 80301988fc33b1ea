// Finds the sidecar's binary: the debug environment variable, then the setting, then the one beside the extension, which travels packed.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { type MissingReason, ProblemError } from "./errors";
import { readPacked, unpack } from "./unpack";

/** The environment variable that names a binary for debugging. */
export const binaryVariable = "FOLLOWUP_SIDECAR";

/** Where to look. */
export interface Places {
  /** The setting followup.sidecar.path; empty when it is not set. */
  setting: string;
  extensionPath: string;
  /** A folder of the extension's that can be written to: the binary is unpacked there where the extension's own folder takes nothing. */
  storagePath: string;
  environment?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
}

/**
 * Gives the absolute path of the binary, and unpacks it where that has not been done yet. A place that is named but holds no binary is an error, not a reason to look further:
 * whoever names a binary wants that one.
 *
 * @throws ProblemError of kind missing or unpack
 */
export async function locate({
  setting,
  extensionPath,
  storagePath,
  environment = process.env,
  platform = process.platform,
}: Places): Promise<string> {
  const debugged = environment[binaryVariable]?.trim();
  if (debugged) {
    return checked(debugged, "environment", platform);
  }
  if (setting.trim()) {
    return checked(setting.trim(), "setting", platform);
  }
  const name = platform === "win32" ? "followup.exe" : "followup";
  const folder = join(extensionPath, "bin");
  const packed = await readPacked(folder);
  // Who builds from source has it as it is.
  if (!packed || existsSync(join(folder, name))) {
    return checked(join(folder, name), "bundled", platform);
  }
  return unpack(
    folder,
    packed,
    [folder, join(storagePath, "bin")],
    name,
    (path) => flaw(path, platform) === undefined,
  );
}

function checked(path: string, source: "environment" | "setting" | "bundled", platform: NodeJS.Platform) {
  const reason = flaw(path, platform);
  if (reason) {
    throw new ProblemError({ kind: "missing", looked: path, source, reason });
  }
  return path;
}

function flaw(path: string, platform: NodeJS.Platform): MissingReason | undefined {
  if (!isAbsolute(path)) {
    return "notAbsolute";
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) {
    return "absent";
  }
  if (!stat.isFile()) {
    return "notFile";
  }
  if (platform === "win32") {
    return undefined;
  }
  try {
    accessSync(path, constants.X_OK);
    return undefined;
  } catch {
    return "notExecutable";
  }
}
