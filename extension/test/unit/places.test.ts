// Places in files that an agent names: what is found in a text, and what of it lies in the workspace.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, win32 } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fileIn, pathIn } from "../../src/page/places";
import { placesIn } from "../../webview/places";

test.each<[text: string, ...places: string[]]>([
  ["see src/a.ts:12", "src/a.ts:12"],
  ["src/a.ts:12:5, then b.go:3-7.", "src/a.ts:12:5", "b.go:3-7"],
  ["(in ./a/b.ts#L12-L20)", "./a/b.ts#L12-L20"],
  ["a/b.ts#L7", "a/b.ts#L7"],
  ["src/x.ts(12,5): error TS2322", "src/x.ts(12,5)"],
  ["app/(group)/[id]/page.tsx:4", "app/(group)/[id]/page.tsx:4"],
  ["C:\\src\\a.ts:9 and .\\b.ts:1", "C:\\src\\a.ts:9", ".\\b.ts:1"],
  ["/home/me/x.c:1", "/home/me/x.c:1"],
  ["请看src/主页.ts:12。还有 主页/甲.ts:3处", "src/主页.ts:12", "主页/甲.ts:3"],
  ["Dockerfile:3 is no name with an ending; ./Dockerfile:3 is", "./Dockerfile:3"],
  ["at 10:30, localhost:8080, 1.5:1 or so", "1.5:1"],
  ["https://a.example/b.ts:12 and //host/share/a.ts:1 and \\\\host\\a.ts:1"],
  ["a.ts:12abc a.ts:x a.ts: 12 a.ts:12345678"],
  ["..:1 /:2 .ts:3", ".ts:3"],
  [""],
])("%s", (text, ...places) => {
  expect(placesIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(places);
});

test("a place has its lines from 1, and a last line only where it comes behind the first", () => {
  const of = (text: string) => placesIn(text)[0]?.place;
  expect(of("a.ts:3:7-9")).toEqual({ path: "a.ts", line: 3, column: 7, endLine: 9 });
  expect(of("a.ts:9-3")).toEqual({ path: "a.ts", line: 9 });
  expect(of("a.ts(4,2)")).toEqual({ path: "a.ts", line: 4, column: 2 });
});

test("whatever a text holds, places are pieces of it, in order, and looking for them takes time in proportion", () => {
  const pieces = [
    "a",
    "/",
    "\\",
    ".",
    ":",
    "1",
    "(",
    ")",
    "[",
    " ",
    "#L",
    "-",
    "主",
    "é",
    "C:",
    "..",
    "\n",
    "\u202e",
  ];
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 3000; round++) {
    const text = Array.from({ length: random(40) }, () => pieces[random(pieces.length)]).join("");
    let at = 0;
    for (const { start, end, place } of placesIn(text)) {
      expect(start >= at && end > start && end <= text.length).toBe(true);
      expect(text.slice(start, end).startsWith(place.path) && place.path !== "").toBe(true);
      expect(/^[\\/]{2}/.test(place.path)).toBe(false);
      at = end;
    }
  }
  for (const hostile of ["a(", "a", "/", "a.", ":", "主"]) {
    expect(placesIn(hostile.repeat(20_000))).toEqual([]);
  }
  expect(placesIn("a.ts:1 ".repeat(10_000))).toHaveLength(100);
});

const slash = "/home/me/project";
const drive = "C:\\me\\project";

test.each<[name: string, folder: string, written: string, inside: string | undefined]>([
  ["a name", slash, "src/a.ts", "/home/me/project/src/a.ts"],
  ["a whole path", slash, "/home/me/project/a.ts", "/home/me/project/a.ts"],
  ["up and down again", slash, "src/../a.ts", "/home/me/project/a.ts"],
  ["up and out", slash, "../other/a.ts", undefined],
  ["out by its whole path", slash, "/etc/passwd", undefined],
  ["a sibling that begins with the same name", slash, "/home/me/project-old/a.ts", undefined],
  ["a name that begins with two dots", slash, "..a.ts", "/home/me/project/..a.ts"],
  ["the folder itself", slash, ".", undefined],
  ["a share", slash, "//host/share/a.ts", undefined],
  ["a byte that ends a name", slash, "a.ts\0.png", undefined],
  ["a name on Windows", drive, "src\\a.ts", "C:\\me\\project\\src\\a.ts"],
  ["the same with slashes", drive, "src/a.ts", "C:\\me\\project\\src\\a.ts"],
  ["the drive in another case", drive, "c:\\me\\project\\a.ts", "c:\\me\\project\\a.ts"],
  ["another drive", drive, "D:\\me\\project\\a.ts", undefined],
  ["another drive's working folder", drive, "D:a.ts", undefined],
  ["up and out on Windows", drive, "..\\a.ts", undefined],
  ["the drive's root", drive, "\\me\\other\\a.ts", undefined],
  ["a share on Windows", drive, "\\\\host\\share\\a.ts", undefined],
  ["a device", drive, "\\\\.\\C:\\me\\project\\a.ts", undefined],
  ["a long path", drive, "\\\\?\\C:\\me\\project\\a.ts", undefined],
  ["a stream of a file", drive, "a.ts:hidden", undefined],
])("%s: of %s, %s", (_, folder, written, inside) => {
  expect(pathIn(folder, written, folder === drive ? win32 : posix)).toBe(inside);
});

const scratch = mkdtempSync(join(tmpdir(), "places-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test.skipIf(process.platform === "win32")(
  "symbolic links count by where they lead, and only files are opened",
  async () => {
    const [project, other, linked] = ["project", "other", "linked"].map((name) => join(scratch, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(join(project, "src"), { recursive: true });
    mkdirSync(other);
    writeFileSync(join(project, "src", "a.ts"), "");
    writeFileSync(join(other, "secret"), "");
    symlinkSync(other, join(project, "out"));
    symlinkSync(join(other, "secret"), join(project, "secret"));
    symlinkSync(join(project, "src"), join(project, "in"));
    symlinkSync("loop", join(project, "loop"));
    symlinkSync(project, linked);
    const found = (folder: string, written: string) => fileIn([folder], written);
    expect(await found(project, "src/a.ts")).toBe(join(project, "src", "a.ts"));
    expect(await found(project, "in/a.ts")).toBe(join(project, "in", "a.ts"));
    expect(await found(linked, "src/a.ts")).toBe(join(linked, "src", "a.ts"));
    for (const none of ["out/secret", "secret", "src", "loop", "none", "../other/secret"]) {
      expect(await found(project, none), none).toBeUndefined();
    }
    expect(await fileIn([other, project], "src/a.ts")).toBe(join(project, "src", "a.ts"));
    expect(await fileIn([], "src/a.ts")).toBeUndefined();
  },
);
