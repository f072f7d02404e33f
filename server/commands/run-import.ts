// Runs `kanbase import`: reads the file, matches people, shows a preview, and writes it as the named person.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { migrate } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import type { Caller, Database } from '../database/types.ts';
import { openFileSaver } from '../files/file-saver.ts';
import { type FieldName, fields } from '../imports/fields.ts';
import { notSaved, type SaveFile } from '../imports/files-in-zip.ts';
import { fitToLimits } from '../imports/fit-to-limits.ts';
import { toInvite } from '../imports/invite-people.ts';
import { type Problem, type Read, UnreadableFile } from '../imports/neutral.ts';
import { keepNames, matchPeople } from '../imports/people.ts';
import { type Preview, previewOf } from '../imports/preview.ts';
import { type Recognised, readFile } from '../imports/products.ts';
import { undoImport } from '../imports/undo-import.ts';
import { writeImport } from '../imports/write-import.ts';
import { openLog } from '../open-log.ts';
import { migrations } from '../reach-database.ts';
import { type Call, CommandError, UsageError } from './command.ts';
import { openForOwner } from './file-for-owner.ts';
import { findPerson, findProject, type Person } from './find-person.ts';
import { withDatabase } from './with-database.ts';

export async function runImport(call: Call): Promise<number> {
  const { config, flags } = call;
  const as = flags.get('as');
  const undo = flags.get('undo');
  if (as === undefined) throw new UsageError('--as is missing: the email address of the person whose import it is');
  if (undo === undefined && call.word === null)
    throw new UsageError('FILE is missing: what the other product exported');
  if (undo === undefined && !flags.has('project'))
    throw new UsageError('--project is missing: the key of a project, or new:NAME');
  const log = openLog(config);
  return withDatabase(config, log, async (reached) => {
    await migrate(migrations(config, reached, log));
    const person = await findPerson(reached, as);
    const database = await openDatabase({ ...reached, config: config.database, log });
    const file = openForOwner(call.word ?? '');
    try {
      if (undo !== undefined) return await takeBack(call, database, person, undo);
      return await bring(call, file.path, database, person, await openFileSaver({ config, database, log }, notSaved));
    } finally {
      file.done();
      await database.close();
    }
  });
}

async function bring(
  call: Call,
  path: string,
  database: Database,
  { userId, caller }: Person,
  saveFile: SaveFile,
): Promise<number> {
  const { flags, say } = call;
  const { product, read, table, mapping, files } = await recognise(call, path);
  const name = flags.get('project') ?? '';
  const isNew = name.startsWith('new:');
  const here = isNew ? null : await findProject(database, caller, name);
  const matched =
    here === null
      ? new Map<string, string>()
      : await matchPeople(database, caller, here, read.project.people, pairs(call, 'people'));
  const invited = toInvite(read.project.people, matched, pairs(call, 'people'), true);
  const asked = flags.has('invite') ? invited : new Map<string, string>();
  const settled = fitToLimits(keepNames(read, matched, asked));
  if (flags.has('dry-run')) {
    const preview = previewOf(settled, matched, asked);
    const columns = table?.header.map((column, at) => ({
      column,
      field: mapping?.[at],
    }));
    if (flags.has('json')) say(JSON.stringify({ product, columns, ...preview }, null, 2));
    else sayPreview(say, product, preview, columns ?? []);
    return 0;
  }
  const projectId =
    here ?? (await newProject(database, caller, name.slice(4).trim() || read.project.name || 'Imported'));
  const done =
    here === null
      ? await matchedAnew(database, caller, projectId, read, call)
      : { read: settled, matched, invited: asked };
  // Told before anything is written: whoever stops it halfway can go on, or take it back.
  const onBegin = (id: string): void =>
    void process.stderr.write(
      `Into project ${projectId}. To take it back: npx kanbase import --undo ${id} --as ${flags.get('as')}\n`,
    );
  const imported = await writeImport({
    database,
    caller,
    userId,
    projectId,
    isNew,
    onBegin,
    ...done,
    files,
    saveFile,
    fileName: basename(call.word ?? ''),
    onProgress: (rows, total) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${rows} of ${total} rows`);
    },
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  if (flags.has('json')) say(JSON.stringify({ ...imported, projectId }, null, 2));
  else {
    sayProblems(say, imported.problems);
    const words = `${imported.made} tasks made, ${imported.updated} updated, ${imported.unchanged} left as they are`;
    say(`${imported.state === 'done' ? 'Imported' : 'Stopped'}: ${words}. Project ${projectId}.`);
    say(`To take it back: npx kanbase import --undo ${imported.id} --as ${flags.get('as')}`);
  }
  return imported.state === 'done' ? 0 : 1;
}

/** In a project that did not exist before, the one member is who imports. */
async function matchedAnew(database: Database, caller: Caller, projectId: string, read: Read, call: Call) {
  const matched = await matchPeople(database, caller, projectId, read.project.people, pairs(call, 'people'));
  const invited = toInvite(read.project.people, matched, pairs(call, 'people'), true);
  const asked = call.flags.has('invite') ? invited : new Map<string, string>();
  return { read: fitToLimits(keepNames(read, matched, asked)), matched, invited: asked };
}

async function takeBack({ say, flags }: Call, database: Database, { caller }: Person, id: string): Promise<number> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new UsageError('--undo takes the id that the import told when it was done');
  const undone = await undoImport(database, caller, id);
  if (undone === null) throw new CommandError(`${flags.get('as')} has no import ${id}`);
  say(
    flags.has('json')
      ? JSON.stringify(undone)
      : `Taken back: ${undone.removed} tasks removed, ${undone.restored} as they were before.`,
  );
  return 0;
}

async function recognise(call: Call, path: string): Promise<Recognised> {
  const dates = call.flags.get('dates') ?? null;
  if (dates !== null && dates !== 'dmy' && dates !== 'mdy') throw new UsageError('--dates is dmy or mdy');
  const about = await stat(path).catch(() => null);
  if (about === null || !about.isFile()) throw new CommandError(`${call.word} is no file`);
  const options = {
    from: call.flags.get('from') ?? null,
    part: call.flags.get('part') ?? null,
    fileName: basename(call.word ?? ''),
    dayOrder: dates,
    mostBytes: call.config.imports.sizeLimit,
    isNew: (call.flags.get('project') ?? '').startsWith('new:'),
  } as const;
  try {
    const first = await readFile(path, options);
    const mapping = first.table === null ? null : mappingOf(call, first.table.header, first.mapping ?? []);
    return mapping === null ? first : await readFile(path, { ...options, mapping });
  } catch (error) {
    if (error instanceof UnreadableFile) throw new CommandError(error.message);
    throw error;
  }
}

/** The guess, and what --map says instead; null without --map. */
function mappingOf(call: Call, header: readonly string[], guess: readonly FieldName[]): FieldName[] | null {
  const given = pairs(call, 'map');
  if (given.size === 0) return null;
  const chosen = [...guess];
  for (const [column, field] of given) {
    const at = header.findIndex((name) => name.toLowerCase() === column.toLowerCase());
    if (at < 0) throw new UsageError(`--map: there is no column ${column}, but ${header.join(', ').slice(0, 500)}`);
    if (!fields.includes(field as FieldName))
      throw new UsageError(`--map: ${field} is no field: choose ${fields.join(', ')}`);
    // Of what a task has one of, the column that was named is the one.
    for (const [other, taken] of chosen.entries())
      if (
        taken === field &&
        !given.has(header[other] ?? '') &&
        !/^(labels|assignees|comment|keep|leave_out|alias)$/.test(field)
      )
        chosen[other] = 'keep';
    chosen[at] = field as FieldName;
  }
  return chosen;
}

function pairs({ flags }: Call, flag: string): Map<string, string> {
  const given = (flags.get(flag) ?? '').split(',').filter((part) => part.trim() !== '');
  return new Map(
    given.map((part) => {
      const cut = part.lastIndexOf('=');
      if (cut < 1) throw new UsageError(`--${flag} is a list such as Name=value,Other=value`);
      return [part.slice(0, cut).trim(), part.slice(cut + 1).trim()] as const;
    }),
  );
}

async function newProject(database: Database, caller: Caller, name: string): Promise<string> {
  const [made] = await database.objectsAs<{ id: string }>(caller, {
    text: 'select id from public.create_project_with_defaults($1)',
    values: [name.slice(0, 200)],
  });
  return made?.id ?? '';
}

type Columns = readonly { readonly column: string; readonly field: string | undefined }[];

function sayPreview(say: Call['say'], product: string, preview: Preview, columns: Columns): void {
  const { counts } = preview;
  say(
    `From ${product}: ${Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}.`,
  );
  for (const { column, field } of columns) say(`  column ${column} → ${field}`);
  for (const { name, count, first } of preview.lists) {
    say(`\n${name ?? '(no list)'} · ${count}`);
    for (const title of first) say(`  ${title.slice(0, 100)}`);
    if (count > first.length) say(`  … ${count - first.length} more`);
  }
  if (preview.people.length > 0) say('');
  for (const { name, address, userId, invited } of preview.people) {
    const nobody =
      invited === null ? 'no member: kept as a name (map with --people, or --invite)' : `invited: ${invited}`;
    say(`  ${name}${address === null || address === name ? '' : ` <${address}>`} → ${userId ?? nobody}`);
  }
  sayProblems(say, preview.problems);
  say('\nNothing was written.');
}

const words: Readonly<Record<Problem['kind'], string>> = {
  broken_row: 'the row cannot be read',
  too_many_cells: 'more cells than there are columns; they are kept in the description',
  cut_cell: 'the cell is longer than its column may be; the rest was left out',
  no_title: 'no title; another was made',
  long_title: 'the title is too long; all of it is in the description',
  long_description: 'the description is too long; the rest is in comments',
  not_a_date: 'no date; kept in the description',
  unclear_dates: 'days and months cannot be told apart (--dates); taken as',
  mixed_dates: 'some dates have the day first, others the month; those that could be either are taken as in brackets',
  other_priority: 'there is no such priority here: normal, and kept in the description',
  start_after_due: 'starts after it is due; the start is kept in the description',
  not_an_estimate: 'no estimate; kept in the description',
  twice: 'the id is there twice; taken as two tasks',
  unknown_parent: 'the parent is not in the file; kept in the description',
  unknown_predecessor: 'what it waits for is not in the file; kept in the description',
  circle: 'leads in a circle; kept in the description',
  too_deep: 'more than eight levels of subtasks; kept in the description',
  unknown_person: 'no member; kept in the description',
  not_invited: 'not invited',
  not_attached: 'the file was not taken; the rest of its task was',
  comment_of_another: 'the comment changed there, but a colleague imported it, and it stays as it is',
  perhaps_part: 'as many as the product gives at once: there may be more there, such as older comments',
  thrown_away: 'in the bin there; not imported',
  of_the_project: 'of no task; a new project keeps it in its description',
  refused: 'not imported',
};

function sayProblems(say: Call['say'], problems: readonly Problem[]): void {
  if (problems.length > 0) say(`\n${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}:`);
  for (const { kind, line, about } of problems)
    say(
      `  ${line === null ? '' : `line ${line}: `}${words[kind]}${about === '' ? '' : `: ${about.replaceAll(/\s+/g, ' ')}`}`,
    );
}
