// Buckets: made, changed, listed, emptied and deleted under the caller's policies on storage.buckets.

import type { FastifyInstance } from 'fastify';
import { join, raw, sql } from '../database/sql.ts';
import type { BodyOf } from '../http/check-body.ts';
import { described, unlisted } from '../http/describe-routes.ts';
import { bucketOperations } from './described.ts';
import { filesError, isNotEmpty, noSuchBucket, notOffered } from './errors.ts';
import { type FilesContext, query, sessionOf } from './files-context.ts';
import { bucketIn, checkBucketName } from './names.ts';
import { queryIn, readBody } from './read-body.ts';

interface BucketRow {
  readonly bucket: Record<string, unknown>;
}

/** Times as clients of this protocol are used to them; without an owner it is an empty text. */
const asTime = (column: string): string => `to_char(b.${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const asShown = `'id', b.id, 'name', b.name, 'owner', coalesce(b.owner::text, ''), 'public', b.public, 'file_size_limit', b.file_size_limit,
  'allowed_mime_types', b.allowed_mime_types, 'created_at', ${asTime('created_at')}, 'updated_at', ${asTime('updated_at')}`;

const sortColumns = ['id', 'name', 'created_at', 'updated_at'] as const;

export function mountBuckets(door: FastifyInstance, files: FilesContext): void {
  door.post('/storage/v1/bucket', described(bucketOperations.create), async (request) => {
    const { caller, claims } = await sessionOf(files, request);
    const body = await readBody(request, bucketOperations.create);
    const name = checkBucketName(body.name);
    const id = checkBucketName(body.id ?? name);
    const { isPublic, sizeLimit, types } = readOptions(body);
    const owner = ownerOf(claims.sub);
    await query(
      files,
      caller,
      sql`insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types, owner, owner_id)
        values (${id}, ${name}, ${isPublic ?? false}, ${sizeLimit}, ${asArray(types)}, ${owner}, ${claims.sub})`,
    );
    return { name };
  });

  door.get('/storage/v1/bucket', described(bucketOperations.list), async (request) => {
    const { caller } = await sessionOf(files, request);
    const { limit = 1000, offset = 0, sortColumn, sortOrder, search = '' } = queryIn(request, bucketOperations.list);
    const column = sortColumns.find((one) => one === sortColumn) ?? 'name';
    const rows = await query<BucketRow>(
      files,
      caller,
      sql`select jsonb_build_object(${raw(asShown)}, 'type', b.type) as bucket from storage.buckets b
        where strpos(lower(b.name), lower(${search})) > 0
        order by ${raw(column)} ${raw(sortOrder === 'desc' ? 'desc' : 'asc')}
        limit ${limit}::bigint offset ${offset}::bigint`,
      { readOnly: true },
    );
    return rows.map(({ bucket }) => bucket);
  });

  door.get('/storage/v1/bucket/:bucket', described(bucketOperations.read), async (request) => {
    const { caller } = await sessionOf(files, request);
    const [row] = await query<BucketRow>(
      files,
      caller,
      sql`select jsonb_build_object(${raw(asShown)}) as bucket from storage.buckets b where b.id = ${bucketIn(request)}`,
      { readOnly: true },
    );
    if (row === undefined) throw noSuchBucket();
    return row.bucket;
  });

  door.put('/storage/v1/bucket/:bucket', described(bucketOperations.change), async (request) => {
    const { caller } = await sessionOf(files, request);
    const { isPublic, sizeLimit, types } = readOptions(await readBody(request, bucketOperations.change));
    const changes = [
      sql`updated_at = now()`,
      ...(isPublic === undefined ? [] : [sql`public = ${isPublic}`]),
      ...(sizeLimit === undefined ? [] : [sql`file_size_limit = ${sizeLimit}`]),
      ...(types === undefined ? [] : [sql`allowed_mime_types = ${asArray(types)}`]),
    ];
    const rows = await query(
      files,
      caller,
      sql`update storage.buckets set ${join(changes)} where id = ${bucketIn(request)} returning id`,
    );
    if (rows.length === 0) throw noSuchBucket();
    return { message: 'Successfully updated' };
  });

  door.route({
    method: ['GET', 'PUT', 'DELETE'],
    url: '/storage/v1/bucket/:bucket/lifecycle',
    exposeHeadRoute: false,
    ...unlisted('A refusal'),
    handler: () => {
      throw notOffered('A lifecycle of buckets');
    },
  });

  door.post('/storage/v1/bucket/:bucket/empty', described(bucketOperations.empty), async (request) => {
    const { caller } = await sessionOf(files, request);
    const id = bucketIn(request);
    const found = await query(files, caller, sql`select from storage.buckets where id = ${id}`, { readOnly: true });
    if (found.length === 0) throw noSuchBucket();
    await query(files, caller, sql`delete from storage.objects where bucket_id = ${id}`);
    files.sweeper.sweepSoon();
    // As Supabase says it; here the rows are gone already, and their bytes follow.
    return { message: 'Empty bucket has been queued. Completion may take up to an hour.' };
  });

  door.delete('/storage/v1/bucket/:bucket', described(bucketOperations.remove), async (request) => {
    const { caller } = await sessionOf(files, request);
    const rows = await query(
      files,
      caller,
      sql`delete from storage.buckets where id = ${bucketIn(request)} returning id`,
    ).catch((error: unknown) => {
      throw isNotEmpty(error) ? filesError('BucketNotEmpty', 'The bucket you tried to delete is not empty') : error;
    });
    if (rows.length === 0) throw noSuchBucket();
    return { message: 'Successfully deleted' };
  });
}

/** The column is a uuid; a token may name its bearer in another way. */
export function ownerOf(sub: string | undefined): string | null {
  return sub !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(sub) ? sub : null;
}

/** Undefined leaves a field as it is, null lifts it. */
function readOptions(body: BodyOf<typeof bucketOperations.change>): {
  readonly isPublic: boolean | undefined;
  readonly sizeLimit: number | null | undefined;
  readonly types: readonly string[] | null | undefined;
} {
  const { type: kind = 'STANDARD', public: isPublic, allowed_mime_types: types, file_size_limit: size } = body;
  if (kind !== 'STANDARD') throw notOffered(`A bucket of type ${kind.slice(0, 30)}`);
  if (body.versioning_status !== undefined) throw notOffered('Versioning of buckets');
  return { isPublic, sizeLimit: readSize(size), types: readTypes(types) };
}

function readTypes(types: readonly unknown[] | null | undefined): readonly string[] | null | undefined {
  if (types === undefined || types === null) return types;
  for (const type of types)
    if (typeof type !== 'string' || !/^([\w.+-]+\/([\w.+-]+|\*)|\*\/\*)$/.test(type))
      throw filesError('InvalidMimeType', `mime type ${String(type).slice(0, 100)} is not supported`);
  return types as string[];
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1000, mb: 1e6, gb: 1e9 };

function readSize(size: string | number | null | undefined): number | null | undefined {
  if (size === undefined || size === null) return size;
  if (typeof size === 'number' && Number.isSafeInteger(size) && size >= 0) return size;
  const match = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)?$/i.exec(String(size));
  const bytes = Math.floor(Number(match?.[1]) * (units[(match?.[2] ?? 'b').toLowerCase()] ?? 1));
  if (!Number.isSafeInteger(bytes))
    throw filesError('InvalidRequest', 'Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B');
  return bytes;
}

function asArray(types: readonly string[] | null | undefined) {
  if (types === undefined || types === null) return null;
  return sql`array(select jsonb_array_elements_text(${[...types]}::jsonb))`;
}
