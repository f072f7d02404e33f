// Files that came in the zip, saved as attachments of the tasks that name them. What is refused is told, and stands in the description.

import { createHash } from 'node:crypto';
import { PostgresError, type Transaction } from '../database/types.ts';
import { NotSaved } from './files-in-zip.ts';
import type { ImportOptions } from './import-options.ts';
import { importSettings } from './import-settings.ts';
import { type Attachment, type Problem, type Task, UnreadableFile } from './neutral.ts';
import { note } from './prepare-places.ts';
import { shorten } from './shorten.ts';

const types: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  heic: 'image/heic',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  json: 'application/json',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  odt: 'application/vnd.oasis.opendocument.text',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

const longestType = 255;

const typeOf = ({ name, type }: Pick<Attachment, 'name' | 'type'>): string =>
  type !== null && type.length <= longestType && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type)
    ? type
    : (types[/\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream');

/** Of the characters that names of objects may have. */
function keyOf(name: string): string {
  const key = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}_!.*'() &$@=;:+,-]/gu, '_')
    .replace(/^[. ]+/, '_')
    .replace(/(?<![. ])[. ]+$/, '_');
  return Buffer.byteLength(key) <= 600 ? key || 'file' : `file${/\.\w{1,12}$/.exec(key)?.[0] ?? ''}`;
}

const lettersOf = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, '');
const isLetter = /[\p{L}\p{N}]/u;

/** What the zip adds to a name: our exports add `.gz` and the like where bytes are still encoded. */
function endingOf(name: string, entry: string): string {
  const base = entry.slice(entry.lastIndexOf('/') + 1);
  const letters = lettersOf(name);
  let [at, length] = [0, 0];
  for (const character of base) {
    if (isLetter.test(character)) length += character.length;
    if (length > letters.length) return '';
    if (character === '.' && length === letters.length)
      return lettersOf(base.slice(0, at)) === letters ? base.slice(at) : '';
    at += character.length;
  }
  return '';
}

const isEncoding = (ending: string): boolean => /\.(gz|br|zst|zstd|deflate|compress)$/.test(ending);
const shownName = (text: string, longest: number): string =>
  [...text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '')].slice(0, longest).join('');

interface NewFile extends Pick<Attachment, 'name' | 'type' | 'at'> {
  readonly id: string;
  readonly taskId: string;
  readonly entry: string;
}

/** Bytes, then the row; false, and a problem told, where they are refused. */
export async function attachFile(
  options: Pick<ImportOptions, 'database' | 'caller' | 'userId' | 'projectId' | 'files' | 'saveFile' | 'keepDates'>,
  { id, taskId, name, type, at, entry }: NewFile,
  problems: Problem[],
  also: (tx: Transaction) => Promise<void>,
): Promise<boolean> {
  const { database, caller, userId, projectId, files, saveFile } = options;
  if (files === undefined || files === null || saveFile === undefined) return false;
  const ending = endingOf(name, entry);
  const shown = (shownName(name.trim(), 200) || 'file') + shownName(ending, 50);
  const key = `${projectId}/${taskId}/${id}/${keyOf(shown)}`;
  const found = typeOf(isEncoding(ending) ? { name: shown, type: null } : { name: shown, type });
  const row = { id, task_id: taskId, name: shown, content_type: found, object_path: key };
  const isDated = (options.keepDates ?? true) && at !== null && !Number.isNaN(Date.parse(at));
  let broken: Error | null = null;
  try {
    const bytes = await files.open(entry);
    bytes.on('error', (error: Error) => {
      broken = error;
    });
    const size = await saveFile({ caller, userId, key, type: row.content_type, bytes });
    await database.transactAs(
      caller,
      async (tx) => {
        await tx.run({
          text: `insert into public.task_attachments (id, project_id, task_id, name, content_type, size_bytes, object_path, created_at)
            select g.id, $1, g.task_id, g.name, g.content_type, g.size_bytes, g.object_path, least(coalesce(g.at, now()), now())
            from jsonb_to_record($2::jsonb) as g (id uuid, task_id uuid, name text, content_type text, size_bytes bigint, object_path text, at timestamptz)`,
          values: [projectId, JSON.stringify({ ...row, size_bytes: size, at: isDated ? at : null })],
        });
        await also(tx);
      },
      importSettings,
    );
    return true;
  } catch (error) {
    const isRefusal =
      broken !== null ||
      error instanceof NotSaved ||
      error instanceof UnreadableFile ||
      (error instanceof PostgresError && !/^(42501|08|53|57)/.test(error.sqlstate));
    if (!isRefusal) throw error;
    await removeBytes(options, key);
    problems.push({ kind: 'not_attached', line: null, about: `${shown}: ${(error as Error).message}` });
    return false;
  }
}

/** Of a file whose row was refused; not where another run of this import wrote the row. */
async function removeBytes(
  { database, caller, projectId }: Pick<ImportOptions, 'database' | 'caller' | 'projectId'>,
  key: string,
): Promise<void> {
  await database.runAs(caller, {
    text: `delete from storage.objects where bucket_id = 'attachments' and name = $2
      and not exists (select from public.task_attachments f where f.project_id = $1 and f.object_path = $2)`,
    values: [projectId, key],
  });
}

/** The same each time that this import comes to the file, so that one which broke off after the bytes goes on with them. */
function idOf(importId: string, taskId: string, origin: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([importId, taskId, origin]))
    .digest('hex');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** Those of some tasks that are not there yet. */
export async function attachFiles(
  options: ImportOptions,
  importId: string,
  tasks: readonly { readonly task: Task; readonly taskId: string }[],
  problems: Problem[],
): Promise<void> {
  const { database, caller, projectId, read, signal } = options;
  const { scope } = read.project;
  const files = tasks.flatMap(({ task, taskId }) =>
    task.attachments.map((file) => ({
      ...file,
      taskId,
      origin: shorten(`${shorten(task.origin, 150)}/${file.origin}`, 300),
    })),
  );
  if (files.length === 0) return;
  const known = await database.objectsAs<{ origin: string }>(caller, {
    text: `select o.origin from private.import_origins o
      join public.task_attachments f on f.project_id = o.project_id and f.id = o.row_id
      where o.project_id = $1 and o.scope = $2 and o.kind = 'attachment' and o.origin in (select jsonb_array_elements_text($3::jsonb))`,
    values: [projectId, scope, JSON.stringify(files.map(({ origin }) => origin))],
  });
  const isThere = new Set(known.map(({ origin }) => origin));
  for (const file of files) {
    if (signal?.aborted || isThere.has(file.origin)) continue;
    isThere.add(file.origin);
    const id = idOf(importId, file.taskId, file.origin);
    const isHere = await attachFile(options, { ...file, id, entry: file.entry ?? '' }, problems, async (tx) => {
      await note(tx, importId, 'attachment', [id]);
      await tx.run({
        text: `insert into private.import_origins (project_id, scope, kind, origin, row_id, digest) values ($1, $2, 'attachment', $3, $4, '')
          on conflict (project_id, scope, kind, origin) do update set row_id = excluded.row_id`,
        values: [projectId, scope, file.origin, id],
      });
    });
    if (!isHere) await keepWords(options, file);
  }
}

/** What was refused is named in the description, as what is not in the zip. */
async function keepWords(
  { database, caller, projectId }: ImportOptions,
  { taskId, under, words }: Attachment & { readonly taskId: string },
): Promise<void> {
  await database.runAs(
    caller,
    {
      text: `update public.tasks set description = concat_ws(E'\\n\\n', nullif(description, ''), $3)
        where project_id = $1 and id = $2 and char_length(description) + char_length($3) < 99000`,
      values: [projectId, taskId, `**${under}:** ${words}`],
    },
    importSettings,
  );
}
