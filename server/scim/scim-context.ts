// A request to /scim/v2: whose token it bears, and its access to the database. Every statement bears the hash of the token, by which the database
// decides what is seen and changed: as kanbase_scim alone, nothing is.

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { roomRoles } from '../database/room-roles.ts';
import { type Fragment, sql, statement } from '../database/sql.ts';
import { PostgresError } from '../database/types.ts';
import { domainErrors } from '../domain-errors.ts';
import { CatalogError } from '../errors.ts';
import { networkOf } from '../limits/network-of.ts';
import type { Limit } from '../limits/types.ts';
import type { Services } from '../services.ts';
import { scimError, scimErrors } from './errors.ts';

/** Entra asks for 25 a second. */
const perProvider: Limit = { name: 'scim', points: 1800, windowSeconds: 60, perNode: true };
const wrongTokens: Limit = { name: 'scim tokens', points: 60, windowSeconds: 300 };

export interface ScimDb {
  query<T = Record<string, unknown>>(query: Fragment): Promise<T[]>;
}

export interface ScimRequest extends ScimDb {
  readonly request: FastifyRequest;
  /** Where /scim/v2 is, for addresses of resources. */
  readonly base: string;
  /** All of it or nothing; tried again where the database let another go first. */
  change<T>(work: (db: ScimDb) => Promise<T>): Promise<T>;
}

const tries = 3;
/** Serialization failures and deadlocks. */
const turnedBack = ['40001', '40P01'];

export async function openRequest(services: Services, request: FastifyRequest): Promise<ScimRequest> {
  const { database, limits, config, siteUrl } = services;
  const token = /^bearer +(\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
  const hash = createHash('sha256')
    .update(token ?? '')
    .digest('hex');
  const options = {
    settings: [
      ['request.scim_token', hash],
      ['request.address', request.ip],
    ] as [string, string][],
  };
  const query: ScimDb['query'] = (text) => database.objectsAs(roomRoles.scim, statement(text), options);
  try {
    const [row] = await query<{ provider: string }>(sql`select private.open_scim_token() as provider`);
    await refuseBeyond(await limits.take(perProvider, row?.provider ?? ''));
  } catch (error) {
    // Only of these: an address of a provider may be one of many others, too.
    if (error instanceof PostgresError && error.sqlstate === 'KB851')
      await refuseBeyond(await limits.take(wrongTokens, networkOf(request.ip)));
    throw error;
  }
  return {
    request,
    base: `${config.server.apiExternalUrl ?? siteUrl}/scim/v2`,
    query,
    async change(work) {
      for (let left = tries; ; left--) {
        try {
          return await database.transactAs(
            roomRoles.scim,
            (tx) => work({ query: (text) => tx.objects(statement(text)) }),
            options,
          );
        } catch (error) {
          if (!(error instanceof PostgresError && turnedBack.includes(error.sqlstate) && left > 1)) throw error;
        }
      }
    },
  };
}

async function refuseBeyond(result: { readonly allowed: boolean; readonly retryAfterSeconds: number }): Promise<void> {
  if (!result.allowed)
    throw new CatalogError('KB429', 429, {
      message: 'Too many requests',
      headers: { 'Retry-After': String(result.retryAfterSeconds) },
    });
}

/** What the database refused, as an error of this door; null: unforeseen. */
export function asScimError(error: PostgresError): CatalogError | null {
  const { sqlstate, message, hint } = error;
  if (sqlstate === 'KB851')
    return scimError('KB851', 'This token opens nothing', { headers: { 'WWW-Authenticate': 'Bearer realm="scim"' } });
  if (Object.hasOwn(scimErrors, sqlstate)) return withHint(scimErrors[sqlstate as keyof typeof scimErrors].status);
  // Rules of projects, such as the number of members that a plan allows.
  if (Object.hasOwn(domainErrors, sqlstate))
    return withHint(domainErrors[sqlstate as keyof typeof domainErrors].status);
  if (sqlstate.startsWith('22') || sqlstate.startsWith('23'))
    return scimError('KB856', `A value cannot be stored: ${message}`);
  return null;

  function withHint(status: number): CatalogError {
    return new CatalogError(sqlstate, status, { message: hint === null ? message : `${message}. ${hint}` });
  }
}
