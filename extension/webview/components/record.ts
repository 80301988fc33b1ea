// A closed question, on cards and in the history; and answers in the review before they are sent.

import { html, nothing } from "lit";
import type { Pick as QuestionPick } from "../../src/protocol.gen";
import { type Card, isFollowup } from "../cards";
import { outcomeIcon, outcomeLine } from "../outcome";
import { type Choice, type Part, recommendation } from "../parts";
import { isAnswered } from "../picks";
import { t } from "../strings";
import { approvalSubject, choiceLabel } from "./approval";
import { icon } from "./buttons";
import { words } from "./text";

/** How many of the options are shown: the chosen ones, all names, or everything. */
export type Extent = "chosen" | "names" | "full";

interface Offer {
  text: string;
  recommended?: boolean;
  choice: Choice;
  mark?: "chosen" | "edited";
}

/**
 * The maximum length of the user's text that is shown unless in full, in UTF-16 code units: a browser takes
 * long to lay out one endless line.
 */
const shownLength = 20_000;

/** The maximum length of an option's text on the line, in UTF-16 code units. */
const inlineLength = 1000;

/**
 * The answer and the outcome; for a questionnaire, of all its questions. `views` are buttons for other views
 * of a request.
 */
export function record(card: Card, extent: Extent, views: unknown = nothing) {
  const { parts, outcome } = card;
  const reply = !isFollowup(card) && outcome?.outcome === "replied" ? outcome.text : undefined;
  const quotes = outcome?.quotes?.map((label) => said("file-code", t("quotes.label"), label, extent)) ?? [];
  return html`${
    card.approval
      ? decided(card, extent, views)
      : isFollowup(card)
        ? suggestions(card, extent)
        : html`<ol class="review">${parts.map((part, index) => question(card, part, index, extent))}</ol>`
  }
  ${list(extent, [], quotes)} ${list(extent, [], [said("comment", t("reply.label"), reply, extent)])}
  ${
    outcome === undefined
      ? nothing
      : html`<p class="outcome-line" data-plain>
          ${icon(outcomeIcon(outcome))}<span>${outcomeLine(card)} ${modeBadge(outcome.mode)}</span>
        </p>`
  }`;
}

/** The request, and the user's changes and words. */
function decided(card: Card, extent: Extent, views: unknown) {
  const { changed, text, option, client } = card.outcome ?? {};
  const chosen = card.approval?.options.find(({ id }) => id === option);
  return html`${approvalSubject(card, undefined, views)} ${list(
    extent,
    [],
    [
      chosen ? said("pass", t("approval.chosen"), choiceLabel(card, chosen.kind), extent) : nothing,
      said("edit", t("approval.changed"), changed, extent, true),
      said("comment", t("approval.words"), text, extent),
      client ? said("window", t("approval.client"), client, extent, true) : nothing,
    ],
  )}`;
}

/** The agent's text before its question, on demand. */
export function contextBefore({ agent, context, rendered }: Card, className: string, places = false) {
  if (!context) {
    return nothing;
  }
  const label = t("card.context", { agent });
  return html`<details class="context">
    <summary dir="auto">${label}</summary>
    ${words({ text: context, label, markup: rendered?.context, class: className, places })}
  </details>`;
}

/** The question of a followup. */
export function followupText({ parts }: Card, name: string, places = false) {
  const [{ question: text = "", rendered } = {}] = parts;
  return words({ text, label: t("card.question"), markup: rendered?.question, class: name, places });
}

/** A question with its answer. `skipped` shows that it was skipped. */
export function answeredQuestion(
  part: Part,
  head: unknown,
  pick: QuestionPick | undefined,
  extent: Extent,
  skipped: boolean,
) {
  const { question, rendered, multiSelect } = part;
  // The review has room for three lines, which would cut a table or code.
  const plain = extent === "chosen" ? rendered?.plainQuestion : undefined;
  const markup = plain === undefined ? rendered?.question : undefined;
  return html`<li class="review-item">
    ${head}
    ${words({ text: plain ?? question, label: t("card.question"), markup, class: "review-question" })}
    ${extent === "full" && multiSelect ? html`<p class="hint" data-plain>${t("entry.multiSelect")}</p>` : nothing}
    ${answer(part, pick, extent, skipped)}
  </li>`;
}

function answer(part: Part, pick: QuestionPick = {}, extent: Extent, skipped: boolean) {
  const offers = part.options.map((choice, index): Offer => {
    const mark = pick.options?.includes(index) ? "chosen" : undefined;
    return { ...recommendation(choice.label), choice, mark };
  });
  const own = [
    skipped && !isAnswered(pick)
      ? html`<li class="left-out" data-plain>${icon("dash")} <span>${t("questions.leftOut")}</span></li>`
      : nothing,
    said("edit", t("questions.own"), pick.other, extent),
    said("note", t("questions.note"), pick.notes, extent),
  ];
  return list(extent, offers, own, part.multiSelect);
}

/** The mode that an answer switches to. */
export function modeBadge(mode: string | undefined) {
  return mode
    ? html`<span class="tag mode" dir="auto" title=${t("suggestions.modeHint", { mode })}
        ><span class="visually-hidden" data-plain>${t("suggestions.mode")} </span>${mode}</span
      >`
    : nothing;
}

function suggestions({ parts, outcome }: Card, extent: Extent) {
  const { outcome: how, suggestion = -1, provenance, text, note, elsewhere } = outcome ?? {};
  const { options = [] } = parts[0] ?? {};
  const edited = provenance === "edited";
  const mark = edited ? "edited" : "chosen";
  const offers = options.map((choice, index): Offer => {
    return { text: choice.label, choice, mark: index === suggestion ? mark : undefined };
  });
  const given = how === "answered" || how === "replied" || elsewhere;
  const changed = edited || text !== options[suggestion]?.label;
  const own = said("edit", t("composer.label"), note ?? (given && changed ? text : undefined), extent);
  // A card omits unsent suggestions that were not changed.
  return list(extent, extent === "full" ? offers : offers.filter(({ mark }) => mark === "chosen"), [own]);
}

function question({ outcome }: Card, part: Part, index: number, extent: Extent) {
  const pick = outcome?.picks?.[index];
  const head = part.header
    ? html`<span class="tag" dir="auto" title=${part.header}>${part.header}</span>`
    : nothing;
  // With a reply, no question counts as skipped.
  return answeredQuestion(part, head, pick, extent, pick !== undefined && outcome?.outcome === "answered");
}

/** The options, and the user's words; if not all is shown in full, chosen ones come first. */
function list(extent: Extent, offers: readonly Offer[], own: readonly unknown[], several = false) {
  const first = offers.filter(({ mark }) => extent === "full" || mark !== undefined);
  const last = extent === "names" ? offers.filter(({ mark }) => mark === undefined) : [];
  const items = [...first.map(item), ...own.filter((each) => each !== nothing), ...last.map(item)];
  return items.length === 0
    ? nothing
    : html`<ul class="offers" data-extent=${extent} aria-label=${first.length + last.length > 0 ? t("entry.suggestions") : nothing}>${items}</ul>`;

  function item({ text, recommended, choice, mark }: Offer) {
    // A separate block can be scrolled.
    const name =
      text.length > inlineLength
        ? beginning(text, t("entry.suggestions"), extent, mark !== undefined)
        : html`<span class="words" dir="auto">${text}</span>`;
    return html`<li
      ?data-chosen=${mark !== undefined}
      title=${(extent !== "full" && choice.description) || nothing}
    >
      ${icon(mark ? (mark === "edited" ? "edit" : "check") : several ? "chrome-maximize" : "circle-large")}
      <div class="offer">
        ${mark ? html`<span class="visually-hidden" data-plain>${t(`entry.${mark}`)}: </span>` : nothing}${name}
        ${recommended ? html`<span class="tag" data-plain>${t("questions.recommended")}</span>` : nothing}
        ${extent === "full" ? html`${modeBadge(choice.mode)}${about(choice)}` : nothing}
      </div>
    </li>`;
  }
}

function about({ label, description, preview, rendered }: Choice) {
  return html`${
    description
      ? words({ text: description, label, markup: rendered?.description, class: "words description" })
      : nothing
  }${
    preview
      ? html`<details>
          <summary data-plain>${t("entry.preview")}</summary>
          ${words({ text: preview, label: t("entry.preview"), markup: rendered?.preview, class: "words preview" })}
        </details>`
      : nothing
  }`;
}

/** A text by or about the user. `labelled` makes its label visible. */
function said(name: string, label: string, text: string | undefined, extent: Extent, labelled = false) {
  if (!text) {
    return nothing;
  }
  return html`<li class="said" data-chosen>
    ${icon(name)}
    <div class="offer">
      <span class=${labelled ? "hint" : "visually-hidden"} data-plain>${labelled ? label : `${label}: `}</span>
      ${beginning(text, label, extent, true)}
    </div>
  </li>`;
}

/** A text. A card only shows the beginning of a very long one; `given` says that the agent got all of it. */
function beginning(text: string, label: string, extent: Extent, given: boolean) {
  const long = extent !== "full" && text.length > shownLength;
  const shown = long ? text.slice(0, shownLength) + (given ? "" : "…") : text;
  return html`${words({ text: shown, label, class: "words" })}
    ${long && given ? html`<p class="hint">${t("outcome.long")}</p>` : nothing}`;
}
