// /scim/v2/Users: people of a provider. The database makes, adopts, changes and disables the accounts (sql/rules/scim/people.sql).

import { type Fragment, sql } from '../database/sql.ts';
import type { ResourceSource } from './operate.ts';
import { type Doc, mostEmails, unfit } from './read-resource.ts';
import { userType } from './resource-types.ts';
import { type Resource, resourceOf, type Times } from './resources.ts';
import type { ScimDb } from './scim-context.ts';

interface Email {
  readonly value: string;
  readonly type?: string;
  readonly primary?: boolean;
}

interface UserRow extends Times {
  readonly id: string;
  readonly user_name: string;
  readonly external_id: string | null;
  readonly display_name: string | null;
  readonly formatted_name: string | null;
  readonly given_name: string | null;
  readonly family_name: string | null;
  readonly emails: readonly Email[];
  /** As the provider asked. */
  readonly asked_active: boolean;
  readonly active: boolean;
  readonly groups: readonly { readonly value: string; readonly display: string }[];
}

const from = sql`private.scim_users r`;

export const users: ResourceSource<UserRow> = {
  type: userType,
  noun: 'person',
  from,
  columns: {
    id: { kind: 'id', is: sql`r.id` },
    externalId: { kind: 'text', is: sql`r.external_id`, caseExact: true },
    userName: { kind: 'text', is: sql`r.user_name`, key: sql`r.user_name_key` },
    displayName: { kind: 'text', is: sql`r.display_name` },
    'name.formatted': { kind: 'text', is: sql`r.formatted_name` },
    'name.givenName': { kind: 'text', is: sql`r.given_name` },
    'name.familyName': { kind: 'text', is: sql`r.family_name` },
    active: { kind: 'boolean', is: sql`r.active` },
    emails: {
      kind: 'many',
      from: sql`jsonb_array_elements(r.emails) e where true`,
      values: {
        value: { kind: 'text', is: sql`(e ->> 'value')` },
        display: { kind: 'text', is: sql`(e ->> 'display')` },
        type: { kind: 'text', is: sql`(e ->> 'type')` },
        primary: { kind: 'boolean', is: sql`(e -> 'primary') = 'true'` },
      },
    },
    groups: {
      kind: 'many',
      from: sql`private.scim_memberships e where e.user_id = r.id`,
      values: {
        value: { kind: 'id', is: sql`e.group_id` },
        display: { kind: 'text', is: sql`e.group_name` },
      },
    },
    'meta.resourceType': { kind: 'text', is: sql`'User'`, caseExact: true },
    'meta.created': { kind: 'time', is: sql`r.created_at` },
    'meta.lastModified': { kind: 'time', is: sql`r.updated_at` },
  },
  read: (db, where, page) => readUsers(db, where, page),
  resource: userResource,
  isWhole: () => true,
  docOf,
  save,
  lock: (id) => sql`private.lock_scim_user(${id}::uuid)`,
  remove: (id) => sql`private.remove_scim_user(${id}::uuid)`,
  // Whether the person may sign in.
  kept: ['active'],
  isLarge: false,
};

function readUsers(db: ScimDb, where: Fragment, page: Fragment): Promise<UserRow[]> {
  return db.query<UserRow>(sql`
    select r.*, (
      select coalesce(jsonb_agg(jsonb_build_object('value', m.group_id, 'display', m.group_name) order by m.group_id), '[]')
      from private.scim_memberships m where m.user_id = r.id
    ) as groups
    from ${from} where ${where} ${page}`);
}

function docOf(row: UserRow): Doc {
  const name = {
    ...(row.formatted_name === null ? {} : { formatted: row.formatted_name }),
    ...(row.family_name === null ? {} : { familyName: row.family_name }),
    ...(row.given_name === null ? {} : { givenName: row.given_name }),
  };
  return {
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name,
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(row.emails.length === 0 ? {} : { emails: row.emails }),
    active: row.asked_active,
  };
}

function userResource(base: string, row: UserRow): Resource {
  const groups = row.groups.map(({ value, display }) => ({
    ...{ value, $ref: `${base}/Groups/${value}`, display, type: 'direct' },
  }));
  return resourceOf(base, userType, row.id, row, { ...docOf(row), active: row.active, groups });
}

const emailShape = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,190}$/;

/** What is saved: the attributes, the address of the account, the name that others see. */
function wordsOf(doc: Doc): Record<string, unknown> {
  const { userName, externalId = null, displayName = null, active = true } = doc as Record<string, string | null>;
  if (typeof userName !== 'string' || userName.trim() === '') throw unfit('userName', 'is required');
  const name = (doc.name ?? {}) as Readonly<Record<string, string>>;
  const emails = (doc.emails ?? []) as readonly Email[];
  if (emails.length > mostEmails) throw unfit('emails', `are more than ${mostEmails}`);
  const primary =
    emails.find((one) => one.primary === true) ?? emails.find((one) => one.type?.toLowerCase() === 'work') ?? emails[0];
  const address = (primary?.value ?? userName).trim();
  if (!emailShape.test(address))
    throw unfit('emails', 'must have an email address, unless userName is one: the account needs it');
  const parts = [name.givenName, name.familyName].filter((part) => part !== undefined && part.trim() !== '');
  return {
    userName: userName.trim(),
    externalId,
    displayName,
    formatted: name.formatted ?? null,
    givenName: name.givenName ?? null,
    familyName: name.familyName ?? null,
    emails,
    active,
    address,
    shown: [displayName, name.formatted, parts.join(' ')].find((one) => one?.trim()) ?? '',
  };
}

async function save(db: ScimDb, id: string | null, _before: Doc | null, doc: Doc): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    sql`select private.save_scim_user(${id}::uuid, ${wordsOf(doc)}::jsonb) as id`,
  );
  return row?.id ?? '';
}
