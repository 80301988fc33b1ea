// Files that are dragged, dropped, pasted, chosen or named after an @. From the editor's explorer and tabs,
// the page only gets addresses. The page scales down images that are too large to send.

import type { AnswerImage } from "./answer";

/** The formats of dragged editor items, best first; other programs use text/uri-list, too. */
const lists = ["application/vnd.code.uri-list", "resourceurls", "text/uri-list"] as const;

/** Whether dragged data may contain files; its content is unknown before it is dropped. */
export function mayHoldFiles(data: DataTransfer | null): boolean {
  const types = data?.types ?? [];
  return types.includes("Files") || lists.some((type) => types.includes(type));
}

/** The URIs of the editor's files, without duplicates and web pages. */
export function urisIn(data: DataTransfer | null): string[] {
  for (const type of lists) {
    const written = data?.getData(type) ?? "";
    const uris = type === "resourceurls" ? listed(written) : written.split(/\r?\n/);
    const files = uris.filter((uri) =>
      /^(?!(https?|data|blob|javascript|mailto|command):)[a-z][a-z\d+.-]*:/i.test(uri),
    );
    if (files.length > 0) {
      return [...new Set(files)];
    }
  }
  return [];
}

function listed(json: string): string[] {
  try {
    return [JSON.parse(json)].flat().map(String);
  } catch {
    return [];
  }
}

/** Paths of files as text, separated from the text before them. */
export function pathsText(paths: readonly string[], before: string): string {
  const words = paths.map((path) => (/\s/.test(path) ? `\`${path}\`` : path)).join(" ");
  return `${before === "" || /\s$/.test(before) ? "" : " "}${words}`;
}

const longestName = 100;

/** A file name that the user types after an @. */
export interface Mention {
  start: number;
  /** The text after it, up to the cursor. */
  text: string;
}

/**
 * The mention that ends at the cursor, if any. An @ inside a word, as in an email
 * address, does not begin one.
 */
export function mentionAt(text: string, cursor: number): Mention | undefined {
  const before = text.slice(Math.max(0, cursor - longestName - 2), cursor);
  const found = /(?:^|[\s([{"'“‘«（【《，、。：；])@([^\s@]*)$/u.exec(before)?.[1];
  return found === undefined || found.length > longestName
    ? undefined
    : { start: cursor - found.length - 1, text: found };
}

type ImageType = AnswerImage["mimeType"];

/** The limits of an answer's images. */
export const limits = {
  /** The maximum number of images. */
  count: 8,
  /** The maximum size of an image when it is sent, in bytes. */
  bytes: 2 * 1024 * 1024,
  /** The maximum width and height of an image when it is sent, in pixels. */
  side: 4096,
  /** The maximum number of pixels that are decoded. One pixel takes four bytes of memory. */
  pixels: 100_000_000,
  /** The maximum size of a file that is read, in bytes. */
  fileBytes: 64 * 1024 * 1024,
} as const;

/** Why an image is not added. */
export type Refusal = "format" | "unreadable" | "gifTooLarge" | "tooManyPixels" | "fileTooLarge";

const formats: Readonly<Record<ImageType, RegExp>> = {
  "image/png": /^\x89PNG\r\n/,
  "image/jpeg": /^\xff\xd8\xff/,
  "image/gif": /^GIF8[79]a/,
  "image/webp": /^RIFF.{4}WEBP/s,
};

/** Reads one file as the image to send. Every failure is a refusal. */
export async function readImage(file: File) {
  const { name, size } = file;
  const refuse = (refused: Refusal) => ({ refused, name });
  if (size > limits.fileBytes) {
    return refuse("fileTooLarge");
  }
  try {
    const beginning = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
    const type = (Object.keys(formats) as ImageType[]).find((each) => formats[each].test(beginning));
    if (type === undefined) {
      return refuse("format");
    }
    const source = new Blob([file], { type });
    const { width, height } = await sizeOf(source);
    if (width * height > limits.pixels) {
      return refuse("tooManyPixels");
    }
    const fits = size <= limits.bytes && Math.max(width, height) <= limits.side;
    if (!fits && type === "image/gif") {
      return refuse("gifTooLarge"); // scaling would keep only the first frame of the animation
    }
    (await createImageBitmap(source)).close(); // fails if the image cannot be decoded
    const blob = fits ? source : await scale(source, width, height);
    const mimeType = blob.type as ImageType;
    const data = (await dataUrl(blob)).replace(/^.*,/, "");
    return { image: { mimeType, data, name, ...(await hashOf(mimeType, blob)) } };
  } catch {
    return refuse("unreadable");
  }
}

/** The picture's size in pixels. The browser only reads the header. */
async function sizeOf(blob: Blob): Promise<{ width: number; height: number }> {
  const [image, src] = [new Image(), await dataUrl(blob)];
  await new Promise((onload, onerror) => Object.assign(image, { onload, onerror, src }));
  return { width: image.naturalWidth, height: image.naturalHeight };
}

/** The picture, scaled until both sides and the number of bytes are within the limits. */
async function scale(source: Blob, width: number, height: number): Promise<Blob> {
  let factor = Math.min(1, limits.side / Math.max(width, height));
  for (;;) {
    const [resizeWidth = 1, resizeHeight = 1] = [width, height].map((side) =>
      Math.max(1, Math.round(side * factor)),
    );
    const bitmap = await createImageBitmap(source, { resizeWidth, resizeHeight, resizeQuality: "high" });
    const blob = await encode(bitmap, source.type);
    if (blob.size <= limits.bytes) {
      return blob;
    }
    // The number of bytes is roughly proportional to the area.
    factor *= Math.min(0.9, 0.95 * Math.sqrt(limits.bytes / blob.size));
  }
}

/** The picture as a file. A PNG stays a PNG if it is small enough; WebP keeps its transparency. */
async function encode(bitmap: ImageBitmap, type: string): Promise<Blob> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
  const blob = await canvas.convertToBlob({ type, quality: 0.9 });
  return type === "image/png" && blob.size > limits.bytes
    ? canvas.convertToBlob({ type: "image/webp", quality: 0.9 })
    : blob;
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/**
 * The image's hash, as the protocol defines it. A page that came over an unencrypted network cannot compute
 * it.
 */
async function hashOf(mimeType: string, blob: Blob): Promise<{ hash?: string }> {
  const bytes = await new Blob([`${mimeType}\n`, blob]).arrayBuffer();
  const digest = await globalThis.crypto.subtle?.digest("SHA-256", bytes);
  const digits = (byte: number) => byte.toString(16).padStart(2, "0");
  return digest ? { hash: Array.from(new Uint8Array(digest), digits).join("") } : {};
}
