// Finds the sidecar's binary: the debug environment variable, then the setting, then the one beside the extension, which travels packed.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { l10n } from "vscode";
import { readPacked, unpack } from "./unpack";

/** The environment variable that names a binary for debugging. */
export const binaryVariable = "FOLLOWUP_SIDECAR";

/** Where to look. */
export interface Places {
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
 * @throws Error with words for the user
 */
export async function locate({
  setting,
  extensionPath,
  storagePath,
  environment = process.env,
  platform = process.platform,
}: Places): Promise<string> {
  const debugged = environment[binaryVariable]?.trim();
  const named = debugged || setting.trim();
  if (named) {
    const where = debugged
      ? l10n.t("The environment variable {0} names the sidecar {1}", binaryVariable, named)
      : l10n.t("The setting {0} names the sidecar {1}", "followup.sidecar.path", named);
    return checked(named, platform, where);
  }
  const name = platform === "win32" ? "followup.exe" : "followup";
  const folder = join(extensionPath, "bin");
  const built = join(folder, name);
  const packed = await readPacked(folder);
  // Who builds from source has it as it is.
  if (!packed || existsSync(built)) {
    const where = l10n.t("The sidecar was expected at {0}, beside the extension", built);
    const hint = l10n.t(
      "Install the Followup build for this platform, or name a binary in the setting followup.sidecar.path.",
    );
    return checked(built, platform, where, hint);
  }
  const isUsable = (path: string) => flaw(path, platform) === undefined;
  return unpack(folder, packed, [folder, join(storagePath, "bin")], name, isUsable);
}

function checked(path: string, platform: NodeJS.Platform, where: string, hint = ""): string {
  const why = flaw(path, platform);
  if (why) {
    throw new Error(l10n.t("{0}, {1} {2}", where, why, hint).trim());
  }
  return path;
}

function flaw(path: string, platform: NodeJS.Platform): string | undefined {
  if (!isAbsolute(path)) {
    return l10n.t("but that is not an absolute path.");
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) {
    return l10n.t("but nothing is there.");
  }
  if (!stat.isFile()) {
    return l10n.t("but that is not a file.");
  }
  try {
    accessSync(path, platform === "win32" ? constants.F_OK : constants.X_OK);
    return undefined;
  } catch {
    return l10n.t("but that file may not be executed.");
  }
}
