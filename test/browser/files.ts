// Files for tests of attachments: pictures made here, and what a browser makes of a drop or a paste.

import type { Locator, Page } from 'playwright-core';
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
    const init = {
      bubbles: true,
      cancelable: true,
      dataTransfer: transfer,
      clientX: box.left + box.width / 2,
      clientY: box.top + box.height / 2,
    };
    for (const type of ['dragenter', 'dragover', 'drop']) element.dispatchEvent(new DragEvent(type, init));
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

/** A PDF of one page with some words on it. */
export function paper(name: string, words: string): SomeFile {
  const drawn = `BT /F1 36 Tf 72 700 Td (${words}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = body.length;
    body += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = body.length;
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(body) };
}

/** A tone of so many seconds. */
export function sound(name: string, seconds: number, rate = 8000): SomeFile {
  const samples = seconds * rate;
  const buffer = Buffer.alloc(44 + samples * 2);
  buffer.write('RIFF', 0);
  buffer.writeUInt32LE(36 + samples * 2, 4);
  buffer.write('WAVEfmt ', 8);
  buffer.writeUInt32LE(16, 16);
  buffer.writeUInt16LE(1, 20);
  buffer.writeUInt16LE(1, 22);
  buffer.writeUInt32LE(rate, 24);
  buffer.writeUInt32LE(rate * 2, 28);
  buffer.writeUInt16LE(2, 32);
  buffer.writeUInt16LE(16, 34);
  buffer.write('data', 36);
  buffer.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at++)
    buffer.writeInt16LE(Math.round(8000 * Math.sin((at / rate) * 2 * Math.PI * 220)), 44 + at * 2);
  return { name, mimeType: 'audio/wav', buffer };
}

/** A short film, which the browser itself records. */
export async function film(page: Page, name: string): Promise<SomeFile> {
  const data = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 64;
    canvas.height = 48;
    const drawing = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => void parts.push(data);
    const stopped = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let frame = 0; frame < 12; frame++) {
      if (drawing) drawing.fillStyle = `rgb(${frame * 20} 90 160)`;
      drawing?.fillRect(0, 0, 64, 48);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return { name, mimeType: 'video/webm', buffer: Buffer.from(data, 'base64') };
}
