// <followup-plan>: a plan with the user's comments on its paragraphs and passages, and the changes since the last plan.

import { html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { MarkdownNode, PlanComment } from "../../src/protocol.gen";
import { isMac, isTextBox } from "../keys";
import { t } from "../strings";
import { iconButton, secondaryButton } from "./buttons";
import { CardElement } from "./element";
import { words } from "./text";

/** A passage that the user has selected, and where it ends in its paragraph, in pixels. */
interface Selected extends Omit<PlanComment, "text"> {
  left: number;
  top: number;
}

@customElement("followup-plan")
export class FollowupPlan extends CardElement {
  /** Changes are shown, too. */
  @property({ attribute: false }) changes = false;
  @state() private selected: Selected | undefined;
  /** The comment that gets the keyboard focus after drawing. */
  private wanted: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("selectionchange", this.select);
    document.addEventListener("keydown", this.keydown);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("selectionchange", this.select);
    document.removeEventListener("keydown", this.keydown);
  }

  protected override updated(): void {
    const offer = this.querySelector<HTMLElement>(".plan-selected");
    if (this.selected && offer) {
      const { left, top } = this.selected;
      const room = (offer.parentElement?.clientWidth ?? 0) - offer.offsetWidth;
      // The content policy forbids styles in the markup.
      Object.assign(offer.style, { top: `${top}px`, left: `${Math.max(0, Math.min(left, room))}px` });
    }
    const box = this.querySelector<HTMLElement>(`[data-comment="${this.wanted}"]`);
    if (box !== null) {
      this.wanted = undefined;
      box.focus();
    }
  }

  /** The comments with the passages that they refer to, in the order of the plan. */
  quoted(): { passage: string; text: string }[] {
    return this.comments
      .toSorted((a, b) => a.paragraph - b.paragraph)
      .map(({ paragraph, passage, text }) => ({ passage: passage || this.textOf(paragraph), text }));
  }

  private get comments(): readonly PlanComment[] {
    return this.card.draft?.comments ?? [];
  }

  /** A paragraph of the plan without removed text. */
  private textOf(paragraph: number): string {
    const element = this.querySelector<HTMLElement>(`[data-paragraph="${paragraph}"] followup-text`);
    this.classList.add("plan-quoted");
    const text = element?.innerText ?? "";
    this.classList.remove("plan-quoted");
    return text;
  }

  protected override render() {
    const { subject, changes } = this.card.rendered ?? {};
    const nodes = (this.changes ? changes : subject) ?? [{ text: this.card.approval?.subject.text }];
    let at = 0;
    return nodes.map((node) => this.paragraph(node, node.kind === "removed" ? undefined : at++));
  }

  private paragraph(node: MarkdownNode, at: number | undefined) {
    const label = t("approval.plan", { agent: this.card.agent });
    return html`<div class="approval-paragraph" data-paragraph=${at ?? nothing}>
      ${words({ text: "", label, markup: [node], class: "approval-plan" })}
      ${at === undefined || this.card.readOnly ? nothing : this.beside(at)}
    </div>`;
  }

  /** The buttons that begin a comment, and the comments. */
  private beside(at: number) {
    const { selected, comments } = this;
    const label = t("plan.comment", { number: at + 1 });
    const begin = { name: "plan-comment", sign: "comment", label, run: () => this.begin({ paragraph: at }) };
    const here = selected?.paragraph === at ? selected : undefined;
    return html`${iconButton(begin)}
      ${
        here
          ? html`<div
              class="plan-selected"
              @pointerdown=${(event: Event) => event.preventDefault()}
            >
              ${secondaryButton({ run: () => this.begin(here), title: isMac ? "⌥⌘M" : "Ctrl+Alt+M" }, t("plan.selected"))}
            </div>`
          : nothing
      }
      ${comments.map((comment, index) => (comment.paragraph === at ? this.comment(comment, index) : nothing))}`;
  }

  private comment({ paragraph, passage, text }: PlanComment, index: number) {
    const number = paragraph + 1;
    const label = passage ? t("plan.passage", { passage }) : t("plan.comment", { number });
    const change = (texts: string[]) => {
      const next = texts.map((each) => ({ paragraph, passage, text: each }));
      this.recomment(this.comments.toSpliced(index, 1, ...next));
    };
    const remove = {
      name: "plan-uncomment",
      sign: "close",
      label: t("plan.uncomment"),
      run: () => change([]),
    };
    return html`<div class="plan-note">
      ${passage ? html`<blockquote class="hint" dir="auto">${passage}</blockquote>` : nothing}
      <textarea
        class="approval-note"
        data-comment=${index}
        rows="1"
        dir="auto"
        aria-label=${label}
        .value=${text}
        @input=${(event: Event) => change([(event.target as HTMLTextAreaElement).value])}
      ></textarea>
      ${iconButton(remove)}
    </div>`;
  }

  private recomment(comments: PlanComment[]): void {
    this.controller.redraft(this.card.id, (draft) => ({ ...draft, comments }));
  }

  /** Begins a comment, or focuses the existing one. */
  private begin({ paragraph, passage }: Omit<PlanComment, "text">): void {
    const { comments } = this;
    const begun = comments.findIndex((each) => each.paragraph === paragraph && each.passage === passage);
    this.wanted = begun < 0 ? comments.length : begun;
    this.recomment(begun < 0 ? [...comments, { paragraph, passage, text: "" }] : [...comments]);
  }

  private readonly keydown = (event: KeyboardEvent): void => {
    const { code, altKey, ctrlKey, metaKey } = event;
    if (this.selected && code === "KeyM" && altKey && (ctrlKey || metaKey)) {
      event.preventDefault();
      event.stopPropagation(); // the editor takes every key that reaches its frame
      this.begin(this.selected);
    }
  };

  private readonly select = (): void => {
    const selection = getSelection();
    const range = selection?.rangeCount ? selection.getRangeAt(0) : undefined;
    const passage = selection?.toString().trim();
    const start = range?.startContainer.parentElement?.closest<HTMLElement>("[data-paragraph]");
    if (!range || !start || !passage || !this.contains(start) || isTextBox(document.activeElement)) {
      this.selected = undefined;
      return;
    }
    const { right, bottom } = [...range.getClientRects()].at(-1) ?? start.getBoundingClientRect();
    const { left, top } = start.getBoundingClientRect();
    const paragraph = Number(start.dataset.paragraph);
    this.selected = { paragraph, passage, left: right - left, top: bottom - top };
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "followup-plan": FollowupPlan;
  }
}
