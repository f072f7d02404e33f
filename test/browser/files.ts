// Files for tests of attachments: pictures made here, and what a browser makes of a drop or a paste.

import type { Locator } from 'playwright-core';
import sharp from 'sharp';

export interface SomeFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

type Colour = readonly [red: number, green: number, blue: number];

/** A PNG of one colour that runs into another, from left to right. */
export async function picture(
  name: string,
  from: Colour = [34, 139, 160],
  to: Colour = [232, 168, 60],
  width = 320,
  height = 200,
): Promise<SomeFile> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at++) {
    const [start = 0, end = 0] = [from[at % 3], to[at % 3]];
    pixels[at] = Math.round(start + ((end - start) * (Math.floor(at / 3) % width)) / width);
  }
  const buffer = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

export const note = (name: string, text = 'Mind the gap.'): SomeFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});

/** Drops files on an element, as a browser tells it of a drop from outside. */
export async function dropFiles(target: Locator, files: readonly (SomeFile | Promise<SomeFile>)[]): Promise<void> {
  const given = (await Promise.all(files)).map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    data: buffer.toString('base64'),
  }));
  await target.evaluate((element, given) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, data } of given)
      transfer.items.add(
        new File([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))], name, { type: mimeType }),
      );
    const box = element.getBoundingClientRect();
    const manner = {
      bubbles: true,
      cancelable: true,
      dataTransfer: transfer,
      clientX: box.left + box.width / 2,
      clientY: box.top + box.height / 2,
    };
    for (const type of ['dragenter', 'dragover', 'drop']) element.dispatchEvent(new DragEvent(type, manner));
  }, given);
}

/** Pastes a file into a field. */
export async function pasteFile(field: Locator, { name, mimeType, buffer }: SomeFile): Promise<void> {
  await field.focus();
  await field.evaluate(
    (element, { name, mimeType, data }) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(
        new File([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))], name, { type: mimeType }),
      );
      element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
    },
    { name, mimeType, data: buffer.toString('base64') },
  );
}
