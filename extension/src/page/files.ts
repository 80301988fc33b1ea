// Files and links: files dropped on a card, the workspace's files to choose after an @, and links in an
// agent's text. The user confirms links to emails.

import * as vscode from "vscode";
import { linkSchemes } from "../../webview/boundary";
import { type EditorFile, mailDescribe, type Place, placeFind } from "../protocol.gen";
import type { Sidecar } from "../sidecar/sidecar";

/** The names of images that can be sent. The interface checks the content. */
const imageName = /\.(png|jpe?g|gif|webp)$/i;

/** Reads files by their URIs, in order: at most `room` images of at most `bytes` bytes each. Each failure is reported for its file. */
export async function readFiles(uris: readonly string[], room: number, bytes: number): Promise<EditorFile[]> {
  const files: EditorFile[] = [];
  for (const written of uris) {
    const images = files.filter((file) => "image" in file).length;
    files.push(await readFile(written, images < room, bytes));
  }
  return files;
}

/** The URI by which the extension, which runs on the remote machine, reads a file there. */
function local(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === "vscode-remote" && vscode.env.remoteName !== undefined
    ? uri.with({ scheme: "file", authority: "" })
    : uri;
}

async function readFile(written: string, hasRoom: boolean, bytes: number): Promise<EditorFile> {
  let name = written;
  try {
    const uri = local(vscode.Uri.parse(written, true));
    name = uri.path.split("/").findLast((part) => part !== "") ?? written;
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || !imageName.test(name)) {
      return { name, path: vscode.workspace.asRelativePath(uri) };
    }
    if (!hasRoom) {
      return { name, refused: "tooMany" };
    }
    if (size > bytes) {
      return { name, refused: "fileTooLarge" };
    }
    return { name, image: Buffer.from(await vscode.workspace.fs.readFile(uri)).toString("base64") };
  } catch {
    return { name, refused: "notRead" };
  }
}

/** The number of files that are searched, since more matches would not help, and the number that is offered. */
const looked = 500;
const mostFiles = 20;

/** Searches for files. Each page has one search at a time. */
export class FileSearch {
  private running: vscode.CancellationTokenSource | undefined;

  /** The files whose paths contain the text, best first. It cancels the previous search. */
  async find(text: string): Promise<string[]> {
    this.running?.cancel();
    const running = new vscode.CancellationTokenSource();
    this.running = running;
    const { token } = running;
    const typed = text.slice(0, 100);
    const found = await vscode.workspace.findFiles(globFor(typed), excluded(), looked, token);
    const paths = found.map((uri) => vscode.workspace.asRelativePath(uri));
    return token.isCancellationRequested ? [] : bestFiles(paths, typed).slice(0, mostFiles);
  }
}

/** The files that the editor's search and its explorer exclude. */
function excluded(): string {
  const globs = vscode.workspace.getConfiguration("search").get<Record<string, unknown>>("exclude", {});
  return `{${Object.keys(globs).filter((glob) => globs[glob] === true)}}`;
}

/**
 * A glob for files whose names contain the text, in folders whose names contain the parts before its slashes. It ignores case,
 * and escapes glob syntax.
 */
export function globFor(text: string): string {
  const parts = text
    .split(/[\\/]/)
    .map((part) => `*${[...part].map(letter).join("")}${part === "" ? "" : "*"}`);
  return `**/${parts.join("/")}`;
}

function letter(character: string): string {
  if (/[*?[\]{}!,]/.test(character)) {
    return "?";
  }
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  return lower === upper || lower.length !== 1 || upper.length !== 1 ? character : `[${lower}${upper}]`;
}

/** The paths, best first: the name equals the text, begins with it, or contains it; then by length. */
export function bestFiles(paths: readonly string[], text: string): string[] {
  const wanted = text.toLowerCase().replaceAll("\\", "/");
  const last = wanted.slice(wanted.lastIndexOf("/") + 1);
  const rank = (path: string) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    return name === last ? 0 : name.startsWith(last) ? 1 : 2;
  };
  return [...paths].sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : 1));
}

type Asked = Pick<Sidecar, "request">;

/** Opens a link outside the editor. The editor itself asks about websites that the user does not trust yet. */
export async function openLink(sidecar: Asked, href: unknown): Promise<void> {
  // An agent wrote it.
  if (typeof href !== "string" || !URL.canParse(href) || !linkSchemes.includes(new URL(href).protocol)) {
    return;
  }
  if (/^mailto:/i.test(href)) {
    const { question, detail, button } = await sidecar.request(mailDescribe, { href });
    if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, button)) !== button) {
      return;
    }
  }
  // A vscode.Uri is encoded again when it is opened, so that %2F becomes a slash and %26 an ampersand. The editor opens
  // a string unchanged, although its types do not allow that yet (https://github.com/microsoft/vscode/issues/85930).
  await vscode.env.openExternal(href as unknown as vscode.Uri);
}

/** Returns the places in texts whose files are in the window's workspace folders. */
export async function findPlaces(sidecar: Asked, texts: string[]): Promise<Place[]> {
  const local = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  const folders = local.map(({ uri }) => uri.fsPath);
  return folders.length === 0 ? [] : (await sidecar.request(placeFind, { texts, folders })).places;
}

/** Opens the first place in a text, if its file is still in the workspace. */
export async function openPlace(sidecar: Asked, text: string): Promise<void> {
  const [place] = await findPlaces(sidecar, [text]);
  if (place === undefined) {
    return;
  }
  const { file, line = 1, column = 1, endLine } = place;
  const from = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  const to = endLine ? new vscode.Position(endLine - 1, Number.MAX_SAFE_INTEGER) : from;
  const beside = vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview;
  await vscode.window.showTextDocument(vscode.Uri.file(file), {
    selection: new vscode.Range(from, to),
    // The page with the link stays visible.
    viewColumn: beside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
  });
}
