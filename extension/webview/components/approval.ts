// <followup-approval>: a request for permission, and the buttons that decide. It can only be allowed after
// all of it was in view, and keys can only allow it once the card has had the focus.

import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Approval, Choice, ChoiceKind, MarkdownNode } from "../../src/protocol.gen";
import { wordsOf } from "../answer";
import { commented, digestOf } from "../approval";
import type { Card } from "../cards";
import { isEnter } from "../keys";
import type { Peer } from "../peer";
import { t } from "../strings";
import { linkButton, secondaryButton } from "./buttons";
import { CardElement, host } from "./element";
import type { FollowupPlan } from "./plan";
import { words } from "./text";
import "./plan";

/** How many pixels at each end of a request may be out of view while the request still counts as seen. */
const slack = 1;

@customElement("followup-approval")
export class FollowupApproval extends CardElement {
  @property({ attribute: false }) trouble = false;
  /** The number of open requests that look like this one, including it, and its position among them. */
  @property({ attribute: false }) alike = 1;
  @property({ attribute: false }) ordinal = 1;
  /** How far the request was seen, in pixels from its top, and its height at that time. */
  private seenTo = 0;
  private height = 0;
  @state() private seen = false;
  /** The card has had the focus. */
  @state() private focused = false;
  /** The command as the user changes it. */
  @state() private changed: string | undefined;
  /** The changes since the session's last plan are shown. */
  @state() private changes = false;
  @state() private digests: ReadonlyMap<string, string | undefined> = new Map();
  private observer: IntersectionObserver | undefined;

  constructor() {
    super();
    this.addEventListener("focusin", () => {
      // The key or click that moved the focus here must not decide.
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

  /** Focuses the request rather than a button, since the user should read it first. */
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
    if (changed.has("alike") && changed.get("alike") !== undefined) {
      this.fresh("followup-card"); // the notice has moved the buttons
    }
    const before = changed.get("card")?.approval;
    if (changed.has("card") && JSON.stringify(before) !== JSON.stringify(this.card.approval)) {
      this.seenTo = 0;
      this.seen = false;
      this.digests = new Map();
      void this.digest();
    }
    this.observe();
  }

  /** Checks again which part of the request is in view: an observer only reports changes of the visible share. */
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

  /** Tracks how far the request was seen from its top: a part counts if it continues the part seen before. */
  private readonly inSight = (entries: IntersectionObserverEntry[]): void => {
    for (const { boundingClientRect: whole, intersectionRect: shown, isIntersecting } of entries) {
      const [from, to] = [shown.top - whole.top, shown.bottom - whole.top];
      if (!isIntersecting || this.seen || document.visibilityState === "hidden") {
        continue;
      }
      // If the text became shorter, lines above the last visible one may be missing.
      this.seenTo -= Math.min(this.seenTo, Math.max(0, this.height - whole.height));
      this.height = whole.height;
      if (from <= this.seenTo + slack) {
        this.seenTo = Math.max(this.seenTo, to);
      }
      if (this.seenTo >= whole.height - slack && whole.height > 0) {
        this.seen = true;
        this.fresh(".approval-option:not(:has(.approval-deny))"); // the buttons that allow have just been enabled
      }
    }
  };

  private fresh(selector: string): void {
    const around = this.closest(selector);
    for (const each of around ? [around] : this.querySelectorAll(selector)) {
      this.controller.gesture.answerable(each);
    }
  }

  private get approval(): Approval {
    return this.card.approval ?? { title: "", subject: { kind: "tool" }, options: [] };
  }

  private get isPlan(): boolean {
    return this.approval.subject.kind === "plan";
  }

  protected override render() {
    const { card, alike, ordinal, controller, changes } = this;
    const plan = html`<followup-plan .card=${card} .controller=${controller} .changes=${changes}></followup-plan>`;
    return html`
      ${alike > 1 ? html`<p class="hint approval-alike" role="note">${t("approval.alike", { total: alike, number: ordinal })}</p>` : nothing}
      ${approvalSubject(card, this.isPlan ? plan : undefined, this.views())}
      ${card.readOnly ? this.readOnly(card.readOnly.approvers) : this.deciding()}
    `;
  }

  /** Other views of the request: the editor's diff, or the changes of a plan. */
  private views() {
    const diff = diffButton(this.card, this.controller);
    if (diff !== nothing) {
      return diff;
    }
    const toggle = {
      name: "plan-changes",
      sign: "diff",
      run: () => {
        this.changes = !this.changes;
        this.seenTo = 0;
      },
    };
    const { changes } = this.card.rendered ?? {};
    return changes ? linkButton(toggle, t(this.changes ? "plan.unchanged" : "plan.changes")) : nothing;
  }

  private readOnly(approvers: string[]) {
    const names = approvers.join(", ");
    return html`<p class="hint approval-read-only" role="note">
      ${t("approval.readOnly")} ${names ? t("approval.approvers", { names }) : t("approval.noApprovers")}
    </p>`;
  }

  private deciding() {
    const { card, approval } = this;
    const label = t(this.isPlan ? "approval.planWords" : "approval.words");
    return html`${approval.changeable ? this.changing() : nothing}
      <textarea
        class="approval-words"
        rows="1"
        dir="auto"
        aria-label=${label}
        placeholder=${label}
        .value=${card.draft?.text ?? ""}
        @input=${this.write}
      ></textarea>
      <div class="approval-options" role="group" aria-label=${t("approval.options")}>
        ${approval.options.map((option) => this.option(option))}
      </div>
      ${this.hint()}`;
  }

  /** Why nothing can be allowed at the moment. */
  private hint() {
    if (this.approval.subject.kind === "unshown") {
      return nothing; // no option allows it
    }
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

  /** The user has written words that are only sent with a denial. */
  private get isObjecting(): boolean {
    return !this.isPlan && (this.card.draft?.text ?? "").trim() !== "";
  }

  private option(option: Choice) {
    const denies = option.kind === "deny";
    const locked = this.trouble || this.card.phase !== "pending" || (!denies && !this.allows(option));
    const button = { name: `approval-${option.kind}`, locked, run: () => this.decide(option) };
    const label = choiceLabel(this.card, option.kind, wordsOf(this.card.draft ?? {}) !== "");
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
    const { card, changed } = this;
    const denies = option.kind === "deny";
    if (!(denies || this.allows(option))) {
      return;
    }
    const text = this.words();
    this.controller.decide(card.id, {
      option: option.id,
      ...(denies ? {} : { digest: this.digests.get(option.id) ?? "" }),
      ...(text.trim() === "" ? {} : { text }),
      ...(denies || changed === undefined ? {} : { changed }),
    });
  }

  /** The user's words, and their comments on a plan. */
  private words(): string {
    const { text = "" } = this.card.draft ?? {};
    const plan = this.isPlan ? this.querySelector<FollowupPlan>("followup-plan") : null;
    return plan ? commented(text, plan.quoted()) : text;
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
}

/** A text without characters that are invisible or change its direction: what the user edits is what they see. */
const visible = (text: string) => text.replace(/[\p{Cf}\p{Co}\p{Zl}\p{Zp}]|(?![\n\t])\p{Cc}/gu, "");

const plain = (text = ""): MarkdownNode[] => [{ text }];

/**
 * A request for permission, character by character. `plan` is a plan with its comments, `views` are buttons
 * for other views of it.
 */
export function approvalSubject(card: Card, plan?: unknown, views: unknown = nothing) {
  const { approval, rendered } = card;
  if (approval === undefined) {
    return nothing;
  }
  const { title, subject, reason } = approval;
  const { kind, text = "", cwd, path, name, otherArguments } = subject;
  const label = t(`approval.${kind}`, { agent: card.agent });
  const field = (what: string, value: string | undefined, nodes: readonly MarkdownNode[] | undefined) =>
    value
      ? html`<p class="approval-field"><span class="hint">${what}</span> ${words({ text: value, label: what, markup: nodes ?? plain(value), class: "approval-exact" })}</p>`
      : nothing;
  const className = kind === "plan" ? "approval-plan" : "approval-exact";
  return html`<p class="question approval-title">${label}${name === title || kind === "plan" ? nothing : html` <span class="tag" dir="auto">${title}</span>`}</p>
    ${reason ? html`<p class="approval-reason" dir="auto">${reason}</p>` : nothing} ${views}
    <div class="approval-subject" tabindex="0" role="group" aria-label=${label}>
      ${field(t("approval.name"), name, rendered?.name)} ${field(t("approval.path"), path, rendered?.path)}
      ${
        kind === "unshown"
          ? html`<p class="approval-unshown">${t("approval.unshownWhy")}</p>`
          : (plan ?? words({ text, label, markup: rendered?.subject ?? plain(text), class: className }))
      }
      ${field(t("approval.cwd"), cwd, rendered?.cwd)} ${field(t("approval.otherArguments"), otherArguments, rendered?.otherArguments)}
    </div>`;
}

/**
 * The button that opens an edit in the host's diff view, if the host has one. `incomplete` means that the
 * texts have not all arrived.
 */
export function diffButton({ approval }: Card, { state }: Peer, incomplete = false) {
  const { path = "", before = "", after = "" } = approval?.subject ?? {};
  if (!state.diffs || before === after) {
    return nothing;
  }
  const run = () => host.openDiff({ path, before, after });
  return linkButton({ name: "approval-diff", sign: "diff", locked: incomplete, run }, t("approval.diff"));
}

/** The label of an option of the card. `noted` means that words are sent with it. */
export function choiceLabel({ approval }: Card, kind: ChoiceKind, noted = false): string {
  const isPlan = approval?.subject.kind === "plan";
  return t(isPlan ? (noted && kind === "once" ? "plan.noted" : `plan.${kind}`) : `choice.${kind}`);
}

declare global {
  interface HTMLElementTagNameMap {
    "followup-approval": FollowupApproval;
  }
}
