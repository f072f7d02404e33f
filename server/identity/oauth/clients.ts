// Programs: found by their id, and authenticated by a secret if they have one. A secret is 256 random bits, so its hash needs no salt.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { commandLine } from '../../../contract/command-line.ts';
import { sql } from '../../database/sql.ts';
import type { IdentityContext } from '../identity-context.ts';
import { headerValue, isUuid } from '../requests/read-body.ts';
import { findDocumentClient } from './client-documents.ts';
import { refuseOAuth } from './errors.ts';
import { clientColumns, type OAuthClient } from './oauth-client.ts';
import { enterCommandLine } from './own-clients.ts';
import type { Parameters } from './parameters.ts';

/** `mayFetch`: a person is about to be asked, and the document of a client may be read for it. */
export async function findClient(context: IdentityContext, id: string, mayFetch = false): Promise<OAuthClient | null> {
  if (!isUuid(id)) return findDocumentClient(context, id, mayFetch);
  if (mayFetch && id === commandLine.id) await enterCommandLine(context);
  const [client] = await context.query<OAuthClient>(
    sql`select ${clientColumns} from auth.oauth_clients where id = ${id} and registration_type <> 'document'`,
  );
  return client ?? null;
}

export function makeSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Who asks at the token endpoint; by the one way that the client is registered for. */
export async function authenticateClient(
  context: IdentityContext,
  request: FastifyRequest,
  form: Parameters,
  mayFetch = false,
): Promise<OAuthClient> {
  const basic = readBasic(request);
  const headers: Record<string, string> =
    basic === null ? {} : { 'www-authenticate': 'Basic realm="Kanbase", charset="UTF-8"' };
  const refusal = (words: string): Error => refuseOAuth('invalid_client', words, { headers });
  if (basic !== null && form.text('client_secret') !== '')
    throw refuseOAuth('invalid_request', 'The client sends its secret in two ways');
  const id = basic?.id ?? form.text('client_id');
  if (basic !== null && form.text('client_id') !== '' && form.text('client_id') !== basic.id)
    throw refuseOAuth('invalid_request', 'The client names itself in two ways');
  if (id === '') throw refusal('client_id is missing');
  const client = await findClient(context, id, mayFetch);
  const secret = basic?.secret ?? form.text('client_secret');
  const method = basic !== null ? 'client_secret_basic' : secret !== '' ? 'client_secret_post' : 'none';
  // Compared in any case: how long it takes tells nothing.
  const kept = client?.secret_hash ? Buffer.from(client.secret_hash, 'hex') : Buffer.alloc(32);
  const matches = timingSafeEqual(hashOf(secret), kept);
  // Libraries differ in the way they take first; a client of a service account may come by both.
  const isItsWay = client?.token_endpoint_auth_method === method || (!!client?.service_account_id && method !== 'none');
  if (client === null || !isItsWay || (method !== 'none' && !matches))
    throw refusal('Unknown client, or it is to authenticate in another way');
  return client;
}

function readBasic(request: FastifyRequest): { readonly id: string; readonly secret: string } | null {
  const encoded = /^basic +([\w+/=-]+)$/i.exec(headerValue(request, 'authorization') ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString();
  const at = pair.indexOf(':');
  if (at < 0) return { id: decode(pair), secret: '' };
  return { id: decode(pair.slice(0, at)), secret: decode(pair.slice(at + 1)) };
}

/** Both halves are encoded as in a form (RFC 6749, 2.3.1). */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
