// /scim/v2/Groups: groups of a provider, whose members are ids of its people. What a group brings into projects follows in the database.

import { type Fragment, sql } from '../database/sql.ts';
import { type Chosen, isWanted } from './choose-attributes.ts';
import type { ResourceSource } from './operate.ts';
import { type Doc, unfit } from './read-resource.ts';
import { groupType } from './resource-types.ts';
import { type Resource, resourceOf, type Times } from './resources.ts';
import type { ScimDb } from './scim-context.ts';

interface GroupRow extends Times {
  readonly id: string;
  readonly display_name: string;
  readonly external_id: string | null;
  /** Null: not read. */
  readonly members: readonly { readonly value: string; readonly display: string }[] | null;
}

const from = sql`private.scim_group_list r`;
const mostMembers = 20_000;

export const groups: ResourceSource<GroupRow> = {
  type: groupType,
  noun: 'group',
  from,
  columns: {
    id: { kind: 'id', is: sql`r.id` },
    externalId: { kind: 'text', is: sql`r.external_id`, caseExact: true },
    displayName: { kind: 'text', is: sql`r.display_name`, key: sql`r.display_name_key` },
    members: {
      kind: 'many',
      from: sql`private.scim_memberships e where e.group_id = r.id`,
      values: {
        value: { kind: 'id', is: sql`e.user_id` },
        display: { kind: 'text', is: sql`e.person_name` },
        type: { kind: 'text', is: sql`'User'` },
      },
    },
    'meta.resourceType': { kind: 'text', is: sql`'Group'`, caseExact: true },
    'meta.created': { kind: 'time', is: sql`r.created_at` },
    'meta.lastModified': { kind: 'time', is: sql`r.updated_at` },
  },
  read: readGroups,
  resource: groupResource,
  isWhole: ({ members }) => members !== null,
  docOf,
  save,
  lock: (id) => sql`private.lock_scim_group(${id}::uuid)`,
  remove: (id) => sql`private.remove_scim_group(${id}::uuid)`,
  kept: [],
  isLarge: true,
};

function readGroups(db: ScimDb, where: Fragment, page: Fragment, chosen: Chosen): Promise<GroupRow[]> {
  const members = isWanted(chosen, 'members')
    ? sql`(
      select coalesce(jsonb_agg(jsonb_build_object('value', m.user_id, 'display', m.person_name) order by m.user_id), '[]')
      from private.scim_memberships m where m.group_id = r.id
    )`
    : sql`null::jsonb`;
  return db.query<GroupRow>(sql`select r.*, ${members} as members from ${from} where ${where} ${page}`);
}

function docOf(row: GroupRow): Doc {
  return {
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    displayName: row.display_name,
    ...(row.members === null || row.members.length === 0 ? {} : { members: row.members }),
  };
}

function groupResource(base: string, row: GroupRow): Resource {
  const members = row.members?.map(({ value, display }) => ({
    ...{ value, $ref: `${base}/Users/${value}`, display, type: 'User' },
  }));
  return resourceOf(base, groupType, row.id, row, {
    ...docOf(row),
    ...(members === undefined ? {} : { members }),
  });
}

function idsIn(doc: Doc): ReadonlySet<string> {
  const members = (doc.members ?? []) as readonly { readonly value: string; readonly type?: string }[];
  if (members.length > mostMembers) throw unfit('members', `are more than ${mostMembers}`);
  return new Set(
    members.map(({ value, type = 'User' }) => {
      if (type.toLowerCase() !== 'user') throw unfit('members', 'are people: groups in groups are not kept');
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) throw unfit('members', `have no ${value}`);
      return value.toLowerCase();
    }),
  );
}

async function save(db: ScimDb, id: string | null, before: Doc | null, doc: Doc): Promise<string> {
  const { displayName, externalId = null } = doc;
  if (typeof displayName !== 'string' || displayName.trim() === '') throw unfit('displayName', 'is required');
  const [was, becomes] = [idsIn(before ?? {}), idsIn(doc)];
  const joins = [...becomes].filter((one) => !was.has(one));
  const leaves = [...was].filter((one) => !becomes.has(one));
  const [row] = await db.query<{ id: string }>(sql`
    select private.save_scim_group(${id}::uuid, ${{ displayName: displayName.trim(), externalId }}::jsonb,
      ${arrayOf(joins)}::uuid[], ${arrayOf(leaves)}::uuid[]) as id`);
  return row?.id ?? '';
}

const arrayOf = (ids: readonly string[]): string => `{${ids.join()}}`;
