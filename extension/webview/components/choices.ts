// The choices of a question: radio buttons, checkboxes or, if a click answers at once, buttons.

import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { digitAt } from "../keys";
import { type Choice, type Part, recommendation } from "../parts";
import { t } from "../strings";
import { icon, iconButton } from "./buttons";
import { placeButtons } from "./places";
import { modeBadge } from "./record";
import { words } from "./text";

/** The choices of one question, and how they are shown. */
export interface Choices {
  part: Part;
  /** The prefix of their elements' ids. */
  ids: string;
  kind: "radio" | "checkbox" | "button";
  /** They are suggestions, which can be edited. */
  followup: boolean;
  chosen: readonly (number | undefined)[];
  /** The choice whose preview is shown. */
  shown?: number;
  /** The choice that is in the Tab order. */
  current: number;
  /** Whether digits choose. */
  digits: boolean;
  /** More choices may arrive; none can be chosen yet. */
  incomplete: boolean;
  /** None can be chosen at the moment, but they keep the keyboard focus. */
  stuck: boolean;
  /** The user's words are sent with a suggestion. */
  along: boolean;
}

/**
 * The maximum length at which a suggestion is shown completely, in UTF-16 code units and in lines. The text
 * box shows all of it.
 */
const wholeLength = 1500;
const wholeLines = 30;

/** The digit that chooses the option at that index, or "" where no digit does. */
function digitOf({ digits }: Choices, index: number): string {
  return digits ? digitAt(index) : "";
}

export function shownDigit(choices: Choices, index: number) {
  return html`<span class="digit" aria-hidden="true">${digitOf(choices, index)}</span>`;
}

/** The mark before a choice that is a button: its digit, or a sign that it was chosen. */
export function buttonMark(choices: Choices, index: number) {
  const mark = choices.chosen.includes(index) ? icon("check") : digitOf(choices, index) || "•";
  return html`<span class="digit" aria-hidden="true">${mark}</span>`;
}

/** A choice in its row. */
export function choiceRow(choices: Choices, choice: Choice, index: number) {
  const { ids, kind, shown, followup, incomplete, stuck } = choices;
  const isButton = kind === "button";
  const end = followup ? editButton(choices, index) : isButton ? nothing : shownDigit(choices, index);
  const text = html`<label for="${ids}-option-${index}" dir="auto">${label(choices, choice)}</label>`;
  return html`<div
      class="option ${followup ? "suggestion" : ""}"
      role=${followup ? "listitem" : nothing}
      data-index=${index}
      ?data-chosen=${choices.chosen.includes(index)}
      ?data-disabled=${incomplete || (isButton && stuck)}
    >
      <span class="marker">${isButton ? buttonMark(choices, index) : input(choices, choice, index)}</span>
      <div class="option-body">
        ${isButton ? button(choices, choice, index) : text}
        ${incomplete ? nothing : placeButtons(choice.label)}
        ${description(choices, choice, index)}
      </div>
      ${end}
    </div>
    ${choice.preview && shown === index ? html`<div class="preview-below">${preview(choices, choice, true)}</div>` : nothing}`;
}

/** The preview of each choice; all occupy the same place, and one is visible. */
export function previews(choices: Choices) {
  const none = choices.shown === undefined;
  return html`<div class="previews">
    ${none ? html`<p class="preview-none hint" data-shown>${t("questions.previewHint")}</p>` : nothing}
    ${choices.part.options.map((choice, index) => preview(choices, choice, index === choices.shown))}
  </div>`;
}

function button(choices: Choices, choice: Choice, index: number) {
  const { current, incomplete, stuck } = choices;
  return html`<button
    type="button"
    class="choose"
    data-index=${index}
    tabindex=${index === current ? "0" : "-1"}
    dir="auto"
    ?disabled=${incomplete}
    aria-disabled=${stuck ? "true" : nothing}
    aria-describedby=${describedBy(choices, choice, index)}
    aria-keyshortcuts=${digitOf(choices, index) || nothing}
  >
    ${label(choices, choice)}
  </button>`;
}

function input(choices: Choices, choice: Choice, index: number) {
  const { ids, kind, chosen, incomplete, stuck } = choices;
  return html`<input
    type=${kind}
    id="${ids}-option-${index}"
    name="option"
    value=${index}
    .checked=${live(chosen.includes(index))}
    ?disabled=${incomplete}
    aria-disabled=${stuck ? "true" : nothing}
    aria-describedby=${describedBy(choices, choice, index)}
    aria-keyshortcuts=${digitOf(choices, index) || nothing}
  />`;
}

function label({ followup, along }: Choices, { label, mode }: Choice) {
  if (followup) {
    const long = label.length > wholeLength || label.split("\n", wholeLines + 1).length > wholeLines;
    return html`<span class="option-label answer" ?data-long=${long}>${label}</span>
      ${long ? html`<span class="hint">${t("suggestions.long")}</span>` : nothing} ${modeBadge(mode)}
      ${along ? html`<span class="along">${t("suggestions.along")}</span>` : nothing}`;
  }
  const { text, recommended } = recommendation(label);
  return html`<span class="option-label">${text}</span>${
    recommended ? html` <span class="tag">${t("questions.recommended")}</span>` : nothing
  }`;
}

function editButton({ current, incomplete, stuck }: Choices, index: number) {
  return iconButton({
    name: "edit",
    sign: "edit",
    label: t("suggestions.edit", { number: index + 1 }),
    title: t("suggestions.editHint"),
    tabindex: index === current ? "0" : "-1",
    disabled: incomplete,
    locked: stuck,
  });
}

function description({ ids, incomplete }: Choices, choice: Choice, index: number) {
  const id = `${ids}-description-${index}`;
  const { description: text, preview, rendered } = choice;
  const [markup, places] = [rendered?.description, !incomplete];
  return html`${text ? words({ text, label: "", markup, class: "description", id, places }) : nothing}${
    preview
      ? html`<span class="visually-hidden" id="${id}-preview">${t("questions.hasPreview")}</span>`
      : nothing
  }`;
}

function describedBy({ ids }: Choices, choice: Choice, index: number) {
  const id = `${ids}-description-${index}`;
  return (
    [choice.description ? id : "", choice.preview ? `${id}-preview` : ""].filter(Boolean).join(" ") || nothing
  );
}

/** A choice's preview: a region that can be scrolled with the keyboard in both directions. Layouts and code in it keep their lines. */
function preview({ incomplete }: Choices, choice: Choice, shown: boolean) {
  const label = recommendation(choice.label).text;
  if (!choice.preview) {
    return html`<p class="preview-none hint" ?data-shown=${shown}>${t("questions.noPreview", { label })}</p>`;
  }
  const markup = choice.rendered?.preview;
  return html`<div
    class="preview"
    role="region"
    tabindex="0"
    aria-label=${t("questions.preview", { label })}
    ?data-shown=${shown}
  >
    <p class="preview-caption" dir="auto" aria-hidden="true">${label}</p>
    ${
      markup?.length
        ? html`<followup-text dir="auto" .markup=${markup} .places=${!incomplete}></followup-text>`
        : html`<pre class="md-layout">${choice.preview}</pre>`
    }
  </div>`;
}
