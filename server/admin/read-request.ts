// Reads requests to /api/admin: the body, and ids of the path. What does not fit in a query counts as not sent.

import type { FastifyRequest } from 'fastify';
import type { WithBody } from '../http/check-body.ts';
import { takeBody } from '../http/plain-errors.ts';
import { readPath } from '../http/read-parameters.ts';
import { ofOne } from './described.ts';
import { adminError } from './errors.ts';

export function bodyOf<T>(request: FastifyRequest, route: WithBody<T>): Promise<T> {
  return takeBody(request, route, ({ words }) => adminError('KB805', words));
}

export function idIn(
  request: FastifyRequest,
  what: 'account' | 'client' | 'key' | 'mail' | 'project' | 'provider' | 'token' | 'webhook',
): string {
  return readPath(request, ofOne, () => adminError('KB803', `There is no such ${what}`)).id;
}
