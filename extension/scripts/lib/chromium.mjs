// The browser of the tests: its path, and flags so that it does not use the network.

import { findCommand } from "./paths.mjs";

/**
 * FOLLOWUP_CHROMIUM, or what Debian and others call it.
 * @returns {string | undefined} its absolute path
 */
export function findBrowser() {
  return process.env.FOLLOWUP_CHROMIUM || findCommand("chromium", "chromium-browser", "google-chrome");
}

/**
 * The browser for pages that do not need the browser's own interface, pushes or notifications: Chromium's headless shell if it is
 * installed, which needs a tenth less processor time, otherwise the whole browser.
 * @returns {string | undefined} its absolute path
 */
export function findShell() {
  return process.env.FOLLOWUP_CHROMIUM || findCommand("chromium-headless-shell") || findBrowser();
}

/**
 * The features that Playwright disables (`disabledFeatures` in its chromiumSwitches; the browser uses the last of several lists), and the
 * lists under the address bar, which cost two more pages and half a second of processor time for each window.
 */
const disabledFeatures = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"],
  ...["NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
];

/** No sandbox, which root cannot have, and no background work. */
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
 * For pages that live for seconds: without the optimizing compilers, which cost more than they save there. They need a tenth of the
 * processor time in the interface's tests.
 */
export const briefPageFlags = [...browserFlags, "--js-flags=--no-opt --no-maglev"];
