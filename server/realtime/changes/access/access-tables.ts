// Finds the tables that decide who may see rows of others (memberships, for one): when one of them changes, cached answers about the others
// are dropped. Found by name in the policies of a table, in the functions and views they call, and in the policies of the tables these
// read, unless they read with the rights of the tables' owner, whom no policy binds. A false match costs one question and no more.

import { roomRoles } from '../../../database/room-roles.ts';
import { sql, statement } from '../../../database/sql.ts';
import type { Database } from '../../../database/types.ts';
import type { Change } from '../change.ts';

export interface AccessTables {
  /** By a table that was changed: the tables whose rows may be seen by others now (affectedBy). */
  readonly affected: ReadonlyMap<number, ReadonlySet<number>>;
  /** Tables that change all the time, and decide by some columns alone. */
  readonly columns: ReadonlyMap<number, readonly string[]>;
  /** Tables whose answers may change without anything we hear of: by time, or by what is not published. */
  readonly unsure: ReadonlySet<number>;
}

/** Tables whose rows may be seen by others after this change. */
export function affectedBy({ affected, columns }: AccessTables, change: Change): ReadonlySet<number> | undefined {
  const { relation, kind, old, new: now } = change;
  const deciding = columns.get(relation);
  // A new row is one that nobody has asked about, and of a deleted one nothing is left to see.
  if (deciding !== undefined && (kind !== 'UPDATE' || deciding.every((name) => old?.[name] === now?.[name]))) return;
  return affected.get(relation);
}

/** Tasks let hear and speak on topics of their own (sql/rules/realtime/messages.sql). */
const columnsOf: ReadonlyMap<string, readonly string[]> = new Map([['tasks', ['project_id', 'audience_id']]]);

/** Marks of rows that are written with the row itself, and stay: policies name a column that differs in each version of a row. */
const lasting = 'outside_words';

interface NamedText {
  readonly name: string;
  readonly text: string;
  /** With whose rights it runs; null: its caller's. */
  readonly runsAs: number | null;
}

/** A text, and with whose rights it reads tables and calls functions; null: the caller's. */
interface Reading {
  readonly text: string;
  readonly tablesAs: number | null;
  readonly functionsAs: number | null;
}

interface TableSource {
  readonly relation: number;
  readonly name: string;
  /** What a view selects. */
  readonly view: string | null;
  /** With whose rights a view reads; null: its caller's. */
  readonly readsAs: number | null;
  readonly owner: number;
  /** Conditions of policies. */
  readonly policies: string | null;
  readonly isPublished: boolean;
  readonly isMessages: boolean;
  readonly isView: boolean;
}

interface Sources {
  readonly functions: readonly NamedText[] | null;
  readonly tables: readonly TableSource[] | null;
}

/** Words for what changes by itself, or for statements that are put together as they run: what they read cannot be told. */
const restless =
  /\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|gen_random_uuid)\(|\b(execute|current_date|current_time|current_timestamp|localtime|localtimestamp)\b/i;

/** Holders of public links join no channel (read-token.ts): their policies decide nothing here. */
const unheard = 'share_link';

export async function findAccessTables(database: Database): Promise<AccessTables> {
  const [sources] = await database.objectsAs<Sources>(
    roomRoles.realtime,
    statement(sql`
      select
        (select jsonb_agg(jsonb_build_object('name', p.proname, 'text', pg_get_functiondef(p.oid),
            'runsAs', case when p.prosecdef then p.proowner::int8 end))
          from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
          where n.nspname not in ('pg_catalog', 'information_schema') and p.prokind in ('f', 'p')) as functions,
        (select jsonb_agg(jsonb_build_object('relation', c.oid::int8, 'name', c.relname,
            'view', case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end,
            'isView', c.relkind = 'v',
            'owner', c.relowner::int8,
            'readsAs', case when coalesce(array_to_string(c.reloptions, ' '), '') !~ 'security_invoker=(true|on|1|yes)' then c.relowner::int8 end,
            'isMessages', c.oid = 'realtime.messages'::regclass,
            'policies', (
              select string_agg(coalesce(pg_get_expr(polqual, polrelid), '') || ' ' || coalesce(pg_get_expr(polwithcheck, polrelid), ''), ' ')
              from pg_catalog.pg_policy where polrelid = c.oid and (polcmd in ('r', '*') or c.oid = 'realtime.messages'::regclass)
                and polroles <> array(select oid from pg_catalog.pg_roles where rolname = ${unheard})),
            'isPublished', exists (
              select from pg_catalog.pg_publication_tables t
              where t.pubname = 'supabase_realtime' and t.schemaname = n.nspname and t.tablename = c.relname)))
          from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname <> ${lasting}) as tables`),
    { readOnly: true, settings: [['search_path', '']] },
  );
  return decidingTables(sources?.tables ?? [], sources?.functions ?? []);
}

function decidingTables(tables: readonly TableSource[], functions: readonly NamedText[]): AccessTables {
  const affected = new Map<number, Set<number>>();
  const unsure = new Set<number>();
  const columns = new Map(
    tables.flatMap(({ relation, name, isPublished }) => {
      const deciding = isPublished ? columnsOf.get(name) : undefined;
      return deciding === undefined ? [] : [[relation, deciding] as const];
    }),
  );
  const mentions = mentionsIn(tables, functions);
  for (const table of tables) {
    // Nobody hears of changes of the others.
    if (table.policies === null || !(table.isPublished || table.isMessages)) continue;
    const { read, isRestless } = closure(table, mentions);
    if (isRestless || [...read].some(({ isPublished, isView }) => !isPublished && !isView)) unsure.add(table.relation);
    for (const { relation } of read) {
      const others = affected.get(relation) ?? new Set();
      affected.set(relation, others.add(table.relation));
    }
  }
  return { affected, columns, unsure };
}

/** Tables and functions whose names stand in a text. */
interface Mentions {
  readonly tables: readonly TableSource[];
  readonly functions: readonly NamedText[];
  readonly isRestless: boolean;
}

/** Reads each text once, however many policies lead to it. */
function mentionsIn(tables: readonly TableSource[], functions: readonly NamedText[]): (text: string) => Mentions {
  const [tablesNamed, functionsNamed] = [byName(tables), byName(functions)];
  const known = new Map<string, Mentions>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const words = [...new Set(text.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? [])];
    const mentions = {
      tables: words.flatMap((word) => tablesNamed.get(word) ?? []),
      functions: words.flatMap((word) => functionsNamed.get(word) ?? []),
      isRestless: restless.test(text),
    };
    known.set(text, mentions);
    return mentions;
  };
}

function byName<Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, readonly Named[]> {
  const named = new Map<string, Named[]>();
  for (const one of all) named.set(one.name, [...(named.get(one.name) ?? []), one]);
  return named;
}

/** Everything the policies of a table look into. */
function closure(
  start: TableSource,
  mentionsOf: (text: string) => Mentions,
): { readonly read: ReadonlySet<TableSource>; readonly isRestless: boolean } {
  const read = new Set<TableSource>();
  const known = new Set<string>();
  const readings: Reading[] = [{ text: start.policies ?? '', tablesAs: null, functionsAs: null }];
  let isRestless = false;
  const go = (reading: Reading): void => {
    const key = `${reading.tablesAs} ${reading.functionsAs} ${reading.text}`;
    if (known.has(key)) return;
    known.add(key);
    readings.push(reading);
  };
  for (let reading = readings.pop(); reading !== undefined; reading = readings.pop()) {
    const { text, tablesAs, functionsAs } = reading;
    const mentions = mentionsOf(text);
    isRestless ||= mentions.isRestless;
    for (const { text: words, runsAs } of mentions.functions)
      go({ text: words, tablesAs: runsAs ?? functionsAs, functionsAs: runsAs ?? functionsAs });
    for (const one of mentions.tables) {
      // A policy names its own table for the row at hand, too.
      if (one === start && !isReadFrom(text, one.name)) continue;
      read.add(one);
      // Functions that a view calls run as whoever reads it.
      if (one.view !== null) go({ text: one.view, tablesAs: one.readsAs ?? tablesAs, functionsAs });
      else if (tablesAs !== one.owner) go({ text: one.policies ?? '', tablesAs: null, functionsAs: null });
    }
  }
  return { read, isRestless };
}

function isReadFrom(text: string, name: string): boolean {
  return new RegExp(`(from|join|,)[\\s(]+("?\\w+"?\\.)?"?${name.replaceAll(/[^\w]/g, '.')}"?`, 'i').test(text);
}
