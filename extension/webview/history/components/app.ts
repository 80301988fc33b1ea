// <followup-history>: the whole interface of the history.

import { html, nothing } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { repeat } from "lit/directives/repeat.js";
import { type HistoryEntry, hostFocus } from "../../../src/protocol.gen";
import { actionButton, icon, troubleBar } from "../../components/buttons";
import { FollowupView } from "../../components/element";
import { isTextBox } from "../../keys";
import type { ViewEvent, ViewState } from "../../state";
import { t } from "../../strings";
import type { HistoryController } from "../controller";
import { isSelected, wholeOf } from "../state";
import { emptyList, problemBars, selectionBar, undoBars } from "./bars";
import { FollowupEntry } from "./entry";
import { toolbar } from "./toolbar";

type Acts = Record<string, () => unknown>;

@customElement("followup-history")
export class FollowupHistory extends FollowupView {
  controller!: HistoryController;
  @state() view!: ViewState;
  @query("input[type=search]") private box!: HTMLInputElement | null;
  @query(".history-top") private heading!: HTMLElement | null;
  private hadFocus = false;
  /** The target of the focus once it exists. */
  private wanted: "list" | "search" | undefined;
  private readonly topSize = new ResizeObserver(() => {
    // Keeps a focused row from scrolling under the search box.
    document.documentElement.style.scrollPaddingTop = `${(this.heading?.offsetHeight ?? 0) + 4}px`;
  });

  start(controller: HistoryController): void {
    this.controller = controller;
    this.view = controller.peer.state;
    this.begin(controller.peer, (event) => this.keydown(event));
    controller.gesture.listen(this);
    controller.say = (text) => this.speak([text]);
    controller.peer.subscribe((event) => this.changed(event));
    controller.peer.link.on(hostFocus, ({ on }) => {
      if (on !== "question") {
        this.want(on);
      }
    });
  }

  /** Moves the focus there once the list has arrived, unless the user does something else first. */
  private want(target: "list" | "search"): void {
    this.wanted = target;
    this.requestUpdate();
  }

  protected override willUpdate(): void {
    this.hadFocus = document.hasFocus() && this.contains(document.activeElement);
  }

  protected override render() {
    const { view, controller } = this;
    if (!view?.opened) {
      return nothing;
    }
    const entries = view.history.read;
    const { shown, loading, failure, next } = view.history;
    return html`<main class="history" aria-busy=${String(loading)}>
      <h1 class="visually-hidden">${t("history.title")}</h1>
      <div class="history-top">
        ${toolbar(this)} ${selectionBar(this)}
        <div class="progress" ?data-busy=${loading}></div>
      </div>
      ${view.trouble === null ? nothing : troubleBar(view, controller.peer)}
      ${problemBars(this)}
      ${
        entries.length > 0
          ? html`<div role="treegrid" class="entries" aria-multiselectable="true" aria-label=${t("history.list")}>
              ${repeat(
                entries,
                ({ questionId }) => questionId,
                (entry) => this.row(entry),
              )}
            </div>`
          : shown !== null && !loading && failure === null
            ? emptyList(this)
            : nothing
      }
      ${next === undefined ? nothing : this.more()}
      ${undoBars(this)}
      ${this.announcements()}
    </main>`;
  }

  private row(entry: HistoryEntry) {
    const { view, controller } = this;
    const id = entry.questionId;
    return html`<followup-entry
      .entry=${wholeOf(view.history, entry)}
      .controller=${controller}
      .open=${view.history.expanded.has(id)}
      .selected=${isSelected(view.history.selection, id)}
      .current=${id === this.current()}
      .detail=${view.history.details[id]}
      @focusin=${() => controller.set({ active: id })}
    ></followup-entry>`;
  }

  private more() {
    const { controller } = this;
    const { loading, read } = this.view.history;
    const text = loading ? html`${icon("loading", true)} ${t("history.loading")}` : t("history.more");
    const near = ({ skipped }: ContentVisibilityAutoStateChangeEvent) => skipped || controller.more();
    // Checked again after each page, since one may not have filled the view.
    return html`${keyed(read, html`<div class="ahead" @contentvisibilityautostatechange=${near}></div>`)}
      <div class="more">
        ${actionButton({ name: "load-more", locked: loading, run: () => controller.more() }, text)}
      </div>`;
  }

  protected override updated(): void {
    if (this.heading !== null) {
      this.topSize.observe(this.heading);
    }
    const { wanted } = this;
    if (wanted !== undefined && this.view.history.shown !== null && !this.view.history.loading) {
      this.wanted = undefined;
      wanted === "search" ? this.focusSearch() : void this.focusList();
    } else if (this.hadFocus && document.activeElement === document.body) {
      void this.focusList();
    }
  }

  focusSearch(): void {
    this.box?.focus();
    this.box?.select();
  }

  /** The row that is in the Tab order. */
  private current(): string | undefined {
    return this.view.history.active ?? this.view.history.read[0]?.questionId;
  }

  private async focusList(): Promise<void> {
    const row = this.rowOf(this.current());
    await row?.updateComplete;
    row === undefined ? this.focusSearch() : row.focus();
  }

  private rowOf(id: string | undefined): FollowupEntry | undefined {
    const rows = this.querySelectorAll<FollowupEntry>("followup-entry");
    return [...rows].find(({ entry }) => entry.questionId === id);
  }

  private changed(event: ViewEvent): void {
    const after = this.controller.peer.state;
    if (event.type === "change" && after.history === this.view.history) {
      return; // a question is still open
    }
    this.follow(after);
    this.view = after;
  }

  private keydown(event: KeyboardEvent): void {
    const inPanel = document.querySelector(":popover-open") !== null;
    if (event.defaultPrevented || event.isComposing || inPanel) {
      return;
    }
    this.wanted = undefined;
    const { key, ctrlKey, metaKey } = event;
    const name = ctrlKey || metaKey ? `Ctrl+${key.toLowerCase()}` : key;
    const acts = this.acts(event);
    // A key that is held down only moves the focus: it must not delete or undo repeatedly.
    const held = event.repeat && !/^(Arrow|Home|End)/.test(key);
    if (Object.hasOwn(acts, name) && (held || acts[name]?.() !== false)) {
      event.preventDefault();
    }
  }

  /** The actions of keys at the focus. An action returns false if there is nothing to do. */
  private acts({ target, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Acts {
    const { controller } = this;
    const { loading, undos } = this.view.history;
    const box = target instanceof HTMLInputElement && isTextBox(target) ? target : undefined;
    // A text box has its own undo, selection and copying.
    if (altKey || ((ctrlKey || metaKey) && (shiftKey || box?.value))) {
      return {};
    }
    // Search results arrive a moment later; until then there is no row to focus.
    const goToList = () => (loading ? this.want("list") : this.focusList());
    return {
      Escape: () => controller.peer.run("escape"),
      ...(undos.length > 0 && { "Ctrl+z": () => controller.undo() }),
      ...(box === undefined && { "/": () => this.focusSearch() }),
      ...(box?.type === "search" && { ArrowDown: goToList, Enter: goToList }),
      ...(target instanceof FollowupEntry && this.rowActs(target.entry.questionId, shiftKey)),
    };
  }

  /** The actions of keys on a row. With Shift, they extend the selection. */
  private rowActs(row: string, extend: boolean): Acts {
    const { controller } = this;
    const remove = () => controller.delete(controller.targetAt(row));
    return {
      ArrowDown: () => this.move(row, 1, extend),
      ArrowUp: () => this.move(row, -1, extend),
      Home: () => this.move(row, Number.NEGATIVE_INFINITY, extend),
      End: () => this.move(row, Number.POSITIVE_INFINITY, extend),
      Enter: () => controller.open(row, !this.view.history.expanded.has(row)),
      ArrowRight: () => controller.open(row, true),
      ArrowLeft: () => controller.open(row, false),
      " ": () => (extend ? controller.extendTo(row) : controller.toggle(row)),
      Delete: remove,
      Backspace: remove,
      "Ctrl+a": () => controller.selectAll(),
      "Ctrl+c": () => this.copy(row),
    };
  }

  private move(row: string, by: number, extend: boolean): void {
    const ids = this.view.history.read.map(({ questionId }) => questionId);
    const goal = ids.indexOf(row) + by;
    const id = ids[Math.max(0, Math.min(goal, ids.length - 1))];
    if (goal === ids.length) {
      this.controller.more();
    }
    if (extend && id !== undefined) {
      if (this.view.history.selection.anchor === null) {
        this.controller.toggle(row);
      }
      this.controller.extendTo(id);
    }
    this.rowOf(id)?.focus();
  }

  /** If text is selected, the editor copies it. Otherwise the entries are copied. */
  private copy(row: string): boolean {
    const target = this.controller.targetAt(row);
    if (!document.getSelection()?.isCollapsed || !("questionIds" in target)) {
      return false;
    }
    void this.controller.copyEntries(target.questionIds);
    return true;
  }
}
