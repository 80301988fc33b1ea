// <followup-entry data-id>: a row of the history: question and answer in a line each or, opened, all of it.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import type { HistoryEntry, HistoryMatch } from "../../../src/protocol.gen";
import { icon } from "../../components/buttons";
import { FollowupElement, textNodes } from "../../components/element";
import { outcomeIcons } from "../../outcome";
import { moment, t } from "../../strings";
import type { HistoryController } from "../controller";
import type { Detail } from "../state";
import { answerLine, beginning, entryLabel, isGiven, questionText, waits, workspaceName } from "../words";
import { detail } from "./detail";

@customElement("followup-entry")
export class FollowupEntry extends FollowupElement {
  @property({ attribute: false }) entry!: HistoryEntry;
  @property({ attribute: false }) controller!: HistoryController;
  @property({ attribute: false }) open = false;
  @property({ attribute: false }) selected = false;
  /** The keyboard comes to this row first. */
  @property({ attribute: false }) current = false;
  @property({ attribute: false }) detail: Detail;
  private readonly marks = new Marks();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.marks.clear();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The marks went when it was taken out.
    this.requestUpdate();
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    this.dataset.id = this.entry.questionId;
    this.role = "row";
    this.ariaLevel = "1";
    this.ariaExpanded = String(this.open);
    this.ariaSelected = String(this.selected);
    this.ariaLabel = entryLabel(this.entry);
    this.tabIndex = this.current ? 0 : -1;
  }

  protected override updated(_changed: PropertyValues<this>): void {
    this.marks.show(this, this.entry.matches);
  }

  protected override render() {
    const { entry, open } = this;
    return html`<div role="gridcell" class="pick">
        <span class="kind" data-kind=${entry.outcome.outcome}>${icon(outcomeIcons[entry.outcome.outcome])}</span>
        <input
          type="checkbox"
          tabindex="-1"
          aria-label=${t("history.select")}
          .checked=${live(this.selected)}
          @click=${(event: MouseEvent) => {
            this.act(event.shiftKey, true);
            // It shows what the state says, also where that has not changed.
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

  /** The question and the answer in a line each, and what was found where neither shows it. */
  private lines() {
    const { entry } = this;
    const given = isGiven(entry);
    return html`<p class="entry-question" dir="auto">${beginning(questionText(entry)) || t("kind.invalid")}</p>
      <p class="entry-answer" dir="auto" ?data-given=${given} ?data-plain=${!given}>${beginning(answerLine(entry))}</p>
      ${entry.excerpt ? html`<p class="entry-found" dir="auto">${entry.excerpt}</p>` : nothing}`;
  }

  /** Who asked, when it ended, which an imported log need not tell, and what else is worth a badge. */
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
      ${waits(entry) ? html`<span class="badge waits" title=${t("entry.uncollectedHint")}>${t("entry.uncollected")}</span>` : nothing}
      ${source ? html`<span class="badge" title=${`${t("entry.source")}: ${source}`}>${t("entry.imported")}</span>` : nothing}
      ${workspace ? html`<span class="workspace" dir="auto">${workspaceName(workspace)}</span>` : nothing}
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

/** The name of the document's highlight, which the stylesheet colors. */
const highlightName = "followup-match";

/** How much of an entry's text is marked, in UTF-16 code units. */
const markedText = 200_000;

/** What a search found in one element. The ranges are marked without touching the text. */
class Marks {
  private ranges: Range[] = [];

  /** Marks the matches in the element's text, but for what is in elements with data-plain: the history does not say it. */
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
