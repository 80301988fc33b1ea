// What a view says of itself: a bar for what is wrong, and what stands in its place while it is empty; each with the ways out of it.

import { html, nothing } from "lit";
import type { HostCommand } from "../../src/protocol.gen";
import type { Peer } from "../peer";
import type { ViewState } from "../state";
import { t } from "../strings";
import { actionButton, icon } from "./buttons";

/** A bar; an alert unless it only informs. */
export function bar(kind: "warning" | "error" | "info", text: unknown, ...buttons: unknown[]) {
  return html`<section class="bar" data-kind=${kind}>
    <p class="bar-text" role=${kind === "info" ? "note" : "alert"} dir="auto">${icon(kind)}<span>${text}</span></p>
    <div class="bar-ways">${buttons}</div>
  </section>`;
}

/** What stands in an empty view. */
export function empty(name: string, title: string, text: string, button: unknown) {
  return html`<section class="empty">${icon(name)}<h2>${title}</h2><p>${text}</p>${button}</section>`;
}

/** The way out that is a command of the host's, where the host can do it. */
export function commandButton(command: HostCommand, text: unknown, peer: Peer, locked = false) {
  const run = () => peer.run(command);
  return peer.can(command) ? actionButton({ name: command, locked, run }, text) : nothing;
}

/** That there is trouble with the sidecar, or that nothing is saved. */
export function troubleBar({ trouble, storage, hung }: ViewState, peer: Peer) {
  if (trouble === null) {
    const remedy = hung ? commandButton("restart", t("trouble.restart"), peer) : nothing;
    return storage === null ? nothing : bar("warning", storage, remedy);
  }
  const { restarting, message } = trouble;
  const restart = restarting
    ? html`${icon("loading", true)} ${t("trouble.restarting")}`
    : t("trouble.restart");
  return bar(
    "warning",
    message,
    commandButton("restart", restart, peer, restarting),
    commandButton("openLog", t("trouble.openLog"), peer),
  );
}

/** The team's hub, and whether there is a link to it. */
export function hubBar({ hub }: ViewState, peer: Peer) {
  if (hub === null) {
    return nothing;
  }
  const { state, name, url = "", account = "", problem } = hub;
  if (state === "refused") {
    return bar("warning", problem, commandButton("connectHub", t("hub.again"), peer));
  }
  const connected = state === "connected";
  return html`<p class="hub" role="status" dir="auto" data-state=${state}>
    ${icon(connected ? "organization" : "loading", !connected)}
    <span
      >${t(connected ? "hub.connected" : "hub.connecting", { hub: name ?? url, account })}${
        problem ? html` <span class="hub-problem">${problem}</span>` : nothing
      }</span
    >
  </p>`;
}
