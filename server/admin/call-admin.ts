// Calls the admin procedures as a role that may do nothing else, with the caller's claims. The procedures check the rights
// (sql/rules/admin/operators.sql), so no route can forget to.

import type { FastifyRequest } from 'fastify';
import { roomRoles } from '../database/room-roles.ts';
import { type Fragment, statement } from '../database/sql.ts';
import { PostgresError } from '../database/types.ts';
import { CatalogError } from '../errors.ts';
import type { Services } from '../services.ts';
import { isProgram } from '../session/narrowing.ts';
import { SessionFault } from '../session/types.ts';
import { adminError, type adminErrors } from './errors.ts';

/** One procedure of the admin door, as the person whom the token of the request names; its one value. */
export async function callAdmin<T>(
  services: Services,
  request: FastifyRequest,
  call: Fragment,
  options: { readonly timeoutMs?: number } = {},
): Promise<T> {
  const claims = await operatorClaims(services, request);
  try {
    const [row] = await services.database.objectsAs<{ value: T }>({ ...roomRoles.admin, claims }, statement(call), {
      settings: [['request.address', request.ip]],
      ...options,
    });
    return row?.value as T;
  } catch (error) {
    throw error instanceof PostgresError ? (asAdminError(error) ?? error) : error;
  }
}

/** By header alone: a cookie would let pages of others act for an operator who looks at them. */
export async function operatorClaims({ sessions }: Services, request: FastifyRequest): Promise<string> {
  const token = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) throw adminError('KB801', 'Sign in first');
  try {
    const { caller } = await sessions.verify(token);
    if (isProgram(caller)) throw adminError('KB802', 'A key or app is no operator');
    return caller.claims;
  } catch (error) {
    if (error instanceof SessionFault) throw adminError('KB801', 'Sign in first', { hint: error.message });
    throw error;
  }
}

const codes: Readonly<Record<string, keyof typeof adminErrors>> = {
  PT401: 'KB801',
  PT402: 'KB804',
  PT403: 'KB802',
  PT404: 'KB803',
  PT409: 'KB804',
};

/** A text with a zero in it, and days and times that are none. */
const unreadable = ['22021', '22007', '22008'];

function asAdminError(error: PostgresError): CatalogError | null {
  if (unreadable.includes(error.sqlstate)) return adminError('KB805', `What was sent cannot be read: ${error.message}`);
  const code = codes[error.sqlstate];
  if (code !== undefined) return adminError(code, error.message, { hint: error.hint });
  if (error.sqlstate === 'KB006') return new CatalogError('KB006', 403, { message: error.message, hint: error.hint });
  return null;
}

/** Of those who entered a project a day ago and are still in it; how many. */
export async function endOperatorEntries({ database }: Pick<Services, 'database'>): Promise<number> {
  const [row] = await database.objectsAs<{ ended: number }>(roomRoles.admin, {
    text: 'select private.end_operator_entries() as ended',
    values: [],
  });
  return row?.ended ?? 0;
}

/** Of those whose 72 hours are over; how many. */
export async function completeDueTransfers({ database }: Pick<Services, 'database'>): Promise<number> {
  const [row] = await database.objectsAs<{ done: number }>(roomRoles.admin, {
    text: 'select private.complete_due_transfers() as done',
    values: [],
  });
  return row?.done ?? 0;
}

/** Large ones take their time, one after the other. */
const longestEndMs = 10 * 60_000;
const endsAtOnce = 100;

/** Of those that were deleted thirty days ago, or that nobody may have back; how many. */
export async function endDeletedProjects({ database }: Pick<Services, 'database'>): Promise<number> {
  for (let ended = 0; ; ended++) {
    const [row] = await database.objectsAs<{ ended: number }>(
      roomRoles.admin,
      { text: 'select private.end_deleted_projects() as ended', values: [] },
      { timeoutMs: longestEndMs },
    );
    if (!row?.ended || ended >= endsAtOnce) return ended;
  }
}

/** While nobody is an operator, a token that makes one; for the banner. */
export async function makeOperatorLink({ database, siteUrl }: Services): Promise<string | null> {
  const [row] = await database.objectsAs<{ token: string | null }>(roomRoles.admin, {
    text: 'select private.make_operator_link() as token',
    values: [],
  });
  // After #, so that it stands in no log of a proxy and goes to no other site.
  return row?.token ? `${siteUrl}/admin#first=${row.token}` : null;
}
