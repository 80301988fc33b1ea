// What the page shows in place of the views while the server does not admit this browser.

import { html, render } from "lit";
import { actionButton, empty } from "../components/buttons";
import type { StringKey, Translate } from "../strings";
import type { Refusal } from "./socket";

/** The title of a refusal, and what the user can do. */
type Words = readonly [title: StringKey, way: StringKey];
type Refusals = { readonly none: Words } & Readonly<Partial<Record<Refusal, Words>>>;

const blocked: Words = ["admission.blocked", "admission.allow"];

const atWeb: Refusals = {
  none: ["admission.none", "admission.link"],
  used: ["admission.used", "admission.once"],
  wrong: ["admission.wrong", "admission.link"],
  unknown: ["admission.unknown", "admission.link"],
  blocked,
};

const atHub: Refusals = {
  none: ["admission.hub.none", "admission.hub.link"],
  signedOut: ["admission.hub.signedOut", "admission.hub.link"],
  wrong: ["admission.hub.wrong", "admission.hub.renew"],
  unknown: ["admission.hub.unknown", "admission.hub.ended"],
  agent: ["admission.hub.agent", "admission.hub.person"],
  blocked,
};

/** The words for a refusal, at `followup web` or at a hub. */
export function refusalWords(refusal: Refusal, isHub: boolean, t: Translate): [title: string, way: string] {
  const all = isHub ? atHub : atWeb;
  const [title, way] = all[refusal] ?? all.none;
  return [t(title), t(way, { host: location.host })];
}

const main = document.createElement("main");
main.className = "admission";

/** Shows a refusal instead of the views, with a button to try again; the views, if null. */
export function drawAdmission(
  words: [title: string, way: string] | null,
  label: string,
  run: () => void,
): void {
  document.body.classList.toggle("not-admitted", words !== null);
  if (words === null) {
    main.remove();
  } else {
    document.body.append(main);
    const content = empty("lock", ...words, actionButton({ run }, label));
    render(html`<h1 class="visually-hidden">Followup</h1><div role="alert">${content}</div>`, main);
  }
}
