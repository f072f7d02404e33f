// Projects for operators: their outlines, passing one on after 72 hours, entering one openly and leaving it, bringing a deleted one back. Entries whose day is
// over are ended here, and deleted projects whose thirty days are.

import type { FastifyInstance } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import { readQuery } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { callAdmin, completeDueTransfers, endDeletedProjects, endOperatorEntries } from './call-admin.ts';
import * as says from './described.ts';
import { bodyOf, idIn } from './read-request.ts';

const endsEveryMs = 5 * 60_000;

export async function mountProjects(door: FastifyInstance, services: Services): Promise<void> {
  door.get('/projects', described(says.listProjects), (request) => {
    const { words = '', kind = '', skip = 0 } = readQuery(request, says.listProjects);
    return callAdmin(
      services,
      request,
      sql`select private.admin_projects(${words}, ${kind}, ${skip}::int, 50) as value`,
    );
  });

  door.get('/projects/:id', described(says.readProject), (request) =>
    callAdmin(services, request, sql`select private.admin_project(${idIn(request, 'project')}::uuid) as value`),
  );

  door.post('/projects/:id/enter', described(says.enterProject), async (request) => {
    const id = idIn(request, 'project');
    const { reason = '' } = await bodyOf(request, says.enterProject);
    await callAdmin(services, request, sql`select private.admin_enter_project(${id}::uuid, ${reason})::text as value`);
    return {};
  });

  door.post('/projects/:id/leave', described(says.leaveProject), async (request) => {
    await callAdmin(
      services,
      request,
      sql`select private.admin_leave_project(${idIn(request, 'project')}::uuid)::text as value`,
    );
    return {};
  });

  door.post('/projects/:id/pass-on', described(says.transferProject), async (request) => {
    const id = idIn(request, 'project');
    const { email = '', reason = '' } = await bodyOf(request, says.transferProject);
    await callAdmin(
      services,
      request,
      sql`select private.admin_transfer_project(${id}::uuid, ${email}, ${reason})::text as value`,
    );
    return {};
  });

  door.post('/projects/:id/withdraw-transfer', described(says.withdrawTransfer), async (request) => {
    const id = idIn(request, 'project');
    await callAdmin(services, request, sql`select private.admin_withdraw_transfer(${id}::uuid)::text as value`);
    return {};
  });

  door.get('/webhooks', described(says.listWebhooks), (request) => {
    const { skip = 0 } = readQuery(request, says.listWebhooks);
    return callAdmin(services, request, sql`select private.admin_webhooks(${skip}::int, 50) as value`);
  });

  door.post('/webhooks/:id/off', described(says.switchOffWebhook), async (request) => {
    const id = idIn(request, 'webhook');
    await callAdmin(services, request, sql`select private.admin_switch_off_webhook(${id}::uuid)::text as value`);
    return {};
  });

  door.post('/projects/:id/restore', described(says.restoreProject), async (request) => {
    const id = idIn(request, 'project');
    const { reason = '' } = await bodyOf(request, says.restoreProject);
    await callAdmin(
      services,
      request,
      sql`select private.admin_restore_project(${id}::uuid, ${reason})::text as value`,
    );
    return {};
  });

  const jobs = {
    operator_entries: endOperatorEntries,
    project_transfers: completeDueTransfers,
    deleted_projects: endDeletedProjects,
  };
  for (const [name, end] of Object.entries(jobs))
    await services.jobs.every({ name, everyMs: endsEveryMs, run: async () => void (await end(services)) });
}
