// The real clipboard: pastes pictures with the keyboard, and reads the pixels of a received picture.

import type { Locator, Page } from "playwright-core";

/** A picture of one color, each channel 0 to 255 in the order red, green, blue, alpha. */
export interface PlainPicture {
  width: number;
  height: number;
  color: number[];
}

/** Puts a PNG on the real clipboard and pastes it with the keyboard. */
export async function pasteImage(page: Page, target: Locator, picture: PlainPicture): Promise<void> {
  await page.bringToFront();
  await page.locator(".monaco-workbench").evaluate(async (_, { width, height, color }) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.putImageData(
      new ImageData(
        new Uint8ClampedArray(
          Array(width * height)
            .fill(color)
            .flat(),
        ),
        width,
        height,
      ),
      0,
      0,
    );
    const blob = await canvas.convertToBlob({ type: "image/png" });
    window.focus();
    await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
  }, picture);
  await target.click();
  await target.press("Control+V");
}

/** Decodes an image; fails unless all its pixels have one color. */
export async function pixels(page: Page, image: { mimeType: string; data: string }): Promise<PlainPicture> {
  return await page.evaluate(async ({ mimeType, data }) => {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: mimeType }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    if (!context) throw new Error("no canvas");
    context.drawImage(bitmap, 0, 0);
    const all = Array.from(context.getImageData(0, 0, width, height).data);
    const color = all.slice(0, 4);
    if (all.some((value, index) => value !== color[index % 4]))
      throw new Error("the image has several colors");
    return { width, height, color };
  }, image);
}
