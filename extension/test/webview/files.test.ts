// Drag and drop, given the data that the page receives.

import { expect, it } from "vitest";
import { mayHoldFiles, pathsText, urisIn } from "../../webview/files";

/** Dropped data, by format. */
const drop = (formats: Record<string, string>) =>
  ({
    types: Object.keys(formats),
    getData: (type: string) => formats[type] ?? "",
  }) as unknown as DataTransfer;

it.each([
  [
    "the editor's own list",
    { "application/vnd.code.uri-list": "file:///a\r\nvscode-remote://h/b\n" },
    ["file:///a", "vscode-remote://h/b"],
  ],
  [
    "the explorer's list",
    { resourceurls: '["file:///a","file:///a", 5]', "text/plain": "/a" },
    ["file:///a"],
  ],
  [
    "a standard list with a comment",
    { "text/uri-list": "# two\nfile:///a\nfile:///b" },
    ["file:///a", "file:///b"],
  ],
  ["the better one of two", { "text/uri-list": "file:///x", resourceurls: '["file:///a"]' }, ["file:///a"]],
  ["an invalid list", { resourceurls: "{", "text/uri-list": "file:///b" }, ["file:///b"]],
  ["web pages", { "text/uri-list": "https://a.example\nmailto:b@c" }, []],
  ["paths", { "text/uri-list": "/a\nb" }, []],
  ["text", { "text/plain": "file:///a" }, []],
])("%s", (_, formats, uris) => {
  expect(urisIn(drop(formats as Record<string, string>))).toEqual(uris);
});

it("reports possible files by any of their formats", () => {
  expect(
    [{ Files: "" }, { resourceurls: "" }, { "text/uri-list": "" }].map((all) =>
      mayHoldFiles(drop(all as never)),
    ),
  ).toEqual([true, true, true]);
  expect([mayHoldFiles(drop({ "text/plain": "" })), mayHoldFiles(null)]).toEqual([false, false]);
});

it("writes paths into a text as words", () => {
  expect(pathsText(["a.ts", "b c.ts"], "")).toBe("a.ts `b c.ts`");
  expect(pathsText(["a.ts"], "see")).toBe(" a.ts");
  expect(pathsText(["a.ts"], "see\n")).toBe("a.ts");
});
