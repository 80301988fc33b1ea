// Completes names of the workspace's files after an @: a list below the text box, which keeps the focus.

import { html, nothing } from "lit";
import { type Mention, mentionAt, pathsText } from "../files";
import { moved } from "../keys";
import { t } from "../strings";
import { icon } from "./buttons";
import type { CardElement } from "./element";
import { insertText } from "./insert";

export class Mentions {
  private mention: Mention | undefined;
  private files: readonly string[] = [];
  private current = 0;
  /** The number of searches. Only the newest one's result is shown. */
  private searches = 0;
  private box: HTMLTextAreaElement | null = null;
  private began = false;

  constructor(private readonly host: CardElement) {
    const inBox = ({ target }: Event) => target === this.box;
    host.addEventListener("input", ({ target }) => {
      if (target instanceof HTMLTextAreaElement) {
        this.box = target;
        const mention = mentionAt(target.value, target.selectionStart);
        mention === undefined ? this.close() : void this.search(mention);
      }
    });
    host.addEventListener("focusout", (event) => inBox(event) && this.close());
    // This handles keys before the box and the elements around it.
    host.addEventListener(
      "keydown",
      (event) => {
        if (inBox(event) && this.takes(event)) {
          event.preventDefault();
        }
      },
      { capture: true },
    );
  }

  /** The ids of the list and of its current file, if the list is open at the text box of that name. */
  at(name: string): { listId?: string; currentId?: string } {
    const listId = `${this.host.card.id}-files`;
    const isOpen = this.files.length > 0 && this.box?.name === name;
    return isOpen ? { listId, currentId: `${listId}-${this.current}` } : {};
  }

  /** The mention at the cursor, whose moves cause no event; undefined unless files were found for it. */
  private here(): Mention | undefined {
    const { box } = this;
    const now = box === null ? undefined : mentionAt(box.value, box.selectionStart);
    return box?.selectionStart === box?.selectionEnd && now?.start === this.mention?.start ? now : undefined;
  }

  private close(): void {
    this.searches++;
    this.mention = undefined;
    if (this.files.length > 0) {
      this.files = [];
      this.host.requestUpdate();
    }
  }

  /** Handles a key if the list is open. Reports whether it did. */
  private takes(event: KeyboardEvent): boolean {
    const { ctrlKey, metaKey, altKey, shiftKey, isComposing, key } = event;
    if (this.files.length === 0 || ctrlKey || metaKey || altKey || shiftKey || isComposing) {
      return false;
    }
    if (this.here() === undefined) {
      this.close();
      return false;
    }
    const target = key.startsWith("Arrow") ? moved(key, this.current, this.files.length - 1) : undefined;
    if (target !== undefined) {
      this.current = target;
      this.host.requestUpdate();
      void this.host.updateComplete.then(() =>
        this.host.querySelector('.mention[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }),
      );
    } else if (key === "Enter" || key === "Tab") {
      this.take(this.current);
    } else if (key === "Escape") {
      this.close();
    } else {
      return false;
    }
    return true;
  }

  /** The list below the text box of that name; nothing if the user types in another box, or no file matches. */
  list(name: string) {
    const { files } = this;
    const { listId } = this.at(name);
    if (this.box?.name !== name) {
      return nothing;
    }
    // The status exists before it has text, and only after an @ was typed.
    return html`${
      this.began
        ? html`<p class="visually-hidden" role="status">${
            files.length > 0 ? t("files.found", { count: files.length }) : nothing
          }</p>`
        : nothing
    }${
      files.length === 0
        ? nothing
        : html`<ul class="mentions" id=${listId} role="listbox" aria-label=${t("files.label")}>
            ${files.map((path, index) => this.file(path, `${listId}-${index}`, index))}
          </ul>`
    }`;
  }

  private file(path: string, id: string, index: number) {
    const at = path.lastIndexOf("/") + 1;
    return html`<li
      class="mention"
      id=${id}
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

  private async search(mention: Mention): Promise<void> {
    const search = ++this.searches;
    this.began = true;
    this.host.requestUpdate();
    const files = await this.host.controller.findFiles(mention.text);
    if (search === this.searches) {
      this.mention = mention;
      this.files = files;
      this.current = 0;
      this.host.requestUpdate();
    }
  }

  /**
   * Replaces the typed text by a file's path. If the files were found for another text, it searches again
   * instead.
   */
  private take(index: number): void {
    const { box } = this;
    const path = this.files[index];
    const here = this.here();
    if (here !== undefined && here.text !== this.mention?.text) {
      void this.search(here);
      return;
    }
    if (box !== null && path !== undefined && here !== undefined) {
      box.focus();
      box.setSelectionRange(here.start, box.selectionStart);
      insertText(box, `${pathsText([path], "")} `);
    }
    this.close();
  }
}
