// Completes the workspace's files behind an @ in a text box: a list below the box, moved through with the keyboard while the focus
// stays in the box.

import { html, nothing, type ReactiveController } from "lit";
import type { Controller } from "../controller";
import { pathsText } from "../dropped";
import { moved } from "../keys";
import { type Mention, mentionAt } from "../mention";
import type { Card } from "../state";
import type { FollowupElement } from "./element";
import { icon } from "./icon";
import { insertText } from "./intake";

interface Host extends FollowupElement {
  card: Card;
  controller: Controller;
}

export class Mentions implements ReactiveController {
  /** What the files were found for. */
  private mention: Mention | undefined;
  private files: readonly string[] = [];
  private current = 0;
  /** Counts the searches: only the newest is shown. */
  private searches = 0;

  constructor(
    private readonly host: Host,
    private readonly box: () => HTMLTextAreaElement | null,
  ) {
    host.addController(this);
  }

  hostConnected(): void {}

  /** The id of the list. */
  get listId(): string {
    return `${this.host.card.id}-files`;
  }

  /** The id of the file that Enter takes; undefined while there is no list. */
  get currentId(): string | undefined {
    return this.files.length > 0 ? `${this.listId}-${this.current}` : undefined;
  }

  /** The text in the box has changed. */
  typed(): void {
    const mention = this.atCursor();
    if (mention === undefined) {
      this.close();
    } else {
      void this.search(mention);
    }
  }

  close(): void {
    this.searches++;
    this.mention = undefined;
    if (this.files.length > 0) {
      this.files = [];
      this.host.requestUpdate();
    }
  }

  /** Whether the key belongs to the list; it has done then what it does there. */
  takes(event: KeyboardEvent): boolean {
    const { ctrlKey, metaKey, altKey, shiftKey, isComposing, key } = event;
    if (this.files.length === 0 || ctrlKey || metaKey || altKey || shiftKey || isComposing) {
      return false;
    }
    if (!this.isCurrent()) {
      this.close();
      return false;
    }
    const target = key.startsWith("Arrow") ? moved(key, this.current, this.files.length - 1) : undefined;
    if (target !== undefined) {
      this.current = target;
      this.host.requestUpdate();
      void this.host.updateComplete.then(() =>
        this.host.querySelector(`#${CSS.escape(this.currentId ?? "")}`)?.scrollIntoView({ block: "nearest" }),
      );
    } else if (key === "Enter" || key === "Tab") {
      this.take(this.current);
    } else if (key === "Escape") {
      this.close();
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  /** The list; nothing where no file fits. */
  list() {
    const { files, host } = this;
    return html`<p class="visually-hidden" role="status">${
      files.length > 0 ? host.t("files.found", { count: files.length }) : nothing
    }</p>${
      files.length === 0
        ? nothing
        : html`<ul class="mentions" id=${this.listId} role="listbox" aria-label=${host.t("files.label")}>
            ${files.map((path, index) => this.file(path, index))}
          </ul>`
    }`;
  }

  private file(path: string, index: number) {
    const at = path.lastIndexOf("/") + 1;
    return html`<li
      class="mention"
      id="${this.listId}-${index}"
      role="option"
      aria-label=${path}
      aria-selected=${String(index === this.current)}
      title=${path}
      @mousedown=${(event: Event) => event.preventDefault()}
      @click=${() => this.take(index)}
    >
      ${icon("file")} <bdi class="mention-name">${path.slice(at)}</bdi> <bdi class="hint">${path.slice(0, at)}</bdi>
    </li>`;
  }

  private atCursor(): Mention | undefined {
    const box = this.box();
    return box === null || box.selectionStart !== box.selectionEnd
      ? undefined
      : mentionAt(box.value, box.selectionStart);
  }

  /** Whether the files shown are those for what stands at the cursor: it may have moved, or more was typed since. */
  private isCurrent(): boolean {
    const now = this.atCursor();
    return now !== undefined && now.start === this.mention?.start && now.text === this.mention.text;
  }

  private async search(mention: Mention): Promise<void> {
    const search = ++this.searches;
    const files = await this.host.controller.findFiles(mention.text);
    if (search === this.searches) {
      this.mention = mention;
      this.files = files;
      this.current = 0;
      this.host.requestUpdate();
    }
  }

  /** Puts a file's path in the place of what was typed. */
  private take(index: number): void {
    const box = this.box();
    const path = this.files[index];
    if (box !== null && path !== undefined && this.mention !== undefined && this.isCurrent()) {
      const { start } = this.mention;
      box.focus();
      box.setSelectionRange(start, box.selectionStart);
      insertText(box, `${pathsText([path], "")} `);
    }
    this.close();
  }
}
