// Links in an agent's text: their targets, and when the user must confirm.

import { beforeEach, expect, test } from "vitest";
import { findPlaces, openLink } from "../../src/page/files";
import type { Request } from "../../src/protocol.gen";
import { opened, Uri, user, workspace } from "./fake/vscode";

const requests: unknown[] = [];
const mail = { question: "Write an email to a@b?", detail: "Cc: c@d", button: "Write Email" };
const sidecar = {
  request: async <P, R>({ method }: Request<P, R>, params: P): Promise<R> => {
    requests.push([method, params]);
    return (method === "mail/describe" ? mail : { places: [] }) as R;
  },
};

beforeEach(() => {
  requests.length = 0;
  opened.length = 0;
  user.prompts.length = 0;
  user.choices = {};
});

test("opens a link unchanged, percent encoding included", async () => {
  const href = "https://a.example/o%2Fb%23?q=1%2B1%26x&r=%20+#%2F%23";
  await openLink(sidecar, href);
  expect(opened).toEqual([href]);
});

test("opens only web and mail links", async () => {
  const others = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "command:workbench.action.quit",
    "vscode://x/y",
    "x",
  ];
  for (const href of [...others, 5, undefined]) {
    await openLink(sidecar, href);
  }
  expect([opened, requests]).toEqual([[], []]);
  await openLink(sidecar, "http://a.example/");
  expect(opened).toEqual(["http://a.example/"]);
});

test("starts an email only after the user confirms its full content", async () => {
  const href = "MAILTO:a@b.example?subject=x%26y&cc=c%2Bd@e.example";
  await openLink(sidecar, href);
  expect(requests).toEqual([["mail/describe", { href }]]);
  expect(user.prompts).toEqual([
    ["information", mail.question, { modal: true, detail: mail.detail }, mail.button],
  ]);
  expect(opened).toEqual([]);
  user.choices.information = [() => "Write Email"];
  await openLink(sidecar, href);
  expect(opened).toEqual([href]);
});

test("looks up places only in the window's folders on this machine", async () => {
  expect(await findPlaces(sidecar, ["a.ts:1"])).toEqual([]);
  expect(requests).toEqual([]);
  workspace.workspaceFolders = [
    { uri: Uri.file("/w"), name: "w" },
    { uri: Uri.from({ scheme: "vscode-vfs", path: "/r" }), name: "r" },
  ];
  await findPlaces(sidecar, ["a.ts:1"]);
  workspace.workspaceFolders = undefined;
  expect(requests).toEqual([["place/find", { texts: ["a.ts:1"], folders: ["/w"] }]]);
});
