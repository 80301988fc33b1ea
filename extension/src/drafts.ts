// What the user has begun, by question id: saved by the sidecar, and kept here until that is done. An image travels to the sidecar
// and from it once; later its hash is enough.

import { createHash } from "node:crypto";
import { ResponseError } from "vscode-jsonrpc";
import type { Draft, DraftImage, InboxItem, SaveDraftParams, SaveDraftResult } from "./protocol.gen";

/** The images of one question's drafts, while it is open. */
interface Images {
  /** Their data by hash. */
  data: Map<string, string>;
  /** Their hashes by type and data: working one out takes its time. */
  hashes: Map<string, string>;
  /** The hashes of those that the sidecar has. */
  saved: Set<string>;
}

/** The drafts of the open questions. */
export class Drafts {
  private readonly drafts = new Map<string, Draft>();
  /** The newest state of what the sidecar has not saved yet. */
  private readonly unsaved = new Map<string, Draft>();
  private readonly images = new Map<string, Images>();
  private saving: Promise<void> | undefined;

  /** `save` settles when the draft is on disk. */
  constructor(private readonly save: (params: SaveDraftParams) => Promise<unknown>) {}

  /** Keeps a draft, or drops it when it is null. */
  set(id: string, draft: Draft | null): void {
    const had = this.drafts.delete(id);
    if (draft) {
      this.drafts.set(id, draft);
    }
    if (draft || had) {
      this.unsaved.set(id, draft ? this.named(id, draft) : { changedAt: Date.now() });
      this.start();
    }
  }

  /** The question is over: the sidecar drops its draft by itself. */
  forget(id: string): void {
    this.drafts.delete(id);
    this.unsaved.delete(id);
    this.images.delete(id);
  }

  /** Takes note of a draft that the sidecar has, unless a newer one is known. */
  learn({ questionId, draft }: Pick<InboxItem, "questionId" | "draft">): void {
    const whole = draft && this.filled(questionId, draft);
    const known = this.drafts.get(questionId);
    if (whole && !this.unsaved.has(questionId) && (known?.changedAt ?? 0) <= (whole.changedAt ?? 0)) {
      this.drafts.set(questionId, whole);
    }
  }

  /** The draft of a question. */
  get(id: string): Draft | undefined {
    return this.drafts.get(id);
  }

  /** All drafts by question id. */
  all(): Record<string, Draft> {
    return Object.fromEntries(this.drafts);
  }

  /** There is a new sidecar: it is sent what is not saved yet, images too. */
  resume(): void {
    for (const images of this.images.values()) {
      images.saved.clear();
    }
    this.start();
  }

  private start(): void {
    if (this.unsaved.size === 0) {
      return; // What is set in the same moment would not be seen.
    }
    this.saving ??= this.write().finally(() => {
      this.saving = undefined;
    });
  }

  /** Settles when everything is saved, or cannot be at the moment. */
  async saved(): Promise<void> {
    await this.saving;
  }

  /** One request at a time; what changes meanwhile goes into a later one. */
  private async write(): Promise<void> {
    for (let next = this.next(); next; next = this.next()) {
      const [questionId, draft] = next;
      try {
        const images = this.imagesOf(questionId);
        const result = (await this.save({ questionId, draft: slim(draft, images.saved) })) as
          | SaveDraftResult
          | undefined;
        if (result?.missing?.length) {
          images.saved.clear();
          await this.save({ questionId, draft });
        }
        for (const { hash } of draft.images ?? []) {
          images.saved.add(hash ?? "");
        }
      } catch (error) {
        if (!(error instanceof ResponseError)) {
          return; // There is no sidecar; resume goes on with the next one.
        }
      }
      if (this.unsaved.get(questionId) === draft) {
        this.unsaved.delete(questionId);
      }
    }
  }

  private next(): [string, Draft] | undefined {
    const [first] = this.unsaved;
    return first;
  }

  private imagesOf(id: string): Images {
    const images = this.images.get(id) ?? { data: new Map(), hashes: new Map(), saved: new Set() };
    this.images.set(id, images);
    return images;
  }

  /** The draft with a hash for every image. */
  private named(id: string, draft: Draft): Draft {
    if (!draft.images?.length) {
      return draft;
    }
    const { data, hashes } = this.imagesOf(id);
    const named = draft.images.map((image) => {
      const key = `${image.mimeType}\n${image.data}`;
      const hash = hashes.get(key) ?? hashOf(image);
      hashes.set(key, hash);
      data.set(hash, image.data ?? "");
      return { ...image, hash };
    });
    return { ...draft, images: named };
  }

  /** The draft with the data of images that came, or were sent, before. */
  private filled(id: string, draft: Draft): Draft {
    if (!draft.images?.length) {
      return draft;
    }
    const { data, saved } = this.imagesOf(id);
    const images = draft.images.map((image) => {
      const whole = { ...image, data: image.data ?? data.get(image.hash ?? "") };
      if (image.hash && whole.data) {
        data.set(image.hash, whole.data);
        saved.add(image.hash);
      }
      return whole;
    });
    return { ...draft, images: images.filter((image) => image.data) };
  }
}

/** The draft without the data of images that the sidecar has. */
function slim(draft: Draft, saved: ReadonlySet<string>): Draft {
  return {
    ...draft,
    images: draft.images?.map(({ data, ...image }) =>
      saved.has(image.hash ?? "") ? image : { ...image, data },
    ),
  };
}

/** An image's name, as the protocol says. */
function hashOf({ mimeType, data }: DraftImage): string {
  return createHash("sha256")
    .update(`${mimeType}\n`)
    .update(Buffer.from(data ?? "", "base64"))
    .digest("hex");
}
