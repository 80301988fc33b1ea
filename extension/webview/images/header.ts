// Reads from an image file's first bytes what it is and how large, without decoding it.
//
// Sources: PNG (W3C PNG specification, sections 5.2 and 11.2.1), GIF89a (section 18), JPEG (ITU-T T.81, annex
// B) and WebP (RFC 9649).

import type { AnswerImage } from "../answer";

/** What an image file says of itself. */
export interface ImageHeader {
  mimeType: AnswerImage["mimeType"];
  /** In pixels. */
  width: number;
  height: number;
}

/** The file's format and size in pixels; null when it is none of the four formats or ends too early. */
export function readHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
  } catch (error) {
    if (error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}

function text(view: DataView, offset: number, length: number): string {
  let result = "";
  for (let at = offset; at < Math.min(offset + length, view.byteLength); at++) {
    result += String.fromCharCode(view.getUint8(at));
  }
  return result;
}

function png(view: DataView): ImageHeader | null {
  if (text(view, 0, 8) !== "\x89PNG\r\n\x1a\n" || text(view, 12, 4) !== "IHDR") {
    return null;
  }
  return { mimeType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageHeader | null {
  if (!["GIF87a", "GIF89a"].includes(text(view, 0, 6))) {
    return null;
  }
  return { mimeType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageHeader | null {
  if (text(view, 0, 4) !== "RIFF" || text(view, 8, 4) !== "WEBP") {
    return null;
  }
  const mimeType = "image/webp";
  switch (text(view, 12, 4)) {
    case "VP8 ":
      return {
        mimeType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { mimeType, width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      return { mimeType, width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return null;
  }
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
}

/** The size stands in the frame header, behind segments that are skipped. */
function jpeg(view: DataView): ImageHeader | null {
  if (view.getUint16(0) !== 0xffd8) {
    return null;
  }
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (isFrame(marker)) {
      return { mimeType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    // A marker may be preceded by any number of fill bytes, 0xff.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

/** SOF0 to SOF15 without the three other markers of that range (DHT, JPG, DAC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
