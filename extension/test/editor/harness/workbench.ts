// The editor's window for a test as for a user: keyboard, palette, chat, files and the frames of Followup's view.

import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { vi } from "vitest";
import { FollowupView } from "./followup";

const startTimeout = 120_000;

/** Where the editor stores which built-in extensions are disabled, in the browser's IndexedDB. */
const stateDatabase = "vscode-web-state-db-global";
const disabledKey = "extensionsIdentifiers/disabled";

/** How a window is opened. */
export interface WindowOptions {
  /** Folders of extensions to run from source, as F5 does, instead of the packaged one. */
  development?: string[];
  /** Whether to switch on the built-in Copilot agent, which adds some seconds to the start. */
  copilot?: boolean;
  /** Device pixels for each CSS pixel (default 1). */
  scale?: number;
  /** The window's width in CSS pixels (default 1280). */
  width?: number;
  /** The window's height in CSS pixels (default 900). */
  height?: number;
}

/** A page with the workbench in it. */
export class Workbench {
  /** Followup's own view. */
  readonly followup: FollowupView;

  private constructor(
    readonly page: Page,
    private readonly address: string,
  ) {
    page.setDefaultTimeout(60_000);
    this.followup = new FollowupView(page);
  }

  /** Opens the workbench on a folder. */
  static async open(
    browser: Browser,
    url: string,
    folder: string,
    options: WindowOptions,
  ): Promise<Workbench> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 900 },
      deviceScaleFactor: options.scale ?? 1,
      reducedMotion: "reduce", // the processor draws all motion
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const address = workbenchAddress(url, folder, options.development ?? []);
    let page = await context.newPage();
    if (options.copilot) {
      await page.goto(address, { timeout: startTimeout });
      await page.locator(".monaco-workbench").waitFor({ timeout: startTimeout });
      await enableCopilot(page);
      await page.close();
      page = await context.newPage();
    }
    const workbench = new Workbench(page, address);
    await workbench.load();
    return workbench;
  }

  /** Runs the command with exactly that title in the command palette. A window that has just opened may not have it yet. */
  async runCommand(title: string): Promise<void> {
    const label = this.page.locator(".label-name").getByText(title, { exact: true });
    const row = this.page.locator(".quick-input-list .monaco-list-row", { has: label }).first();
    await vi.waitFor(
      async () => {
        await this.page.keyboard.press("F1");
        const input = this.page.locator(".quick-input-widget input.input");
        await input.waitFor();
        await input.fill(`>${title}`);
        await row.waitFor({ timeout: 5000 });
      },
      { timeout: startTimeout },
    );
    await row.click();
  }

  /** Chooses an item from the palette's list. */
  async pick(text: string): Promise<void> {
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first().click();
  }

  /** Opens a file of the workspace by its name and puts the cursor into its editor. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press("Control+P");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.waitFor();
    await input.fill(name);
    await this.page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
    await this.page.locator(`.editor-instance[aria-label*="${name}"]`).waitFor();
    await this.page.locator(".editor-instance .monaco-editor .view-lines").click();
  }

  /** Sends a message to the chat's agent. */
  async chat(text: string): Promise<void> {
    const input = this.page.locator(".interactive-input-part .monaco-editor").first();
    if (!(await input.isVisible())) await this.runCommand("Chat: Focus on Chat View");
    await input.click();
    await this.page.keyboard.type(text);
    await this.page.keyboard.press("Enter");
  }

  /** Loads the page and waits for the workbench in it. */
  async load(): Promise<void> {
    await this.page.goto(this.address, { timeout: startTimeout });
    await this.page.locator(".monaco-workbench").waitFor({ timeout: startTimeout });
  }
}

function workbenchAddress(url: string, folder: string, development: string[]): string {
  const address = new URL(url);
  address.searchParams.set("folder", folder);
  if (development.length > 0) {
    const entries = development.map((path) => [
      "extensionDevelopmentPath",
      `vscode-remote://${address.host}${pathToFileURL(path).pathname}`,
    ]);
    address.searchParams.set("payload", JSON.stringify(entries));
  }
  return address.href;
}

/**
 * Copilot's agent is built in but disabled until the user signs in. An empty list of disabled extensions enables it for
 * the next page of the same browser context.
 */
async function enableCopilot(page: Page): Promise<void> {
  await page.evaluate(
    async ({ database, key }) => {
      const open = indexedDB.open(database);
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        open.onsuccess = () => resolve(open.result);
        open.onerror = () => reject(open.error);
      });
      const change = db.transaction("ItemTable", "readwrite");
      change.objectStore("ItemTable").put("[]", key);
      await new Promise<void>((resolve, reject) => {
        change.oncomplete = () => resolve();
        change.onerror = () => reject(change.error);
      });
      db.close();
    },
    { database: stateDatabase, key: disabledKey },
  );
}
