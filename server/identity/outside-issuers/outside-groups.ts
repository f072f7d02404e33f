// Groups that an issuer says a person is in. They are groups here, too, kept by the issuer: the person is in these and in no others of it, from each
// sign-in on.

import { sql } from '../../database/sql.ts';
import type { Db } from '../types.ts';
import { claimAt } from './claim-at.ts';

export interface OutsideGroup {
  /** At the issuer. */
  readonly id: string;
  readonly name: string;
}

/** The claim that lists groups, and which of them count by which name; null: all, by their own. */
export interface GroupsClaim {
  readonly claim: string;
  readonly names: ReadonlyMap<string, string> | null;
}

const mostGroups = 500;
const longestId = 400;
const longestName = 100;

/** Null where the issuer says nothing about groups, or that they are too many to be said in a token. */
export function readGroups(
  wanted: GroupsClaim | null,
  claims: Readonly<Record<string, unknown>>,
): readonly OutsideGroup[] | null {
  if (wanted === null) return null;
  const { claim, names } = wanted;
  const elsewhere = claims._claim_names;
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim)) return null;
  const value = claimAt(claims, claim);
  const ids = (Array.isArray(value) ? value : [value]).filter(
    (one): one is string => typeof one === 'string' && one.trim() !== '' && one.length <= longestId,
  );
  const groups = [...new Set(ids)].flatMap((id) => {
    const name = names === null ? id : names.get(id);
    return name === undefined ? [] : [{ id, name: name.trim().slice(0, longestName) }];
  });
  return groups.slice(0, mostGroups);
}

export async function keepGroups(
  db: Db,
  userId: string,
  provider: string,
  groups: readonly OutsideGroup[],
): Promise<void> {
  await db.query(
    sql`select auth.settle_outside_groups(${userId}::uuid, ${provider}, ${JSON.stringify(groups)}::jsonb)`,
  );
}
