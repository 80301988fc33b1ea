// Icons, which never replace a text; buttons; and the bars and empty views with buttons.

import { html, nothing } from "lit";
import { unsafeSVG } from "lit/directives/unsafe-svg.js";
import type { HostCommand } from "../../src/protocol.gen";
import type { Peer } from "../peer";
import type { ViewState } from "../state";
import { t } from "../strings";

/** The content of each used icon's SVG, by its name; `build.mjs` inserts them here. */
declare const codicons: Readonly<Record<string, { box: string; inside: string }>>;

/** An icon of @vscode/codicons; `spin` turns it unless the user wants reduced motion. */
export function icon(name: string, spin = false) {
  const { box = "0 0 16 16", inside } = codicons[name] ?? {};
  return html`<svg class="codicon codicon-${name}${spin ? " codicon-spin" : ""}" viewBox=${box} aria-hidden="true">
    ${inside ? unsafeSVG(inside) : nothing}
  </svg>`;
}

export interface Button {
  name?: string;
  sign?: string;
  label?: string;
  /** The tooltip; on an icon its label by default. */
  title?: string;
  run?(): void;
  /** It is disabled, but keeps the keyboard focus. */
  locked?: boolean;
  disabled?: boolean;
  tabindex?: "0" | "-1";
  describedBy?: string;
}

/** A button with only an icon. */
export function iconButton(button: Button & { sign: string; label: string }) {
  return draw("icon-button", { title: button.label, ...button }, icon(button.sign));
}

/** A button that looks like a link, with an icon before its text where it has one. */
export function linkButton(button: Button, text: unknown) {
  return draw("link-button", button, button.sign ? html`${icon(button.sign)} ${text}` : text);
}

/** A prominent button; among several, the one that continues. */
export function primaryButton(button: Button, text: string) {
  return draw("push-button", button, text);
}

/** A less prominent button than a primary one. */
export function secondaryButton(button: Button, text: string) {
  return draw("push-button secondary", button, text);
}

/** A button that solves a problem, fills an empty view, or acts on an open item. */
export function actionButton(button: Button, text: unknown) {
  return draw("action", button, text);
}

function draw(kind: string, button: Button, content: unknown) {
  const { name = "", label, title, run, locked = false, disabled = false, tabindex, describedBy } = button;
  return html`<button
    type="button"
    class="${kind} ${name}"
    tabindex=${tabindex ?? nothing}
    aria-label=${label ?? nothing}
    aria-describedby=${describedBy ?? nothing}
    title=${title ?? nothing}
    ?disabled=${disabled}
    aria-disabled=${locked ? "true" : nothing}
    @click=${run ? () => locked || run() : nothing}
  >
    ${content}
  </button>`;
}

/** A bar; an alert unless it only informs. */
export function bar(kind: "warning" | "error" | "info", text: unknown, ...buttons: unknown[]) {
  return html`<section class="bar" data-kind=${kind}>
    <p class="bar-text" role=${kind === "info" ? "note" : "alert"} dir="auto">${icon(kind)}<span>${text}</span></p>
    <div class="bar-ways">${buttons}</div>
  </section>`;
}

/** The content of an empty view. */
export function empty(name: string, title: string, text: string, button: unknown) {
  return html`<section class="empty">${icon(name)}<h2>${title}</h2><p>${text}</p>${button}</section>`;
}

/** A button for a command that solves the problem, if the host has the command. */
export function commandButton(command: HostCommand, text: unknown, peer: Peer, locked = false) {
  const run = () => peer.run(command);
  return peer.can(command) ? actionButton({ name: command, locked, run }, text) : nothing;
}

/** A bar for trouble with the sidecar, or if nothing can be saved. */
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

/** A bar for the team's hub, with the state of the connection. */
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
