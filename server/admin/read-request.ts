// Reads requests to /api/admin: the body, ids of the path, words of the query.

import type { FastifyRequest } from 'fastify';
import type { WithBody } from '../http/check-body.ts';
import { takeBody } from '../http/plain-errors.ts';
import { adminError } from './ask.ts';

export function bodyOf<T>(request: FastifyRequest, route: WithBody<T>): Promise<T> {
  return takeBody(request, route, ({ words }) => adminError('KB805', words));
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
