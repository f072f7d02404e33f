// Clients that are registered nowhere: their id is the address of a document about them (Client ID Metadata Documents). It is read when a person
// is about to be asked, at most once an hour; at the token endpoint it counts as it was read.

import { isIP } from 'node:net';
import { sql } from '../../database/sql.ts';
import { addressTester } from '../../limits/address-tester.ts';
import type { IdentityContext } from '../identity-context.ts';
import { isObject } from '../requests/read-body.ts';
import { arrayLiteral } from './array-literal.ts';
import { type ClientMetadata, readClientMetadata, type SentMetadata } from './client-metadata.ts';
import { refuseOAuth } from './errors.ts';
import { fetchDocument } from './fetch-document.ts';
import { clientColumns, type OAuthClient } from './oauth-client.ts';

const longestId = 500;
const freshMs = 3_600_000;

export async function findDocumentClient(
  context: IdentityContext,
  id: string,
  mayFetch: boolean,
): Promise<OAuthClient | null> {
  if (context.settings.oauthClients === 'registered') return null;
  const url = addressIn(id);
  if (url === null || (url.protocol === 'http:' && !isOwnNetwork(context, url.hostname))) return null;
  const [kept] = await context.query<OAuthClient>(
    sql`select ${clientColumns} from auth.oauth_clients where metadata_url = ${id}`,
  );
  const isFresh = kept !== undefined && Date.now() - Date.parse(kept.fetched_at ?? '') < freshMs;
  if (isFresh || !mayFetch) return kept ?? null;
  try {
    const document = await fetchDocument(url, context.settings.oauthDocumentNetworks);
    return await keep(context, id, readDocument(document, id));
  } catch (error) {
    // What it says by now may be less than before: without it nobody is asked.
    context.log.info({ err: error, client: id }, 'the document of a client cannot be used');
    throw refuseOAuth('invalid_client', 'The document of this client cannot be read', { status: 400 });
  }
}

/** As it must be written: with a path, and the way a browser would write it. Plain http only where the operator allows the network. */
function addressIn(id: string): URL | null {
  if (id.length > longestId || !/^https?:\/\//.test(id) || !URL.canParse(id)) return null;
  const url = new URL(id);
  const isWritten = url.href === id && url.pathname !== '/' && url.hash === '' && !id.includes('#');
  if (!isWritten || url.username !== '' || url.password !== '') return null;
  return url;
}

function isOwnNetwork(context: IdentityContext, host: string): boolean {
  return isIP(host) === 4 && addressTester(context.settings.oauthDocumentNetworks)(host);
}

function readDocument(document: unknown, id: string): ClientMetadata {
  if (!isObject(document) || document.client_id !== id) throw new Error('client_id is not the address of the document');
  const text = (name: string): string | undefined => {
    const value = document[name];
    return typeof value === 'string' ? value : undefined;
  };
  const list = (name: string): readonly string[] | undefined => {
    const value = document[name];
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;
  };
  if (document.client_secret !== undefined) throw new Error('a document that everybody reads holds no secret');
  const sent: SentMetadata = {
    client_name: text('client_name') ?? new URL(id).host,
    client_uri: text('client_uri'),
    redirect_uris: list('redirect_uris'),
    grant_types: list('grant_types'),
    response_types: list('response_types'),
    token_endpoint_auth_method: text('token_endpoint_auth_method'),
  };
  const metadata = readClientMetadata(sent, 'none');
  if (metadata.token_endpoint_auth_method !== 'none') throw new Error('token_endpoint_auth_method must be none');
  return metadata;
}

async function keep(context: IdentityContext, id: string, metadata: ClientMetadata): Promise<OAuthClient | null> {
  const [client] = await context.query<OAuthClient>(sql`
    insert into auth.oauth_clients (metadata_url, registration_type, client_name, client_uri, redirect_uris, grant_types,
      token_endpoint_auth_method, fetched_at)
    values (${id}, 'document', ${metadata.client_name}, ${metadata.client_uri}, ${arrayLiteral(metadata.redirect_uris)}::text[],
      ${arrayLiteral(metadata.grant_types)}::text[], 'none', now())
    on conflict (metadata_url) do update set client_name = excluded.client_name, client_uri = excluded.client_uri,
      redirect_uris = excluded.redirect_uris, grant_types = excluded.grant_types, fetched_at = now(), updated_at = now()
    returning ${clientColumns}`);
  return client ?? null;
}
