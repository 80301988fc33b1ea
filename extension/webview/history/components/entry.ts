// <followup-entry data-id>: a row of the history, with the question and the answer on a line each or, when
// open, the whole entry.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { HistoryEntry, HistoryMatch, Image } from "../../../src/protocol.gen";
import { imageTypes } from "../../answer";
import { closedCard, isFollowup } from "../../cards";
import { diffButton } from "../../components/approval";
import { actionButton, icon } from "../../components/buttons";
import { FollowupElement, textNodes } from "../../components/element";
import { contextBefore, followupText, record } from "../../components/record";
import { words } from "../../components/text";
import { outcomeIcon } from "../../outcome";
import { dateFormat, moment, type StringKey, t } from "../../strings";
import type { HistoryController } from "../controller";
import type { Detail } from "../state";
import * as wording from "../words";

@customElement("followup-entry")
export class FollowupEntry extends FollowupElement {
  @property({ attribute: false }) entry!: HistoryEntry;
  @property({ attribute: false }) controller!: HistoryController;
  @property({ attribute: false }) open = false;
  @property({ attribute: false }) selected = false;
  /** This row is in the Tab order. */
  @property({ attribute: false }) current = false;
  @property({ attribute: false }) detail: Detail;
  private readonly marks = new Marks();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.marks.clear();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Removing the element removed its marks.
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    this.dataset.id = this.entry.questionId;
    this.role = "row";
    this.ariaLevel = "1";
    this.ariaExpanded = String(this.open);
    this.ariaSelected = String(this.selected);
    this.ariaLabel = wording.entryLabel(this.entry);
    // Setting it, even to the same value, makes the browser lay out the whole list.
    if (changed.has("current")) {
      this.tabIndex = this.current ? 0 : -1;
    }
  }

  protected override updated(_changed: PropertyValues<this>): void {
    this.marks.show(this, this.entry.matches);
  }

  protected override render() {
    const { entry, open } = this;
    return html`<div role="gridcell" class="pick">
        <span class="kind" data-kind=${entry.outcome.outcome}>${icon(outcomeIcon(entry.outcome))}</span>
        <input
          type="checkbox"
          tabindex="-1"
          aria-label=${t("history.select")}
          .checked=${live(this.selected)}
          @click=${(event: MouseEvent) => {
            this.act(event.shiftKey, true);
            // It must show the state again, even if the state has not changed.
            this.requestUpdate();
          }}
        />
      </div>
      <div
        role="gridcell"
        class="summary"
        @click=${(event: MouseEvent) => this.act(event.shiftKey, event.ctrlKey || event.metaKey)}
        @mousedown=${(event: MouseEvent) => event.shiftKey && event.preventDefault() /* it selects rows, not text */}
      >
        ${open ? nothing : this.lines()} ${this.side()}
        <span class="twistie">${icon(open ? "chevron-down" : "chevron-right")}</span>
      </div>
      ${
        open
          ? html`<div role="gridcell" class="detail">
              ${detail(this)}
            </div>`
          : nothing
      }`;
  }

  /** The question and the answer on a line each, and an excerpt with a match if neither shows one. */
  private lines() {
    const { entry } = this;
    const given = wording.isGiven(entry);
    return html`<p class="entry-question" dir="auto">${wording.beginning(wording.questionText(entry)) || t("kind.invalid")}</p>
      <p class="entry-answer" dir="auto" ?data-given=${given} ?data-plain=${!given}>${wording.beginning(wording.answerLine(entry))}</p>
      ${entry.excerpt ? html`<p class="entry-found" dir="auto">${entry.excerpt}</p>` : nothing}`;
  }

  /** The agent, the time of the outcome, which an imported log may lack, and badges. */
  private side() {
    const { entry } = this;
    const { agent, source, workspace } = entry;
    const { at } = entry.outcome;
    return html`<div class="side" data-plain>
      <p class="entry-meta">
        <span class="agent" dir="auto" title=${agent}>${agent}</span>
        ${at === undefined ? nothing : html`<time datetime=${new Date(at).toISOString()}>${moment(at)}</time>`}
      </p>
      <p class="badges">
      ${wording.waits(entry) ? html`<span class="badge waits" title=${t("entry.uncollectedHint")}>${t("entry.uncollected")}</span>` : nothing}
      ${source ? html`<span class="badge" title=${`${t("entry.source")}: ${source}`}>${t("entry.imported")}</span>` : nothing}
      ${workspace ? html`<span class="workspace" dir="auto">${wording.workspaceName(workspace)}</span>` : nothing}
      </p>
    </div>`;
  }

  private act(ranges: boolean, toggles: boolean): void {
    const { controller, entry } = this;
    controller.set({ active: entry.questionId });
    this.focus({ preventScroll: true });
    if (ranges) {
      controller.extendTo(entry.questionId);
    } else if (toggles) {
      controller.toggle(entry.questionId);
    } else {
      controller.open(entry.questionId, !this.open);
    }
  }
}

/** The content of an open row. */
function detail(row: FollowupEntry) {
  const { entry, controller } = row;
  const { payload } = entry;
  const card = closedCard(entry);
  return html`${entry.guidance ? html`<p class="hint">${t("entry.guidance", { count: entry.guidance.consecutiveMistakes })}</p>` : nothing}
    ${faults(row)} ${contextBefore(card, "words")}
    ${payload && isFollowup(card) ? followupText(card, "words") : nothing}
    ${record(card, "full", diffButton(card, controller.peer, entry.shortened))} ${thumbnails(row)} ${facts(row)} ${actions(row)}`;
}

function faults({ entry }: FollowupEntry) {
  const error = entry.error ?? entry.guidance?.error;
  return error === undefined
    ? nothing
    : html`<section class="fault">
        <h2>${t("entry.error")}</h2>
        ${words({ text: error.message, label: t("entry.error") })}
        <code data-plain>${error.code}</code>
      </section>`;
}

function facts({ entry }: FollowupEntry) {
  const { askedAt, outcome, workspace, source } = entry;
  const format = dateFormat({ dateStyle: "medium", timeStyle: "short" });
  const time = (at?: number) =>
    at !== undefined && html`<time datetime=${new Date(at).toISOString()}>${format.format(at)}</time>`;
  const text = (value?: string) => value && html`<span dir="auto">${value}</span>`;
  const rows = [
    [t("entry.asked"), time(askedAt)],
    [t("entry.closed"), time(outcome.at)],
    [t("entry.workspace"), text(workspace && wording.workspacePath(workspace))],
    [t("entry.source"), text(source)],
  ].filter(([, value]) => value);
  return html`${wording.waits(entry) ? html`<p class="uncollected" data-plain>${icon("info")}<span>${t("entry.uncollectedHint")}</span></p>` : nothing}
    <dl class="facts" data-plain>
      ${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
    </dl>`;
}

function actions({ entry, controller }: FollowupEntry) {
  const id = entry.questionId;
  const answer = wording.answerText(entry);
  const action = (name: string, label: StringKey, run: () => void) => actionButton({ name, run }, t(label));
  // The next row's button may come under the pointer.
  const remove = () => controller.gesture.allows(id, "delete") && controller.delete({ questionIds: [id] });
  return html`<div class="actions" data-plain>
    ${answer === "" ? nothing : action("copy-answer", "action.copyAnswer", () => controller.copy(answer))}
    ${action("copy-entry", "action.copyEntry", () => controller.copyEntries([id]))}
    ${action("export", "action.export", () => controller.export({ questionIds: [id] }))}
    ${controller.deletes ? action("delete", "action.delete", remove) : nothing}
  </div>`;
}

/** The answer's images, which are loaded when the row opens; or why they are missing. */
function thumbnails({ entry, detail }: FollowupEntry) {
  if (typeof detail !== "object") {
    const hint =
      detail === undefined ? t("entry.imagesLoading") : t("entry.imagesFailed", { message: detail });
    return entry.outcome.images ? html`<p class="hint" data-plain>${hint}</p>` : nothing;
  }
  const { images = [] } = detail;
  return images.length === 0
    ? nothing
    : html`<ul class="history-images" aria-label=${t("images.label")}>
        ${images.map((image, index) => html`<li>${thumbnail(image, index + 1)}</li>`)}
      </ul>`;
}

/** An image. A click enlarges it, and another one reduces it. */
function thumbnail({ mimeType, data }: Image, number: number) {
  return html`<details class="history-image">
    <summary title=${t("entry.enlarge", { number })}>
      ${
        imageTypes.includes(mimeType)
          ? html`<img src=${`data:${mimeType};base64,${data}`} alt=${t("entry.image", { number })} />`
          : mimeType
      }
    </summary>
  </details>`;
}

/** The name of the document's highlight, which the stylesheet colors. */
const highlightName = "followup-match";

/** The maximum length of an entry's text that is marked, in UTF-16 code units. */
const markedText = 200_000;

/** The matches of a search in one element. Their ranges are marked without changing the text. */
class Marks {
  private ranges: Range[] = [];

  /** Marks the matches in the element's text, except in elements with data-plain, which the history does not contain. */
  show(root: HTMLElement, matches: readonly HistoryMatch[] = []): void {
    this.clear();
    if (matches.length === 0) {
      return;
    }
    const highlight = CSS.highlights.get(highlightName) ?? new Highlight();
    CSS.highlights.set(highlightName, highlight);
    let left = markedText;
    for (const node of textNodes(root, "[data-plain]")) {
      const words = left > 0 ? node.data.matchAll(/[\p{L}\p{N}\p{M}]+/gu) : [];
      left -= node.length;
      for (const { 0: word, index } of words) {
        for (const { start, end } of matches.filter((match) => match.word === word)) {
          const range = new Range();
          range.setStart(node, index + start);
          range.setEnd(node, index + end);
          this.ranges.push(range);
          highlight.add(range);
        }
      }
    }
  }

  clear(): void {
    for (const range of this.ranges.splice(0)) {
      CSS.highlights.get(highlightName)?.delete(range);
    }
  }
}
