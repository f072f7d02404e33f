// The way of every JSON body into the service: it stays on its connection until an operation that knows who asks takes it,
// is refused by its length before it is read, and by its depth and number of values before it is parsed.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkJson, parseJson } from '../json/parse-json.ts';
import { type JsonBounds, JsonError } from '../json/scan-json.ts';
import { httpError } from './errors.ts';
import { readBody } from './read-body.ts';
import { leavesBody } from './unfinished-bodies.ts';

export interface BodyBounds extends JsonBounds {
  readonly bytes: number;
}

const taken = new WeakMap<IncomingMessage, Promise<Buffer>>();

/** Whoever is refused before `takeBytes` has not made the service read a body. */
export function leaveBodies(door: FastifyInstance): void {
  door.removeAllContentTypeParsers();
  door.addContentTypeParser('*', (_request, _payload, done) => done(null));
  door.addHook('onSend', async ({ raw }) => {
    if (!taken.has(raw)) leavesBody(raw);
  });
}

/** The body as it came; asked twice, it is the same one. */
export function takeBytes({ raw }: FastifyRequest, limit: number): Promise<Buffer> {
  const before = taken.get(raw);
  if (before !== undefined) return before;
  const bytes = readBody(raw, limit);
  taken.set(raw, bytes);
  return bytes;
}

/** What the body says; undefined where there is none. */
export async function takeJson(request: FastifyRequest, bounds: BodyBounds): Promise<unknown> {
  const bytes = await takeBytes(request, bounds.bytes);
  if (isBlank(bytes)) return undefined;
  try {
    return parseJson(bytes, bounds);
  } catch (error) {
    throw error instanceof JsonError ? jsonRefused(error) : error;
  }
}

/** A body that is passed on as it came: checked, and never parsed. */
export async function takeCheckedJson(request: FastifyRequest, bounds: BodyBounds): Promise<Buffer> {
  const bytes = await takeBytes(request, bounds.bytes);
  try {
    await checkJson(bytes, bounds);
    return bytes;
  } catch (error) {
    throw error instanceof JsonError ? jsonRefused(error) : error;
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 32 || byte === 10 || byte === 13 || byte === 9);
}

/** A fault of the text, in the words of the catalog. */
export function jsonRefused(error: JsonError, what = 'The body'): Error {
  switch (error.fault) {
    case 'too many values':
      return httpError('KB413', `${what} has ${error.message}`, { hint: 'Send less at once.', cause: error });
    case 'too deep':
      return httpError('KB400', `${what} is ${error.message}`, { hint: 'Send fewer levels.', cause: error });
    default:
      return httpError('KB400', `${what} is not valid JSON`, { hint: error.message, cause: error });
  }
}
