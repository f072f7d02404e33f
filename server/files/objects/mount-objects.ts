// Routes of objects that send no bytes: list, info, move, copy, remove. All of them run under the caller's policies on storage.objects.

import type { FastifyInstance } from 'fastify';
import { type Fragment, raw, sql } from '../../database/sql.ts';
import type { Caller } from '../../database/types.ts';
import type { BodyOf } from '../../http/check-body.ts';
import { described } from '../../http/describe-routes.ts';
import { filesError, noSuchKey, notOffered, tooLarge } from '../errors.ts';
import { type FilesContext, query, sessionOf } from '../files-context.ts';
import { unlessFewer } from '../hide-objects.ts';
import { bucketIn, checkKey, nameInAddress, type ObjectName } from '../names.ts';
import { queryIn, readBody } from '../read-body.ts';
import { checkProjectQuota, isElsewhere } from './check-quota.ts';
import { readEncoding } from './content-encodings.ts';
import { objectOperations } from './described.ts';
import { listFolder, listPage } from './list-objects.ts';
import { isCaching, isMediaType } from './media-type.ts';
import {
  type BucketLimits,
  type ObjectMetadata,
  type ObjectRow,
  readBucket,
  readObject,
  readPublicObject,
} from './object-row.ts';
import { checkBytes, checkType } from './read-upload.ts';
import { saveCopy, type Target } from './save-object.ts';
import { withBytesOf } from './send-object.ts';

export function mountObjects(door: FastifyInstance, files: FilesContext): void {
  mountReading(door, files);
  mountChanging(door, files);
}

function mountReading(door: FastifyInstance, files: FilesContext): void {
  door.post('/storage/v1/object/list/:bucket', described(objectOperations.list), async (request, reply) => {
    const { caller } = await sessionOf(files, request);
    const body = await readBody(request, objectOperations.list);
    return unlessFewer(await listFolder(files, caller, bucketIn(request), body), 1, reply);
  });
  door.post('/storage/v1/object/list-v2/:bucket', described(objectOperations.listPage), async (request, reply) => {
    const { caller } = await sessionOf(files, request);
    const body = await readBody(request, objectOperations.listPage);
    const page = await listPage(files, caller, bucketIn(request), body);
    await unlessFewer([...page.folders, ...page.objects], 1, reply);
    return page;
  });
  for (const [path, operation] of [
    ['', objectOperations.info],
    ['/authenticated', objectOperations.infoAuthenticated],
  ] as const)
    door.get(`/storage/v1/object/info${path}/:bucket/*`, described(operation), async (request) => {
      const name = nameInAddress(request);
      refuseVersions(queryIn(request, operation));
      const { caller } = await sessionOf(files, request);
      return describe(await readObject(files, caller, name));
    });
  door.get('/storage/v1/object/info/public/:bucket/*', described(objectOperations.infoPublic), async (request) => {
    refuseVersions(queryIn(request, objectOperations.infoPublic));
    return describe(await readPublicObject(files, nameInAddress(request)));
  });
}

function describe(row: ObjectRow): Record<string, unknown> {
  const { metadata } = row;
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    bucket_id: row.bucket_id,
    size: metadata?.size ?? null,
    content_type: metadata?.mimetype ?? null,
    cache_control: metadata?.cacheControl ?? null,
    ...(metadata?.contentEncoding ? { content_encoding: metadata.contentEncoding } : {}),
    etag: metadata?.eTag ?? null,
    metadata: row.user_metadata ?? {},
    last_modified: metadata?.lastModified ?? row.updated_at,
    created_at: row.created_at,
  };
}

function mountChanging(door: FastifyInstance, files: FilesContext): void {
  door.post('/storage/v1/object/move', described(objectOperations.move), async (request) => {
    const { caller } = await sessionOf(files, request);
    const { from, to } = readWay(await readBody(request, objectOperations.move));
    const id = await move(files, caller, from, to);
    return { message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.key}` };
  });

  door.post('/storage/v1/object/copy', described(objectOperations.copy), async (request) => {
    const { caller, claims } = await sessionOf(files, request);
    const body = await readBody(request, objectOperations.copy);
    const { from, to } = readWay(body);
    const target = { caller, sub: claims.sub, name: to, upsert: request.headers['x-upsert'] === 'true' };
    const { id, metadata } = await withBytesOf(
      files,
      () => readObject(files, caller, from),
      (source) => copy(files, source, target, body),
    );
    return { Id: id, Key: `${to.bucket}/${to.key}`, id, name: to.key, bucket_id: to.bucket, metadata };
  });

  door.delete('/storage/v1/object/:bucket', described(objectOperations.removeMany), async (request, reply) => {
    const { caller } = await sessionOf(files, request);
    const { prefixes } = await readBody(request, objectOperations.removeMany);
    const names = prefixes.map(pathOf);
    return unlessFewer(await remove(files, caller, bucketIn(request), names), names.length, reply);
  });

  door.delete('/storage/v1/object/:bucket/*', described(objectOperations.remove), async (request) => {
    const { bucket, key } = nameInAddress(request);
    const { caller } = await sessionOf(files, request);
    const removed = await remove(files, caller, bucket, [key]);
    if (removed.length === 0) throw await whyNot(files, caller, { bucket, key });
    return { message: 'Successfully deleted' };
  });
}

/** Gives back the id. The bytes stay where they are: they are found by version. */
async function move(files: FilesContext, caller: Caller, from: ObjectName, to: ObjectName): Promise<string> {
  const elsewhere = isElsewhere(from, to);
  // Elsewhere tried and taken back first: how full a project is concerns only who may write there.
  const [found] = await query<{ id: string }>(files, caller, moveStatement(from, to), { rollback: elsewhere });
  if (found === undefined) throw await whyNot(files, caller, from);
  if (!elsewhere) return found.id;
  const find = () => readObject(files, caller, from);
  const { version } = await withBytesOf(files, find, (row) => checkMove(files, row, to));
  const checked = moveStatement(from, to, sql`and version is not distinct from ${version}`);
  const [moved] = await query<{ id: string }>(files, caller, checked);
  // What has been put in its place meanwhile is looked at as well.
  return moved?.id ?? move(files, caller, from, to);
}

function moveStatement(from: ObjectName, to: ObjectName, andOnly = raw('')): Fragment {
  return sql`update storage.objects set bucket_id = ${to.bucket}, name = ${to.key}, updated_at = now()
    where bucket_id = ${from.bucket} and name = ${from.key} ${andOnly} returning id`;
}

async function checkMove(files: FilesContext, row: ObjectRow, to: ObjectName): Promise<ObjectRow> {
  if (row.bucket_id !== to.bucket) await checkFits(files, row, await readBucket(files, to.bucket));
  await checkProjectQuota(files, to, row.metadata?.size ?? 0);
  return row;
}

async function copy(
  files: FilesContext,
  source: ObjectRow,
  target: Target,
  body: BodyOf<typeof objectOperations.copy>,
): Promise<{ readonly id: string; readonly metadata: ObjectMetadata }> {
  if (source.version === null || source.metadata === null) throw noSuchKey();
  const keeps = body.copyMetadata !== false;
  const given = keeps ? {} : (body.metadata ?? {});
  const { contentEncoding: had, ...rest } = source.metadata;
  const { contentEncoding: said } = given;
  const contentEncoding = said === undefined ? (had ?? null) : readEncoding(said);
  const metadata: ObjectMetadata = {
    ...rest,
    ...(contentEncoding === null ? {} : { contentEncoding }),
    mimetype: given.mimetype ?? source.metadata.mimetype,
    cacheControl: given.cacheControl ?? source.metadata.cacheControl,
  };
  if (!isCaching(metadata.cacheControl) || !isMediaType(metadata.mimetype))
    throw filesError('InvalidRequest', 'body/metadata has a media type or caching that makes no sense');
  await checkFits(files, { ...source, metadata }, await readBucket(files, target.name.bucket));
  const userMetadata = keeps ? (source.user_metadata ?? {}) : {};
  const id = await saveCopy(files, target, { version: source.version, metadata, userMetadata });
  return { id, metadata };
}

/** What one sees and may not change is forbidden; what one does not see is not there. */
export async function whyNot(files: FilesContext, caller: Caller, name: ObjectName): Promise<Error> {
  await readObject(files, caller, name);
  return filesError('AccessDenied', 'You may see this object, but not change it');
}

async function remove(
  files: FilesContext,
  caller: Caller,
  bucket: string,
  names: readonly string[],
): Promise<unknown[]> {
  const rows = await query<{ object: unknown }>(
    files,
    caller,
    sql`delete from storage.objects o
      where o.bucket_id = ${bucket} and o.name = any (array(select jsonb_array_elements_text(${[...names]}::jsonb)))
      returning to_jsonb(o) - 'path_tokens' as object`,
  );
  files.sweeper.sweepSoon();
  return rows.map(({ object }) => object);
}

function pathOf(entry: string | { readonly path: string; readonly versionId?: unknown }): string {
  if (typeof entry === 'string') return entry;
  refuseVersions(entry);
  return entry.path;
}

/** Every object has the one version that it has now. */
export function refuseVersions({ versionId }: { readonly versionId?: unknown }): void {
  if (versionId !== undefined && versionId !== null) throw notOffered('Versioning of objects');
}

function readWay(body: BodyOf<typeof objectOperations.move>): { readonly from: ObjectName; readonly to: ObjectName } {
  const { sourceVersionId: versionId, bucketId: bucket, destinationBucket = bucket } = body;
  refuseVersions({ versionId });
  return {
    from: { bucket, key: checkKey(body.sourceKey) },
    to: { bucket: destinationBucket, key: checkKey(body.destinationKey) },
  };
}

/** A way round the limits of a bucket would be none: what holds for an upload holds for what is moved or copied there. */
async function checkFits(files: FilesContext, { metadata, version }: ObjectRow, bucket: BucketLimits): Promise<void> {
  if (metadata === null || version === null) return;
  const { mimetype, size } = metadata;
  checkType(mimetype, bucket.allowed_mime_types);
  if (size > Math.min(bucket.file_size_limit ?? files.sizeLimit, files.sizeLimit)) throw tooLarge();
  await checkBytes(files.store, version, metadata, bucket.allowed_mime_types);
}
