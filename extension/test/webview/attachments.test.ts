// Images in Chromium: pasted, dropped or chosen, scaled down if they are too large, and refused with the
// limit if necessary.

import { describe, expect, it } from "vitest";
import type { Image } from "../../src/protocol.gen";
import { limits } from "../../webview/files";
import { openView, until, useBrowser, type View } from "./harness";
import { ask, askAll, checks, database, type ImageFile, onePixel, pixelFile, sentPixel } from "./questions";
import { chooseFiles, picture } from "./states";

useBrowser();

const smallGif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

/** The checksum of a PNG's chunk (https://www.w3.org/TR/png/#5CRC-algorithm). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return ~crc >>> 0;
}

async function openPending(): Promise<View> {
  const view = await openView();
  await view.post(ask("a"));
  return view;
}

const thumbnails = (view: View) => view.card("a").locator(".thumbnail img");

/** Waits until the card shows a number of images. */
async function showsImages(view: View, count: number): Promise<void> {
  await until(async () => ((await thumbnails(view).count()) === count ? true : undefined));
}

async function choose(view: View, ...files: ImageFile[]): Promise<void> {
  await chooseFiles(view.card("a"), files);
}

async function refusal(view: View): Promise<string> {
  const alert = view.card("a").locator(".refusals");
  await alert.waitFor();
  return (await alert.textContent()) ?? "";
}

async function sentImages(view: View): Promise<Image[]> {
  await view.card("a").getByRole("button", { name: "Send" }).click();
  return (await view.waitFor("answer")).answer.images ?? [];
}

/** The size of the decoded image in pixels, and of the file in bytes. */
async function measure(view: View, image: Image): Promise<{ width: number; height: number; bytes: number }> {
  const bytes = Buffer.from(image.data, "base64").length;
  const size = await view.page.evaluate(async ({ mimeType, data }) => {
    const picture = new Image();
    picture.src = `data:${mimeType};base64,${data}`;
    await picture.decode();
    return { width: picture.naturalWidth, height: picture.naturalHeight };
  }, image);
  return { ...size, bytes };
}

/** A picture of noise, which does not compress. */
async function noise(view: View, side: number, type: string): Promise<Buffer> {
  const data = await view.page.evaluate(
    async ({ side, type }) => {
      const canvas = new OffscreenCanvas(side, side);
      const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
      const pixels = context.createImageData(side, side);
      let value = 1;
      for (let at = 0; at < pixels.data.length; at++) {
        value = (Math.imul(value, 1103515245) + 12345) & 0x7fffffff;
        pixels.data[at] = at % 4 === 3 ? 255 : (value >> 16) & 255;
      }
      context.putImageData(pixels, 0, 0);
      const blob = await canvas.convertToBlob({ type, quality: 1 });
      const reader = new FileReader();
      reader.readAsDataURL(blob);
      await new Promise((resolve) => reader.addEventListener("load", resolve));
      return String(reader.result).split(",")[1] ?? "";
    },
    { side, type },
  );
  return Buffer.from(data, "base64");
}

describe("an image", () => {
  it("is chosen with the file button, and sent without text", async () => {
    const view = await openPending();
    const chooser = view.page.waitForEvent("filechooser");
    await view.card("a").getByRole("button", { name: "Add images" }).click();
    await (await chooser).setFiles([pixelFile()]);
    await showsImages(view, 1);
    expect(await view.focus()).toBe("textarea");
    expect(await sentImages(view)).toEqual([sentPixel]);
    expect((await view.waitFor("answer")).answer).toMatchObject({ provenance: "typed", text: "" });
  });

  it("is pasted from the clipboard", async () => {
    const view = await openPending();
    await view.page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const item = new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) });
      await navigator.clipboard.write([item]);
    }, onePixel.data);
    await view.box("a").fill("See this");
    await view.box("a").press("Control+v");
    await showsImages(view, 1);
    expect(await view.box("a").inputValue()).toBe("See this");
    await view.box("a").press("Enter");
    const { answer } = await view.waitFor("answer");
    expect(answer.text).toBe("See this");
    expect(answer.images?.[0]?.mimeType).toBe("image/png");
  });

  it("is not added when text is pasted", async () => {
    const view = await openPending();
    await view.box("a").focus();
    await view.paste("just text");
    expect(await view.box("a").inputValue()).toBe("just text");
    expect(await thumbnails(view).count()).toBe(0);
  });

  it("is not added from the picture that a spreadsheet copies along with text", async () => {
    const view = await openPending();
    await view.page.evaluate(async (data) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const blobs = { "image/png": new Blob([bytes], { type: "image/png" }), "text/plain": "two\tcells" };
      await navigator.clipboard.write([new ClipboardItem(blobs)]);
    }, onePixel.data);
    await view.box("a").press("Control+v");
    await expect.poll(() => view.box("a").inputValue()).toBe("two\tcells");
    expect(await thumbnails(view).count()).toBe(0);
  });

  it("is added when dropped on the card, and ignored beside it", async () => {
    const view = await openPending();
    const drop = (selector: string) =>
      view.page.evaluate(
        ({ selector, data }) => {
          const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
          const target = document.querySelector(selector);
          return ["dragover", "drop"].map((type) => {
            const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
            target?.dispatchEvent(event);
            return event.defaultPrevented;
          });
        },
        { selector, data: onePixel.data },
      );
    expect(await drop("body")).toEqual([true, true]);
    expect(await drop("followup-card .question")).toEqual([true, true]);
    await showsImages(view, 1);
    expect(await thumbnails(view).getAttribute("alt")).toBe("dropped.png");
  });

  it("is sent with a clicked suggestion", async () => {
    const view = await openPending();
    await choose(view, pixelFile());
    await showsImages(view, 1);
    expect(await view.card("a").textContent()).toContain(
      "Your image is sent with the suggestion you choose.",
    );
    await view.suggestion("a", 0).click();
    expect((await view.waitFor("answer")).answer).toEqual({
      provenance: "clicked",
      suggestion: 0,
      images: [sentPixel],
    });
  });

  it("is removed by its button", async () => {
    const view = await openPending();
    await choose(view, pixelFile("one.png"), pixelFile("two.png"));
    await showsImages(view, 2);
    await view.card("a").getByRole("button", { name: "Remove one.png" }).click();
    await showsImages(view, 1);
    expect(await thumbnails(view).getAttribute("alt")).toBe("two.png");
    expect(await sentImages(view)).toEqual([sentPixel]);
  });

  it("keeps a small animation", async () => {
    const view = await openPending();
    await choose(view, { name: "a.gif", mimeType: "image/gif", buffer: Buffer.from(smallGif, "base64") });
    await showsImages(view, 1);
    expect(await sentImages(view)).toEqual([{ mimeType: "image/gif", data: smallGif }]);
  });
});

/** Drags something over an element and drops it, with a browser's events. */
async function drag(
  view: View,
  selector: string,
  formats: Record<string, string>,
  ...types: string[]
): Promise<boolean[]> {
  return view.page.evaluate(
    ({ selector, formats, types }) => {
      const dataTransfer = new DataTransfer();
      for (const [type, text] of Object.entries(formats)) {
        dataTransfer.setData(type, text);
      }
      const target = document.querySelector(selector);
      return types.map((type) => {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        target?.dispatchEvent(event);
        return event.defaultPrevented;
      });
    },
    { selector, formats, types },
  );
}

/** A drag of files from the explorer. */
const ofEditor = (...names: string[]) => ({
  resourceurls: JSON.stringify(names.map((name) => `file:///w/${name}`)),
});

describe("a drag from the editor", () => {
  const question = "followup-card .question";

  it("shows how to drop it on every card that accepts it, until the drag ends", async () => {
    const view = await openPending();
    await view.post(ask("b", "queued"));
    const hint = (id: string) => view.card(id).evaluate((card) => getComputedStyle(card, "::after").content);
    expect(await hint("a")).toBe("none");
    await drag(view, "body", ofEditor("a.png"), "dragenter");
    expect(await hint("a")).toContain("Hold Shift and drop it here");
    expect(await hint("b")).toBe("none");
    await drag(view, question, { "text/plain": "words" }, "dragover");
    expect(await hint("a")).toBe("none");
    await drag(view, question, ofEditor("a.png"), "dragover");
    expect(await hint("a")).not.toBe("none");
    // Shift is released: the editor takes the drag away from the page.
    await view.page.evaluate(() =>
      document.body.dispatchEvent(new DragEvent("dragleave", { bubbles: true, clientX: 50, clientY: 50 })),
    );
    expect(await hint("a")).not.toBe("none");
    await view.page.evaluate(() =>
      document.body.dispatchEvent(new DragEvent("dragleave", { bubbles: true, clientX: 0, clientY: 50 })),
    );
    expect(await hint("a")).toBe("none");
    await drag(view, question, ofEditor("a.png"), "dragover");
    await view.page.mouse.move(100, 100);
    expect(await hint("a")).toBe("none");
  });

  it("is not passed on to the editor, which would keep it from the page", async () => {
    const view = await openPending();
    expect(await drag(view, "body", ofEditor("a.png"), "dragenter", "dragover", "drop")).toEqual([
      true,
      true,
      true,
    ]);
    expect(await drag(view, "body", { "text/plain": "words" }, "dragover")).toEqual([true]);
    expect(await drag(view, "followup-card textarea", { "text/plain": "words" }, "dragover", "drop")).toEqual(
      [false, false],
    );
    expect(await view.page.evaluate(() => window.editorDrags)).toEqual(["dragover"]);
  });

  it("is read by the host: adds images, inserts other paths, reports refusals", async () => {
    const view = await openPending();
    await view.box("a").fill("See");
    await drag(view, question, ofEditor("a.png", "b.ts", "c d.md", "e.png", "f.png"), "dragover", "drop");
    const { request, uris, room, bytes } = await view.waitFor("readFiles");
    expect(uris).toHaveLength(5);
    expect([uris[0], room, bytes]).toEqual(["file:///w/a.png", 5, limits.fileBytes]);
    // Nothing is sent before the dropped files are read.
    await view.box("a").press("Enter");
    expect(await view.sentOf("answer")).toEqual([]);
    await view.post({
      type: "files",
      request,
      files: [
        { name: "a.png", image: onePixel.data },
        { name: "b.ts", path: "src/b.ts" },
        { name: "c d.md", path: "c d.md" },
        { name: "e.png", refused: "notRead" },
        { name: "f.png", refused: "tooMany" },
      ],
    });
    await showsImages(view, 1);
    expect(await thumbnails(view).getAttribute("alt")).toBe("a.png");
    expect(await view.box("a").inputValue()).toBe("See src/b.ts `c d.md`");
    expect(await refusal(view)).toContain("“e.png” was not added: it could not be read.");
    expect(await refusal(view)).toContain("An answer can have at most 8 images. 1 image was not added.");
    await view.box("a").press("Enter");
    const { answer } = await view.waitFor("answer");
    expect([answer.text, answer.images]).toEqual(["See src/b.ts `c d.md`", [sentPixel]]);
  });

  it("is refused if it is not an image despite its name", async () => {
    const view = await openPending();
    await drag(view, question, ofEditor("a.png"), "drop");
    const { request } = await view.waitFor("readFiles");
    await view.post({ type: "files", request, files: [{ name: "a.png", image: btoa("%PDF-1.7") }] });
    expect(await refusal(view)).toContain("only PNG, JPEG, GIF and WebP images can be sent");
  });

  it("goes into the open text box of a questionnaire", async () => {
    const view = await openView();
    await view.post(askAll("a", [database, checks]));
    await drag(view, "followup-card", ofEditor("b.ts"), "drop");
    const { request } = await view.waitFor("readFiles");
    await view.post({ type: "files", request, files: [{ name: "b.ts", path: "b.ts" }] });
    expect(await view.own("a").inputValue()).toBe("b.ts");
  });
});

describe("an oversized image", () => {
  it("is scaled down to the byte limit", async () => {
    const view = await openPending();
    const png = await noise(view, 1100, "image/png");
    expect(png.length).toBeGreaterThan(limits.bytes);
    await choose(view, { name: "noise.png", mimeType: "image/png", buffer: png });
    await showsImages(view, 1);
    const [image] = await sentImages(view);
    const { bytes, width, height } = await measure(view, image ?? onePixel);
    expect(bytes).toBeLessThanOrEqual(limits.bytes);
    expect(width).toBe(height);
    expect(width).toBeGreaterThan(500);
  });

  it("stays a JPEG at the byte limit", async () => {
    const view = await openPending();
    const jpeg = await noise(view, 1200, "image/jpeg");
    expect(jpeg.length).toBeGreaterThan(limits.bytes);
    await choose(view, { name: "noise.jpg", mimeType: "image/jpeg", buffer: jpeg });
    await showsImages(view, 1);
    const [image] = await sentImages(view);
    expect(image?.mimeType).toBe("image/jpeg");
    expect((await measure(view, image ?? onePixel)).bytes).toBeLessThanOrEqual(limits.bytes);
  });

  it("becomes a WebP if it was not a JPEG, and stays as it is if it fits", async () => {
    const view = await openPending();
    for (const [index, side] of [1200, 50].entries()) {
      const buffer = await noise(view, side, "image/webp");
      await choose(view, { name: "noise.webp", mimeType: "image/webp", buffer });
      await showsImages(view, index + 1);
    }
    const [scaled, kept] = await sentImages(view);
    expect([scaled?.mimeType, kept?.mimeType]).toEqual(["image/webp", "image/webp"]);
    expect((await measure(view, scaled ?? onePixel)).bytes).toBeLessThanOrEqual(limits.bytes);
    expect(await measure(view, kept ?? onePixel)).toMatchObject({ width: 50, height: 50 });
  });

  it("is scaled down to the pixel limit in proportion", async () => {
    const view = await openPending();
    const buffer = Buffer.from(await picture(view, 6000, 300), "base64");
    await choose(view, { name: "wide.png", mimeType: "image/png", buffer });
    await showsImages(view, 1);
    const [image] = await sentImages(view);
    expect(image?.mimeType).toBe("image/png");
    expect(await measure(view, image ?? onePixel)).toMatchObject({ width: 4096, height: 205 });
  });
});

describe("a rejected file", () => {
  const gif = Buffer.from(smallGif, "base64");
  const wideGif = Buffer.from(gif);
  wideGif.writeUInt16LE(5000, 6);
  const hugePng = Buffer.from(onePixel.data, "base64");
  hugePng.writeUInt32BE(20_000, 16);
  hugePng.writeUInt32BE(20_000, 20);
  hugePng.writeUInt32BE(crc32(hugePng.subarray(12, 29)), 29);
  const brokenPng = Buffer.from(onePixel.data, "base64");
  brokenPng.fill(0, 41, 50);

  it.each([
    ["a PDF", Buffer.from("%PDF-1.7"), "only PNG, JPEG, GIF and WebP images can be sent"],
    ["a file with an image's name", Buffer.from("hello"), "only PNG, JPEG, GIF and WebP images can be sent"],
    ["a broken image", brokenPng, "it could not be read as an image"],
    ["a wide GIF", wideGif, "a GIF can be at most 2 MiB and 4,096 × 4,096 pixels"],
    ["a large GIF", Buffer.concat([gif, Buffer.alloc(limits.bytes)]), "a GIF can be at most 2 MiB"],
    ["an image with too many pixels", hugePng, "an image can have at most 100 million pixels"],
  ])("%s is refused with the reason, and nothing else is lost", async (_, buffer, reason) => {
    const view = await openPending();
    await view.box("a").fill("my words");
    await choose(view, { name: "it.png", mimeType: "image/png", buffer }, pixelFile());
    expect(await refusal(view)).toContain(reason);
    expect(await refusal(view)).toContain("it.png");
    await showsImages(view, 1);
    expect(await view.box("a").inputValue()).toBe("my words");
    await view.box("a").pressSequentially("!");
    expect(await view.card("a").locator(".refusals").count()).toBe(0);
  });

  it("exceeds eight images", async () => {
    const view = await openPending();
    await choose(view, ...Array.from({ length: 6 }, (_, index) => pixelFile(`${index}.png`)));
    await showsImages(view, 6);
    await choose(view, pixelFile("6.png"), pixelFile("7.png"), pixelFile("8.png"), pixelFile("9.png"));
    await showsImages(view, 8);
    expect(await refusal(view)).toContain("An answer can have at most 8 images. 2 images were not added.");
    const names = await thumbnails(view).evaluateAll((all) => all.map((image) => image.getAttribute("alt")));
    expect(names).toEqual(Array.from({ length: 8 }, (_, index) => `${index}.png`));
    expect(await sentImages(view)).toHaveLength(8);
  });
});
