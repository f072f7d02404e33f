// Keys of people for operators: those that are open, and ending one.

import type { FastifyInstance } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import { readQuery } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';
import * as says from './described.ts';
import { idIn } from './read-request.ts';

export function mountKeys(door: FastifyInstance, services: Services): void {
  door.get('/keys', described(says.listKeys), (request) => {
    const { words = '', skip = 0 } = readQuery(request, says.listKeys);
    return callAdmin(services, request, sql`select private.admin_keys(${words}, ${skip}::int) as value`);
  });

  door.delete('/keys/:id', described(says.revokeKey), async (request) => {
    await callAdmin(services, request, sql`select private.admin_end_key(${idIn(request, 'key')}::uuid)::text as value`);
    return {};
  });
}
