// Reads the image files that the user pastes, drops or chooses, and scales down in the page what is too large
// to send.

import type { AnswerImage } from "../answer";
import { readHeader } from "./header";
import { encodings, limits, plan, type Refusal, type Size, smaller, withinSide } from "./plan";

/** An image as it will be sent, or why it cannot be. */
export type ReadImage = { image: AnswerImage } | { refused: Refusal; name: string };

/** Reads one file. Every failure is a refusal. */
export async function readImage(file: File): Promise<ReadImage> {
  const name = file.name;
  if (file.size > limits.fileBytes) {
    return { refused: "fileTooLarge", name };
  }
  try {
    const header = readHeader(new Uint8Array(await file.arrayBuffer()));
    const decision = plan(header, file.size);
    if (decision.do === "refuse" || header === null) {
      return { refused: decision.do === "refuse" ? decision.why : "format", name };
    }
    const source = new Blob([file], { type: header.mimeType });
    const blob = decision.do === "keep" ? await decodable(source) : await scale(source, header.mimeType);
    const mimeType = blob.type as AnswerImage["mimeType"];
    return { image: { mimeType, data: await base64(blob), name, ...(await hashOf(mimeType, blob)) } };
  } catch {
    return { refused: "unreadable", name };
  }
}

/** The blob itself, once it is known that it can be decoded. */
async function decodable(blob: Blob): Promise<Blob> {
  (await createImageBitmap(blob)).close();
  return blob;
}

/** The picture with both sides within the limit or, where that still takes too many bytes, smaller. */
async function scale(source: Blob, mimeType: AnswerImage["mimeType"]): Promise<Blob> {
  const bitmap = await createImageBitmap(source);
  try {
    // A photo may be turned by what its file says, so that its sides are not those of the header.
    let size: Size = withinSide({ width: bitmap.width, height: bitmap.height });
    for (;;) {
      const blob = await encode(bitmap, size, mimeType);
      if (blob.size <= limits.bytes) {
        return blob;
      }
      size = smaller(size, blob.size);
    }
  } finally {
    bitmap.close();
  }
}

/** The picture at the size in the first encoding that is small enough, or else in the last one. */
async function encode(bitmap: ImageBitmap, size: Size, mimeType: AnswerImage["mimeType"]): Promise<Blob> {
  const canvas = new OffscreenCanvas(size.width, size.height);
  const context = canvas.getContext("2d");
  if (context === null) {
    throw new Error("no canvas");
  }
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, size.width, size.height);
  let blob: Blob | undefined;
  for (const { mimeType: type, quality } of encodings(mimeType)) {
    blob = await canvas.convertToBlob({ type, quality });
    if (blob.size <= limits.bytes) {
      break;
    }
  }
  if (blob === undefined) {
    throw new Error("no encoding");
  }
  return blob;
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = String(reader.result);
      resolve(url.slice(url.indexOf(",") + 1));
    };
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** The image's name, as the protocol says; a page that came over a network without encryption cannot work it out. */
async function hashOf(mimeType: string, blob: Blob): Promise<{ hash?: string }> {
  const bytes = await new Blob([`${mimeType}\n`, blob]).arrayBuffer();
  const digest = await globalThis.crypto.subtle?.digest("SHA-256", bytes);
  const digits = (byte: number) => byte.toString(16).padStart(2, "0");
  return digest ? { hash: Array.from(new Uint8Array(digest), digits).join("") } : {};
}
