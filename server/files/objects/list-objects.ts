// Listings, as one statement each under the caller's policies: the older one pages by offset through one folder, the newer one by
// cursor through everything that begins so.

import { type Fragment, raw, sql } from '../../database/sql.ts';
import type { Caller } from '../../database/types.ts';
import type { BodyOf } from '../../http/check-body.ts';
import { parseJson } from '../../json/parse-json.ts';
import { filesError } from '../errors.ts';
import { type FilesContext, query } from '../files-context.ts';
import { withoutLastSlashes } from '../names.ts';
import type { objectOperations } from './described.ts';

/** Folders have a name and nothing else. */
interface Entry {
  readonly name: string;
  readonly id: string | null;
  readonly updated_at: string | null;
  readonly created_at: string | null;
  readonly last_accessed_at: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Names that begin with the prefix are a range of the index: up to the prefix with the last character there is behind it. */
function within(bucket: string, prefix: string): Fragment {
  const begins = sql`starts_with(o.name, ${prefix}) and o.name >= ${prefix} and o.name < ${`${prefix}\u{10FFFF}`}`;
  return sql`from storage.objects o where o.bucket_id = ${bucket} ${prefix === '' ? raw('') : sql`and ${begins}`}`;
}

export async function listFolder(
  files: FilesContext,
  caller: Caller,
  bucket: string,
  body: BodyOf<typeof objectOperations.list>,
): Promise<Entry[]> {
  const { prefix: asked = '', exactMatch: isExact = false, search = '', offset = 0, sortBy = {} } = body;
  const { column = 'name', order = 'asc' } = sortBy;
  const limit = Math.min(body.limit ?? 100, 10_000);
  const folder = withoutLastSlashes(isExact ? asked.slice(0, Math.max(0, asked.lastIndexOf('/'))) : asked);
  const prefix = folder === '' ? '' : `${folder}/`;
  if (wantsNothingCurrent(body)) return [];
  const isNamed = isExact ? sql`and o.name = ${asked}` : raw('');
  return query<Entry>(
    files,
    caller,
    sql`with inside as (
        select substr(o.name, char_length(${prefix}) + 1) as rest, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
        ${within(bucket, prefix)} ${isNamed}
      ), entries as (
        select split_part(rest, '/', 1) as name, null::uuid as id, null::timestamptz as updated_at,
          null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
        from inside where strpos(rest, '/') > 0 group by 1
        union all
        select rest, id, updated_at, created_at, last_accessed_at, metadata from inside where strpos(rest, '/') = 0
      )
      -- Letters of every script have their small ones in the collation of the database, not in the one names are sorted by.
      select * from entries where starts_with(lower(name collate "default"), lower(${search}::text collate "default"))
      order by (id is null) desc, ${raw(column)} ${raw(order)}, name collate "C" ${raw(order)}
      limit ${limit}::bigint offset ${Math.min(offset, Number.MAX_SAFE_INTEGER)}::bigint`,
    { readOnly: true, begins: true },
  );
}

/** Buckets here have no versions: of what is no longer current, and of marks of deletions, there is nothing to be listed. */
function wantsNothingCurrent({ noncurrentVersions, deleteMarkers }: BodyOf<typeof objectOperations.list>): boolean {
  return noncurrentVersions === 'only' || deleteMarkers === 'only';
}

interface Page {
  readonly hasNext: boolean;
  readonly nextCursor?: string;
  readonly folders: readonly { readonly name: string; readonly key: string }[];
  readonly objects: readonly (Entry & { readonly key: string })[];
}

interface Cursor {
  readonly name: string;
  /** In microseconds: what the rows were sorted by before the name. */
  readonly at: string;
}

export async function listPage(
  files: FilesContext,
  caller: Caller,
  bucket: string,
  body: BodyOf<typeof objectOperations.listPage>,
): Promise<Page> {
  const { prefix = '', with_delimiter: hasFolders = false, sortBy = {} } = body;
  const { column = 'name', order = 'asc' } = sortBy;
  const limit = Math.min(body.limit ?? 1000, 1000);
  const isNamed = body.exactMatch ? sql`and o.name = ${prefix}` : raw('');
  const after = readCursor(body.cursor);
  if (wantsNothingCurrent(body)) return { hasNext: false, folders: [], objects: [] };
  const at =
    column === 'name' ? raw('0::bigint') : sql`coalesce((extract(epoch from ${raw(column)}) * 1000000)::bigint, 0)`;
  const rest = sql`substr(o.name, char_length(${prefix}) + 1)`;
  const isBelow = hasFolders ? sql`strpos(${rest}, '/') > 0` : raw('false');
  const rows = await query<Entry & { readonly at: string }>(
    files,
    caller,
    sql`with entries as (
        select ${prefix} || split_part(${rest}, '/', 1) || '/' as name, null::uuid as id, null::timestamptz as updated_at,
          null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata
        ${within(bucket, prefix)} and ${isBelow} ${isNamed} group by 1
        union all
        select o.name, o.id, o.updated_at, o.created_at, o.last_accessed_at, o.metadata
        ${within(bucket, prefix)} and not ${isBelow} ${isNamed}
      ), sorted as (select *, ${at} as at from entries)
      select name, id, updated_at, created_at, last_accessed_at, metadata, at::text as at from sorted
      ${after === null ? raw('') : sql`where (at, name collate "C") ${raw(order === 'asc' ? '>' : '<')} (${after.at}::bigint, ${after.name})`}
      order by at ${raw(order)}, name collate "C" ${raw(order)}
      limit ${limit + 1}::bigint`,
    { readOnly: true, begins: true },
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNext = rows.length > limit && last !== undefined;
  return {
    hasNext,
    ...(hasNext ? { nextCursor: writeCursor({ name: last.name, at: last.at }) } : {}),
    folders: page.filter(({ id }) => id === null).map(({ name }) => ({ name, key: name.slice(0, -1) })),
    objects: page.filter(({ id }) => id !== null).map(({ at: _at, ...entry }) => ({ ...entry, key: entry.name })),
  };
}

function writeCursor({ name, at }: Cursor): string {
  return Buffer.from(JSON.stringify([at, name])).toString('base64url');
}

function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined || text === '') return null;
  try {
    const [at, name] = parseJson(Buffer.from(text, 'base64url'), { depth: 1, values: 10 }) as unknown[];
    if (typeof at === 'string' && /^-?\d{1,18}$/.test(at) && typeof name === 'string') return { at, name };
  } catch {
    // Said below.
  }
  throw filesError('InvalidRequest', 'body/cursor must be the nextCursor of an earlier page');
}
