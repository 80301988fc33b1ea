// Decides what becomes of an image that the user adds: kept as it is, scaled down, or refused. Pure: it
// decodes nothing.

import type { AnswerImage } from "../answer";
import type { ImageHeader } from "./header";

/** The limits of an answer's images. */
export const limits = {
  /** How many images an answer holds. */
  count: 8,
  /** The most bytes an image is sent with. */
  bytes: 2 * 1024 * 1024,
  /** The most pixels on a side that an image is sent with. */
  side: 4096,
  /** The most pixels that are decoded; one pixel takes four bytes of memory. */
  pixels: 100_000_000,
  /** The largest file that is read at all, in bytes. */
  fileBytes: 64 * 1024 * 1024,
} as const;

/** Why an image is not added. */
export type Refusal = "format" | "unreadable" | "gifTooLarge" | "tooManyPixels" | "fileTooLarge";

/** A size in pixels. */
export interface Size {
  width: number;
  height: number;
}

export type Plan = { do: "keep" } | { do: "scale" } | { do: "refuse"; why: Refusal };

/** What to do with a file of so many bytes that says this of itself. */
export function plan(header: ImageHeader | null, bytes: number): Plan {
  if (bytes > limits.fileBytes) {
    return { do: "refuse", why: "fileTooLarge" };
  }
  if (header === null) {
    return { do: "refuse", why: "format" };
  }
  if (header.width === 0 || header.height === 0) {
    return { do: "refuse", why: "unreadable" };
  }
  if (header.width * header.height > limits.pixels) {
    return { do: "refuse", why: "tooManyPixels" };
  }
  if (bytes <= limits.bytes && Math.max(header.width, header.height) <= limits.side) {
    return { do: "keep" };
  }
  // Scaling would leave the first frame of the animation alone.
  return header.mimeType === "image/gif" ? { do: "refuse", why: "gifTooLarge" } : { do: "scale" };
}

/** The size with both sides within the limit, and the same shape. */
export function withinSide(size: Size): Size {
  return shrink(size, Math.min(1, limits.side / Math.max(size.width, size.height)));
}

/** The size to try next after an encoding took too many bytes; the bytes go about with the area. */
export function smaller(size: Size, bytes: number): Size {
  return shrink(size, Math.min(0.9, 0.95 * Math.sqrt(limits.bytes / bytes)));
}

function shrink(size: Size, factor: number): Size {
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return { width: side(size.width), height: side(size.height) };
}

/**
 * The encodings to try for a scaled image, the best first. A PNG stays one while it can; WebP keeps its
 * transparency.
 */
export function encodings(
  mimeType: AnswerImage["mimeType"],
): { mimeType: AnswerImage["mimeType"]; quality?: number }[] {
  if (mimeType === "image/jpeg") {
    return [{ mimeType, quality: 0.9 }];
  }
  const webp = { mimeType: "image/webp", quality: 0.9 } as const;
  return mimeType === "image/png" ? [{ mimeType }, webp] : [webp];
}

/** How many of the added images an answer that holds `held` of them takes. */
export function room(held: number, added: number): number {
  return Math.max(0, Math.min(added, limits.count - held));
}
