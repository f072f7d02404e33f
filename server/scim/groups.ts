// /scim/v2/Groups: groups of a provider, whose members are ids of its people. What a group brings into projects follows in the database.

import type { FastifyReply } from 'fastify';
import { type Fragment, sql } from '../database/sql.ts';
import { applyPatch } from './apply-patch.ts';
import { type Chosen, isWanted } from './choose-attributes.ts';
import { scimError } from './errors.ts';
import { type Doc, readResource, unfit } from './read-resource.ts';
import { groupType } from './resource-types.ts';
import {
  checkPrecondition,
  type ListSource,
  type Resource,
  resourceOf,
  sendResource,
  type Times,
} from './resources.ts';
import type { ScimDb, ScimRequest } from './scim-context.ts';

interface GroupRow extends Times {
  readonly id: string;
  readonly display_name: string;
  readonly external_id: string | null;
  /** Null: not read. */
  readonly members: readonly { readonly value: string; readonly display: string }[] | null;
}

const from = sql`private.scim_group_list r`;
const mostMembers = 20_000;

export const groups: ListSource<GroupRow> = {
  type: groupType,
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
};

const all: Chosen = { only: null, without: [] };

function readGroups(db: ScimDb, where: Fragment, page: Fragment, chosen: Chosen): Promise<GroupRow[]> {
  const members = isWanted(chosen, 'members')
    ? sql`(
      select coalesce(jsonb_agg(jsonb_build_object('value', m.user_id, 'display', m.person_name) order by m.user_id), '[]')
      from private.scim_memberships m where m.group_id = r.id
    )`
    : sql`null::jsonb`;
  return db.query<GroupRow>(sql`select r.*, ${members} as members from ${from} where ${where} ${page}`);
}

async function readGroup(db: ScimDb, id: string, chosen: Chosen): Promise<GroupRow> {
  const [row] = await readGroups(db, sql`r.id = ${id}::uuid`, sql``, chosen);
  if (row === undefined) throw scimError('KB852', 'There is no such group');
  return row;
}

const docOf = (row: GroupRow): Doc => ({
  ...(row.external_id === null ? {} : { externalId: row.external_id }),
  displayName: row.display_name,
  ...(row.members === null || row.members.length === 0 ? {} : { members: row.members }),
});

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

async function save(db: ScimDb, id: string | null, before: Doc, doc: Doc): Promise<string> {
  const { displayName, externalId = null } = doc;
  if (typeof displayName !== 'string' || displayName.trim() === '') throw unfit('displayName', 'is required');
  const [was, becomes] = [idsIn(before), idsIn(doc)];
  const joins = [...becomes].filter((one) => !was.has(one));
  const leaves = [...was].filter((one) => !becomes.has(one));
  const [row] = await db.query<{ id: string }>(sql`
    select private.save_scim_group(${id}::uuid, ${{ displayName: displayName.trim(), externalId }}::jsonb,
      ${arrayOf(joins)}::uuid[], ${arrayOf(leaves)}::uuid[]) as id`);
  return row?.id ?? '';
}

const arrayOf = (ids: readonly string[]): string => `{${ids.join()}}`;

async function lock(db: ScimDb, scim: ScimRequest, id: string): Promise<GroupRow> {
  await db.query(sql`select private.lock_scim_group(${id}::uuid)`);
  const row = await readGroup(db, id, all);
  checkPrecondition(scim.request, groupResource(scim.base, row));
  return row;
}

/** Read whole: its version is made of all of it. */
export async function getGroup(scim: ScimRequest, reply: FastifyReply, id: string, chosen: Chosen) {
  return sendResource(scim, reply, groupResource(scim.base, await readGroup(scim, id, all)), chosen);
}

export async function createGroup(
  scim: ScimRequest,
  reply: FastifyReply,
  body: Record<string, unknown>,
  chosen: Chosen,
) {
  const doc = readResource(groupType, body);
  const row = await scim.change(async (db) => readGroup(db, await save(db, null, {}, doc), all));
  return sendResource(scim, reply, groupResource(scim.base, row), chosen, 201);
}

export async function replaceGroup(
  scim: ScimRequest,
  reply: FastifyReply,
  id: string,
  body: Record<string, unknown>,
  chosen: Chosen,
) {
  const doc = readResource(groupType, body);
  const row = await scim.change(async (db) => {
    await save(db, id, docOf(await lock(db, scim, id)), doc);
    return readGroup(db, id, all);
  });
  return sendResource(scim, reply, groupResource(scim.base, row), chosen);
}

/** Answers without the group, which may be large, unless attributes of it are asked for. */
export async function patchGroup(
  scim: ScimRequest,
  reply: FastifyReply,
  id: string,
  body: Record<string, unknown>,
  chosen: Chosen,
) {
  const row = await scim.change(async (db) => {
    const before = docOf(await lock(db, scim, id));
    await save(db, id, before, applyPatch(groupType, before, body));
    return chosen.only === null ? null : readGroup(db, id, all);
  });
  return row === null ? reply.code(204).send() : sendResource(scim, reply, groupResource(scim.base, row), chosen);
}

export async function deleteGroup(scim: ScimRequest, reply: FastifyReply, id: string) {
  await scim.change(async (db) => {
    await lock(db, scim, id);
    await db.query(sql`select private.remove_scim_group(${id}::uuid)`);
  });
  return reply.code(204).send();
}
