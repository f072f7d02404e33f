// Reads the body of a request: a JSON object whose fields must have the right types.

import type { FastifyRequest } from 'fastify';
import { refuse } from '../errors.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Access tokens carry the metadata, and headers have their limits. */
export const largestMetadata = 16_384;
/** As auth.users has it. */
export const longestEmail = 255;
/** Deeper than anything people mean, and far from where a stack ends: ours or that of Postgres. */
const deepest = 200;
const emailShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The body arrives as text whatever its content type says; none at all, and `null`, is an empty object. */
export function readBody(request: FastifyRequest): Body {
  const text = typeof request.body === 'string' ? request.body.trim() : '';
  if (text === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse('bad_json', `Could not parse request body as JSON: ${(error as Error).message}`);
  }
  if (isDeeperThan(value, deepest))
    throw refuse('bad_json', `Could not parse request body as JSON: more than ${deepest} levels deep`);
  if (value === null) return {};
  if (!isObject(value)) throw refuse('bad_json', 'Could not parse request body as JSON: an object was expected');
  return value;
}

/** Level by level, without a stack of its own. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty when absent. */
export function textIn(body: Body, name: string): string {
  const value = body[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw refuse('validation_failed', `${name} must be a string`);
  // Half of a character, which neither addresses nor the database can hold.
  if (/\p{Surrogate}/u.test(value)) throw refuse('validation_failed', `${name} must be well-formed text`);
  return value;
}

export function flagIn(body: Body, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw refuse('validation_failed', `${name} must be true or false`);
  return value;
}

export function objectIn(body: Body, name: string): Record<string, unknown> | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw refuse('validation_failed', `${name} must be an object`);
  return value;
}

/** Metadata as the official clients send it (`data`) and as the interface specification has it (`options.data`). */
export function metadataIn(body: Body): Record<string, unknown> {
  const options = objectIn(body, 'options');
  const data = { ...(options === undefined ? {} : objectIn(options, 'data')), ...objectIn(body, 'data') };
  if (JSON.stringify(data).length > largestMetadata) throw tooMuchMetadata();
  return data;
}

export function tooMuchMetadata(): Error {
  return refuse('validation_failed', `User metadata may hold at most ${largestMetadata} characters`);
}

export function asEmail(text: string): string {
  if (text === '') throw refuse('validation_failed', 'An email address is required');
  if (text.length > longestEmail) throw refuse('validation_failed', 'An email address is too long');
  if (!emailShape.test(text)) throw refuse('validation_failed', 'Unable to validate email address: invalid format');
  return text.toLowerCase();
}

/** Digits with the country code, as E.164 has them; a plus sign and spaces are dropped. */
export function asPhone(text: string): string {
  const digits = text.replaceAll(/[+\s]/g, '');
  if (!/^[1-9]\d{1,14}$/.test(digits))
    throw refuse('validation_failed', 'Invalid phone number format (E.164 required)');
  return digits;
}

export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}

/** One value of the query string; the first when there are several. */
export function queryValue(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, string | string[] | undefined>)[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

export function headerValue(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
