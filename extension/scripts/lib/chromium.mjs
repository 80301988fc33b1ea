// The browser of the tests: where it is, and how it is started so that it asks nothing of the network.

import { findCommand } from "./paths.mjs";

/**
 * FOLLOWUP_CHROMIUM, or what Debian and others call it.
 * @returns {string | undefined} its absolute path
 */
export function findBrowser() {
  return process.env.FOLLOWUP_CHROMIUM || findCommand("chromium", "chromium-browser", "google-chrome");
}

/**
 * The browser for pages that need nothing of its own interface, neither pushes nor notifications: Chromium's headless shell if it is
 * installed, which takes a tenth less of the processor, or the whole browser.
 * @returns {string | undefined} its absolute path
 */
export function findShell() {
  return process.env.FOLLOWUP_CHROMIUM || findCommand("chromium-headless-shell") || findBrowser();
}

/**
 * What Playwright turns off (`disabledFeatures` in its chromiumSwitches; of two lists the browser takes the last), and the
 * lists under the address bar: two more pages, and half a second of a processor, for each window that nobody sees.
 */
const disabledFeatures = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"],
  ...["NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
];

/** Without a sandbox, which root cannot have, and without everything that runs in the background. */
export const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${disabledFeatures.join(",")}`,
];

/**
 * For pages that live for seconds: without the optimizing compilers, which cost more than they save there. They take a tenth of the
 * processor's time in the tests of the interface.
 */
export const briefPageFlags = [...browserFlags, "--js-flags=--no-opt --no-maglev"];
