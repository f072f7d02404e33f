// OAuth clients for operators: those of everybody, a new one, another secret, and the end of one. The identity door makes them; secrets are told once.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import { readQuery } from '../http/read-parameters.ts';
import type { Services } from '../services.ts';
import { askIdentity, note } from './ask-identity.ts';
import { callAdmin } from './call-admin.ts';
import * as says from './described.ts';
import { adminError } from './errors.ts';
import { bodyOf, idIn } from './read-request.ts';

const clients = '/auth/v1/admin/oauth/clients';

export function mountClients(door: FastifyInstance, services: Services): void {
  door.get('/clients', described(says.listClients), (request) => {
    const { words = '', skip = 0 } = readQuery(request, says.listClients);
    return callAdmin(services, request, sql`select private.admin_clients(${words}, ${skip}::int, 50) as value`);
  });

  door.post('/clients', described(says.createClient), async (request) => {
    const { name, redirect_uris, is_confidential: isConfidential } = await bodyOf(request, says.createClient);
    await note(services, request, 'client_created', name.trim());
    return told(
      await askIdentity(services, clients, {
        client_name: name,
        redirect_uris,
        token_endpoint_auth_method: isConfidential ? 'client_secret_basic' : 'none',
      }),
    );
  });

  door.post('/clients/:id/secret', described(says.replaceClientSecret), async (request) => {
    const id = await known(services, request, 'client_secret_replaced');
    return told(await askIdentity(services, `${clients}/${id}/regenerate_secret`));
  });

  door.delete('/clients/:id', described(says.deleteClient), async (request) => {
    const id = await known(services, request, 'client_deleted');
    await told(await askIdentity(services, `${clients}/${id}`, undefined, 'DELETE'));
    return {};
  });
}

/** Its id, when there is one, with a line in the log that names it. */
async function known(services: Services, request: FastifyRequest, action: string): Promise<string> {
  const id = idIn(request, 'client');
  const name = await callAdmin<string>(services, request, sql`select private.admin_client_name(${id}) as value`);
  await note(services, request, action, name, { client: id });
  return id;
}

interface Told {
  readonly client_id: string;
  readonly client_secret: string | null;
}

async function told(answer: Response): Promise<Told> {
  const said = (await answer.json().catch(() => ({}))) as Partial<Told> & { readonly msg?: string };
  if (answer.status === 404) throw adminError('KB803', 'There is no such client');
  if (!answer.ok) throw adminError('KB805', said.msg ?? `That could not be done (${answer.status})`);
  return { client_id: said.client_id ?? '', client_secret: said.client_secret ?? null };
}
