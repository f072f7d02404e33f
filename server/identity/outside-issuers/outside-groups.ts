// Groups that an issuer says a person is in. They are groups here, too, as far as the mapping names them: the person is in these and in no others of
// it, from each sign-in on (sql/rules/people/outside-groups.sql).

import { sql } from '../../database/sql.ts';
import type { Db } from '../types.ts';
import { claimAt } from './claim-at.ts';

/** The claim that lists groups, and which of them count by which name; null: all, by their own. */
export interface GroupsClaim {
  readonly claim: string;
  readonly names: Readonly<Record<string, string>> | null;
}

export interface SaidGroups extends GroupsClaim {
  /** As the issuer calls them. */
  readonly groups: readonly string[];
}

const mostGroups = 1000;
const longestGroup = 400;

/** Null where the issuer says nothing about groups, or that they are too many to be said in a token. */
export function readGroups(wanted: GroupsClaim | null, claims: Readonly<Record<string, unknown>>): SaidGroups | null {
  if (wanted === null) return null;
  const { claim, names } = wanted;
  const elsewhere = claims._claim_names;
  if (typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, claim)) return null;
  const value = claimAt(claims, claim);
  const said = (Array.isArray(value) ? value : [value]).filter(
    (one): one is string =>
      typeof one === 'string' && one.trim() !== '' && one.length <= longestGroup && !one.includes('\u0000'),
  );
  return { claim, names, groups: [...new Set(said)].slice(0, mostGroups) };
}

export async function keepGroups(
  db: Db,
  userId: string,
  { provider, subject }: { readonly provider: string; readonly subject: string },
  { claim, names, groups }: SaidGroups,
): Promise<void> {
  await db.query(sql`
    select auth.keep_said_groups(${userId}::uuid, ${provider}, ${subject}, ${claim},
      array(select jsonb_array_elements_text(${JSON.stringify(groups)}::jsonb)), ${asNames(names)}::jsonb)`);
}

/** Of an identity that is unlinked, whose stored groups went with it. */
export async function leaveGroups(db: Db, userId: string, provider: string): Promise<void> {
  await db.query(sql`select auth.settle_outside_groups(${userId}::uuid, ${provider}, '{}', null)`);
}

const asNames = (names: GroupsClaim['names']): string | null => (names === null ? null : JSON.stringify(names));
