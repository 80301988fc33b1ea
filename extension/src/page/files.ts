// Files of the editor's that the user has dropped on a card: images are read, of anything else the path is told.

import * as vscode from "vscode";
import type { EditorFile } from "../protocol.gen";

/** The names of images that can be sent; what the file really holds, the interface looks at. */
const imageName = /\.(png|jpe?g|gif|webp)$/i;

/** Reads files by their URIs, in their order: at most `room` images of at most so many bytes. Every failure is told of its file. */
export async function readFiles(uris: readonly string[], room: number, bytes: number): Promise<EditorFile[]> {
  const files: EditorFile[] = [];
  let images = 0;
  for (const written of uris) {
    const file = await readFile(written, images < room, bytes);
    images += "image" in file ? 1 : 0;
    files.push(file);
  }
  return files;
}

/** A file of the remote machine as the extension, which runs there, has it. */
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
