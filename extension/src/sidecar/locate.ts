// Finds the sidecar's binary: from the debug environment variable, then the setting, then beside the
// extension. That one is compressed in the package, and unpacked when the first window needs it.

import { createHash, randomUUID } from "node:crypto";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { l10n } from "vscode";
import { relativeCalls } from "./calls.mjs";
import { messageOf } from "./errors";

/** The environment variable that names a binary for debugging. */
export const binaryVariable = "FOLLOWUP_SIDECAR";

/** Where to look. */
export interface Places {
  setting: string;
  extensionPath: string;
  /** A writable folder of the extension: the binary is unpacked there if the extension's own folder is read-only. */
  storagePath: string;
  environment?: Readonly<Record<string, string | undefined>>;
  platform?: NodeJS.Platform;
}

/**
 * Returns the absolute path of the binary, and unpacks it if necessary. A named place without a binary is an error: a configured
 * binary has no fallback.
 *
 * @throws Error for the user
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
  // A build from source has it uncompressed.
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
    return l10n.t("but that file is not executable.");
  }
}

/** A package's description of its binary: bin/followup.json beside bin/followup.br. */
export interface Packed {
  size: number;
  sha256: string;
  /** Whether the calls of an x86 program were made absolute; see calls.mjs. */
  absoluteCalls?: boolean;
}

/** The age of a file, in milliseconds, after which nobody is still writing it. */
const abandoned = 600_000;

/** Returns a folder's packed binary, if it has one. */
export async function readPacked(folder: string): Promise<Packed | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, "followup.json"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      return undefined;
    }
    throw cannot(folder, [error]);
  }
}

/**
 * Returns the binary's path. If no window has unpacked it yet, unpacks it into the first writable folder. Each binary has a
 * folder of its own there, named after its hash: another version may still be running.
 *
 * @param usable reports whether an existing file can be used; a file system may forbid execution
 * @throws Error for the user
 */
export async function unpack(
  from: string,
  packed: Packed,
  folders: readonly string[],
  name: string,
  usable: (path: string) => boolean,
): Promise<string> {
  const version = packed.sha256.slice(0, 16);
  const whole = async (path: string) =>
    (await stat(path).catch(() => undefined))?.size === packed.size && usable(path);
  const paths = folders.map((folder) => join(folder, version, name));
  for (const path of paths) {
    if (await whole(path)) {
      return path;
    }
  }
  let content: Uint8Array;
  try {
    content = await promisify(brotliDecompress)(await readFile(join(from, "followup.br")));
    if (packed.absoluteCalls) content = relativeCalls(content);
    if (createHash("sha256").update(content).digest("hex") !== packed.sha256) {
      throw new Error("followup.br does not hold what followup.json says");
    }
  } catch (error) {
    throw cannot(from, [error]);
  }
  const errors: unknown[] = [];
  for (const path of paths) {
    try {
      await clean(dirname(dirname(path)), version).catch(() => {}); // makes room for it
      await put(path, content, whole);
      return path;
    } catch (error) {
      errors.push(error);
    }
  }
  throw cannot(folders.join(", "), errors);
}

function cannot(path: string, errors: unknown[]): Error {
  const detail = errors.map(messageOf).join("; ");
  return new Error(l10n.t("The Followup sidecar could not be unpacked into {0}: {1}", path, detail));
}

/** Writes the file completely or not at all, even if the machine loses power. */
async function put(
  path: string,
  content: Uint8Array,
  whole: (path: string) => Promise<boolean>,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: "wx", flush: true });
    await chmod(temporary, 0o755); // independent of the umask
    // Another window may have been first. On Windows, a running program cannot be replaced.
    await patiently(async () => (await whole(path)) || rename(temporary, path));
  } finally {
    await rm(temporary, { force: true }).catch(() => {});
  }
  if (!(await whole(path))) {
    throw new Error(`${path} cannot be executed`);
  }
}

/** The errors of Windows while another program has a file open. */
const held = ["EACCES", "EBUSY", "EPERM"];

/** Retries for a second, since Windows refuses access while a virus scanner has a new program open. */
export async function patiently(attempt: () => Promise<unknown>): Promise<void> {
  for (const pause of [10, 100, 1000, 0]) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (pause === 0 || !held.includes((error as NodeJS.ErrnoException).code ?? "")) {
        throw error;
      }
    }
    await setTimeout(pause);
  }
}

/** Removes other versions, which their windows unpack again, and the remains of killed windows. */
async function clean(folder: string, version: string): Promise<void> {
  const remove = (path: string) => rm(path, { recursive: true, force: true }).catch(() => {});
  for (const name of await readdir(folder)) {
    if (/^[0-9a-f]{16}$/.test(name) && name !== version) {
      await remove(join(folder, name));
    }
  }
  for (const name of await readdir(join(folder, version))) {
    const path = join(folder, version, name);
    const written = (await stat(path).catch(() => undefined))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (name.endsWith(".tmp") && Date.now() - written > abandoned) {
      await remove(path);
    }
  }
}
