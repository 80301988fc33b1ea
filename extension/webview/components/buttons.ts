// Icons, which say nothing that no text says, and buttons.

import { html, nothing } from "lit";
import { unsafeSVG } from "lit/directives/unsafe-svg.js";

/** What stands in the SVG of each icon that is used, by its name; `build.mjs` puts them here. */
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
  /** What the pointer shows; on an icon its name where nothing else is said. */
  title?: string;
  run?(): void;
  /** It does nothing at the moment, but keeps the keyboard focus. */
  locked?: boolean;
  disabled?: boolean;
  tabindex?: "0" | "-1";
  describedBy?: string;
}

/** A button that is an icon. */
export function iconButton(button: Button & { sign: string; label: string }) {
  return draw("icon-button", { title: button.label, ...button }, icon(button.sign));
}

/** A button that looks like a link, with an icon before its text where it has one. */
export function linkButton(button: Button, text: unknown) {
  return draw("link-button", button, button.sign ? html`${icon(button.sign)} ${text}` : text);
}

/** A button that stands out, among several the one that leads on. */
export function primaryButton(button: Button, text: string) {
  return draw("push-button", button, text);
}

/** A button that stands out less than a primary one. */
export function secondaryButton(button: Button, text: string) {
  return draw("push-button secondary", button, text);
}

/** A button that leads out of trouble or emptiness, or does something with what is opened. */
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
