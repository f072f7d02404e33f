// Reads an image transformation from a query, the body of a signed URL or its token, and chooses the output format.

import { filesError } from '../errors.ts';
import type { Body } from '../read-body.ts';

export const outputFormats = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;
export type OutputFormat = (typeof outputFormats)[number];

const resizeModes = ['cover', 'contain', 'fill'] as const;
const namedFormats = ['origin', 'webp', 'avif'] as const;

export interface Transform {
  readonly width?: number;
  readonly height?: number;
  readonly resize?: (typeof resizeModes)[number];
  readonly quality?: number;
  /** Without one: WebP for clients that accept it, else the format of the original. */
  readonly format?: (typeof namedFormats)[number];
}

const longestSide = 2500;

/** Values may be numbers, as in bodies, or digits, as in queries. Other fields are left alone: a query has more of them. */
export function readTransform(fields: Body, where: string): Transform {
  const width = wholeOf(fields.width, `${where}/width`, 0, longestSide);
  const height = wholeOf(fields.height, `${where}/height`, 0, longestSide);
  const quality = wholeOf(fields.quality, `${where}/quality`, 20, 100);
  const resize = choiceOf(fields.resize, `${where}/resize`, resizeModes);
  const format = choiceOf(fields.format, `${where}/format`, namedFormats);
  return {
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(resize === undefined ? {} : { resize }),
    ...(quality === undefined ? {} : { quality }),
    ...(format === undefined ? {} : { format }),
  };
}

/** Sides beyond the limit become the limit, as in Supabase's storage. */
function wholeOf(value: unknown, name: string, min: number, max: number): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const number = Number(value);
  if (!/^\d{1,9}$/.test(String(value)) || number < min || (name.endsWith('quality') && number > max))
    throw filesError('InvalidRequest', `${name} must be a whole number from ${min} to ${max}`);
  return Math.min(number, max);
}

function choiceOf<const T extends string>(value: unknown, name: string, accepted: readonly T[]): T | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const found = accepted.find((one) => one === value);
  if (found === undefined)
    throw filesError('InvalidRequest', `${name} must be equal to one of the allowed values: ${accepted.join(', ')}`);
  return found;
}

/** As it stands in tokens of signed URLs: `width:200,resize:cover`. */
export function writeTransform(transform: Transform): string {
  return Object.entries(transform)
    .map(([name, value]) => `${name}:${value}`)
    .join(',');
}

export function parseTransform(text: string): Transform {
  return readTransform(Object.fromEntries(text.split(',').map((part) => part.split(':', 2))), 'token');
}

/** What is asked for of an image with this media type, or null for the format of the original. */
export function formatFor({ format }: Transform, accept: string | undefined): OutputFormat | null {
  if (format === 'origin') return null;
  if (format !== undefined) return format;
  return accept?.includes('image/webp') === true ? 'webp' : null;
}

const resizingTypes = { cover: 'fill', contain: 'fit', fill: 'force' } as const;

/** What was done, in the words of the header `x-transformations` of Supabase's storage. */
export function tellTransform({ width, height, resize = 'cover', quality, format }: Transform): string {
  const parts = { height, width, resizing_type: width || height ? resizingTypes[resize] : undefined, quality, format };
  return Object.entries(parts)
    .filter(([name, value]) => value !== undefined && !(name === 'format' && value === 'origin'))
    .map(([name, value]) => `${name}:${value}`)
    .join(',');
}
