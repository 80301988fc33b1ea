// Unpacks the sidecar's binary, which travels compressed in the package, when the first window needs it.

import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { l10n } from "vscode";
import { messageOf } from "./errors";

/** What a package says of the binary in it: bin/followup.json beside bin/followup.br. */
export interface Packed {
  size: number;
  sha256: string;
}

/** How old a file is, in milliseconds, that nobody writes any more. */
const abandoned = 600_000;

/** Tells whether a folder holds a packed binary. */
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
 * Gives the binary's path, and unpacks it into the first folder that takes it where no window has done so before. Each binary has a
 * folder of its own there, named after its hash: another version may still run.
 *
 * @param usable tells whether a file that is there can be used; a file system may forbid to execute what is on it
 * @throws Error with words for the user
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
  let content: Buffer;
  try {
    content = await promisify(brotliDecompress)(await readFile(join(from, "followup.br")));
    if (createHash("sha256").update(content).digest("hex") !== packed.sha256) {
      throw new Error("followup.br does not hold what followup.json says");
    }
  } catch (error) {
    throw cannot(from, [error]);
  }
  const errors: unknown[] = [];
  for (const path of paths) {
    try {
      await clean(dirname(dirname(path)), version).catch(() => {}); // which makes room for it
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

/** Puts the file there whole or not at all, though the machine may lose its power. */
async function put(path: string, content: Buffer, whole: (path: string) => Promise<boolean>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, content, { flag: "wx", flush: true });
    await chmod(temporary, 0o755); // whatever the umask
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    // Another window may have been first; Windows lets nobody replace a program that runs.
    if (!(await whole(path))) {
      throw error;
    }
  }
  if (!(await whole(path))) {
    throw new Error(`${path} cannot be executed`);
  }
}

/** Removes other versions, which a window of theirs unpacks again, and what killed windows have left of this one. */
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
