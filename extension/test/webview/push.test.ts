// Web Push, from an agent's question to the notification and its answer, with the real `followup web`, its
// keeper and Chromium, and the test's own push service.

import { execFile } from "node:child_process";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { inboxStatus, type PushMessage, questionDismiss } from "../../src/protocol.gen";
import { expectAccessible } from "./axe";
import { PushService } from "./pushService";
import { type Editor, launch, type Program, type Web } from "./web";

let program: Program;
let browser: Browser;
let web: Web;
let agent: Editor;
let service: PushService;
let context: BrowserContext;
let page: Page;
let origin: string;
let storage: string;

beforeAll(async () => {
  process.env.FOLLOWUP_PUSH_PRIVATE = "1"; // the keeper inherits it from its first client
  [program, browser] = await launch({ whole: true });
});

afterAll(async () => {
  delete process.env.FOLLOWUP_PUSH_PRIVATE;
  await program?.remove();
});

beforeEach(async () => {
  storage = await program.storage();
  [web, agent, service] = await Promise.all([
    program.serve(storage),
    program.editor(storage),
    PushService.start(),
  ]);
  origin = new URL(web.url).origin;
  context = await browser.newContext({ locale: "en-US" });
  context.setDefaultTimeout(60_000);
  await context.grantPermissions(["notifications"], { origin });
  await context.addInitScript((subscription) => {
    // Chromium's own push service is not reachable here.
    const given = (key: string | null) =>
      key === null
        ? null
        : {
            ...subscription,
            toJSON: () => subscription,
            unsubscribe: async () => localStorage.removeItem("subscribed"),
          };
    Object.assign(PushManager.prototype, {
      getSubscription: async () => given(localStorage.getItem("subscribed")),
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        localStorage.setItem("subscribed", applicationServerKey);
        return given(applicationServerKey);
      },
    });
  }, service.subscription);
  page = await context.newPage();
  await page.goto(web.url);
  await page.locator(".empty").waitFor();
});

afterEach(async () => {
  await context.close();
  await Promise.all([web.end(), agent.end()]);
  service.end();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });

/** The output of `followup doctor` for a person without agents. */
const doctor = () =>
  new Promise<string>((resolve) =>
    execFile(program.binary, ["doctor", "--storage", storage], { env: { HOME: storage } }, (_, said) =>
      resolve(said),
    ),
  );

/** Makes this browser's notifications immediate instead of after a minute. */
async function turnOn(): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await button("Notifications").click();
  await button("Turn On").click();
  await page.getByLabel("Seconds").fill("0");
  await button("Save").click();
  await page.getByText("No notification has been sent yet.").first().waitFor();
}

/** Closes the page; returns a way to send messages to its service worker. */
async function closePage(): Promise<{ deliver(message: PushMessage | string): Promise<void> }> {
  await page.goto("about:blank");
  const devtools = await context.newCDPSession(page);
  return { deliver: await deliverer(devtools) };
}

/** Returns a function that passes a message to the service worker, like the browser. */
async function deliverer(devtools: CDPSession) {
  const registered = new Promise<string>((resolve) =>
    devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      own && resolve(own.registrationId);
    }),
  );
  await devtools.send("ServiceWorker.enable");
  const registrationId = await registered;
  return async (message: PushMessage | string) => {
    const data = typeof message === "string" ? message : JSON.stringify(message);
    const tag = typeof message === "string" ? "followup" : message.tag;
    const before = await shown();
    // DevTools may lose a message on a busy machine, and the browser a notification that is shown while others
    // are listed. Delivering a message twice has the same effect as once.
    await expect
      .poll(
        async () => {
          await devtools.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
          await vi.waitFor(async () => {
            const now = await shown();
            expect(now).not.toEqual(before);
            expect(now.map((notification) => notification.tag)).toContain(tag);
          }, 5_000);
          return true;
        },
        { timeout: 60_000 },
      )
      .toBe(true);
  };
}

const worker = async () => context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker"));

/** The visible notifications. */
const shown = async () =>
  (await worker()).evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const all = await registration.getNotifications();
    return all.map(
      ({ title, body, tag, actions = [], silent }: Notification & { actions?: { title: string }[] }) => ({
        title,
        body,
        tag,
        silent,
        actions: actions.map((action) => action.title),
      }),
    );
  });

/** Clicks a notification, or its button with an answer. Only a user may open or focus a page, so that is recorded. */
const click = async (tag: string, action = "") =>
  (await worker()).evaluate(
    async ([tag, action]) => {
      const scope = self as unknown as {
        registration: ServiceWorkerRegistration;
        clients: { openWindow(address: string): Promise<void> };
        opened?: string;
      };
      scope.clients.openWindow = async (address) => {
        scope.opened = address;
      };
      const [notification] = await scope.registration.getNotifications({ tag });
      const Clicked = (globalThis as unknown as { NotificationEvent: new (...args: unknown[]) => Event })
        .NotificationEvent;
      self.dispatchEvent(new Clicked("notificationclick", { notification, action }));
    },
    [tag, action],
  );

it("turns on, tests, changes and turns off in the settings, and sends nothing before", async () => {
  await agent.ask("Which port?", "8080");
  await button("Notifications").click();
  await page.getByText("even while this page is closed").waitFor();
  expect(service.count).toBe(0);
  await button("Close").click();
  await turnOn();
  await button("Send a Test").click();
  expect(await service.next()).toMatchObject({ text: "Notifications reach this browser." });
  await page.getByText("Last notification delivered").waitFor();
  await page.getByLabel("Hide the question").check();
  await button("Save").click();
  await page.reload();
  await button("Notifications").click();
  expect(await page.getByLabel("Hide the question").isChecked()).toBe(true);
  expect(await page.getByLabel("Seconds").inputValue()).toBe("0");
  service.status = 403;
  await button("Send a Test").click();
  await page.getByText("the receiver answered 403 Forbidden").waitFor();
  expect(await doctor()).toMatch(
    /!! {2}Chrome · Linux was not notified at .*: the receiver answered 403 Forbidden\./,
  );
  service.status = 410;
  await button("Send a Test").click();
  await button("Turn On").waitFor();
  service.status = 201;
  await button("Turn On").click();
  await button("Turn Off").click();
  await button("Turn On").waitFor();
});

it("shows the --notify address, sends it a test, and has accessible settings in every scheme", async () => {
  await web.end();
  const flags = ["--notify", `${service.origin}/hidden-path`, "--notify-private", "--notify-after", "1h"];
  web = await program.serve(storage, ...flags);
  await page.reload();
  await turnOn();
  const name = `Webhook · ${new URL(service.origin).host}`;
  await page.getByText(`${name}: No notification has been sent yet.`).waitFor();
  await button(`Send a Test to ${name}`).click();
  // The receiver rejects everything but pushes.
  await page
    .getByText(/^Webhook .*Last notification failed .*the receiver answered 400 Bad Request/)
    .waitFor();
  expect(await page.content()).not.toContain("hidden-path");
  const wear = (colorScheme: "dark" | "light", contrast: "more" | "no-preference") => () =>
    page.emulateMedia({ colorScheme, contrast, reducedMotion: "reduce" });
  await expectAccessible(page, [
    ["dark", wear("dark", "no-preference")],
    ["light", wear("light", "no-preference")],
    ["dark, more contrast", wear("dark", "more")],
    ["light, more contrast", wear("light", "more")],
  ]);
});

it("meets the browser's criteria for an installable app", async () => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const devtools = await context.newCDPSession(page);
  const { errors, data = "" } = await devtools.send("Page.getAppManifest");
  expect(errors).toEqual([]);
  expect(JSON.parse(data)).toMatchObject({ display: "standalone", start_url: "./" });
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]); // which applies to each test's page
});

it("notifies a closed page's browser, and answers by the notification's button, also after a server restart", async () => {
  await turnOn();
  const { deliver } = await closePage();
  await expect.poll(async () => (await agent.request(inboxStatus, {})).shown).toBe(true);
  const { questionId, answer } = await agent.ask("Drop **users**?", "Yes", "No", "Later");
  const message = await service.next();
  await deliver(message);
  await expect
    .poll(shown)
    .toMatchObject([
      { title: "Harbour asks you", body: "Drop users?", tag: questionId, actions: ["Yes", "No"] },
    ]);
  // A restarted server has another cookie: the browser's own key admits the service worker.
  await web.end();
  web = await program.serve(storage);
  expect(new URL(web.url).origin).toBe(origin);
  await click(questionId, "1");
  expect((await answer).text).toContain("No");
  await expect.poll(shown).toEqual([]);
});

it("opens the card by a click, and removes a notification when its question is answered elsewhere", async () => {
  await turnOn();
  const { deliver } = await closePage();
  const { questionId } = await agent.ask("Drop users?", "Yes");
  await deliver(await service.next());
  await expect.poll(async () => (await shown()).length).toBe(1);
  await click(questionId);
  const opened = () =>
    worker().then((w) => w.evaluate(() => (self as unknown as { opened?: string }).opened));
  await expect.poll(opened).toBe(`${origin}/?question=${questionId}`);
  await page.goto((await opened()) ?? "");
  await page.locator(`followup-card:focus-within`).getByText("Drop users?").waitFor();
  expect(page.url()).toBe(`${origin}/`);

  const again = await closePage();
  const other = await agent.ask("Drop orders?", "Yes");
  await again.deliver(await service.next());
  await expect.poll(async () => (await shown()).map(({ tag }) => tag)).toEqual([other.questionId]);
  await agent.request(questionDismiss, { questionId: other.questionId });
  await again.deliver(await service.next());
  await expect
    .poll(shown)
    .toMatchObject([{ body: "No answer is needed any more.", silent: true, actions: [] }]);
  await again.deliver({ tag: "next", title: "Next" });
  await expect.poll(async () => (await shown()).map(({ tag }) => tag)).toEqual(["next"]);
});

it("reports a late answer", async () => {
  await turnOn();
  const { deliver } = await closePage();
  const { questionId } = await agent.ask("Drop users?", "Yes");
  await deliver(await service.next());
  await expect.poll(async () => (await shown()).length).toBe(1);
  await agent.request(questionDismiss, { questionId });
  await click(questionId, "0");
  await expect.poll(shown).toMatchObject([{ body: /closed already/ }]);
});

it("shows a neutral notification for a foreign push", async () => {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const { deliver } = await closePage();
  await deliver("no JSON");
  await expect.poll(shown).toMatchObject([{ title: "Followup", body: "", actions: [] }]);
});

it.each([
  ["insecure", () => Object.defineProperty(window, "isSecureContext", { value: false }), /https address/],
  ["an iPhone", () => Object.defineProperty(navigator, "standalone", { value: false }), /Add to Home Screen/],
  [
    "without notifications",
    () => Reflect.deleteProperty(window, "Notification"),
    /does not support notifications/,
  ],
  [
    "denied",
    () => Object.defineProperty(Notification, "permission", { value: "denied" }),
    /blocks notifications/,
  ],
] as const)("explains why there are no notifications: %s", async (_, change, why) => {
  await context.addInitScript(change);
  await page.reload();
  await button("Notifications").click();
  await page.locator("dialog").getByText(why).waitFor();
  expect(await button("Turn On").count()).toBe(0);
});

it("offers to install the page if the browser does", async () => {
  await page.evaluate(() => {
    const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
      prompt: async () => {
        document.title = "prompted";
        window.dispatchEvent(new Event("appinstalled"));
      },
    });
    window.dispatchEvent(offer);
  });
  await button("Notifications").click();
  await button("Install as an App").click();
  await button("Install as an App").waitFor({ state: "detached" });
  expect(await page.title()).toBe("prompted");
});

it("notifies of a new question if permitted, and in its title and icon", async () => {
  const icon = page.locator('link[rel="icon"]');
  expect(await icon.getAttribute("href")).toBe("icon.svg");
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const { questionId } = await agent.ask("Which port?", "8080");
  const notices = () =>
    page.evaluate(async () => {
      const all = await (await navigator.serviceWorker.ready).getNotifications();
      return all.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  await expect.poll(notices).toEqual([{ title: "Harbour asks you", body: "Which port?", tag: questionId }]);
  await expect.poll(() => page.title()).toBe("(1) Followup");
  expect(await icon.getAttribute("href")).toMatch(/^data:image\/svg/);
  // A user with notifications counts as an open inbox.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await agent.end();
  const other = await program.editor(storage, false);
  const isShown = async (shown: boolean) =>
    await expect.poll(async () => (await other.request(inboxStatus, {})).shown).toBe(shown);
  await isShown(true);
  await page.evaluate(() => Object.defineProperty(document, "hidden", { value: false, configurable: true }));
  await page.getByRole("link", { name: "History" }).click();
  await page.locator("followup-history input").first().waitFor();
  await isShown(false);
  // The hidden history also notifies of questions.
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await isShown(true);
  await other.end();
});
