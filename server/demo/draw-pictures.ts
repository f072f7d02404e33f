// Pictures for the sample workspace, painted here of rectangles and circles: a few lines of code instead of binary files in the package.

import { crc32, deflateSync } from 'node:zlib';

export type Shape =
  | readonly ['box', x: number, y: number, width: number, height: number, colour: string, rounded?: number]
  | readonly ['disc', x: number, y: number, radius: number, colour: string];

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly ground: string;
  readonly shapes: readonly Shape[];
}

/** A PNG of it. Edges are soft, as a browser draws them. */
export function drawPicture({ width, height, ground, shapes }: Drawing): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  const base = channels(ground);
  const drawn = shapes.map((shape) => ({
    ...placeOf(shape),
    cover: coverOf(shape),
    colour: channels(colourOf(shape)),
  }));
  const line = new Float64Array(width * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) line.set(base, x * 3);
    for (const { left, right, top, bottom, cover, colour } of drawn) {
      if (y < top || y >= bottom) continue;
      const end = Math.min(width, right);
      for (let x = Math.max(0, left); x < end; x++) {
        const share = cover(x + 0.5, y + 0.5);
        if (share > 0) blend(line, x * 3, colour, share);
      }
    }
    rows[at++] = 0;
    for (const value of line) rows[at++] = value;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

type Rgb = readonly [red: number, green: number, blue: number];

function channels(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function colourOf(shape: Shape): string {
  return shape[0] === 'box' ? shape[5] : shape[4];
}

function blend(line: Float64Array, at: number, colour: Rgb, share: number): void {
  for (const channel of [0, 1, 2] as const) {
    const before = line[at + channel] ?? 0;
    line[at + channel] = before + (colour[channel] - before) * share;
  }
}

/** The pixels it can reach: outside of them nothing has to be asked. */
function placeOf(shape: Shape): { left: number; right: number; top: number; bottom: number } {
  const [, x, y] = shape;
  const [left, top, width, height] =
    shape[0] === 'disc' ? [x - shape[3], y - shape[3], 2 * shape[3], 2 * shape[3]] : [x, y, shape[3], shape[4]];
  const edges = { left: Math.floor(left) - 1, top: Math.floor(top) - 1 };
  return { ...edges, right: Math.ceil(left + width) + 1, bottom: Math.ceil(top + height) + 1 };
}

/** How much of a point lies inside, from the distance to the edge. */
function coverOf(shape: Shape): (x: number, y: number) => number {
  const share = (distance: number): number => Math.min(1, Math.max(0, 0.5 - distance));
  if (shape[0] === 'disc') {
    const [, centreX, centreY, radius] = shape;
    return (x, y) => share(Math.hypot(x - centreX, y - centreY) - radius);
  }
  const [, left, top, width, height, , rounded = 0] = shape;
  return (x, y) => {
    const beyondX = Math.abs(x - left - width / 2) - width / 2 + rounded;
    const beyondY = Math.abs(y - top - height / 2) - height / 2 + rounded;
    const outside = Math.hypot(Math.max(beyondX, 0), Math.max(beyondY, 0));
    return share(outside + Math.min(Math.max(beyondX, beyondY), 0) - rounded);
  };
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
