// /admin/oauth/clients: programs, entered and removed with the service key. A secret is told once.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { commandLine } from '../../../contract/command-line.ts';
import { type Fragment, join, sql } from '../../database/sql.ts';
import { CatalogError } from '../../errors.ts';
import { readPath } from '../../http/read-parameters.ts';
import { readPage, writePage } from '../administration/pages.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { readBody } from '../requests/read-body.ts';
import { requireAdmin } from '../requests/require-user.ts';
import { arrayLiteral } from './array-literal.ts';
import { type ClientMetadata, readClientMetadata, type SentMetadata } from './client-metadata.ts';
import { makeSecret } from './clients.ts';
import * as described from './described.ts';
import { clientColumns, type OAuthClient } from './oauth-client.ts';
import { enterCommandLine } from './own-clients.ts';

export function tellClient(client: OAuthClient, secret: string | null = null): Record<string, unknown> {
  return {
    client_id: client.id,
    client_name: client.client_name,
    ...(secret === null ? {} : { client_secret: secret }),
    client_type: client.token_endpoint_auth_method === 'none' ? 'public' : 'confidential',
    token_endpoint_auth_method: client.token_endpoint_auth_method,
    registration_type: client.registration_type,
    ...(client.metadata_url === null ? {} : { metadata_url: client.metadata_url }),
    ...(client.service_account_id === null ? {} : { service_account_id: client.service_account_id }),
    client_uri: client.client_uri ?? '',
    logo_uri: client.logo_uri ?? '',
    redirect_uris: client.redirect_uris,
    grant_types: client.grant_types,
    response_types: ['code'],
    scope: client.scopes?.join(' ') ?? '',
    created_at: client.created_at,
    updated_at: client.updated_at,
  };
}

export async function listClients(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  await requireAdmin(context, request);
  const page = readPage(request);
  const clients = await context.query<OAuthClient>(sql`
    select ${clientColumns} from auth.oauth_clients order by created_at desc, id limit ${page.size}::int offset ${page.skip}::bigint`);
  const [count] = await context.query<{ total: string }>(sql`select count(*)::text as total from auth.oauth_clients`);
  writePage(reply, request, page, Number(count?.total ?? 0));
  return { clients: clients.map((client) => tellClient(client)), aud: 'authenticated' };
}

export async function createClient(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await requireAdmin(context, request);
  const sent = await readBody(request, described.createClient);
  const metadata = asGoTrue(() => readClientMetadata(sent, 'client_secret_basic'));
  return reply.code(201).send(await addClient(context, metadata, 'manual'));
}

/** Answers with the client and, if it has one, its secret. */
export async function addClient(
  context: IdentityContext,
  metadata: ClientMetadata,
  registration: 'manual' | 'dynamic',
): Promise<Record<string, unknown>> {
  const made = metadata.token_endpoint_auth_method === 'none' ? null : makeSecret();
  const [client] = await context.query<OAuthClient>(sql`
    insert into auth.oauth_clients (registration_type, client_name, client_uri, logo_uri, redirect_uris, grant_types, scopes,
      token_endpoint_auth_method, secret_hash)
    values (${registration}, ${metadata.client_name}, ${metadata.client_uri}, ${metadata.logo_uri},
      ${arrayLiteral(metadata.redirect_uris)}::text[], ${arrayLiteral(metadata.grant_types)}::text[],
      ${arrayLiteral(metadata.scopes)}::text[], ${metadata.token_endpoint_auth_method}, ${made?.hash ?? null})
    returning ${clientColumns}`);
  if (client === undefined) throw refuse('unexpected_failure', 'The client cannot be kept');
  return tellClient(client, made?.secret ?? null);
}

export async function getClient(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  return tellClient(await requireClient(context, idIn(request)));
}

export async function updateClient(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  const id = idIn(request);
  const sent: SentMetadata = await readBody(request, described.updateClient);
  const before = await requireClient(context, id);
  if (before.registration_type === 'document')
    throw refuse('validation_failed', 'The document of this client says what it is');
  if (before.service_account_id !== null)
    throw refuse('validation_failed', 'A client of a service account does not change: make another one');
  const after = asGoTrue(() => readClientMetadata({ ...asSent(before), ...sent }, before.token_endpoint_auth_method));
  const becomesPublic = after.token_endpoint_auth_method === 'none';
  if (!becomesPublic && before.secret_hash === null)
    throw refuse('validation_failed', 'A public client has no secret: create a confidential one');
  const changes: Fragment[] = [
    sql`client_name = ${after.client_name}`,
    sql`client_uri = ${after.client_uri}`,
    sql`logo_uri = ${after.logo_uri}`,
    sql`redirect_uris = ${arrayLiteral(after.redirect_uris)}::text[]`,
    sql`grant_types = ${arrayLiteral(after.grant_types)}::text[]`,
    sql`scopes = ${arrayLiteral(after.scopes)}::text[]`,
    sql`token_endpoint_auth_method = ${after.token_endpoint_auth_method}`,
    ...(becomesPublic ? [sql`secret_hash = null`] : []),
  ];
  return tellClient(await change(context, id, join(changes)));
}

export async function deleteClient(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await requireAdmin(context, request);
  const [gone] = await context.query(sql`delete from auth.oauth_clients where id = ${idIn(request)} returning id`);
  if (gone === undefined) throw notFound();
  return reply.code(204).send();
}

export async function regenerateSecret(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  await requireAdmin(context, request);
  const id = idIn(request);
  const client = await requireClient(context, id);
  if (client.token_endpoint_auth_method === 'none')
    throw refuse('validation_failed', 'Cannot regenerate secret for public client');
  const { secret, hash } = makeSecret();
  return tellClient(await change(context, id, sql`secret_hash = ${hash}`), secret);
}

async function change(context: IdentityContext, id: string, changes: Fragment): Promise<OAuthClient> {
  const [client] = await context.query<OAuthClient>(
    sql`update auth.oauth_clients set ${changes}, updated_at = now() where id = ${id} returning ${clientColumns}`,
  );
  if (client === undefined) throw notFound();
  return client;
}

async function requireClient(context: IdentityContext, id: string): Promise<OAuthClient> {
  if (id === commandLine.id) await enterCommandLine(context);
  const [client] = await context.query<OAuthClient>(
    sql`select ${clientColumns} from auth.oauth_clients where id = ${id}`,
  );
  if (client === undefined) throw notFound();
  return client;
}

function idIn(request: FastifyRequest): string {
  return readPath(request, described.getClient, () => notFound()).client_id;
}

const notFound = (): Error => refuse('oauth_client_not_found', 'OAuth client not found');

const asSent = ({
  client_name,
  client_uri,
  logo_uri,
  redirect_uris,
  grant_types,
  scopes,
  token_endpoint_auth_method,
}: OAuthClient): SentMetadata => ({
  ...{ client_name, redirect_uris, grant_types, token_endpoint_auth_method },
  client_uri: client_uri ?? undefined,
  logo_uri: logo_uri ?? undefined,
  scope: scopes?.join(' '),
});

/** The words are the same; clients of this address know other codes. */
function asGoTrue<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof CatalogError ? refuse('validation_failed', error.message) : error;
  }
}
