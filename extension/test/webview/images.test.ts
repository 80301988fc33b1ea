// Images: what a file says of itself, and what becomes of it.

import { describe, expect, it } from "vitest";
import { readHeader } from "../../webview/images/header";
import { encodings, limits, plan, room, smaller, withinSide } from "../../webview/images/plan";
import { onePixel } from "./questions";

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : part)),
  );
const header = (
  width: number,
  height: number,
  mimeType: "image/png" | "image/gif" | "image/jpeg" = "image/png",
) => ({
  mimeType,
  width,
  height,
});

describe("the header", () => {
  it.each([
    ["PNG", new Uint8Array(Buffer.from(onePixel.data, "base64")), "image/png", 1, 1],
    ["GIF", bytes("GIF89a", [0x40, 1, 0xf0, 0]), "image/gif", 320, 240],
    [
      "JPEG with segments before the frame",
      bytes([
        0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc4, 0, 3, 9, 0xff, 0xc2, 0, 17, 8, 1, 0xe0, 2, 0x80,
      ]),
      "image/jpeg",
      640,
      480,
    ],
    [
      "lossy WebP",
      bytes("RIFF\0\0\0\0WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 0x40, 0x41, 0xf0, 0]),
      "image/webp",
      320,
      240,
    ],
    [
      "lossless WebP",
      bytes("RIFF\0\0\0\0WEBPVP8L", [0, 0, 0, 0, 0x2f, 0x3f, 0xc1, 0x3b, 0]),
      "image/webp",
      320,
      240,
    ],
    [
      "extended WebP",
      bytes("RIFF\0\0\0\0WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0, 0x3f, 1, 0, 0xef, 0, 0]),
      "image/webp",
      320,
      240,
    ],
  ])("of a %s", (_, data, mimeType, width, height) => {
    expect(readHeader(data)).toEqual({ mimeType, width, height });
  });

  it.each([
    ["nothing", bytes()],
    ["text", bytes("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a PDF", bytes("%PDF-1.7 and more of it")],
    ["a bitmap", bytes("BM", Array(60).fill(0))],
    ["a PNG cut short", bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0")],
    ["a JPEG cut short", bytes([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff])],
    ["a JPEG without a frame", bytes([0xff, 0xd8, 0xff, 0xe0, 0, 2, 0, 0])],
    ["a WebP of an unknown kind", bytes("RIFF\0\0\0\0WEBPVP9 ", Array(20).fill(0))],
  ])("of %s is none", (_, data) => {
    expect(readHeader(data)).toBeNull();
  });

  it("reads a file that stands inside a larger buffer", () => {
    const outer = new Uint8Array([9, 9, ...Buffer.from(onePixel.data, "base64")]);
    expect(readHeader(outer.subarray(2))).toEqual(header(1, 1));
  });
});

describe("the plan", () => {
  const scaled = { do: "scale" };
  const refused = (why: string) => ({ do: "refuse", why });

  it.each([
    ["keeps what is within the limits", header(4096, 4096), limits.bytes, { do: "keep" }],
    ["scales what has too many bytes", header(800, 600), limits.bytes + 1, scaled],
    ["scales what is too wide", header(8192, 100), 10, scaled],
    ["scales what is too high", header(100, 8192, "image/jpeg"), 10, scaled],
    ["keeps a small GIF", header(100, 100, "image/gif"), limits.bytes, { do: "keep" }],
    ["refuses a large GIF", header(100, 100, "image/gif"), limits.bytes + 1, refused("gifTooLarge")],
    ["refuses a wide GIF", header(5000, 100, "image/gif"), 10, refused("gifTooLarge")],
    ["refuses what is no image", null, 10, refused("format")],
    ["refuses an image of no size", header(0, 5), 10, refused("unreadable")],
    ["refuses what would fill the memory", header(20_000, 20_000), 10, refused("tooManyPixels")],
    ["refuses a huge file", header(10, 10), limits.fileBytes + 1, refused("fileTooLarge")],
  ])("%s", (_, from, size, expected) => {
    expect(plan(from, size)).toEqual(expected);
  });

  it("scales to the longest side allowed, in the picture's shape", () => {
    expect(withinSide({ width: 8192, height: 100 })).toEqual({ width: 4096, height: 50 });
    expect(withinSide({ width: 100, height: 8192 })).toEqual({ width: 50, height: 4096 });
    expect(withinSide({ width: 800, height: 600 })).toEqual({ width: 800, height: 600 });
    expect(withinSide({ width: 9000, height: 1 })).toEqual({ width: 4096, height: 1 });
  });

  it("shrinks with what is over the limit, and always by some", () => {
    expect(smaller({ width: 1000, height: 500 }, limits.bytes * 4)).toEqual({ width: 475, height: 238 });
    expect(smaller({ width: 1000, height: 500 }, limits.bytes + 1)).toEqual({ width: 900, height: 450 });
  });

  it("keeps a JPEG one, and a PNG while it can", () => {
    expect(encodings("image/jpeg").map(({ mimeType }) => mimeType)).toEqual(["image/jpeg"]);
    expect(encodings("image/png").map(({ mimeType }) => mimeType)).toEqual(["image/png", "image/webp"]);
    expect(encodings("image/webp").map(({ mimeType }) => mimeType)).toEqual(["image/webp"]);
  });

  it("has room for eight", () => {
    expect([room(0, 3), room(6, 3), room(8, 1), room(9, 1)]).toEqual([3, 2, 0, 0]);
  });
});
