// JSON bodies and queries of /storage/v1, checked against the schemas in the description of their route: refused with the field's name,
// as Supabase's storage does.

import type { FastifyRequest } from 'fastify';
import { checkBody, type WithBody } from '../http/check-body.ts';
import type { Parameter } from '../http/open-api.ts';
import { type BodyBounds, takeJson } from '../http/read-json.ts';
import { type QueryOf, readQuery } from '../http/read-parameters.ts';
import { filesError } from './errors.ts';

export type Body = Readonly<Record<string, unknown>>;

/** A thousand paths, each of a thousand bytes at most. */
const bounds: BodyBounds = { bytes: 1024 * 1024, depth: 20, values: 5000 };

export async function readBody<T>(request: FastifyRequest, route: WithBody<T>): Promise<T> {
  const body = (await takeJson(request, bounds)) ?? {};
  return checkBody(route, body, ({ field, message, isMissing }) => {
    const [inside, name] = [field.split('/').slice(0, -1), field.split('/').at(-1)];
    return filesError(
      'InvalidRequest',
      isMissing
        ? `${['body', ...inside].join('/')} must have required property '${name}'`
        : `${['body', field].filter(Boolean).join('/')} ${message}`,
    );
  });
}

export function queryIn<O extends { readonly parameters: readonly Parameter[] }>(
  request: FastifyRequest,
  route: O,
): QueryOf<O> {
  const refuse = ({ words }: { readonly words: string }): Error => filesError('InvalidRequest', `querystring/${words}`);
  return readQuery(request, route, { refuse });
}
