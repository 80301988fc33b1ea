// The browsers of a worker, for all its test files: a start takes a second of a processor. They end with the worker.

import { type Browser, chromium } from "playwright-core";
import { briefPageFlags, findBrowser, findShell } from "../../scripts/lib/chromium.mjs";

/** A name that resolves to this machine, as in DNS rebinding. */
export const rebound = "rebound.example";

const started = new Map<boolean, Promise<Browser>>();

/** Returns the worker's browser; whole is for notifications and installing, which the headless shell lacks. A file closes its contexts. */
export function browserOfWorker({ whole = false } = {}): Promise<Browser> {
  const browser =
    started.get(whole) ??
    chromium.launch({
      executablePath: whole ? findBrowser() : findShell(),
      args: [...briefPageFlags, `--host-resolver-rules=MAP ${rebound} 127.0.0.1`],
    });
  started.set(whole, browser);
  return browser;
}
