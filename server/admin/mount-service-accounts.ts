// Service accounts for operators: those of everybody, and ending one.

import type { FastifyInstance } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import { readQuery } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';
import * as says from './described.ts';
import { idIn } from './read-request.ts';

export function mountServiceAccounts(door: FastifyInstance, services: Services): void {
  door.get('/service-accounts', described(says.listServiceAccounts), (request) => {
    const { words = '', skip = 0 } = readQuery(request, says.listServiceAccounts);
    return callAdmin(
      services,
      request,
      sql`select private.admin_service_accounts(${words}, ${skip}::int, 50) as value`,
    );
  });

  door.delete('/service-accounts/:id', described(says.deleteServiceAccount), async (request) => {
    const id = idIn(request, 'account');
    await callAdmin(services, request, sql`select private.admin_end_service_account(${id}::uuid)::text as value`);
    return {};
  });
}
