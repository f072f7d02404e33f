// Reads the rights of a caller on a private topic: asks the policies of realtime.messages about a message of that topic, without writing
// one.

import { roomRoles } from '../../database/room-roles.ts';
import { ident, join, raw, sql, statement } from '../../database/sql.ts';
import type { Caller, Database } from '../../database/types.ts';
import { limitConcurrency } from '../../limits/concurrency-limit.ts';
import { isPolicyError } from '../changes/access/policy-error.ts';
import { rowJson } from '../changes/row-json.ts';
import type { Table, Tables } from '../changes/tables.ts';

export type Extension = 'broadcast' | 'presence' | 'persistence';

/** What a caller may do on a topic. */
export type Rights = Readonly<Record<Extension, boolean>>;

const extensions: readonly Extension[] = ['broadcast', 'presence', 'persistence'];
const none: Rights = { broadcast: false, presence: false, persistence: false };
const all: Rights = { broadcast: true, presence: true, persistence: true };

/** When thousands come at once, as after a restart, they do not stand in everybody's way to the database. */
const askedAtOnce = 32;

export class TopicRights {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #inTurn = limitConcurrency(askedAtOnce);
  #messages: Promise<number> | null = null;
  #revision = 0;

  constructor(database: Database, tables: Tables) {
    this.#database = database;
    this.#tables = tables;
  }

  /** Counts up when who may do what can have changed: what was answered before may be wrong since. */
  get revision(): number {
    return this.#revision;
  }

  expire(): void {
    this.#revision++;
  }

  /** The table that the policies stand on. */
  messages(): Promise<number> {
    this.#messages ??= this.#database
      .objectsAs<{ relation: number }>(
        roomRoles.realtime,
        statement(sql`select 'realtime.messages'::regclass::oid::int8 as relation`),
      )
      .then(([row]) => row?.relation ?? 0);
    this.#messages.catch(() => {
      this.#messages = null;
    });
    return this.#messages;
  }

  listen(caller: Caller, topic: string): Promise<Rights> {
    return this.#inTurn(() => this.#ask(caller, topic, 'select'));
  }

  speak(caller: Caller, topic: string): Promise<Rights> {
    return this.#ask(caller, topic, 'insert');
  }

  async #ask(caller: Caller, topic: string, command: 'select' | 'insert'): Promise<Rights> {
    const table = await this.#tables.table(await this.messages());
    if (table === null) return none;
    const view = await this.#tables.view(table, caller.role, command);
    if (!view.columns.has('topic')) return none;
    if (view.condition === null) return all;
    if (view.condition.text === 'false') return none;
    const rows = extensions.map((extension) =>
      rowJson(table, messageColumns(table), { topic, extension, private: 't' }),
    );
    try {
      const seen = await this.#database.objectsAs<{ place: number }>(
        caller,
        statement(sql`
          select kanbase_rows.kanbase_place as place
          from jsonb_array_elements(${`[${rows.join(',')}]`}::jsonb) with ordinality as kanbase_rows(kanbase_value, kanbase_place),
          lateral jsonb_populate_record(null::${ident(table.schema, table.name)}, kanbase_rows.kanbase_value) as ${ident(table.name)}
          where ${join([raw(view.condition.text)])}`),
        { readOnly: true, settings: [['realtime.topic', topic]] },
      );
      const places = new Set(seen.map(({ place }) => place));
      return {
        broadcast: places.has(extensions.indexOf('broadcast') + 1),
        presence: places.has(extensions.indexOf('presence') + 1),
        persistence: places.has(extensions.indexOf('persistence') + 1),
      };
    } catch (error) {
      // A policy that cannot be carried out lets nobody in.
      if (isPolicyError(error)) return none;
      throw error;
    }
  }
}

function messageColumns(table: Table): string[] {
  return table.columns.map(({ name }) => name).filter((name) => ['topic', 'extension', 'private'].includes(name));
}
