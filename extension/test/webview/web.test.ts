// The page in a browser, with the real `followup web` and an editor's sidecar.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { uuidv7 } from "../../src/agents/api";
import { inboxStatus, questionAnswer, sessionOpen, streamAppend, streamEnd } from "../../src/protocol.gen";
import { rebound } from "./browsers";
import vectors from "./vectors.json";
import { type Editor, launch, type Program, type Web } from "./web";

let program: Program;
let browser: Browser;
let web: Web;
let editor: Editor;
let storage: string;
let context: BrowserContext;
/** The page's errors. */
let problems: string[];

beforeAll(async () => {
  [program, browser] = await launch();
});

afterAll(async () => {
  await program?.remove();
});

beforeEach(async () => {
  storage = await program.storage();
  [web, editor] = await Promise.all([program.serve(storage), program.editor(storage)]);
  context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    colorScheme: "dark",
    locale: "en-US",
  });
  context.setDefaultTimeout(60_000);
  problems = [];
});

afterEach(async () => {
  await context.close();
  await Promise.all([web.end(), editor.end()]);
  expect(problems).toEqual([]);
});

/** Opens a page with the printed address, and returns it once it is connected. */
async function open(url = web.url): Promise<Page> {
  const page = await context.newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) {
      problems.push(message.text());
    }
  });
  await page.goto(url);
  await page.locator("followup-card, .empty").first().waitFor();
  return page;
}

const origin = () => new URL(web.url).origin;

/** Why a page is not admitted. It shows nothing else, and no other server's way in. */
async function refusal(page: Page, isHub = true): Promise<string> {
  const shown = page.locator(".admission");
  await shown.waitFor();
  const text = await page.locator("body").innerText();
  expect(text.trim()).toBe((await shown.innerText()).trim());
  expect(text).not.toContain("No questions");
  if (isHub) {
    expect(text).not.toContain("followup web");
  }
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  return await shown.locator("h2").innerText();
}

/** Blocks a page's cookies and storage, as a browser's setting does. */
const blockData = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "cookieEnabled", { value: false });
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      },
    });
  });

it("says why a browser is not admitted, and no more", async () => {
  await editor.ask("A secret?", "8080");
  const page = await context.newPage();
  await page.goto(origin());
  expect(await refusal(page, false)).toBe("This page needs a link");
  await page.goto(`${origin()}/#wrong`); // only the part after the # changes
  await page.getByRole("heading", { name: "This link is not valid" }).waitFor();
  expect(await refusal(page, false)).toBe("This link is not valid");
  expect(page.url()).toBe(`${origin()}/`);
  await page.goto(`${origin()}/?history`);
  expect(await refusal(page, false)).toBe("This page needs a link");

  // A browser that blocks the page's data does not use the link up.
  await blockData(page);
  await page.goto("about:blank");
  await page.goto(web.url);
  expect(await refusal(page, false)).toBe("This browser stores no data for this page");
  await page.getByRole("button", { name: "Try Again" }).tap();
  expect(await refusal(page, false)).toBe("This browser stores no data for this page");
  const admitted = await open(page.url());
  await admitted.locator("followup-card").waitFor();

  const other = await browser.newContext({ locale: "en-US" });
  other.setDefaultTimeout(60_000);
  const stranger = await other.newPage();
  await stranger.goto(web.url);
  expect(await refusal(stranger, false)).toBe("This link was used already");
  // A browser that keeps storage but no cookie ends there, too.
  const second = await program.serve(await program.storage());
  await other.route("**/login", async (route) => {
    const answer = await route.fetch();
    await other.clearCookies();
    await route.fulfill({ contentType: "application/json", body: await answer.body() });
  });
  await stranger.goto(second.url);
  expect(await refusal(stranger, false)).toBe("This browser stores no data for this page");
  await other.unroute("**/login");
  await stranger.reload(); // its key admits it
  await stranger.locator("followup-app .empty").waitFor();
  await stranger.evaluate(() => {
    const unknown = { path: "/elsewhere/socket", device: "unknown" };
    localStorage.setItem("followup.credentials /", JSON.stringify(unknown));
  });
  await stranger.reload();
  expect(await refusal(stranger, false)).toBe("This browser is no longer admitted");
  await second.end();
  await other.close();
});

it("says at a hub why a browser is not admitted, and no more", async () => {
  const team = await program.storage();
  const token = await program.invite(team, "Ann");
  const agent = await program.invite(team, "bot", "--agent");
  const hub = await program.hub(team);
  const page = await context.newPage();
  try {
    await page.goto(hub.url);
    expect(await refusal(page)).toBe("Sign in with your link");
    for (const [secret, title] of [
      ["wrong", "The hub does not accept this link"],
      [agent, "This token belongs to an agent"],
    ]) {
      await page.goto("about:blank");
      await page.goto(`${hub.url}#${secret}`);
      expect(await refusal(page)).toBe(title);
    }

    await page.goto(`${hub.url}#${token}`); // only the part after the # changes
    await page.locator(".empty").waitFor();
    void program.askAt(hub.url, agent, "Roll back?", "--suggest", "Yes").catch(() => {});
    await page.locator("followup-card textarea").fill("After the release");
    await program.revoke(team, "Ann");
    await page.locator(".bar").getByText("You are no longer signed in").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("followup web");
    expect(await page.locator(".empty").count()).toBe(0);
    // What the user has written can still be copied.
    expect(await page.locator("followup-card textarea").inputValue()).toBe("After the release");
    await page.reload();
    expect(await refusal(page)).toBe("You are no longer signed in");

    const renewed = await program.invite(team, "Ann", "--renew");
    await page.goto("about:blank");
    await page.goto(`${hub.url}#${renewed}`);
    await page.locator("followup-card").waitFor();
    expect(await page.locator("followup-card textarea").inputValue()).toBe("After the release");
  } finally {
    await hub.end();
  }
});

it("shows an agent's question and sends the answer; the secret leaves the address and works once", async () => {
  const { questionId, answer } = await editor.ask("Which **port**?", "8080", "3000");
  const page = await open();
  expect(page.url()).toBe(`${origin()}/`);
  await expect.poll(() => page.title()).toBe("(1) Followup");
  expect(await page.locator("followup-card .question strong").textContent()).toBe("port");
  await page.locator("followup-card").getByText("in ferries").waitFor();
  const other = await browser.newContext();
  other.setDefaultTimeout(60_000);
  const stranger = await other.newPage();
  await stranger.goto(web.url);
  expect(await refusal(stranger, false)).toBe("This link was used already");
  await other.close();
  // A card accepts acts only after it was answerable for a moment.
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  await page.locator("followup-card").getByText("3000").tap();
  expect((await answer).text).toContain("3000");
  await editor.until(questionId, ({ state }) => state === "closed");
  await expect.poll(() => page.title()).toBe("Followup");
  await page.getByRole("link", { name: "History" }).tap();
  await page.locator("followup-history").getByText("Which port?").waitFor();
  // The history also announces new questions.
  await editor.ask("Which host?", "here");
  await expect.poll(() => page.title()).toBe("(1) Followup");
  await page.getByRole("link", { name: "Questions" }).tap();
  await page.locator("followup-card").getByText("Which host?").waitFor();
});

it("shows a streaming question", async () => {
  const page = await open();
  const { session } = await editor.request(sessionOpen, { agent: "Harbour", key: uuidv7() });
  const where = { session, streamId: uuidv7() };
  const text = "<ask_followup_question><question>Which quay";
  editor.notify(streamAppend, { ...where, offset: 0, text });
  const card = page.locator('followup-card[data-state="streaming"]');
  await card.getByText("Which quay").waitFor();
  const rest = "?</question><follow_up><suggest>North</suggest></follow_up></ask_followup_question>";
  editor.notify(streamAppend, { ...where, offset: text.length, text: rest });
  await page.locator('followup-card[data-state="pending"]').getByText("North").waitFor();
  await editor.request(streamEnd, { ...where, reason: "aborted" });
  await card.or(page.locator('followup-card[data-state="pending"]')).waitFor({ state: "detached" });
});

it("switches between questions and history without reloading, by links and by back and forward", async () => {
  const { questionId: answered, answer } = await editor.ask("Which port?", "8080", "3000");
  await editor.request(questionAnswer, { questionId: answered, provenance: "clicked", suggestion: 0 });
  await answer;
  const { questionId } = await editor.ask("Which host?", "here", "there");
  const page = await open();
  const loads: string[] = [];
  page.on("load", () => loads.push(page.url()));
  const box = page.locator("followup-card textarea");
  await box.fill("Neither of");
  await box.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(3, 3));
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  const current = () => page.locator(".browser-bar [aria-current]").textContent();
  const row = page.locator("followup-history").getByText("Which port?");

  await page.getByRole("link", { name: "History" }).tap();
  await row.waitFor();
  expect([page.url(), await current()]).toEqual([`${origin()}/?history`, "History"]);
  expect(await page.locator("followup-app").count()).toBe(0);
  // A hidden view's keys have no effect.
  await page.getByRole("link", { name: "History" }).blur();
  await page.keyboard.press("1");
  await page.getByRole("searchbox").fill("port");
  await page.goBack();
  expect([page.url(), await current()]).toEqual([`${origin()}/`, "Questions"]);
  expect(await box.inputValue()).toBe("Neither of");
  expect(await box.evaluate((element: HTMLTextAreaElement) => element.selectionStart)).toBe(3);
  expect(await page.locator("followup-card").getAttribute("data-state")).toBe("pending");
  await editor.until(questionId, ({ draft }) => draft?.text === "Neither of");
  await page.goForward();
  await row.waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("port");
  await page.getByRole("link", { name: "History" }).tap();
  await page.goBack();
  await box.waitFor();
  expect(loads).toEqual([]);

  await page.goForward();
  await page.reload();
  await row.waitFor();
  await page.getByRole("link", { name: "Questions" }).tap();
  expect(await box.inputValue()).toBe("Neither of");
  expect(loads).toEqual([`${origin()}/?history`]);
});

it("keeps the scroll position of each view", async () => {
  await Promise.all(Array.from({ length: 6 }, (_, index) => editor.ask(`Question ${index}?`, "Yes", "No")));
  const page = await open();
  await expect.poll(() => page.locator("followup-card").count()).toBe(6);
  const place = () => page.evaluate(() => window.scrollY);
  await page.evaluate(() => window.scrollTo(0, 400));
  await page.getByRole("link", { name: "History" }).dispatchEvent("click");
  await page.locator("followup-history .empty").waitFor();
  expect(await place()).toBe(0);
  await page.goBack();
  await page.locator("followup-card").first().waitFor();
  expect(await place()).toBe(400);
});

it("accepts one answer when the editor and the browser answer at once, and both show it", async () => {
  const { questionId, answer } = await editor.ask("Which port?", "8080", "3000");
  const page = await open();
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  const box = await page.locator("followup-card").getByText("3000").boundingBox();
  const [taken] = await Promise.all([
    editor.request(questionAnswer, { questionId, provenance: "clicked", suggestion: 0 }),
    page.touchscreen.tap((box?.x ?? 0) + 5, (box?.y ?? 0) + 5),
  ]);
  const { text } = await answer;
  expect(text).toContain(taken.accepted ? "8080" : "3000");
  const won = taken.accepted ? "8080" : "3000";
  expect((await editor.until(questionId, ({ state }) => state === "closed")).outcome?.text).toBe(won);
  await page.locator("followup-card").getByText(won).first().waitFor();
  await expect.poll(() => page.title()).toBe("Followup");
});

it("shows a group's question only to its members, and who answered it", async () => {
  const team = await program.storage();
  const [ann, bob, zoe, bot] = await Promise.all([
    program.invite(team, "Ann", "--group", "on call"),
    program.invite(team, "Bob", "--group", "on call"),
    program.invite(team, "Zoë"),
    program.invite(team, "bot", "--agent"),
  ]);
  const hub = await program.hub(team);
  try {
    const pages = await Promise.all(
      [ann, bob, zoe].map(async (token) => {
        const its = await browser.newContext({
          viewport: { width: 360, height: 740 },
          hasTouch: true,
          locale: "en-US",
        });
        its.setDefaultTimeout(60_000);
        const page = await its.newPage();
        await page.goto(`${hub.url}#${token}`);
        await page.locator(".empty").waitFor();
        return page;
      }),
    );
    const [first, second, other] = pages as [Page, Page, Page];
    const answer = program.askAt(
      hub.url,
      bot,
      "Roll back?",
      "--suggest",
      "Yes",
      "--suggest",
      "No",
      "--to",
      "on call",
    );
    for (const page of [first, second]) {
      await page.locator("followup-card").getByText("For on call").waitFor();
      await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
    }
    await first.locator("followup-card").getByRole("button", { name: "Yes", exact: true }).tap();
    expect(await answer).toBe("Yes");
    for (const page of [first, second]) {
      await page.locator('followup-card[data-state="closed"]').getByText("Ann answered").waitFor();
    }
    // The question for everybody comes after the other one, which she must not get.
    const open = program.askAt(hub.url, bot, "And now?", "--suggest", "Wait");
    await other.locator("followup-card").getByText("And now?").waitFor();
    expect(await other.getByText("Roll back?").count()).toBe(0);
    await other.locator("followup-app:not(:has([data-fresh]))").waitFor();
    await other.locator("followup-card").getByText("Wait").tap();
    expect(await open).toBe("Wait");
    await Promise.all(pages.map((page) => page.context().close()));
  } finally {
    await hub.end();
  }
});

it("shows the user's name and team at a hub, and signs out in all pages of the browser", async () => {
  const team = await program.storage();
  const token = await program.invite(team, "Ann", "--team", "on-call");
  const hub = await program.hub(team);
  const its = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: "en-US" });
  its.setDefaultTimeout(60_000);
  try {
    const page = await its.newPage();
    await page.goto(`${hub.url}#${token}`);
    const signOut = page.getByRole("button", { name: "Ann (team on-call) · Sign Out" });
    await signOut.waitFor();
    const other = await its.newPage();
    await other.goto(`${hub.url}?history`);
    await other.getByRole("button", { name: "Ann (team on-call) · Sign Out" }).waitFor();
    await signOut.click();
    for (const each of [page, other]) {
      expect(await refusal(each)).toBe("You are signed out");
    }
    expect(await its.cookies()).toEqual([]);
    await page.goto(`${hub.url}#${token}`);
    await signOut.waitFor();
    await other.getByRole("button", { name: "Sign Out" }).waitFor();
  } finally {
    await its.close();
    await hub.end();
  }
});

it("brings a draft to the editor, and keeps one that was written offline", async () => {
  const { questionId } = await editor.ask("Which port?");
  const page = await open();
  const box = page.locator("followup-card textarea");
  await box.fill("One that is");
  await editor.until(questionId, ({ draft }) => draft?.text === "One that is");
  await web.end();
  await page.locator(".bar").getByText("There is no connection to Followup.").waitFor();
  await box.fill("One that is free");
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  expect(await box.inputValue()).toBe("One that is free");
});

it("reconnects by itself, and gets the changes since then", async () => {
  const page = await open();
  let sockets = 0;
  page.on("websocket", () => sockets++);
  await page.evaluate(() => {
    // Like a network that fails for a moment.
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
      WebSocket.prototype.send = send;
      send.call(this, data);
      this.close();
    };
  });
  await editor.ask("Still there?");
  await page.locator("followup-card textarea").fill("y");
  await expect.poll(() => sockets).toBeGreaterThan(0);
  const { questionId } = await editor.ask("And now?");
  await page.locator("followup-card").nth(1).waitFor();
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  await page.locator("followup-card textarea").last().fill("yes");
  await editor.until(questionId, ({ draft }) => draft?.text === "yes");
});

it("replaces a connection that was silent for too long", async () => {
  const page = await open();
  const again = page.waitForEvent("websocket");
  await page.evaluate(() => {
    // As on a dead network, messages are lost and no end is reported.
    WebSocket.prototype.send = () => {};
    WebSocket.prototype.close = () => {};
  });
  const { questionId } = await editor.ask("Still there?", "Yes", "No");
  // The page accepts acts only once it has the change.
  await page.locator(`followup-app:not(:has([data-fresh])) followup-card[data-id="${questionId}"]`).waitFor();
  await page.locator("followup-card").getByText("Yes", { exact: true }).tap();
  await page.locator('followup-card[data-state="sending"]').waitFor();
  await page.clock.setFixedTime(Date.now() + 76_000);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await again;
  // The lost answer can be given again.
  await page
    .locator("followup-card")
    .getByRole("button", { name: "Yes" })
    .and(page.locator(":enabled"))
    .waitFor();
});

it("reports a lost connection at once, and offers a retry when it was refused", async () => {
  await editor.ask("Still there?");
  const page = await open();
  await page.locator("followup-card textarea").waitFor();
  let answer = () => {};
  const requested = new Promise<void>((resolve) => {
    void page.route("**/socket", async (route) => {
      resolve();
      await new Promise<void>((go) => {
        answer = go;
      });
      await route.fulfill({ status: 401 });
    });
  });
  await page.evaluate(() => {
    const { device: _, ...credentials } = JSON.parse(localStorage.getItem("followup.credentials /") ?? "{}");
    localStorage.setItem("followup.credentials /", JSON.stringify(credentials));
    // The page waits for the answer to its request, however slow this test is.
    AbortSignal.timeout = () => new AbortController().signal;
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function () {
      WebSocket.prototype.send = send;
      this.close();
    };
  });
  await page.locator("followup-card textarea").fill("y");
  await requested;
  await page.locator(".bar").getByText("There is no connection to Followup.").waitFor();
  answer();
  await page.locator(".bar").getByText("This browser is no longer admitted").waitFor();
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  expect(await page.locator(".bar .action").count()).toBe(1);
  const again = page.waitForEvent("websocket");
  await page.getByRole("button", { name: "Try Again" }).tap();
  await again;
  await page.locator(".bar").waitFor({ state: "detached" });
});

it("is admitted after a server restart, without a new address", async () => {
  const page = await open();
  const { port } = new URL(web.url);
  await web.end();
  await page.locator(".bar").getByText("There is no connection to Followup.").waitFor();
  web = await program.serve(storage);
  expect(new URL(web.url).port).toBe(port);
  await page.locator(".bar").getByText("There is no connection to Followup.").waitFor({ state: "detached" });
  const { answer } = await editor.ask("Still there?", "Yes");
  await page.locator("followup-card").getByText("Still there?").waitFor();
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  await page.locator("followup-card").getByRole("button", { name: "Yes" }).tap();
  expect((await answer).text).toContain("Yes");
  // An admitted browser that comes again is not a refusal: after a restart, with an old link, or without its cookie.
  await context.clearCookies();
  for (const url of [web.url, web.url, `${origin()}/#${"A".repeat(26)}`]) {
    await page.goto("about:blank");
    await page.goto(url);
    await page.locator(".empty").and(page.locator("followup-app *")).waitFor();
  }
  expect(web.refusals).toEqual([]);
});

it("says what to do if there are no questions", async () => {
  const page = await open();
  expect(await page.locator(".empty .commands").textContent()).toContain("followup connect\nfollowup ask");
});

it("loads little: its files are compressed and cached", async () => {
  let bytes = 0;
  const counted = async (load: () => Promise<unknown>) => {
    bytes = 0;
    await load();
    return bytes;
  };
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const load = (url: string) => async () => {
    await page.goto(url);
    await page.locator("followup-card, .empty").first().waitFor();
  };
  expect(await counted(load(web.url))).toBeLessThan(130_000);
  expect(await counted(load(`${origin()}/`))).toBeLessThan(10_000);
});

it("does not send an oversized message that would end the connection, and reports it on the card", async () => {
  await editor.ask("Which port?");
  const page = await open();
  let sockets = 0;
  page.on("websocket", () => sockets++);
  await page.evaluate(() => {
    const { stringify } = JSON;
    JSON.stringify = (value: { method?: string }) =>
      value.method === "question/answer" ? "x".repeat(33 * 1024 * 1024) : stringify(value);
  });
  await page.locator("followup-card textarea").fill("8080");
  await page.locator("followup-app:not(:has([data-fresh]))").waitFor();
  await page.locator("followup-card textarea").press("Control+Enter");
  await page.locator("followup-card").getByText("This is too long to send").first().waitFor();
  expect(sockets).toBe(0);
  expect(await page.locator("followup-card textarea").inputValue()).toBe("8080");
});

it("counts as an open inbox while the user would notice a question, so that agents elsewhere know", async () => {
  await editor.end();
  const agent = await program.editor(storage, false);
  const isShown = async (shown: boolean) =>
    await expect.poll(async () => (await agent.request(inboxStatus, {})).shown).toBe(shown);
  await isShown(false);
  const page = await open();
  await isShown(true);
  const hide = (hidden: boolean) =>
    page.evaluate((hidden) => {
      // As if the user looks at another tab.
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await hide(true);
  await isShown(false);
  await hide(false);
  await isShown(true);
  await page.getByRole("link", { name: "History" }).tap();
  await page.locator("followup-history input").first().waitFor();
  await isShown(false);
  await page.getByRole("link", { name: "Questions" }).tap();
  await page.locator(".empty").waitFor();
  await isShown(true);
  await page.close();
  await isShown(false);
  await agent.end();
});

it("offers no editor functions, and a retry only if it does not retry by itself", async () => {
  const page = await open();
  await page.locator(".empty").waitFor();
  expect(await page.locator(".empty .action").count()).toBe(0);
  await web.end();
  await page.locator(".bar").getByText("There is no connection to Followup.").waitFor();
  expect(await page.locator(".bar .action").count()).toBe(0);
});

/** Serves another site's page on another port of this machine. */
async function elsewhere(): Promise<Server> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><title>elsewhere</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

it("rejects pages of another port, and names rebound to this machine", async () => {
  await editor.ask("A secret?");
  const own = await open();
  const path = await own.evaluate(
    () => JSON.parse(localStorage.getItem("followup.credentials /") ?? "{}").path,
  );
  const server = await elsewhere();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const tried = await page.evaluate(
    async ([origin = "", path = ""]) => {
      const opened = (url: string) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url);
          socket.onopen = () => resolve("open");
          socket.onerror = () => resolve("refused");
        });
      const got = (url: string, init?: RequestInit) =>
        fetch(url, init).then(
          () => "open",
          () => "refused",
        );
      const framed = new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = resolve;
        frame.src = origin;
        document.body.append(frame);
      });
      return [
        // The cookie is sent: a browser treats all ports of a host as one site.
        await opened(origin.replace("http", "ws") + path),
        await got(origin),
        await got(`${origin}${path}`, { credentials: "include" }),
        await got(`${origin}/login`, { method: "POST", body: "x" }),
        await framed.then(() => "framed"),
      ];
    },
    [origin(), path ?? ""],
  );
  expect(tried).toEqual(["refused", "refused", "refused", "refused", "framed"]);
  expect(page.frames().map((frame) => new URL(frame.url()).protocol)).toEqual(["http:", "chrome-error:"]);
  const misled = await page.goto(`${origin().replace("127.0.0.1", rebound)}/`);
  expect(misled?.status()).toBe(421);
  expect(web.refusals.filter((line) => line.includes("the origin is not this server"))).toHaveLength(4);
  expect(web.refusals.filter((line) => line.includes("the host is not this server")).length).toBeGreaterThan(
    0,
  );
  server.close();
  // The attacks changed nothing.
  await own.getByText("A secret?").first().waitFor();
  await own.reload();
  await own.getByText("A secret?").first().waitFor();
});

it("has touch targets for a thumb, fits the phone, and has no axe violation in either color scheme", async () => {
  await editor.ask(
    "Which port should the server for development use?",
    "8080",
    "3000, since the tests expect it",
  );
  const page = await open();
  for (const name of ["", "?history"]) {
    await page.goto(`${origin()}/${name}`);
    await page.locator("followup-card, followup-history .filter, followup-history input").first().waitFor();
    const small = await page.locator("a, button, input, textarea").evaluateAll((all) =>
      all.flatMap((each) => {
        const { width, height } = each.getBoundingClientRect();
        return width > 0 && (width < 43.5 || height < 43.5) ? [`${each.outerHTML} ${width}×${height}`] : [];
      }),
    );
    expect(small).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.evaluate(axe.source);
    for (const media of [
      { colorScheme: "dark", contrast: "no-preference" },
      { colorScheme: "light", contrast: "no-preference" },
      { colorScheme: "dark", contrast: "more" },
    ] as const) {
      await page.emulateMedia(media);
      // The page follows the system, and its colours fade.
      const background =
        media.contrast === "more"
          ? "rgb(0, 0, 0)"
          : media.colorScheme === "light"
            ? "rgb(248, 248, 248)"
            : "rgb(24, 24, 24)";
      await page.waitForFunction(
        (color) =>
          getComputedStyle(document.documentElement).backgroundColor === color &&
          document.getAnimations().length === 0,
        background,
      );
      const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
      expect(violations.map(({ id, nodes }) => [media, id, nodes.map(({ html }) => html)])).toEqual([]);
    }
  }
});

it("runs nothing that agents write: no vector loads, opens or changes anything", async () => {
  const asks = vectors.map((vector) => editor.ask(vector, vector, `2 ${vector}`));
  await Promise.all(asks);
  const page = await open();
  const happened: string[] = [];
  page.on("dialog", (dialog) => {
    happened.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin())) {
      happened.push(`request ${request.url()}`);
    }
  });
  page.on("framenavigated", (frame) => happened.push(`navigation ${frame.url()}`));
  await page.reload();
  await expect.poll(() => page.title()).toBe(`(${vectors.length}) Followup`);
  await expect.poll(() => page.locator("followup-card").count()).toBe(vectors.length);
  const strange = await page.locator("followup-card").evaluateAll((cards) =>
    cards.flatMap((card) =>
      [...card.querySelectorAll("*:not(svg.codicon, svg.codicon *, followup-form > form)")].flatMap(
        (element) => {
          const forbidden =
            /^(script|style|iframe|object|embed|svg|math|form|meta|base|link|video|audio|img)$/;
          const handlers = element
            .getAttributeNames()
            .filter((name) => /^(on|style$|srcdoc$|href$|src$)/.test(name));
          return forbidden.test(element.localName) || handlers.length > 0 ? [element.outerHTML] : [];
        },
      ),
    ),
  );
  expect(strange).toEqual([]);
  expect(happened).toEqual([`navigation ${origin()}/`]);
});

it("uses the browser's language", async () => {
  await context.close();
  context = await browser.newContext({ locale: "fr-CA" });
  const page = await open();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr-CA");
  await page.getByRole("link", { name: "Historique" }).waitFor();
});

it("falls back to English if the texts do not load", async () => {
  await context.close();
  context = await browser.newContext({ locale: "fr-CA" });
  await context.route("**/l10n/*", (route) => route.abort());
  const page = await open();
  await page.getByRole("link", { name: "History" }).waitFor();
});

it("copies without the clipboard API", async () => {
  await context.addInitScript(() => {
    // Like a page from another machine without a certificate.
    Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined });
    document.addEventListener("copy", () => {
      document.title = `copied ${(document.activeElement as HTMLTextAreaElement).value}`;
    });
  });
  const { questionId } = await editor.ask("Which port?", "8080", "3000");
  await editor.request(questionAnswer, { questionId, provenance: "clicked", suggestion: 1 });
  const page = await open();
  await page.getByRole("link", { name: "History" }).tap();
  await page.locator("followup-history").getByText("Which port?").tap();
  await page.locator(".copy-answer").tap();
  await expect.poll(() => page.title()).toBe("copied 3000");
});
