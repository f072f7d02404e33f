// Reads requests to /api/admin: texts of the body, ids of the path, words of the query.

import type { FastifyRequest } from 'fastify';
import { takeObject } from '../http/plain-errors.ts';
import { adminError } from './ask.ts';

export async function textIn(request: FastifyRequest, name: string): Promise<string> {
  const value = (await takeObject(request))[name] ?? '';
  if (typeof value !== 'string' || value.length > 2000) throw adminError('KB805', `${name} must be a text`);
  return value;
}

export function idIn(request: FastifyRequest, what: 'account' | 'mail' | 'project'): string {
  const { id } = request.params as { id: string };
  if (uuidOrNull(id) === null) throw adminError('KB803', `There is no such ${what}`);
  return id;
}

export function uuidOrNull(text: string | undefined): string | null {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : null;
}

export function queryOf(request: FastifyRequest): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(request.query as Record<string, unknown>).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, 500) : undefined,
    ]),
  );
}
