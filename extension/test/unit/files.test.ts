// The editor's files dropped on a card: which are read, and how the others are reported.

import { beforeEach, expect, onTestFinished, test } from "vitest";
import { readFiles } from "../../src/page/files";
import { env, files } from "./fake/vscode";

const bytes = new Uint8Array([1, 2, 3]);

beforeEach(() => files.clear());

test("reads images of any scheme and reports other files by path", async () => {
  files.set("vscode-vfs://github/workspace/a b.PNG", bytes);
  files.set("file:///elsewhere/notes.md", bytes);
  files.set("file:///workspace/src", "folder");
  files.set("file:///workspace/pictures.png", "folder");
  files.set("file:///workspace/logo.svg", bytes);
  const uris = [
    "vscode-vfs://github/workspace/a%20b.PNG",
    "file:///elsewhere/notes.md",
    "file:///workspace/src",
    "file:///workspace/pictures.png",
    "file:///workspace/logo.svg",
  ];
  expect(await readFiles(uris, 8, 3)).toEqual([
    { name: "a b.PNG", image: "AQID" },
    { name: "notes.md", path: "/elsewhere/notes.md" },
    { name: "src", path: "src" },
    { name: "pictures.png", path: "pictures.png" },
    { name: "logo.svg", path: "logo.svg" },
  ]);
});

test("names files on a remote machine by their remote path, within the workspace", async () => {
  env.remoteName = "wsl";
  onTestFinished(() => {
    env.remoteName = undefined;
  });
  files.set("file:///workspace/src/a.ts", bytes);
  expect(await readFiles(["vscode-remote://wsl+debian/workspace/src/a.ts"], 8, 3)).toEqual([
    { name: "a.ts", path: "src/a.ts" },
  ]);
});

test("reports unreadable, oversized and excess files, and reads the others", async () => {
  files.set("file:///large.png", 4);
  files.set("file:///broken.gif", 2);
  files.set("file:///one.webp", bytes);
  files.set("file:///two.jpeg", bytes);
  files.set("file:///three.jpg", 4);
  const uris = ["large.png", "gone.png", "broken.gif", "one.webp", "two.jpeg", "three.jpg"];
  expect(await readFiles([...uris.map((name) => `file:///${name}`), "no URI"], 1, 3)).toEqual([
    { name: "large.png", refused: "fileTooLarge" },
    { name: "gone.png", refused: "notRead" },
    { name: "broken.gif", refused: "notRead" },
    { name: "one.webp", image: "AQID" },
    { name: "two.jpeg", refused: "tooMany" },
    { name: "three.jpg", refused: "tooMany" },
    { name: "no URI", refused: "notRead" },
  ]);
});
