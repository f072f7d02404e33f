// A new project of the rows of one that Kanbase exported, table by table: subtasks, fields, views, what comes again and whatever a later version
// adds, for tables and columns are asked of the database. Ids are new, wherever a row or a text names one. It is written with the rights of who
// imports: nothing is put into anybody else's mouth, and what belongs to one person alone comes back to that person only. A thousand rows are in memory.

import { createHash } from 'node:crypto';
import type { Transaction } from '../database/types.ts';
import { PostgresError } from '../database/types.ts';
import { attachFile } from './attach-files.ts';
import { beginImport, tellImport } from './begin-import.ts';
import { finder } from './files-in-zip.ts';
import { text } from './from/json.ts';
import type { Imported, ImportOptions } from './import-options.ts';
import { importSettings } from './import-settings.ts';
import { invitePeople } from './invite-people.ts';
import { historyTables, type Problem, type Row, type Whole } from './neutral.ts';
import { note } from './prepare-places.ts';
import { shorten, shortened } from './shorten.ts';
import { awaiting } from './write-tasks.ts';

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows cannot be without somebody in `user_id`. */
  readonly is_personal: boolean;
}

interface Writing {
  readonly options: ImportOptions;
  readonly whole: Whole;
  readonly importId: string;
  /** The id that takes the place of one of the file; null: it names no row of it. */
  readonly idFor: (id: string) => string | null;
  /** People of the file who belong to the new project, by their id there: who they are here. */
  readonly members: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
  /** Who is assigned there and nobody here, as far as they were told. */
  readonly strangers: Set<string>;
  /** Tasks with the attachments that are their covers. */
  readonly covers: { readonly id: string; readonly cover: string }[];
  readonly problems: Problem[];
  /** How many tasks are there. */
  made: number;
}

const rowsAtOnce = 1000;
const watching = 'task_watchers';
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** What is made otherwise, or cannot be: files come one by one, with their bytes. */
const notRows = ['projects', 'people', 'project_members', 'task_attachments', ...historyTables];
/** Who made a row is whoever imports it. */
const authors = ['created_by', 'author_id', 'owner_id'];

/** What the database takes of these tables, those first that others point to. */
async function tablesInOrder({ database, caller }: ImportOptions, names: readonly string[]): Promise<readonly Table[]> {
  const found = await database.objectsAs<Table & { readonly needs: readonly string[] }>(caller, {
    text: `select c.relname as name,
        json_agg(a.attname order by a.attnum) filter (where has_column_privilege(c.oid, a.attnum, 'insert') and a.attgenerated = '') as columns,
        coalesce(bool_or(a.attname = 'user_id' and (a.attnotnull or c.relname = 'view_defaults')), false) as is_personal,
        (select coalesce(json_agg(distinct f.confrelid::regclass::text), '[]') from pg_catalog.pg_constraint f
          where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
      from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname in (select jsonb_array_elements_text($1::jsonb))
        and has_any_column_privilege(c.oid, 'insert')
      group by c.oid, c.relname order by c.relname`,
    values: [JSON.stringify(names)],
  });
  const ordered: Table[] = [];
  // Fields before the columns that ask for them, which no key says.
  const waiting = found.toSorted(
    (one, other) => Number(other.name === 'custom_fields') - Number(one.name === 'custom_fields'),
  );
  while (waiting.length > 0) {
    const next = waiting.findIndex(
      ({ needs }) => !waiting.some(({ name }) => needs.some((need) => need.replace(/^public\./, '') === name)),
    );
    ordered.push(...waiting.splice(Math.max(0, next), 1));
  }
  // Last: whoever says something watches by that.
  return ordered.toSorted((one, other) => Number(one.name === watching) - Number(other.name === watching));
}

export async function writeWhole(options: ImportOptions, whole: Whole): Promise<Imported> {
  const { database, caller, projectId, signal, read } = options;
  const countOf = (name: string): number => whole.counts.get(name) ?? 0;
  const inOrder = await tablesInOrder(
    options,
    [...whole.counts.keys()].filter((name) => !notRows.includes(name)),
  );
  const total = inOrder.reduce((sum, { name }) => sum + countOf(name), 0);
  const { id: importId, counts: before } = await beginImport(options, total);
  const problems: Problem[] = read.problems.filter(({ kind }) => kind !== 'unknown_person');
  const taken = new Set([...notRows, ...inOrder.map(({ name }) => name)]);
  for (const [name, count] of whole.counts)
    if (count > 0 && !taken.has(name))
      problems.push({
        kind: 'refused',
        line: null,
        about: `${name}: ${count} rows, of which this version knows nothing`,
      });
  const { projects, project_members, people, custom_fields } = whole.small;
  const old = projects[0] ?? {};
  const members = await bringMembers(options, project_members);
  await invitePeople(options, importId, problems);
  const writing: Writing = {
    options,
    whole,
    importId,
    idFor: exchange(whole, importId, new Map<string, string>([...members, [text(old, 'id'), projectId]])),
    members,
    names: new Map(people.map((one) => [text(one, 'id'), text(one, 'name')])),
    strangers: new Set(),
    covers: [],
    problems,
    made: before.made ?? 0,
  };
  let done = 0;
  const tell = (state: 'running' | 'done' | 'cancelled' | 'failed') =>
    tellImport(options, importId, state, done, { made: writing.made, updated: 0 }, problems);
  try {
    if (before.made === undefined)
      await database.transactAs(caller, (tx) => emptyProject(tx, projectId, importId), importSettings);
    for (const table of inOrder.filter(({ name }) => countOf(name) > 0)) {
      if (signal?.aborted) break;
      // Who makes tasks watches them; somebody who did not watch there does not here.
      if (table.name === watching)
        await database.runAs(caller, {
          text: 'delete from public.task_watchers where project_id = $1 and user_id = $2',
          values: [projectId, options.userId],
        });
      for await (const rows of batches(parentsFirst(whole.rows(table.name), whole.parents))) {
        if (signal?.aborted) break;
        await attempt(table, prepared(rows, table, writing), writing);
        if (table.name === 'task_assignees') await awaitPeople(rows, writing);
        done += rows.length;
        await tell('running');
        options.onProgress?.(done, total);
      }
    }
    await bringAttachments(writing);
    if (!signal?.aborted)
      await database.transactAs(caller, (tx) => finish(tx, old, custom_fields, writing), importSettings);
  } catch (error) {
    await tell('failed').catch(() => undefined);
    throw error;
  }
  const state = signal?.aborted ? 'cancelled' : 'done';
  await tell(state);
  return { id: importId, state, made: writing.made, updated: 0, unchanged: 0, problems: shortened(problems) };
}

/** A new id for each row, told by its old one and the import: none has to be kept, and an import that broke off goes on with the same. The first half
 * stays: by it rows are in the order in which things were made. */
function exchange({ ids }: Whole, importId: string, others: ReadonlyMap<string, string>): Writing['idFor'] {
  const mask = createHash('sha256').update(importId).digest().readBigUInt64BE() >> 2n;
  return (id) => {
    const other = others.get(id);
    if (other !== undefined || !ids.has(id)) return other ?? null;
    const end = (BigInt(`0x${id.slice(19).replace('-', '')}`) ^ mask).toString(16).padStart(16, '0');
    return `${id.slice(0, 19)}${end.slice(0, 4)}-${end.slice(4)}`;
  };
}

async function* batches(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** What comes before its parent waits for it. */
async function* parentsFirst(rows: AsyncIterable<Row>, parents: ReadonlySet<string>): AsyncGenerator<Row> {
  const there = new Set<string>();
  const waiting = new Map<string, Row[]>();
  for await (const row of rows) {
    const parent = row.parent_id;
    if (typeof parent === 'string' && !there.has(parent)) {
      const late = waiting.get(parent);
      if (late === undefined) waiting.set(parent, [row]);
      else late.push(row);
      continue;
    }
    // Grows while it is gone through.
    const next = [row];
    for (const one of next) {
      yield one;
      const id = text(one, 'id');
      if (!parents.has(id)) continue;
      there.add(id);
      for (const child of waiting.get(id) ?? []) next.push(child);
      waiting.delete(id);
    }
  }
  // Of those whose parent is not there, or that lead in a circle, the database says so.
  for (const late of waiting.values()) yield* late;
}

/** Those of the file whom the importer works with already are members again, and who was found otherwise is who they are; all others stay names. */
async function bringMembers(
  { database, caller, projectId, userId, matched }: ImportOptions,
  rows: readonly Row[],
): Promise<Map<string, string>> {
  const others = rows.filter((row) => text(row, 'user_id') !== userId);
  const members = new Map([[userId, userId]]);
  const seen = await database.objectsAs<{ id: string }>(caller, {
    text: 'select id from public.profiles where id::text in (select jsonb_array_elements_text($1::jsonb))',
    values: [JSON.stringify(others.map((row) => text(row, 'user_id')))],
  });
  for (const { id } of seen) {
    const role = others.find((row) => text(row, 'user_id') === id)?.role;
    try {
      await database.runAs(caller, {
        text: 'insert into public.project_members (project_id, user_id, role) values ($1, $2, $3::public.project_role) on conflict do nothing',
        values: [projectId, id, String(role)],
      });
      members.set(id, id);
    } catch (error) {
      // Seats that a plan limits, say: they stay names as well.
      if (!(error instanceof PostgresError)) throw error;
    }
  }
  const isKnown = new Set(seen.map(({ id }) => id));
  for (const [there, here] of matched) if (!isKnown.has(there) && !members.has(there)) members.set(there, here);
  return members;
}

/** What every new project begins with makes room for what it is to be, once. */
async function emptyProject(tx: Transaction, projectId: string, importId: string): Promise<void> {
  await tx.run({
    text: `update private.imports set counts = '{"made": 0, "updated": 0}' where id = $1`,
    values: [importId],
  });
  for (const table of ['view_defaults', 'saved_views', 'workflow_columns', 'task_labels', 'custom_fields'])
    await tx.run({ text: `delete from public.${table} where project_id = $1`, values: [projectId] });
}

function prepared(rows: readonly Row[], table: Table, writing: Writing): readonly Row[] {
  const { userId, invited } = writing.options;
  const { members, strangers } = writing;
  const isAssigned = table.name === 'task_assignees';
  // Who sees a restricted task. Guests and groups are let in by people, not by a file.
  const isNamed = table.name === 'task_grants';
  const isComplete = (row: Row): boolean => {
    const id = text(row, 'user_id');
    const who = members.get(id);
    if (isNamed) return who !== undefined;
    if (!isAssigned) return !table.is_personal || row.user_id === null || who === userId;
    if (who === undefined && !strangers.has(id) && !invited?.has(id))
      writing.problems.push({ kind: 'unknown_person', line: null, about: writing.names.get(id) ?? id });
    if (who === undefined) strangers.add(id);
    return who !== undefined;
  };
  return rows.filter(isComplete).map((row: Row): Row => {
    const changed: Record<string, unknown> = { ...row };
    for (const author of authors) if (typeof changed[author] === 'string') changed[author] = userId;
    if ('user_id' in changed && changed.user_id !== null)
      changed.user_id = isAssigned || isNamed ? members.get(text(row, 'user_id')) : userId;
    if (table.name === 'task_comments') changed.body = spoken(row, writing);
    if (table.name === 'tasks') {
      const [id, cover] = [writing.idFor(text(row, 'id')), writing.idFor(text(row, 'cover_attachment_id'))];
      // After the attachments.
      changed.cover_attachment_id = null;
      if (id !== null && cover !== null) writing.covers.push({ id, cover });
    }
    // After the tasks: it is no value of theirs.
    if (table.name === 'custom_fields') changed.default_value = null;
    return changed;
  });
}

/** A comment is never put into the mouth of somebody who did not write it here: it says who wrote it there. */
function spoken(row: Row, { options, names, members }: Writing): string {
  const author = text(row, 'author_id');
  if (author === '' || members.get(author) === options.userId) return text(row, 'body');
  const name = (names.get(author) ?? 'Somebody').replaceAll(/[*\n]/g, ' ');
  const when = text(row, 'created_at').slice(0, 16).replace('T', ' ');
  return shorten(`**${name}** · ${when} UTC\n\n${text(row, 'body')}`, 50_000);
}

/** What was theirs who are invited is theirs when they join. */
async function awaitPeople(assigned: readonly Row[], { options, importId, idFor, members }: Writing): Promise<void> {
  const awaited = assigned.flatMap((row) => {
    const [email, task] = [options.invited?.get(text(row, 'user_id')), idFor(text(row, 'task_id'))];
    return email === undefined || task === null || members.has(text(row, 'user_id')) ? [] : [{ task, email }];
  });
  if (awaited.length > 0)
    await options.database.runAs(options.caller, {
      text: awaiting,
      values: [options.projectId, JSON.stringify(awaited), importId],
    });
}

/** With the bytes that are beside the rows in a zip; those whose bytes are not are told. Covers last, when they are there. */
async function bringAttachments({ options, whole, importId, idFor, covers, problems }: Writing): Promise<void> {
  const find = finder(options.files?.names ?? []);
  const known = await options.database.objectsAs<{ id: string }>(options.caller, {
    text: 'select id from public.task_attachments where project_id = $1',
    values: [options.projectId],
  });
  const isHere = new Set(known.map(({ id }) => id));
  for await (const row of whole.rows('task_attachments')) {
    if (options.signal?.aborted) return;
    const [id, taskId] = [idFor(text(row, 'id')), idFor(text(row, 'task_id'))];
    if (id !== null && isHere.has(id)) continue;
    const name = text(row, 'name');
    const entry = find([`files/${text(row, 'id')}/`]);
    if (entry === null || id === null || taskId === null)
      problems.push({ kind: 'not_attached', line: null, about: `${shorten(name, 200)}: it is not in the file` });
    else {
      const file = { id, taskId, name, entry, type: text(row, 'content_type'), at: text(row, 'created_at') || null };
      if (await attachFile(options, file, problems, (tx) => note(tx, importId, 'attachment', [id]))) isHere.add(id);
    }
  }
  const there = covers.filter(({ cover }) => isHere.has(cover));
  for (let at = 0; at < there.length; at += rowsAtOnce)
    await options.database.runAs(
      options.caller,
      {
        text: `update public.tasks t set cover_attachment_id = g.cover
          from jsonb_to_recordset($2::jsonb) as g (id uuid, cover uuid) where t.project_id = $1 and t.id = g.id`,
        values: [options.projectId, JSON.stringify(there.slice(at, at + rowsAtOnce))],
      },
      importSettings,
    );
}

/** What the database refuses among a thousand is found by halves, told, and the rest is kept. */
async function attempt(table: Table, rows: readonly Row[], writing: Writing): Promise<void> {
  const { database, caller, projectId } = writing.options;
  if (rows.length === 0) return;
  try {
    const { affected } = await database.transactAs(
      caller,
      async (tx) => {
        const names = table.columns.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
        const quoted = `public."${table.name.replaceAll('"', '""')}"`;
        const json = withNewIds(JSON.stringify(rows), writing.idFor);
        // Who watches, say, the database has said already, of the tasks that are written here; and some may be there since before it broke off.
        const written = await tx.run({
          text: `insert into ${quoted} (${names}) select ${names} from jsonb_populate_recordset(null::${quoted}, $1::jsonb) g
            where g.project_id = $2 ${table.columns.includes('id') ? `and not exists (select from ${quoted} t where t.id = g.id)` : 'on conflict do nothing'}`,
          values: [json, projectId],
        });
        const kind = { tasks: 'task', workflow_columns: 'column', task_labels: 'label' }[table.name];
        if (kind !== undefined)
          await note(
            tx,
            writing.importId,
            kind,
            rows.map((row) => writing.idFor(text(row, 'id')) ?? ''),
          );
        return written;
      },
      importSettings,
    );
    if (table.name === 'tasks') writing.made += affected;
  } catch (error) {
    if (!(error instanceof PostgresError) || /^(08|53|57)/.test(error.sqlstate)) throw error;
    const half = Math.ceil(rows.length / 2);
    if (rows.length > 1) {
      await attempt(table, rows.slice(0, half), writing);
      await attempt(table, rows.slice(half), writing);
    } else
      writing.problems.push({
        kind: 'refused',
        line: null,
        about: `${table.name}: ${text(rows[0], 'title') || text(rows[0], 'name')}: ${error.message}`,
      });
  }
}

const withNewIds = (json: string, idFor: Writing['idFor']): string => json.replaceAll(uuid, (id) => idFor(id) ?? id);

/** Last: settings that would have been in the way, and defaults of fields. */
async function finish(tx: Transaction, old: Row, fields: readonly Row[], { options, idFor }: Writing): Promise<void> {
  const defaults = fields.filter((field) => field.default_value !== null && field.default_value !== undefined);
  await tx.run({
    text: `update public.custom_fields f set default_value = d.default_value
      from jsonb_to_recordset($2::jsonb) as d (id uuid, default_value jsonb) where f.project_id = $1 and f.id = d.id`,
    values: [options.projectId, withNewIds(JSON.stringify(defaults), idFor)],
  });
  await tx.run({
    text: `update public.projects set description = coalesce($2, ''), color = $3, enforce_dependencies = coalesce($4::boolean, true),
        parents_wait_for_subtasks = coalesce($5::boolean, false), viewers_may_comment = coalesce($6::boolean, false) where id = $1`,
    values: [
      options.projectId,
      text(old, 'description'),
      text(old, 'color') || null,
      ...[old.enforce_dependencies, old.parents_wait_for_subtasks, old.viewers_may_comment].map((flag) =>
        typeof flag === 'boolean' ? String(flag) : null,
      ),
    ],
  });
}
