// The consent of a person: GET /oauth/authorizations/:id shows their request, POST …/consent answers it. A request belongs to whom it is shown
// to first. A session that owes its second factor, or that is itself a program's, consents to nothing.

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from '../../database/sql.ts';
import { readPath } from '../../http/read-parameters.ts';
import { narrowableRole } from '../../session/narrowing.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { isUuid, readBody } from '../requests/read-body.ts';
import { type CurrentUser, requireSecondFactor, requireSession } from '../requests/require-user.ts';
import type { Db } from '../types.ts';
import { arrayLiteral } from './array-literal.ts';
import { answerAddress, faultAddress } from './authorize.ts';
import { hashOf } from './clients.ts';
import { consentTo, readAuthorization } from './described.ts';
import { refuseOAuth } from './errors.ts';
import { clientColumns, clientIdOf, type OAuthClient } from './oauth-client.ts';
import { isOnDevice } from './redirect-uris.ts';

const codeSeconds = 600;
const mostProjects = 500;

interface Asked {
  readonly id: string;
  readonly redirect_uri: string | null;
  readonly scopes: readonly string[];
  readonly state: string | null;
  readonly always_ask: boolean;
  readonly client: OAuthClient;
}

type Person = CurrentUser & { readonly sessionId: string };

/** A program as people are shown it. */
export function describeClient(client: OAuthClient): Record<string, string> {
  return {
    id: clientIdOf(client),
    name: client.client_name,
    uri: client.client_uri ?? '',
    logo_uri: client.logo_uri ?? '',
  };
}

export async function showAuthorization(context: IdentityContext, request: FastifyRequest): Promise<unknown> {
  const person = await requirePerson(context, request);
  const asked = await findRequest(context, idIn(request), person);
  const redirect = await answerFromGrant(context, asked, person);
  if (redirect !== null) return { redirect_url: redirect };
  const { user } = person;
  return {
    authorization_id: asked.id,
    redirect_uri: asked.redirect_uri ?? '',
    client: describeClient(asked.client),
    user: { id: user.id, email: user.email },
    scope: asked.scopes.join(' '),
    // Ours: whether an administrator entered the program, or it came by itself.
    registration_type: asked.client.registration_type,
  };
}

export async function answerAuthorization(
  context: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const person = await requirePerson(context, request);
  const { action, scope, projects = null, expires_in: seconds = null } = await readBody(request, consentTo);
  const asked = await findRequest(context, idIn(request), person);
  if (action === 'deny') return reply.send({ redirect_url: await deny(context, asked, person) });
  const scopes = scope === undefined ? asked.scopes : scope.split(' ').filter((one) => one !== '');
  if (scopes.some((one) => !asked.scopes.includes(one)))
    throw refuse('validation_failed', 'scope may hold only what the program asked for');
  if (projects !== null && (projects.length > mostProjects || !projects.every(isUuid)))
    throw refuse('validation_failed', `projects must be at most ${mostProjects} ids of projects`);
  if (seconds !== null && (seconds < 60 || seconds > 10 * 366 * 86_400))
    throw refuse('validation_failed', 'expires_in must be a number of seconds up to ten years');
  const until = endOf(context, seconds);
  const redirect = await context.transact(async (db) => {
    const [grant] = await db.query<{ id: string | null }>(sql`
      select (auth.grant_to_oauth_client(${person.user.id}, ${asked.client.id}, ${arrayLiteral(scopes)}::text[],
        ${arrayLiteral(projects)}::uuid[], ${until}::timestamptz)).id`);
    if (!grant?.id) throw refuse('user_not_found', 'User not found');
    const { address } = clientInfoOf(request);
    await db.query(sql`
      select auth.note_event('oauth_consent', u, ${{ client_id: clientIdOf(asked.client), scopes }}, ${address}) from auth.users u where id = ${person.user.id}`);
    return approve(context, db, asked, person, grant.id, scopes);
  });
  return reply.send({ redirect_url: redirect });
}

/** No later than a person's own session would end. */
function endOf({ settings }: IdentityContext, seconds: number | null): Date | null {
  const lifetimes = [seconds ?? 0, settings.sessionLifetime].filter((one) => one > 0);
  return lifetimes.length === 0 ? null : new Date(Date.now() + Math.min(...lifetimes) * 1000);
}

async function requirePerson(context: IdentityContext, request: FastifyRequest): Promise<Person> {
  const person = await requireSession(context, request);
  requireSecondFactor(person, 'AAL2 required to let a program in', 403);
  if (person.user.role !== narrowableRole)
    throw refuse('oauth_role_not_supported', `Rights of the role ${person.user.role} cannot be narrowed for a program`);
  return person;
}

function idIn(request: FastifyRequest): string {
  const { authorization_id: id } = readPath(request, readAuthorization, () => notFound());
  return id;
}

const notFound = (): Error => refuse('oauth_authorization_not_found', 'OAuth authorization not found');

async function findRequest(context: IdentityContext, id: string, { user }: CurrentUser): Promise<Asked> {
  const [asked] = await context.query<Omit<Asked, 'client'> & { client_id: string }>(sql`
    update auth.oauth_authorizations set user_id = ${user.id}
    where id = ${id} and (user_id is null or user_id = ${user.id}) and decision is null and expires_at > now()
    returning id, client_id, redirect_uri, to_jsonb(scopes) as scopes, state, always_ask`);
  if (asked === undefined) throw notFound();
  const [client] = await context.query<OAuthClient>(
    sql`select ${clientColumns} from auth.oauth_clients where id = ${asked.client_id}`,
  );
  if (client === undefined) throw notFound();
  return { ...asked, client };
}

/**
 * Without asking again, where the person granted the same before. Not to a program on a device: any other there could wait at its address.
 */
async function answerFromGrant(context: IdentityContext, asked: Asked, person: Person): Promise<string | null> {
  if (asked.always_ask || asked.redirect_uri === null || isOnDevice(asked.redirect_uri)) return null;
  const [grant] = await context.query<{ id: string }>(sql`
    select g.id from auth.oauth_grants g
    where g.user_id = ${person.user.id} and g.client_id = ${asked.client.id} and g.scopes @> ${arrayLiteral(asked.scopes)}::text[]
      and auth.is_oauth_grant_open(g)`);
  return grant === undefined ? null : approve(context, context, asked, person, grant.id, asked.scopes);
}

async function approve(
  context: IdentityContext,
  db: Db,
  asked: Asked,
  { user, sessionId }: Person,
  grantId: string,
  scopes: readonly string[],
): Promise<string> {
  const code = randomBytes(32).toString('base64url');
  const hash = asked.redirect_uri === null ? null : hashOf(code);
  const expiresAt = new Date(Date.now() + codeSeconds * 1000);
  const [row] = await db.query<{ approved: boolean }>(sql`
    select auth.approve_oauth_authorization(${asked.id}, ${user.id}, ${sessionId}, ${hash}, ${grantId},
      ${arrayLiteral(scopes)}::text[], ${expiresAt}) as approved`);
  if (row?.approved !== true) throw notFound();
  return asked.redirect_uri === null ? '' : answerAddress(context, asked.redirect_uri, asked.state, { code });
}

async function deny(context: IdentityContext, asked: Asked, { user }: Person): Promise<string> {
  const [row] = await context.query(sql`
    update auth.oauth_authorizations set decision = 'denied'
    where id = ${asked.id} and user_id = ${user.id} and decision is null returning id`);
  if (row === undefined) throw notFound();
  if (asked.redirect_uri === null) return '';
  const fault = refuseOAuth('access_denied', 'The person refused');
  return faultAddress(context, asked.redirect_uri, asked.state, fault);
}
