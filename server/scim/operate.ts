// Operations on one resource, people and groups alike: read, create, replace, patch and remove, each change in a transaction that locks the row first.

import type { FastifyReply } from 'fastify';
import { type Fragment, sql } from '../database/sql.ts';
import { applyPatch } from './apply-patch.ts';
import type { Chosen } from './choose-attributes.ts';
import { scimError } from './errors.ts';
import { type Doc, readResource } from './read-resource.ts';
import { checkPrecondition, type ListSource, sendResource } from './resources.ts';
import type { ScimDb, ScimRequest } from './scim-context.ts';

export interface ResourceSource<Row> extends ListSource<Row> {
  readonly noun: 'person' | 'group';
  docOf(row: Row): Doc;
  /** Answers its id; `before` is null for a new one. */
  save(db: ScimDb, id: string | null, before: Doc | null, doc: Doc): Promise<string>;
  lock(id: string): Fragment;
  remove(id: string): Fragment;
  /** Stays as it is where PUT leaves it out. */
  readonly kept: readonly string[];
  /** PATCH answers without it, unless attributes are asked for. */
  readonly isLarge: boolean;
}

type Body = Record<string, unknown>;

/** Read whole: its version is made of all of it. */
const all: Chosen = { only: null, without: [] };

export function operationsOf<Row>(source: ResourceSource<Row>) {
  const { type, docOf, save } = source;

  async function readOne(db: ScimDb, id: string): Promise<Row> {
    const [row] = await source.read(db, sql`r.id = ${id}::uuid`, sql``, all);
    if (row === undefined) throw scimError('KB852', `There is no such ${source.noun}`);
    return row;
  }

  async function locked(db: ScimDb, scim: ScimRequest, id: string): Promise<Row> {
    await db.query(sql`select ${source.lock(id)}`);
    const row = await readOne(db, id);
    checkPrecondition(scim.request, source.resource(scim.base, row));
    return row;
  }

  const send = (scim: ScimRequest, reply: FastifyReply, row: Row, chosen: Chosen, status = 200): FastifyReply =>
    sendResource(scim, reply, source.resource(scim.base, row), chosen, status);

  return {
    async read(scim: ScimRequest, reply: FastifyReply, id: string, chosen: Chosen) {
      return send(scim, reply, await readOne(scim, id), chosen);
    },

    async create(scim: ScimRequest, reply: FastifyReply, body: Body, chosen: Chosen) {
      const doc = readResource(type, body);
      const row = await scim.change(async (db) => readOne(db, await save(db, null, null, doc)));
      return send(scim, reply, row, chosen, 201);
    },

    async replace(scim: ScimRequest, reply: FastifyReply, id: string, body: Body, chosen: Chosen) {
      const doc = readResource(type, body);
      const row = await scim.change(async (db) => {
        const before = docOf(await locked(db, scim, id));
        const kept = Object.fromEntries(source.kept.map((name) => [name, before[name]]));
        return readOne(db, await save(db, id, before, { ...kept, ...doc }));
      });
      return send(scim, reply, row, chosen);
    },

    async patch(scim: ScimRequest, reply: FastifyReply, id: string, body: Body, chosen: Chosen) {
      const row = await scim.change(async (db) => {
        const before = docOf(await locked(db, scim, id));
        await save(db, id, before, applyPatch(type, before, body));
        return source.isLarge && chosen.only === null ? null : readOne(db, id);
      });
      return row === null ? reply.code(204).send() : send(scim, reply, row, chosen);
    },

    async remove(scim: ScimRequest, reply: FastifyReply, id: string) {
      await scim.change(async (db) => {
        await locked(db, scim, id);
        await db.query(sql`select ${source.remove(id)}`);
      });
      return reply.code(204).send();
    },
  };
}
