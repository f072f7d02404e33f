// /api/admin, for operators: accounts, projects, settings, mail, state of the server. Every route is one procedure of the database, which
// decides who may; the log is written in the same transaction.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import { leaveBodies } from '../http/read-json.ts';
import { readQuery } from '../http/read-parameters.ts';
import { renderError } from '../http/render-error.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Limit } from '../limits/types.ts';
import type { Services } from '../services.ts';
import { callAdmin, operatorClaims } from './call-admin.ts';
import { createAccount } from './create-account.ts';
import * as says from './described.ts';
import { adminError } from './errors.ts';
import { writeLogFile } from './log-file.ts';
import { mountClients } from './mount-clients.ts';
import { mountGroupMapping } from './mount-group-mapping.ts';
import { mountKeys } from './mount-keys.ts';
import { mountMail } from './mount-mail.ts';
import { mountProjects } from './mount-projects.ts';
import { mountProvisioning } from './mount-provisioning.ts';
import { mountServiceAccounts } from './mount-service-accounts.ts';
import { mountSettings } from './mount-settings.ts';
import { mountState } from './mount-state.ts';
import { bodyOf, idIn } from './read-request.ts';
import { workMetrics } from './work-metrics.ts';

/** Guesses at a one-time link, which is too long to be guessed anyway. */
const claims: Limit = { name: 'operator links', points: 20, windowSeconds: 300 };

export async function mountAdmin(app: FastifyInstance, services: Services): Promise<void> {
  workMetrics(services);
  app.describeTerms(says.adminTerms);
  await app.register(
    async (door) => {
      door.setErrorHandler(renderError);
      leaveBodies(door);
      door.addHook('onRequest', async (request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', vary: 'authorization' });
        await operatorClaims(services, request);
      });

      door.get('/me', described(says.readMe), (request) =>
        callAdmin(services, request, sql`select private.admin_me() as value`),
      );

      door.post('/claim', described(says.claim), async (request) => {
        const { allowed, retryAfterSeconds } = await services.limits.take(claims, networkOf(request.ip));
        if (!allowed) throw adminError('KB805', `Too many tries. Try again in ${retryAfterSeconds} seconds.`);
        const { token = '' } = await bodyOf(request, says.claim);
        await callAdmin(services, request, sql`select private.become_first_operator(${token})::text as value`);
        return {};
      });

      mountAccounts(door, services);
      mountState(door, services);
      mountSettings(door, services);
      mountMail(door, services);
      mountProvisioning(door, services);
      mountGroupMapping(door, services);
      await mountProjects(door, services);
      mountKeys(door, services);
      mountServiceAccounts(door, services);
      mountClients(door, services);

      door.get('/log', described(says.readLog), (request) => {
        const { words = '', before = null } = readQuery(request, says.readLog);
        return callAdmin(
          services,
          request,
          sql`select private.admin_log_page(${words}, ${before}::uuid, 100) as value`,
        );
      });
      door.get('/log.csv', described(says.exportLog), async (request, reply) => {
        const { words = '' } = readQuery(request, says.exportLog);
        const file = await writeLogFile(services, request, words);
        await callAdmin(
          services,
          request,
          sql`select private.log_admin_action('log_exported', ${words})::text as value`,
        );
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', 'attachment; filename="kanbase-operators.csv"')
          .send(file);
      });
    },
    { prefix: '/api/admin' },
  );
}

function mountAccounts(door: FastifyInstance, services: Services): void {
  door.get('/accounts', described(says.listAccounts), (request) => {
    const { words = '', kind = '', skip = 0 } = readQuery(request, says.listAccounts);
    return callAdmin(
      services,
      request,
      sql`select private.admin_accounts(${words}, ${kind}, ${skip}::int, 50) as value`,
    );
  });

  door.post('/accounts', described(says.createAccount), async (request) => {
    const { by, email, name = '' } = await bodyOf(request, says.createAccount);
    return createAccount(services, request, { email: email.trim(), name: name.trim(), by });
  });

  door.get('/accounts/:id', described(says.readAccount), (request) =>
    callAdmin(services, request, sql`select private.admin_account(${idIn(request, 'account')}::uuid) as value`),
  );

  const actions = {
    disable: (id: string) => sql`select private.admin_disable_account(${id}::uuid, true)::text as value`,
    enable: (id: string) => sql`select private.admin_disable_account(${id}::uuid, false)::text as value`,
    'sign-out': (id: string) => sql`select private.admin_end_sessions(${id}::uuid)::text as value`,
    'reset-factors': (id: string) => sql`select private.admin_reset_factors(${id}::uuid)::text as value`,
    delete: async (id: string, request: FastifyRequest) => {
      const { email = '' } = await bodyOf(request, says.accountActions.delete);
      return sql`select private.admin_delete_account(${id}::uuid, ${email})::text as value`;
    },
  };
  for (const [name, call] of Object.entries(actions))
    door.post(
      `/accounts/:id/${name}`,
      described(says.accountActions[name as keyof typeof actions]),
      async (request) => {
        await callAdmin(services, request, await call(idIn(request, 'account'), request));
        return {};
      },
    );
}
