// A button that opens a panel of choices below it. The browser closes the panel at a click elsewhere and at Esc, and gives
// the focus back to the button.

import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../components/icon";

/** What a menu shows. */
export interface MenuOptions {
  /** Unique on the page, fit for an id. */
  id: string;
  /** What the button says. */
  label: string;
  /** The name of what is chosen from, for a screen reader. */
  name: string;
  /** Something is chosen. */
  active: boolean;
  panel: TemplateResult | typeof nothing;
  /** Called when the panel opens. */
  opened?(): void;
}

/** A menu. */
export function menu({ id, label, name, active, panel, opened }: MenuOptions): TemplateResult {
  return html`<div class="menu">
    <button
      type="button"
      class="menu-button"
      id=${`${id}-button`}
      popovertarget=${id}
      aria-haspopup="dialog"
      aria-expanded="false"
      ?data-active=${active}
      title=${label}
    >
      <span class="menu-label" dir="auto">${label}</span>${icon("chevron-down")}
    </button>
    <div
      class="menu-panel"
      id=${id}
      popover="auto"
      role="dialog"
      aria-label=${name}
      @keydown=${moveInPanel}
      @toggle=${(event: ToggleEvent) => {
        const open = event.newState === "open";
        const panel = event.currentTarget as HTMLElement;
        panel.previousElementSibling?.setAttribute("aria-expanded", String(open));
        if (open) {
          place(panel);
          sized.observe(panel);
          opened?.();
          panel.querySelector<HTMLElement>("input:checked, input")?.focus();
        } else {
          sized.unobserve(panel);
        }
      }}
    >
      ${panel}
    </div>
  </div>`;
}

/** A choice of several in a panel. */
export function checkbox(
  label: string,
  checked: boolean,
  change: () => void,
  title?: string,
): TemplateResult {
  return html`<label class="choice" title=${title ?? nothing}>
    <input type="checkbox" .checked=${checked} @change=${change} /><span dir="auto">${label}</span>
  </label>`;
}

/** A choice of one in a panel. */
export function radio(name: string, label: string, checked: boolean, change: () => void): TemplateResult {
  return html`<label class="choice">
    <input type="radio" name=${name} .checked=${checked} @change=${change} /><span>${label}</span>
  </label>`;
}

/** A panel that grows stays within the page. */
const sized = new ResizeObserver((panels) => {
  for (const { target } of panels) {
    place(target as HTMLElement);
  }
});

/** Puts an open panel below its button, as far as the page goes. */
function place(panel: HTMLElement): void {
  const button = panel.previousElementSibling?.getBoundingClientRect();
  if (button === undefined) {
    return;
  }
  const margin = 4;
  const { clientWidth, clientHeight } = document.documentElement;
  panel.style.maxHeight = `${clientHeight - 2 * margin}px`;
  const { width, height } = panel.getBoundingClientRect();
  const rightToLeft = getComputedStyle(panel).direction === "rtl";
  const left = rightToLeft ? button.right - width : button.left;
  panel.style.left = `${within(left, clientWidth - width - margin)}px`;
  // In a low view it lies over its button.
  panel.style.top = `${within(button.bottom + 2, clientHeight - height - margin)}px`;

  function within(wanted: number, most: number): number {
    return Math.max(margin, Math.min(wanted, most));
  }
}

/** The arrow keys go from one checkbox to the next; of radio buttons the browser does it itself. */
function moveInPanel(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || !(target instanceof HTMLInputElement) || target.type !== "checkbox") {
    return;
  }
  event.preventDefault();
  const all = [...(currentTarget as HTMLElement).querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  all[(all.indexOf(target) + step + all.length) % all.length]?.focus();
}
