// A directory of built files, read once: what is served cannot change under a request, a path cannot climb out of it,
// and each file is compressed at most once per encoding, if the build has not done so.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface StaticFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly cacheControl: string;
  readonly compressed: Map<'br' | 'gzip', Promise<Buffer>>;
}

/** By path under the directory, with a leading slash. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml; charset=utf-8',
};

/** Asks for everything else of a build: a copy of it on the way would keep the build of before. */
const worker = '/service-worker.js';

/** By directory: a process reads each once, however many apps it opens. */
const known = new Map<string, StaticFiles>();

/** Empty when the directory does not exist. */
export function loadStaticFiles(directory: string): StaticFiles {
  const files = known.get(directory) ?? readStaticFiles(directory);
  known.set(directory, files);
  return files;
}

function readStaticFiles(directory: string): StaticFiles {
  const files = new Map<string, StaticFile>();
  const walk = (path: string) => {
    for (const entry of readdirSync(join(directory, path), { withFileTypes: true })) {
      const below = `${path}/${entry.name}`;
      if (entry.isDirectory()) walk(below);
      else if (entry.isFile()) {
        const file = staticFile(readFileSync(join(directory, below)), typeOf(below), below.startsWith('/assets/'));
        files.set(below, below === worker ? { ...file, cacheControl: 'no-cache' } : file);
      }
    }
  };
  try {
    walk('');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // What the build has compressed stands beside the file itself: main.js.br
  for (const [path, { body }] of files) {
    const file = path.endsWith('.br') ? files.get(path.slice(0, -'.br'.length)) : undefined;
    if (file !== undefined && files.delete(path)) file.compressed.set('br', Promise.resolve(body));
  }
  return files;
}

/** `isHashed`: the name changes with the content, so a copy is good for ever. */
export function staticFile(body: Buffer, type: string, isHashed = false): StaticFile {
  return {
    type,
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    cacheControl: isHashed
      ? 'public, max-age=31536000, immutable'
      : type.startsWith('text/html')
        ? 'no-cache'
        : 'public, max-age=3600',
    compressed: new Map(),
  };
}

export async function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': file.cacheControl, etag: file.etag });
  if (reply.statusCode === 200 && matches(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  reply.type(file.type);
  if (!isCompressible(file)) return reply.send(file.body);
  // What else it depends on the sender has said.
  reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '));
  const encoding = encodingFor(request.headers['accept-encoding']);
  if (encoding === null) return reply.send(file.body);
  let compressed = file.compressed.get(encoding);
  if (compressed === undefined) {
    compressed = compress(encoding, file.body);
    file.compressed.set(encoding, compressed);
  }
  return reply.header('content-encoding', encoding).send(await compressed);
}

function typeOf(path: string): string {
  return types[extname(path)] ?? 'application/octet-stream';
}

function isCompressible(file: StaticFile): boolean {
  return file.body.length > 1024 && /^(text\/|application\/(json|manifest|xml|wasm)|image\/svg)/.test(file.type);
}

function matches(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => one.trim().replace(/^W\//, '') === etag) ?? false;
}

function encodingFor(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const accepted = String(header ?? '')
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim());
  if (accepted.includes('br')) return 'br';
  return accepted.includes('gzip') ? 'gzip' : null;
}

function compress(encoding: 'br' | 'gzip', body: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(body, { level: 9 });
  return promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}
