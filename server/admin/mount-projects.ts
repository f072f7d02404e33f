// Projects for operators: their outlines, passing one on after 72 hours, entering one openly and leaving it, bringing a deleted one back. Entries whose day is
// over are ended here, and deleted projects whose thirty days are.

import type { FastifyInstance } from 'fastify';
import { sql } from '../database/sql.ts';
import type { Services } from '../services.ts';
import { askAdmin, completeDueTransfers, endDeletedProjects, endOperatorEntries } from './ask.ts';
import { idIn, queryOf, textIn } from './read-request.ts';

const endsEveryMs = 5 * 60_000;

export async function mountProjects(door: FastifyInstance, services: Services): Promise<void> {
  const hidden = { schema: { hide: true } as object };

  door.get('/projects', hidden, (request) => {
    const { words = '', kind = '', skip = '0' } = queryOf(request);
    const from = Math.min(Math.max(Number.parseInt(skip, 10) || 0, 0), 1e9);
    return askAdmin(services, request, sql`select private.desk_projects(${words}, ${kind}, ${from}::int, 50) as value`);
  });

  door.get('/projects/:id', hidden, (request) =>
    askAdmin(services, request, sql`select private.desk_project(${idIn(request, 'project')}::uuid) as value`),
  );

  door.post('/projects/:id/enter', hidden, async (request) => {
    const [id, reason] = [idIn(request, 'project'), await textIn(request, 'reason')];
    await askAdmin(services, request, sql`select private.desk_enter(${id}::uuid, ${reason})::text as value`);
    return {};
  });

  door.post('/projects/:id/leave', hidden, async (request) => {
    await askAdmin(services, request, sql`select private.desk_leave(${idIn(request, 'project')}::uuid)::text as value`);
    return {};
  });

  door.post('/projects/:id/pass-on', hidden, async (request) => {
    const [id, email] = [idIn(request, 'project'), await textIn(request, 'email')];
    const reason = await textIn(request, 'reason');
    await askAdmin(
      services,
      request,
      sql`select private.desk_pass_on(${id}::uuid, ${email}, ${reason})::text as value`,
    );
    return {};
  });

  door.post('/projects/:id/withdraw-transfer', hidden, async (request) => {
    const id = idIn(request, 'project');
    await askAdmin(services, request, sql`select private.desk_withdraw_transfer(${id}::uuid)::text as value`);
    return {};
  });

  door.post('/projects/:id/restore', hidden, async (request) => {
    const [id, reason] = [idIn(request, 'project'), await textIn(request, 'reason')];
    await askAdmin(services, request, sql`select private.desk_restore(${id}::uuid, ${reason})::text as value`);
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
