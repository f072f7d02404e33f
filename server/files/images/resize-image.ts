// Resizes images in processes of their own (image-process.ts): two at a time, one of each person, charged to their work budget. Only
// formats of pixels are read, never SVG or documents; bytes, pixels and time of one are bounded.

import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { ResizeOptions } from 'sharp';
import type { Budget } from '../../limits/budget.ts';
import { limitFairly } from '../../limits/fair-concurrency.ts';
import { filesError, notOffered } from '../errors.ts';
import { type ImageAnswer, ImageProcess, type ImageTask, NoSharp, TooMuch } from './image-process.ts';
import { heldWhole } from './image-program.ts';
import type { OutputFormat, Transform } from './read-transform.ts';

export interface ResizedImage {
  readonly bytes: Buffer;
  readonly format: OutputFormat;
}

export interface Original {
  readonly size: number;
  readonly read: () => Promise<Readable>;
}

export interface Resizer {
  /** `payer`: whose budget pays for it; '' is the operator's own work. Not begun once nobody wants it. */
  resize(
    payer: string,
    original: Original,
    transform: Transform,
    format: OutputFormat | null,
    isWanted: () => boolean,
  ): Promise<ResizedImage>;
  close(): void;
}

/** Above this an image is not read at all. */
export const largestInput = 25 * 1024 * 1024;
const atOnce = 2;
const waitingOfOne = 200;
const waitingInAll = 2000;
const idleMs = 2000;
/** Of an image that has to be held as a whole, for each pixel of the limit: 88 MB at the standard limit. */
const heldBytesOfPixel = 1.75;
const standardQuality = 80;

const origins: Readonly<Record<string, OutputFormat>> = {
  ...{ jpeg: 'jpeg', png: 'png', webp: 'webp', gif: 'gif' },
  heif: 'avif',
};

export function openResizer(pixelLimit: number, budget: Budget, log: Logger): Resizer {
  const idle: ImageProcess[] = [];
  const all = new Set<ImageProcess>();
  let resting: NodeJS.Timeout | undefined;
  const inTurn = limitFairly({
    atOnce,
    each: 1,
    onLine: (ofPerson, inAll) => {
      if (ofPerson >= waitingOfOne || inAll >= waitingInAll)
        throw filesError('SlowDown', 'Too many images are waiting to be resized; try again', {
          headers: { 'retry-after': '5' },
        });
    },
  });

  function take(): ImageProcess {
    clearTimeout(resting);
    for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
      if (!one.hasEnded) return one;
      all.delete(one);
    }
    const started = new ImageProcess();
    all.add(started);
    return started;
  }

  function endAll(): void {
    for (const one of all) one.end();
    all.clear();
    idle.length = 0;
  }

  function put(one: ImageProcess): void {
    if (one.hasEnded) all.delete(one);
    else idle.push(one);
    if (idle.length === all.size) resting = setTimeout(endAll, idleMs).unref();
  }

  async function work(payer: string, original: Original, task: ImageTask): Promise<ImageAnswer> {
    const bytes = await original.read();
    const one = take();
    const begun = performance.now();
    let milliseconds: number | undefined;
    try {
      const answer = await one.run(task, bytes);
      milliseconds = answer.milliseconds;
      return answer;
    } finally {
      bytes.destroy();
      // One that was ended says nothing of its time.
      budget.charge(payer, milliseconds ?? performance.now() - begun);
      put(one);
    }
  }

  return {
    async resize(payer, original, transform, format, isWanted) {
      budget.admit(payer);
      const task = taskOf(original.size, pixelLimit, transform, format);
      const answer = await inTurn(payer, () => {
        // Others of theirs may have used it up while this one waited.
        budget.admit(payer);
        if (!isWanted()) throw filesError('SlowDown', 'The client that asked for the image has disconnected');
        return work(payer, original, task);
      }).catch((error: unknown) => {
        if (error instanceof NoSharp) throw notOffered('Resizing of images on this platform');
        if (!(error instanceof TooMuch)) throw error;
        log.warn({ err: error }, 'an image was too much to resize');
        throw filesError('ImageProcessingError', 'Resizing the image took too long or too much memory');
      });
      if (answer.error !== undefined) throw filesError('ImageProcessingError', describe(answer.error, pixelLimit));
      return { bytes: answer.bytes, format: answer.format };
    },
    close: endAll,
  };
}

function taskOf(size: number, pixelLimit: number, transform: Transform, format: OutputFormat | null): ImageTask {
  const quality = transform.quality ?? standardQuality;
  const encodings = {
    jpeg: { quality, progressive: true },
    png: {},
    webp: { quality, effort: 3 },
    gif: {},
    avif: { quality: Math.round(quality * 0.65), effort: 2 },
  };
  return {
    size,
    pixelLimit,
    mostHeld: pixelLimit * heldBytesOfPixel,
    resize: sizeOf(transform),
    format,
    encodings,
    origins,
  };
}

function sizeOf({
  width,
  height,
  resize: mode = 'cover',
}: Transform): (ResizeOptions & Record<string, unknown>) | null {
  if (width === undefined && height === undefined) return null;
  const hasBoth = width !== undefined && height !== undefined;
  const fit = mode === 'contain' || !hasBoth ? 'inside' : mode;
  return { ...(width && { width }), ...(height && { height }), fit, withoutEnlargement: fit !== 'fill' };
}

/** What libvips says names its own functions; people are told what is wrong with the image. It has no codes, and speaks English alone. */
function describe(message: string, pixelLimit: number): string {
  if (message.includes('pixel limit')) return `The image has more than ${pixelLimit} pixels`;
  if (message === heldWhole)
    return 'The image is too large for its format to be resized: save it as a JPEG or PNG that is not progressive or interlaced';
  return 'The object is not an image that can be resized: PNG, JPEG, WebP, GIF and AVIF are';
}
