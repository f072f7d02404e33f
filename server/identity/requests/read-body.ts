// Reads the body of a request, a JSON object, and its query: both fit the schemas in the description of its route.

import type { FastifyRequest } from 'fastify';
import { checkBody, type Fault, schemaOf, type WithBody } from '../../http/check-body.ts';
import type { Parameter } from '../../http/open-api.ts';
import { type BodyBounds, takeBytes, takeJson } from '../../http/read-json.ts';
import { type QueryOf, readQuery as readDescribedQuery } from '../../http/read-parameters.ts';
import { JsonError } from '../../json/scan-json.ts';
import { refuse } from '../errors.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Access tokens carry the metadata, and headers have their limits. */
export const largestMetadata = 16_384;
/** As auth.users has it. */
export const longestEmail = 255;
/** Deeper than anything people mean, and far from where a stack of Postgres ends; metadata has some 3,000 values at most. */
const bounds: BodyBounds = { bytes: 64 * 1024, depth: 200, values: 5000 };
const formBytes = 64 * 1024;
const emailShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** None at all, and `null`, is an empty object; clients send JSON types with empty bodies. */
export async function takeFields(request: FastifyRequest): Promise<Body> {
  let value: unknown;
  try {
    value = await takeJson(request, bounds);
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    throw cause instanceof JsonError && cause.fault !== 'too many values'
      ? refuse('bad_json', `Could not parse request body as JSON: ${cause.message}`)
      : error;
  }
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw refuse('bad_json', 'Could not parse request body as JSON: an object was expected');
  return value;
}

/** What a button of a page of ours sends. */
export async function readForm(request: FastifyRequest): Promise<URLSearchParams> {
  return new URLSearchParams((await takeBytes(request, formBytes)).toString());
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export async function readBody<T>(request: FastifyRequest, route: WithBody<T>): Promise<T> {
  return fitting(route, await takeFields(request));
}

export function fitting<T>(route: WithBody<T>, sent: Body): T {
  const body = checkBody(route, sent, ({ words }) => refuse('validation_failed', words));
  for (const name of Object.keys(schemaOf(route).properties ?? {}))
    if (/\p{Surrogate}/u.test(textOf(sent[name])))
      throw refuse('validation_failed', `${name} must be well-formed text`);
  return body;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Metadata as the official clients send it (`data`) and as the interface specification has it (`options.data`). */
export function metadataIn(body: {
  readonly data?: Body;
  readonly options?: { readonly data?: Body };
}): Record<string, unknown> {
  const data = { ...body.options?.data, ...body.data };
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

/** The query as the description of the route has it; the first of several values of one name, and an empty one is none. */
export function readQuery<O extends { readonly parameters: readonly Parameter[] }>(
  request: FastifyRequest,
  route: O,
  refuse?: (fault: Fault, sent: unknown) => Error,
): QueryOf<O> {
  const pick = (sent: unknown): unknown => (Array.isArray(sent) ? sent[0] : sent) || undefined;
  return readDescribedQuery(request, route, { pick, ...(refuse === undefined ? {} : { refuse }) });
}

/** Parameters that are none of ours, as they go on to an issuer. */
export function otherQuery(request: FastifyRequest, ours: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.query as Readonly<Record<string, string | string[]>>)
      .filter(([name]) => !ours.has(name))
      .map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? '']),
  );
}

export function headerValue(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
