// The page inside a conversation: the reference host of MCP Apps in Chromium, with the real `followup mcp` and an editor's sidecar.

import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { noticeAttend, noticeDidChange, questionAnswer, questionSaveDraft } from "../../src/protocol.gen";
import { Chat } from "./chat";
import vectors from "./vectors.json";
import { type Editor, launch, type Program } from "./web";

let program: Program;
let browser: Browser;
let storage: string;
let editor: Editor;
let chat: Chat;

beforeAll(async () => {
  [program, browser] = await launch();
});

afterAll(async () => {
  await program?.remove();
});

beforeEach(async () => {
  storage = await program.storage();
  editor = await program.editor(storage);
  chat = await Chat.open(program, browser, storage);
});

afterEach(async () => {
  const { problems } = chat;
  await Promise.all([chat.close(), editor.end()]);
  expect(problems).toEqual([]);
});

const quay = { question: "Which **quay**?", follow_up: [{ text: "North" }, { text: "South" }] };

it("answers the pending call by a click, and folds to a line", async () => {
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  await chat.fits();
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  expect(await chat.result(call)).toBe("<answer>\nSouth\n</answer>");
  await chat.app().locator('followup-card[data-state="closed"] .closed-line').waitFor();
  expect(await chat.app().locator(".closed-line").innerText()).toContain("South");
  await chat.fits();
  expect(
    await chat.page.locator("iframe").evaluate((frame) => frame.getBoundingClientRect().height),
  ).toBeLessThan(60);
});

it("sends typed text, and shares its draft with other windows", async () => {
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  const box = chat.app().getByRole("textbox", { name: "Your answer" });
  await box.fill("The east one");
  const item = await editor.pending();
  await editor.until(item.questionId, ({ draft }) => draft?.text === "The east one");
  await box.blur();
  const draft = { text: "The west one", changedAt: Date.now() + 1 };
  await editor.request(questionSaveDraft, { questionId: item.questionId, draft });
  await expect.poll(() => box.inputValue()).toBe("The west one");
  await box.press("Enter");
  expect(await chat.result(call)).toBe("<answer>\nThe west one\n</answer>");
});

it("answers a questionnaire by keyboard alone", async () => {
  const options = ["Table", "Cards"].map((label) => ({ label, description: `As ${label}` }));
  const input = { questions: [{ question: "Which layout?", header: "Layout", options, multiSelect: false }] };
  const call = await chat.ask({ tool: "AskUserQuestion", input });
  await chat.answerable();
  await chat.fits();
  await chat.app().locator("followup-card").focus();
  await chat.page.keyboard.press("2");
  expect(await chat.result(call)).toContain('"Which layout?":"Cards"');
});

it("accepts clicks on a questionnaire's options", async () => {
  const options = ["Platform", "Price", "Bicycles"].map((label) => ({ label, description: "" }));
  const input = {
    questions: [{ question: "Which details?", header: "Details", options, multiSelect: true }],
  };
  const call = await chat.ask({ tool: "AskUserQuestion", input });
  await chat.answerable();
  for (const label of ["Platform", "Bicycles"]) {
    await chat.app().locator(".option", { hasText: label }).click();
  }
  await chat.app().getByRole("button", { name: "Submit" }).click();
  expect(await chat.result(call)).toContain('["Platform","Bicycles"]');
});

it("closes when the answer comes from elsewhere", async () => {
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  const { questionId } = await editor.pending();
  await editor.request(questionAnswer, { questionId, provenance: "clicked", suggestion: 0 });
  expect(await chat.result(call)).toBe("<answer>\nNorth\n</answer>");
  await chat.app().locator(".closed-line", { hasText: "North" }).waitFor();
});

it("requests its question itself if the host sends the arguments only at the end, or never", async () => {
  for (const argumentsSent of ["late", "never"] as const) {
    const input = { ...quay, question: `Sent ${argumentsSent}?` };
    const call = await chat.ask({ input, argumentsSent });
    const at = argumentsSent === "late" ? 0 : 1;
    await chat.answerable(at);
    await chat.app(at).locator(".suggestion", { hasText: "North" }).click();
    expect(await chat.result(call)).toBe("<answer>\nNorth\n</answer>");
    await chat.app(at).locator(".closed-line").waitFor();
    expect(await chat.app(at).locator("followup-card").count()).toBe(1);
  }
});

it("shows the question while the model writes it", async () => {
  await chat.page.evaluate(() =>
    window.host.write(
      [
        { question: "Which qu" },
        { question: "Which quay is free?", follow_up: [{ text: "North" }, { te: "" }] },
      ],
      0,
    ),
  );
  const card = chat.app().locator("followup-card");
  await chat.app().locator('followup-card[data-state="streaming"] .suggestion').waitFor();
  expect(await card.locator(".question").innerText()).toContain("Which quay is free?");
  const input = { question: "Which quay is free?", follow_up: [{ text: "North" }, { text: "South" }] };
  const call = await chat.call({ input });
  await chat.page.evaluate((whole) => window.host.tellInput(0, whole), input);
  await chat.answerable();
  expect(await card.count()).toBe(1);
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  expect(await chat.result(call)).toBe("<answer>\nSouth\n</answer>");
});

it("shows a card for each of two questions, and for the same one asked twice", async () => {
  const other = { question: "Which berth?", follow_up: [{ text: "A" }, { text: "B" }] };
  const calls = [await chat.ask({ input: quay, id: true }), await chat.ask({ input: other })] as const;
  await chat.app(0).locator("followup-card", { hasText: "Which quay?" }).waitFor();
  await chat.app(1).locator("followup-card", { hasText: "Which berth?" }).waitFor();
  await chat.answerable(0);
  await chat.app(0).locator(".suggestion", { hasText: "South" }).click();
  await chat.answerable(1);
  await chat.app(1).locator(".suggestion", { hasText: "B" }).click();
  expect(await chat.result(calls[0])).toBe("<answer>\nSouth\n</answer>");
  expect(await chat.result(calls[1])).toBe("<answer>\nB\n</answer>");
  const again = await chat.ask({ input: quay });
  await chat.answerable(2);
  await chat.app(2).locator(".suggestion", { hasText: "North" }).click();
  expect(await chat.result(again)).toBe("<answer>\nNorth\n</answer>");
  expect(await chat.app(0).locator(".closed-line").innerText()).toContain("South");
});

it("shows a reopened chat from the conversation alone", async () => {
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  await chat.result(call);
  const again = await chat.page.evaluate(
    async ([input, at]) => {
      const result = window.host.results[at];
      await window.host.reopen(input, result, false);
      const { content } = result as { content: unknown };
      await window.host.reopen(input, { content }, false);
      await window.host.reopen(input, { content: [{ type: "text", text: "The user declined." }] }, false);
      return document.querySelectorAll("iframe").length;
    },
    [quay, call] as const,
  );
  expect(again).toBe(4);
  expect(await chat.app(1).locator(".closed-line").innerText()).toContain("South");
  expect(await chat.app(2).locator(".closed-line").innerText()).toContain("South");
  expect(await chat.app(3).locator(".closed-line").innerText()).toContain("quay");
});

it("is live in a reopened chat while the question is open", async () => {
  await chat.ask({ input: quay });
  await chat.answerable();
  await chat.killServer();
  await chat.page.evaluate(() => document.querySelector("iframe")?.remove());
  await chat.start();
  await chat.page.evaluate((input) => window.host.reopen(input, undefined, true), quay);
  await chat.answerable();
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  await chat.app().locator(".closed-line", { hasText: "South" }).waitFor();
  await expect.poll(() => editor.isEmpty).toBe(true);
});

it("survives a killed server with its draft", async () => {
  await chat.ask({ input: quay });
  await chat.answerable();
  await chat.app().getByRole("textbox", { name: "Your answer" }).fill("Begun");
  const { questionId } = await editor.pending();
  await editor.until(questionId, ({ draft }) => draft?.text === "Begun");
  await chat.killServer();
  const lost = chat.app().locator(".bar", { hasText: "no connection" });
  await lost.waitFor();
  await chat.start();
  await lost.waitFor({ state: "detached" });
  await chat.answerable();
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  const answered = await editor.until(questionId, ({ state }) => state === "closed");
  expect(answered.outcome).toMatchObject({ outcome: "answered", suggestion: 1, note: "Begun" });
});

it("can be answered after the agent has stopped waiting", async () => {
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  await chat.page.evaluate((at) => window.host.cancel(at), call);
  await chat.answerable();
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  await chat.app().locator(".closed-line", { hasText: "South" }).waitFor();
  const again = await chat.call({ input: quay });
  expect(await chat.result(again)).toBe("<answer>\nSouth\n</answer>");
});

it("follows the host's theme and language, opens links through it, and ends with it", async () => {
  const variables = {
    "--color-background-primary": "rgb(1, 2, 3)",
    "--color-text-primary": "rgb(250, 251, 252)",
  };
  await chat.ask({
    input: { ...quay, question: "See [the plan](https://quay.example/plan)." },
    context: { theme: "dark", locale: "fr", styles: { variables } },
  });
  await chat.answerable();
  const card = chat.app().locator("followup-card");
  const colors = () =>
    card.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [color, backgroundColor];
    });
  expect(await colors()).toEqual(["rgb(250, 251, 252)", "rgb(1, 2, 3)"]);
  await chat.app().getByRole("button", { name: "Envoyer" }).waitFor();
  expect(await chat.app().locator("html").getAttribute("lang")).toBe("fr");
  await card.getByRole("link", { name: "the plan" }).click();
  await expect.poll(() => chat.page.evaluate(() => window.host.links)).toEqual(["https://quay.example/plan"]);
  await chat.page.evaluate(() => window.host.change({ theme: "light", styles: { variables: {} } }));
  await expect.poll(async () => (await colors())[1]).toBe("rgb(255, 255, 255)");
  await chat.page.evaluate(() => window.host.tearDown(0));
  expect(await chat.page.evaluate(() => window.host.torn)).toEqual([{}]);
});

it("accepts pasted images", async () => {
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  await chat
    .app()
    .getByRole("textbox", { name: "Your answer" })
    .evaluate((box) => {
      const png =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], "quay.png", { type: "image/png" }));
      box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
  await chat.app().locator("followup-card img").waitFor();
  await chat.fits();
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  await chat.result(call);
  const result = await chat.page.evaluate((at) => window.host.results[at], call);
  expect(result).toMatchObject({ content: [{ type: "text" }, { type: "image", mimeType: "image/png" }] });
});

it("suppresses the notification while the app is visible", async () => {
  const notified: string[] = [];
  editor.on(noticeDidChange, ({ notices = [] }) =>
    notified.push(...notices.map(({ questionId }) => questionId)),
  );
  editor.notify(noticeAttend, { canNotify: true, focused: true, visible: false });
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  await chat.result(call);
  // A later question without an app is notified, so notifications work, and this one was suppressed.
  const { questionId } = await editor.ask("Seen elsewhere?");
  await expect.poll(() => notified).toEqual([questionId]);
});

it("never runs what an agent wrote", async () => {
  const requests: string[] = [];
  chat.page.on("request", (request) => requests.push(request.url()));
  const input = {
    question: vectors.join("\n\n"),
    follow_up: vectors.slice(0, 40).map((text) => ({ text, mode: text })),
  };
  const call = await chat.ask({ input });
  await chat.answerable();
  const strange = await chat
    .app()
    .locator("followup-card")
    .evaluate((card) =>
      [...card.querySelectorAll("*:not(svg.codicon, svg.codicon *, followup-form > form)")]
        .filter((element) => {
          const forbidden =
            "script style iframe object embed svg math form meta base link video audio template img";
          const names = element
            .getAttributeNames()
            .filter((name) => /^(on|srcdoc$|href$|action$)/.test(name));
          return forbidden.split(" ").includes(element.localName) || names.length > 0;
        })
        .map(({ outerHTML }) => outerHTML),
    );
  expect(strange).toEqual([]);
  expect(requests).toEqual([]);
  await chat.app().locator(".suggestion button").first().click();
  await chat.result(call);
  const result = await chat.page.evaluate((at) => window.host.results[at], call);
  await chat.page.evaluate(([given, result]) => window.host.reopen(given, result, false), [
    input,
    result,
  ] as const);
  await chat.app(1).locator(".closed-line").waitFor();
  expect(await chat.page.title()).toBe("");
  expect(requests).toEqual([]);
});

it("works in MCP-UI's renderer, in a nested frame under its policy", async () => {
  const [call, app] = await chat.askByMcpUi({ input: quay });
  await app.locator('followup-card[data-state="pending"]:not([data-fresh])').waitFor();
  expect(await app.locator("html").evaluate((root) => root.style.colorScheme)).toBe("dark");
  await app.locator(".suggestion", { hasText: "South" }).click();
  expect(await chat.result(call)).toBe("<answer>\nSouth\n</answer>");
  await app.locator('followup-card[data-state="closed"] .closed-line').waitFor();
  const own = chat.problems.indexOf("Error: Not connected"); // it sends the theme too early, and again later
  chat.problems.splice(own, own < 0 ? 0 : 1);
});

it("accepts messages only from its host, and only as data", async () => {
  const requests: string[] = [];
  chat.page.on("request", (request) => requests.push(request.url()));
  const call = await chat.ask({ input: quay });
  await chat.answerable();
  const hostile = await chat.page.evaluate(async () => {
    const app = document.querySelector("iframe") as HTMLIFrameElement;
    const posted: unknown[] = [];
    window.addEventListener(
      "message",
      ({ source, data }) => source === app.contentWindow && posted.push(data),
    );
    const script = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const message = (method: string, params: object) => ({ jsonrpc: "2.0", method, params });
    // The app must ignore another window on the page.
    const other = document.createElement("iframe");
    document.body.append(other);
    const evil = other.contentWindow as Window & { eval(code: string): unknown };
    const result = { content: [{ type: "text", text: script }] };
    (evil.eval("(to, message) => to.postMessage(message, '*')") as (to: unknown, message: unknown) => void)(
      app.contentWindow,
      message("ui/notifications/tool-result", result),
    );
    // The host itself, with messages that no host sends.
    const send = (message: unknown) => app.contentWindow?.postMessage(message, "*");
    const bad = {
      "--color-text-primary": "url(http://evil.example/a)",
      "--font-sans": `x;}</style>${script}`,
    };
    send(
      message("ui/notifications/host-context-changed", {
        theme: script,
        locale: script,
        styles: { variables: bad },
      }),
    );
    send(message("ui/notifications/tool-input", { arguments: { question: script, follow_up: script } }));
    send(message("constructor", { toString: script }));
    send({ ...message("__proto__", {}), id: 7 });
    send(script);
    send(null);
    const answered = () => posted.some((data) => (data as { id?: unknown }).id === 7);
    while (!answered()) await new Promise((turn) => setTimeout(turn));
    other.remove();
    return posted.filter((data) => (data as { id?: unknown }).id === 7);
  });
  expect(hostile).toMatchObject([{ error: { code: -32601 } }]);
  await chat.app().locator(".suggestion", { hasText: "South" }).click();
  expect(await chat.result(call)).toBe("<answer>\nSouth\n</answer>");
  expect(await chat.app().locator("img, followup-app script").count()).toBe(0);
  expect(requests).toEqual([]);
});

it("has no accessibility violation in any theme", async () => {
  await chat.ask({ input: quay });
  await chat.answerable();
  for (const contrast of ["no-preference", "more"] as const) {
    for (const theme of ["light", "dark"] as const) {
      await chat.page.emulateMedia({ contrast, reducedMotion: "reduce" }); // colors change at once
      await chat.page.evaluate((name) => window.host.change({ theme: name }), theme);
      const frame = chat.page.frames().at(-1);
      await frame?.waitForFunction((name) => document.documentElement.style.colorScheme === name, theme);
      await frame?.evaluate(axe.source);
      const violations = await frame?.evaluate(async () => {
        const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
        return violations.map(({ id, nodes }) => [id, nodes[0]?.html]);
      });
      expect(violations).toEqual([]);
    }
  }
});

it("is a single document of at most 300 KB that names no other origin", async () => {
  const html = await chat.page.evaluate(() => window.host.html);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(300_000);
  expect(html.slice(0, html.indexOf("<script>"))).not.toMatch(/ (?:src|href)=|@import|url\(/);
});
