// <followup-approval>: what an agent asks permission for, and the buttons that decide. Nothing can be allowed before the user had all of it
// in sight, and no key allows anything before the card has had the focus.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Approval, Choice, ChoiceKind, MarkdownNode } from "../../src/protocol.gen";
import { type Comment, commented, digestOf } from "../approval";
import type { Card } from "../cards";
import type { Controller } from "../controller";
import { isEnter } from "../keys";
import { pickAt } from "../parts";
import { t } from "../strings";
import { linkButton, secondaryButton } from "./buttons";
import { FollowupElement } from "./element";
import { words } from "./text";

/** What of a request may be out of sight and still count as seen: a fraction of a pixel at each end. */
const slack = 1;

@customElement("followup-approval")
export class FollowupApproval extends FollowupElement {
  @property({ attribute: false }) card!: Card;
  @property({ attribute: false }) controller!: Controller;
  @property({ attribute: false }) trouble = false;
  /** How many open requests look like this one, itself included, and which of them it is. */
  @property({ attribute: false }) alike = 1;
  @property({ attribute: false }) place = 1;
  /** Up to where the request was in sight, in pixels from its top. */
  private seenTo = 0;
  @state() private seen = false;
  /** The card has had the focus. */
  @state() private focused = false;
  /** The command as the user changes it. */
  @state() private changed: string | undefined;
  /** The paragraph of a plan that is commented on. */
  @state() private commenting: number | undefined;
  @state() private digests: ReadonlyMap<string, string | undefined> = new Map();
  private observer: IntersectionObserver | undefined;

  constructor() {
    super();
    this.addEventListener("focusin", () => {
      // The key or click that brought the focus is not the one that decides.
      setTimeout(() => {
        this.focused = true;
      });
    });
    this.addEventListener(
      "keydown",
      (event) => {
        const { target } = event;
        const presses = isEnter(event) || event.key === " ";
        if (presses && target instanceof HTMLButtonElement && (event.repeat || !this.focused)) {
          event.preventDefault();
        }
      },
      { capture: true },
    );
  }

  /** Gives the keyboard focus to what is to be read first: no button. */
  focusAnswer(): void {
    this.querySelector<HTMLElement>(".approval-subject")?.focus();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer = new IntersectionObserver(this.inSight);
    document.addEventListener("scroll", this.observe, { capture: true, passive: true });
    window.addEventListener("resize", this.observe);
    this.observe();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
    document.removeEventListener("scroll", this.observe, { capture: true });
    window.removeEventListener("resize", this.observe);
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("card")?.approval;
    if (changed.has("card") && JSON.stringify(before) !== JSON.stringify(this.card.approval)) {
      this.seenTo = 0;
      this.seen = false;
      this.digests = new Map();
      void this.digest();
    }
    this.observe();
  }

  /** Asks anew what of the request is in sight: an observer tells by itself only when the visible share changes. */
  private readonly observe = (): void => {
    const subject = this.seen ? null : this.querySelector(".approval-subject");
    if (subject !== null) {
      this.observer?.unobserve(subject);
      this.observer?.observe(subject);
    }
  };

  private async digest(): Promise<void> {
    const { approval } = this;
    const digests = await Promise.all(
      approval.options.map(async (option) => [option.id, await digestOf(approval, option)] as const),
    );
    if (approval === this.approval) {
      this.digests = new Map(digests);
    }
  }

  /** Follows the request from its top: a part counts that continues what was in sight before. */
  private readonly inSight = (entries: IntersectionObserverEntry[]): void => {
    for (const { boundingClientRect: whole, intersectionRect: shown, isIntersecting } of entries) {
      const [from, to] = [shown.top - whole.top, shown.bottom - whole.top];
      if (!isIntersecting || this.seen || document.visibilityState === "hidden") {
        continue;
      }
      if (from <= this.seenTo + slack) {
        this.seenTo = Math.max(this.seenTo, to);
      }
      if (this.seenTo >= whole.height - slack && whole.height > 0) {
        this.seen = true;
        const card = this.closest("followup-card");
        if (card !== null) {
          this.controller.gesture.answerable(card); // the buttons have just come to life
        }
      }
    }
  };

  private get approval(): Approval {
    return this.card.approval ?? { title: "", subject: { kind: "tool" }, options: [] };
  }

  private get isPlan(): boolean {
    return this.approval.subject.kind === "plan";
  }

  protected override render() {
    const { card, approval, alike, place } = this;
    return html`
      ${alike > 1 ? html`<p class="hint approval-alike" role="note">${t("approval.alike", { total: alike, number: place })}</p>` : nothing}
      ${approvalSubject(card, this.isPlan ? (index) => this.comment(index) : undefined)}
      ${approval.changeable ? this.changing() : nothing}
      <textarea
        class="approval-words"
        rows="1"
        dir="auto"
        aria-label=${t("approval.words")}
        placeholder=${t(this.isPlan ? "approval.planWords" : "approval.words")}
        .value=${card.draft?.text ?? ""}
        @input=${this.write}
      ></textarea>
      <div class="approval-options" role="group" aria-label=${t("approval.options")}>
        ${approval.options.map((option) => this.option(option))}
      </div>
      ${this.hint()}
    `;
  }

  /** Why nothing can be allowed at the moment. */
  private hint() {
    const insecure =
      this.digests.size > 0 && [...this.digests.values()].some((digest) => digest === undefined);
    const why = insecure
      ? "approval.insecure"
      : !this.seen
        ? "approval.unseen"
        : this.isObjecting
          ? "approval.objecting"
          : undefined;
    return why === undefined ? nothing : html`<p class="hint" role="status">${t(why)}</p>`;
  }

  /** The user has written words that go with a denial only. */
  private get isObjecting(): boolean {
    return !this.isPlan && (this.card.draft?.text ?? "").trim() !== "";
  }

  private option(option: Choice) {
    const denies = option.kind === "deny";
    const locked = this.trouble || this.card.phase !== "pending" || (!denies && !this.allows(option));
    const button = { name: `approval-${option.kind}`, locked, run: () => this.decide(option) };
    const label = t(`choice.${option.kind}`);
    return html`<div class="approval-option">
      ${secondaryButton(button, label)}
      ${option.label ? html`<span class="hint" dir="auto">${option.label}</span>` : nothing}
    </div>`;
  }

  private allows(option: Choice): boolean {
    const changes = this.changed !== undefined;
    return (
      this.seen &&
      !this.isObjecting &&
      this.digests.get(option.id) !== undefined &&
      !(changes && (option.kind !== "once" || this.changed?.trim() === ""))
    );
  }

  private decide(option: Choice): void {
    const { card, changed, isPlan } = this;
    const denies = option.kind === "deny";
    if (!(denies || this.allows(option))) {
      return;
    }
    const text = isPlan ? commented(card.draft?.text ?? "", this.comments()) : (card.draft?.text ?? "");
    this.controller.decide(card.id, {
      option: option.id,
      ...(denies ? {} : { digest: this.digests.get(option.id) ?? "" }),
      ...(text.trim() === "" ? {} : { text }),
      ...(denies || changed === undefined ? {} : { changed }),
    });
  }

  private readonly write = (event: Event): void => {
    const { value } = event.target as HTMLTextAreaElement;
    this.controller.redraft(this.card.id, (draft) => ({ ...draft, text: value }));
  };

  private changing() {
    const { changed, approval } = this;
    const text = visible(approval.subject.text ?? "");
    if (changed === undefined) {
      const change = {
        name: "approval-change",
        sign: "edit",
        run: () => {
          this.changed = text;
        },
      };
      return linkButton(change, t("approval.change"));
    }
    const undo = {
      name: "approval-unchange",
      sign: "discard",
      run: () => {
        this.changed = undefined;
      },
    };
    return html`<textarea
        class="approval-changed"
        rows=${Math.min(8, changed.split("\n").length)}
        spellcheck="false"
        aria-label=${t("approval.changed")}
        .value=${changed}
        @input=${(event: Event) => {
          this.changed = visible((event.target as HTMLTextAreaElement).value);
        }}
      ></textarea>
      ${linkButton(undo, t("approval.unchange"))}`;
  }

  /** The comment on a paragraph of a plan, or the button that begins one. */
  private comment(index: number) {
    const { notes = "" } = pickAt(this.card.draft, index);
    const open = this.commenting === index || notes !== "";
    const label = t("approval.comment", { number: index + 1 });
    if (!open) {
      const begin = {
        name: "approval-comment",
        sign: "comment",
        title: label,
        run: () => {
          this.commenting = index;
          void this.updateComplete.then(() =>
            this.querySelector<HTMLElement>(`[data-comment="${index}"]`)?.focus(),
          );
        },
      };
      return linkButton(begin, html`<span class="visually-hidden">${label}</span>`);
    }
    return html`<textarea
      class="approval-note"
      data-comment=${index}
      rows="1"
      dir="auto"
      aria-label=${label}
      .value=${notes}
      @input=${(event: Event) => this.note(index, (event.target as HTMLTextAreaElement).value)}
    ></textarea>`;
  }

  private note(index: number, notes: string): void {
    this.controller.redraft(this.card.id, (draft) => {
      const length = Math.max(index + 1, draft.picks?.length ?? 0);
      const picks = Array.from({ length }, (_, at) => pickAt(draft, at));
      picks[index] = notes === "" ? {} : { notes };
      return { ...draft, picks };
    });
  }

  private comments(): Comment[] {
    return [...this.querySelectorAll<HTMLElement>(".approval-paragraph")].map((paragraph, index) => ({
      paragraph: paragraph.querySelector("followup-text")?.textContent ?? "",
      words: pickAt(this.card.draft, index).notes ?? "",
    }));
  }
}

/** A text without characters that hide, or turn the text around them: what the user changes is what they see. */
const visible = (text: string) => text.replace(/[\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/gu, "");

const plain = (text = ""): MarkdownNode[] => [{ text }];

/** What an agent asks to be allowed, character by character; `beside`: what stands beside each paragraph of a plan. */
export function approvalSubject(card: Card, beside?: (index: number) => unknown) {
  const { approval, rendered } = card;
  if (approval === undefined) {
    return nothing;
  }
  const { title, subject, reason } = approval;
  const { kind, text = "", cwd, path, name, rest } = subject;
  const label = t(`approval.${kind}`, { agent: card.agent });
  const field = (what: string, value: string | undefined, nodes: readonly MarkdownNode[] | undefined) =>
    value
      ? html`<p class="approval-field"><span class="hint">${what}</span> ${words({ text: value, label: what, markup: nodes ?? plain(value), class: "approval-exact" })}</p>`
      : nothing;
  const shown = rendered?.subject ?? plain(text);
  return html`<p class="question approval-title">${label}${name === title || kind === "plan" ? nothing : html` <span class="tag" dir="auto">${title}</span>`}</p>
    ${reason ? html`<p class="approval-reason" dir="auto">${reason}</p>` : nothing}
    <div class="approval-subject" tabindex="0" role="group" aria-label=${label}>
      ${field(t("approval.name"), name, rendered?.name)} ${field(t("approval.path"), path, rendered?.path)}
      ${
        kind === "plan"
          ? shown.map(
              (node, index) => html`<div class="approval-paragraph">
                ${words({ text: "", label, markup: [node], class: "approval-plan" })} ${beside?.(index) ?? nothing}
              </div>`,
            )
          : words({ text, label, markup: shown, class: "approval-exact" })
      }
      ${field(t("approval.cwd"), cwd, rendered?.cwd)} ${field(t("approval.rest"), rest, rendered?.rest)}
    </div>`;
}

/** What an option does. */
export function choiceLabel(kind: ChoiceKind): string {
  return t(`choice.${kind}`);
}

declare global {
  interface HTMLElementTagNameMap {
    "followup-approval": FollowupApproval;
  }
}
