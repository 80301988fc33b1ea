// The page as an installable app, by Lighthouse's PWA criteria, with the real `followup web`.

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { launch, type Program, type Web } from "./web";

let program: Program;
let browser: Browser;
let web: Web;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [program, browser] = await launch({ whole: true });
});

afterAll(async () => {
  await program?.remove();
});

beforeEach(async () => {
  web = await program.serve(await program.storage());
  context = await browser.newContext({ locale: "fr-FR" });
  context.setDefaultTimeout(60_000);
  page = await context.newPage();
  await page.goto(web.url);
  await page.locator(".empty").waitFor();
});

afterEach(async () => {
  await context.close();
  await web.end();
});

/** Waits until the service worker controls the page. */
const controlled = () =>
  page.waitForFunction(() => navigator.serviceWorker.controller?.scriptURL.endsWith("/worker.js"));

it("has a manifest and icons that a browser can install", async () => {
  const href = await page.locator('link[rel="manifest"]').getAttribute("href");
  const manifest = await page.evaluate(async (href) => (await fetch(href ?? "")).json(), href);
  expect(manifest).toMatchObject({ name: "Followup", short_name: "Followup", display: "standalone" });
  const base = new URL(href ?? "", page.url());
  expect(new URL(manifest.start_url, base).href).toBe(page.url());
  expect(new URL(manifest.scope, base).href).toBe(page.url());
  const named = [
    ...manifest.icons,
    { src: await page.locator('link[rel="apple-touch-icon"]').getAttribute("href"), sizes: "180x180" },
  ];
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (src) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    named.map(({ src }) => src),
  );
  for (const [i, icon] of named.entries()) {
    expect([sizes[i], "any"], icon.src).toContain(icon.sizes);
  }
  expect(sizes).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  expect(named.map(({ purpose }) => purpose)).toContain("maskable");
  const devtools = await context.newCDPSession(page);
  expect((await devtools.send("Page.getAppManifest")).errors).toEqual([]);
  await controlled();
  // Every browser context of a test reports "In incognito".
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});

it("opens offline in the user's language, and says that there is no connection", async () => {
  await controlled();
  await web.end();
  await page.reload();
  await page.getByText("Il n'y a pas de connexion à Followup.").waitFor();
  expect(await page.getByRole("link", { name: "Historique" }).count()).toBe(1);
  await page.goto(`${page.url()}?history`);
  await page.locator("followup-history").waitFor();
});

it("caches only its own files and this browser's credentials", async () => {
  await controlled();
  await page.reload();
  await page.locator(".empty").waitFor();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const shelves = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return shelves.flat().map(({ url }) => url);
  });
  const files = ["", "browser.js", "page.css", "icon.svg", "l10n/texts", "credentials"];
  expect(kept.sort()).toEqual(files.map((name) => new URL(name, page.url()).href).sort());
});

it("admits an app that shares no storage with the browser that installed it", async () => {
  const app = await browser.newContext();
  await app.addInitScript(() => {
    const match = window.matchMedia.bind(window);
    window.matchMedia = (query) => match(query.includes("standalone") ? "all" : query);
  });
  const other = await program.serve(await program.storage());
  const opened = await app.newPage();
  await opened.goto(new URL(other.url).origin);
  opened.once("dialog", (dialog) => dialog.accept(other.url));
  await opened.getByRole("button", { name: "Paste a Link" }).click();
  await opened.locator(".empty").and(opened.locator("followup-app *")).waitFor();
  await app.close();
  await other.end();
});
