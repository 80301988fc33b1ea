// Takes images for an answer, for the components that show them: chosen with a button, pasted or dropped.

import { html, nothing, type ReactiveController } from "lit";
import type { Controller } from "../controller";
import { limits, type Refusal, room } from "../images/plan";
import { readImage } from "../images/read";
import type { Card } from "../state";
import type { FollowupElement } from "./element";
import { icon } from "./icon";
import "./thumbnails";

/** A component that shows the images of a card's draft. */
interface Host extends FollowupElement {
  card: Card;
  controller: Controller;
}

/** Adds images to the draft of its host's card, and draws what belongs to that. */
export class ImageIntake implements ReactiveController {
  /** How many images are being read. */
  private reading = 0;
  /** Why images were not added. */
  private refusals: string[] = [];

  /** `refocus` gives the keyboard focus back after an image was chosen or taken away. */
  constructor(
    private readonly host: Host,
    private readonly refocus: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {}

  /** Images are still being read: what would be sent is not whole. */
  get busy(): boolean {
    return this.reading > 0;
  }

  /** Adds the images among the files; what cannot be added is said. */
  async add(files: readonly File[]): Promise<void> {
    const { controller, card, t } = this.host;
    const { id } = card;
    const taken = files.slice(0, room(controller.draft(id).images.length + this.reading, files.length));
    const { count: limit } = limits;
    const left = files.length - taken.length;
    this.refusals = left > 0 ? [t("images.tooMany", { count: left, limit })] : [];
    this.reading += taken.length;
    for (const file of taken) {
      this.host.requestUpdate();
      const read = await readImage(file);
      this.reading--;
      if ("image" in read) {
        controller.redraft(id, (draft) => ({ ...draft, images: [...draft.images, read.image] }));
      } else {
        this.refusals = [...this.refusals, this.refusal(read.refused, read.name)];
      }
    }
    this.host.requestUpdate();
  }

  /** Takes images out of what is pasted into a text box. */
  paste(event: ClipboardEvent): void {
    const files = filesOf(event.clipboardData);
    // A copy out of a spreadsheet or a document holds a picture of the text besides the text.
    if (files.length > 0 && !event.clipboardData?.types.includes("text/plain")) {
      event.preventDefault();
      void this.add(files);
    }
    event.stopPropagation();
  }

  /** The user has gone on: what was refused needs no telling any more. */
  forgetRefusals(): void {
    if (this.refusals.length > 0) {
      this.refusals = [];
      this.host.requestUpdate();
    }
  }

  /** The images so far. */
  thumbnails(locked: boolean) {
    const { controller, card, t } = this.host;
    return html`<followup-thumbnails
      .t=${t}
      .images=${controller.draft(card.id).images}
      .locked=${locked}
      @followup-remove-image=${(event: CustomEvent<{ index: number }>) => this.remove(event.detail.index)}
    ></followup-thumbnails>`;
  }

  /** The button that chooses files. */
  chooser(locked: boolean) {
    const label = this.host.t("composer.attach");
    return html`<button
        type="button"
        class="icon-button attach"
        aria-label=${label}
        title=${label}
        aria-disabled=${locked ? "true" : nothing}
        @click=${() => locked || this.input?.click()}
      >
        ${icon("attach")}
      </button>
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

  /** What is being read, and what was refused. */
  notices() {
    const { t } = this.host;
    return html`<p class="hint" role="status">${this.busy ? t("images.reading", { count: this.reading }) : nothing}</p>
      ${this.refusals.length > 0 ? html`<div class="refusals" role="alert">${this.refusals.map(refusalLine)}</div>` : nothing}`;
  }

  private get input(): HTMLInputElement | null {
    return this.host.querySelector("input[type=file]");
  }

  private readonly chosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const files = [...(input.files ?? [])];
    input.value = "";
    this.refocus();
    void this.add(files);
  };

  private remove(index: number): void {
    const { controller, card } = this.host;
    this.forgetRefusals();
    controller.redraft(card.id, (draft) => ({
      ...draft,
      images: draft.images.filter((_, at) => at !== index),
    }));
    this.refocus();
  }

  private refusal(why: Refusal, name: string): string {
    const mebibytes = (bytes: number) => bytes / 1024 / 1024;
    const values: Record<Refusal, Record<string, number>> = {
      format: {},
      unreadable: {},
      gifTooLarge: { limit: mebibytes(limits.bytes), side: limits.side },
      tooManyPixels: { limit: limits.pixels / 1e6 },
      fileTooLarge: { limit: mebibytes(limits.fileBytes) },
    };
    return this.host.t(`images.${why}`, { name, ...values[why] });
  }
}

function refusalLine(text: string) {
  return html`<p>${text}</p>`;
}

/** The files in what was pasted or dropped. */
export function filesOf(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])];
}
