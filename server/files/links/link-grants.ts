// Rows of public.access_grants that signed addresses name: made when an address is signed, asked for when it is opened. One row for each person and
// place, so that signing many costs one statement and opening one costs a look-up by key.

import { roomRoles } from '../../database/room-roles.ts';
import { sql, statement } from '../../database/sql.ts';
import type { Database } from '../../database/types.ts';
import type { Claims } from '../../session/types.ts';
import { filesError } from '../errors.ts';

export type LinkKind = 'file_link' | 'folder_link' | 'upload_link';

/** What a signed address carries, so that it can be ended. */
export interface LinkGrant {
  /** Undefined where a key signed and no person. */
  readonly grant?: string;
  /** The key of a person that signed. */
  readonly key?: string;
  /** By the clock of the database, in microseconds. */
  readonly signedAt: number;
}

export interface MadeGrant extends LinkGrant {
  /** As asked, or the longest that is allowed there. */
  readonly seconds: number;
}

interface Row {
  readonly name: string;
  readonly grant_id: string | null;
  readonly signed_at: number;
  readonly lasts_seconds: number;
}

/** By name of the object. Throws for whoever has been signed out in the meantime. */
export async function grantLinks(
  database: Pick<Database, 'objectsAs'>,
  kind: LinkKind,
  { sub, session_id: session, key_id: key }: Claims,
  of: { readonly bucket: string; readonly names: readonly string[] },
  seconds: { readonly asked: number; readonly longest: number },
): Promise<ReadonlyMap<string, MadeGrant>> {
  if (of.names.length === 0) return new Map();
  const rows = await database.objectsAs<Row>(
    roomRoles.files,
    statement(sql`select name, grant_id, signed_at, lasts_seconds from private.grant_links(${uuidOrNull(sub)}::uuid,
      ${uuidOrNull(session)}::uuid, ${kind}, ${of.bucket}, ${[...new Set(of.names)]}::jsonb, ${seconds.asked}::bigint, ${seconds.longest}::bigint)`),
  );
  if (rows.length === 0) throw filesError('InvalidJWT', 'Your session has ended');
  return new Map(
    rows.map(({ name, grant_id: grant, signed_at: signedAt, lasts_seconds: lasts }) => [
      name,
      { ...(grant === null ? {} : { grant }), ...(key === undefined ? {} : { key }), signedAt, seconds: lasts },
    ]),
  );
}

/** Notes that an address was used; the download does not wait for it. */
export async function noteUse(database: Pick<Database, 'objectsAs'>, grant: string): Promise<void> {
  await database.objectsAs(roomRoles.files, statement(sql`select private.note_use_of_grant(${grant}::uuid)::text`));
}

export const linkEnded = () => filesError('InvalidJWT', 'This link has ended');

export function uuidOrNull(text: unknown): string | null {
  return typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : null;
}
