// Resizes an image with sharp, which is loaded when the first image is asked for. Only formats of pixels are read, never SVG or documents;
// how many bytes and pixels one may have and how many are worked on at once is bounded, so that no image can take the server down.

import type { Sharp } from 'sharp';
import { turns } from '../../limits/turns.ts';
import { filesError, notOffered } from '../errors.ts';
import { type OutputFormat, outputFormats, type Transform } from './read-transform.ts';

export interface ResizedImage {
  readonly bytes: Buffer;
  readonly format: OutputFormat;
}

export type Resize = (
  read: () => Promise<Buffer>,
  transform: Transform,
  format: OutputFormat | null,
) => Promise<ResizedImage>;

/** Above this an image is not read into memory at all. */
export const largestInput = 25 * 1024 * 1024;
const atOnce = 2;
const waitingAtMost = 200;
const secondsAtMost = 20;
const standardQuality = 80;

const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'];

export function openResizer(pixelLimit: number): Resize {
  const loadSharp = once(async () => {
    const sharp = (await import('sharp')).default;
    // A cache of its own would hold pixels of images nobody asks for again; one thread for each image leaves room for requests.
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
    return sharp;
  });
  const inTurn = turns(atOnce, (waiting) => {
    if (waiting >= waitingAtMost) throw filesError('SlowDown', 'Too many images are being resized; try again');
  });

  return async (read, transform, format) => {
    const sharp = await loadSharp().catch((error: unknown) => {
      throw Object.assign(notOffered('Resizing of images on this platform'), { cause: error });
    });
    return inTurn(async () => {
      const bytes = await read();
      try {
        const image = sharp(bytes, { limitInputPixels: pixelLimit, failOn: 'error' });
        const origin = originOf((await image.metadata()).format);
        const output = format ?? origin;
        const resized = encode(resize(image, transform), output, transform.quality ?? standardQuality);
        return { bytes: await resized.timeout({ seconds: secondsAtMost }).toBuffer(), format: output };
      } catch (error) {
        throw filesError('ImageProcessingError', describe((error as Error).message, pixelLimit));
      }
    });
  };
}

function originOf(format: string | undefined): OutputFormat {
  if (format === 'heif') return 'avif';
  return outputFormats.find((one) => one === format) ?? 'png';
}

function resize(image: Sharp, { width, height, resize: mode = 'cover' }: Transform): Sharp {
  const upright = image.autoOrient();
  if (width === undefined && height === undefined) return upright;
  const hasBoth = width !== undefined && height !== undefined;
  const fit = mode === 'contain' || !hasBoth ? 'inside' : mode;
  return upright.resize({ width, height, fit, withoutEnlargement: fit !== 'fill' });
}

function encode(image: Sharp, format: OutputFormat, quality: number): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality, progressive: true });
    case 'png':
      return image.png();
    case 'webp':
      return image.webp({ quality, effort: 3 });
    case 'gif':
      return image.gif();
    case 'avif':
      return image.avif({ quality: Math.round(quality * 0.65), effort: 2 });
  }
}

/** What libvips says names its own functions; people are told what is wrong with the image. It has no codes, and speaks English alone. */
function describe(message: string, pixelLimit: number): string {
  if (message.includes('pixel limit')) return `The image has more than ${pixelLimit} pixels`;
  if (message.includes('timeout')) return 'Resizing the image took too long';
  return 'The object is not an image that can be resized: PNG, JPEG, WebP, GIF and AVIF are';
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
