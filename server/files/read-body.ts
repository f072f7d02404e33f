// JSON bodies of /storage/v1, field by field: what is wrong is said with the field's name.

import type { FastifyRequest } from 'fastify';
import { type BodyBounds, takeJson } from '../http/read-json.ts';
import { filesError } from './errors.ts';

export type Body = Readonly<Record<string, unknown>>;

/** A thousand paths, each of a thousand bytes at most. */
const bounds: BodyBounds = { bytes: 1024 * 1024, depth: 20, values: 5000 };

export async function readBody(request: FastifyRequest): Promise<Body> {
  const body = await takeJson(request, bounds);
  if (body === null || body === undefined) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw filesError('InvalidRequest', 'body must be object');
  return body as Body;
}

export function textIn(body: Body, field: string): string {
  const value = body[field];
  if (value === undefined) throw filesError('InvalidRequest', `body must have required property '${field}'`);
  if (typeof value !== 'string') throw filesError('InvalidRequest', `body/${field} must be string`);
  return value;
}

export function optionalTextIn(body: Body, field: string): string | undefined {
  return body[field] === undefined || body[field] === null ? undefined : textIn(body, field);
}

export function wholeIn(body: Body, field: string, range: { min: number; max: number }, fallback?: number): number {
  const value = body[field] ?? fallback;
  if (value === undefined) throw filesError('InvalidRequest', `body must have required property '${field}'`);
  if (typeof value !== 'number' || !Number.isInteger(value) || value < range.min)
    throw filesError('InvalidRequest', `body/${field} must be a whole number from ${range.min}`);
  return Math.min(value, range.max);
}

export function choiceIn<const T extends string>(body: Body, field: string, accepted: readonly T[], fallback: T): T {
  const value = body[field] ?? fallback;
  const found = accepted.find((one) => one === value);
  if (found === undefined)
    throw filesError(
      'InvalidRequest',
      `body/${field} must be equal to one of the allowed values: ${accepted.join(', ')}`,
    );
  return found;
}

export function flagIn(body: Body, field: string): boolean {
  const value = body[field] ?? false;
  if (typeof value !== 'boolean') throw filesError('InvalidRequest', `body/${field} must be boolean`);
  return value;
}

export function textsIn(body: Body, field: string, max: number): readonly string[] {
  const value = body[field];
  if (!Array.isArray(value) || value.length === 0 || !value.every((one) => typeof one === 'string'))
    throw filesError('InvalidRequest', `body/${field} must be an array of at least one string`);
  if (value.length > max) throw filesError('InvalidRequest', `body/${field} must not have more than ${max} items`);
  return value as string[];
}

export function recordIn(body: Body, field: string): Body {
  const value = body[field];
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw filesError('InvalidRequest', `body/${field} must be object`);
  return value as Body;
}
