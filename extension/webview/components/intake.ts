// The images and quotes of an answer: adds, shows and removes them.

import { html, nothing } from "lit";
import type { EditorFile } from "../../src/protocol.gen";
import type { Draft } from "../answer";
import { limits, pathsText, type Refusal, readImage } from "../files";
import { t } from "../strings";
import { icon, iconButton } from "./buttons";
import type { CardElement } from "./element";
import { insertText } from "./insert";

/** The form to which the images belong. */
interface Host extends CardElement {
  readonly draft: Draft;
  readonly locked: boolean;
  readonly textBox: HTMLTextAreaElement | null;
  readonly otherBox: HTMLTextAreaElement | null;
}

/** Adds images to the draft of its host's card, and draws them. */
export class ImageIntake {
  private reading = 0;
  private refusals: string[] = [];

  constructor(private readonly host: Host) {}

  /** Images are still being read, so the answer is incomplete. */
  get busy(): boolean {
    return this.reading > 0;
  }

  /** Adds images from files or the editor's URIs, inserts the paths of other files, and reports failures. */
  async add(files: readonly File[], uris: readonly string[] = []): Promise<void> {
    this.refusals = [];
    const { images, left } = uris.length > 0 ? await this.editorFiles(uris) : { images: files, left: 0 };
    const { controller, card } = this.host;
    const taken = images.slice(0, this.room(images.length));
    const count = left + images.length - taken.length;
    if (count > 0) {
      this.refusals.push(t("images.tooMany", { count, limit: limits.count }));
    }
    this.reading += taken.length;
    for (const file of taken) {
      this.host.requestUpdate();
      const read = await readImage(file);
      this.reading--;
      if ("image" in read) {
        controller.redraft(card.id, (draft) => ({ ...draft, images: [...draft.images, read.image] }));
      } else {
        this.refuse(read.refused, read.name);
      }
    }
    this.host.requestUpdate();
  }

  private room(count: number): number {
    const { controller, card } = this.host;
    const held = controller.draft(card.id).images.length + this.reading; // the drawn draft may be older
    return Math.max(0, Math.min(count, limits.count - held));
  }

  /** Reads the editor's files: returns the images, and the number of files beyond the limit. */
  private async editorFiles(uris: readonly string[]): Promise<{ images: File[]; left: number }> {
    const read = this.host.controller.readFiles(uris, this.room(uris.length));
    this.reading++;
    this.host.requestUpdate();
    const files = await read;
    this.reading--;
    const paths = files.flatMap((file) => ("path" in file ? file.path : []));
    const { host } = this;
    const box = host.querySelector<HTMLTextAreaElement>("textarea:focus") ?? host.textBox ?? host.otherBox;
    if (paths.length > 0 && box !== null && !box.readOnly) {
      box.focus();
      insertText(box, pathsText(paths, box.value.slice(0, box.selectionStart)));
    } else {
      this.refusals = paths.map((name) => t("files.noBox", { name }));
    }
    const images: File[] = [];
    let left = 0;
    for (const file of files) {
      if ("image" in file) {
        images.push(imageFile(file));
      } else if ("refused" in file) {
        file.refused === "tooMany" ? left++ : this.refuse(file.refused, file.name);
      }
    }
    this.host.requestUpdate();
    return { images, left };
  }

  /** Hides the rejections, because the user has continued. */
  forgetRefusals(): void {
    if (this.refusals.length > 0) {
      this.refusals = [];
      this.host.requestUpdate();
    }
  }

  thumbnails() {
    const { images } = this.host.draft;
    return images.length === 0
      ? nothing
      : html`<ul class="thumbnails" aria-label=${t("images.label")}>
          ${images.map((image, index) => {
            const name = image.name || t("images.unnamed", { number: index + 1 });
            return html`<li class="thumbnail">
              <img src=${`data:${image.mimeType};base64,${image.data}`} alt=${name} title=${name} />
              ${this.removeButton("remove", name, (draft) => ({ ...draft, images: draft.images.toSpliced(index, 1) }))}
            </li>`;
          })}
        </ul>`;
  }

  private removeButton(name: string, of: string, next: (draft: Draft) => Draft) {
    const { locked } = this.host;
    const run = () => {
      this.forgetRefusals();
      this.host.controller.redraft(this.host.card.id, next);
      this.refocus();
    };
    return iconButton({ name, sign: "close", label: t("images.remove", { name: of }), locked, run });
  }

  quotes() {
    const { quotes = [] } = this.host.draft;
    return quotes.length === 0
      ? nothing
      : html`<ul class="quotes" aria-label=${t("quotes.label")}>
          ${quotes.map(
            ({ label, location, text }, index) => html`<li class="chip" title=${text ?? label}>
              ${icon(location ? "file-code" : "terminal")}<span class="chip-text"><bdi>${label}</bdi></span
              >${this.removeButton("", label, (draft) => ({ ...draft, quotes: draft.quotes?.toSpliced(index, 1) }))}
            </li>`,
          )}
        </ul>`;
  }

  chooser() {
    const { host } = this;
    const { locked } = host;
    const [label, title] = [t("composer.attach"), t("composer.attachHint")];
    const run = () => host.querySelector<HTMLInputElement>("input[type=file]")?.click();
    return html`${iconButton({ name: "attach", sign: "attach", label, title, locked, run })}
      <input
        type="file"
        class="visually-hidden"
        accept="image/png,image/jpeg,image/gif,image/webp"
        multiple
        tabindex="-1"
        aria-hidden="true"
        @change=${this.chosen}
      />`;
  }

  notices() {
    return html`<p class="hint" role="status">${this.busy ? t("images.reading", { count: this.reading }) : nothing}</p>
      ${this.refusals.length > 0 ? html`<div class="refusals" role="alert">${this.refusals.map((text) => html`<p>${icon("error")} ${text}</p>`)}</div>` : nothing}`;
  }

  private refocus(): void {
    (this.host.textBox ?? this.host.querySelector<HTMLElement>(".attach"))?.focus();
  }

  private readonly chosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = "";
    this.refocus();
    void this.add(files);
  };

  private refuse(why: Refusal | "notRead", name: string): void {
    const mebibytes = (why === "fileTooLarge" ? limits.fileBytes : limits.bytes) / 1024 / 1024;
    const limit = why === "tooManyPixels" ? limits.pixels / 1e6 : mebibytes;
    const values = { name, side: limits.side, limit };
    this.refusals.push(t(why === "notRead" ? "files.notRead" : `images.${why}`, values));
  }
}

function imageFile({ name, image }: Extract<EditorFile, { image: string }>): File {
  return new File([Uint8Array.from(atob(image), (character) => character.charCodeAt(0))], name);
}
