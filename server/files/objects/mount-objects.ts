// Routes of objects that send no bytes: list, info, move, copy, remove and signed URLs. All of them run under the caller's policies on
// storage.objects.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Fragment, raw, sql } from '../../database/sql.ts';
import type { Caller } from '../../database/types.ts';
import { described } from '../../http/describe-routes.ts';
import { filesError, noSuchKey, notOffered, tooLarge } from '../errors.ts';
import { type FilesContext, query, sessionOf } from '../files-context.ts';
import { unlessFewer } from '../hide-objects.ts';
import { readTransform, type Transform, writeTransform } from '../images/read-transform.ts';
import { checkKey, nameInAddress, type ObjectName } from '../names.ts';
import { type Body, optionalTextIn, readBody, recordIn, textIn, textsIn, wholeIn } from '../read-body.ts';
import { checkProjectQuota, isElsewhere } from './check-quota.ts';
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
import { checkMayWrite, saveCopy, type Target } from './save-object.ts';
import { withBytesOf } from './send-object.ts';

const manyAtOnce = 1000;
const longestLink = 10 * 365 * 86_400;

export function mountObjects(door: FastifyInstance, files: FilesContext): void {
  mountReading(door, files);
  mountChanging(door, files);
  mountSigning(door, files);
}

function mountReading(door: FastifyInstance, files: FilesContext): void {
  door.post('/storage/v1/object/list/:bucket', described(objectOperations.list), async (request, reply) => {
    const { caller } = await sessionOf(files, request);
    return unlessFewer(await listFolder(files, caller, bucketIn(request), readBody(request)), 1, reply);
  });
  door.post('/storage/v1/object/list-v2/:bucket', described(objectOperations.listPage), async (request, reply) => {
    const { caller } = await sessionOf(files, request);
    const page = await listPage(files, caller, bucketIn(request), readBody(request));
    await unlessFewer([...page.folders, ...page.objects], 1, reply);
    return page;
  });
  for (const [path, operation] of [
    ['', objectOperations.info],
    ['/authenticated', objectOperations.infoAuthenticated],
  ] as const)
    door.get(`/storage/v1/object/info${path}/:bucket/*`, described(operation), async (request) => {
      const name = nameInAddress(request);
      const { caller } = await sessionOf(files, request);
      return describe(await readObject(files, caller, name));
    });
  door.get('/storage/v1/object/info/public/:bucket/*', described(objectOperations.infoPublic), async (request) =>
    describe(await readPublicObject(files, nameInAddress(request))),
  );
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
    etag: metadata?.eTag ?? null,
    metadata: row.user_metadata ?? {},
    last_modified: metadata?.lastModified ?? row.updated_at,
    created_at: row.created_at,
  };
}

function mountChanging(door: FastifyInstance, files: FilesContext): void {
  door.post('/storage/v1/object/move', described(objectOperations.move), async (request) => {
    const { caller } = await sessionOf(files, request);
    const { from, to } = readWay(readBody(request));
    const id = await move(files, caller, from, to);
    return { message: 'Successfully moved', Id: id, Key: `${to.bucket}/${to.key}` };
  });

  door.post('/storage/v1/object/copy', described(objectOperations.copy), async (request) => {
    const { caller, claims } = await sessionOf(files, request);
    const body = readBody(request);
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
    const body = readBody(request);
    const entries: unknown = body.prefixes;
    const paths = Array.isArray(entries) ? (entries as unknown[]).map(pathOf) : entries;
    const names = textsIn({ prefixes: paths }, 'prefixes', manyAtOnce);
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
  body: Body,
): Promise<{ readonly id: string; readonly metadata: ObjectMetadata }> {
  if (source.version === null || source.metadata === null) throw noSuchKey();
  const keeps = body.copyMetadata !== false;
  const given = keeps ? {} : recordIn(body, 'metadata');
  const metadata = {
    ...source.metadata,
    mimetype: optionalTextIn(given, 'mimetype') ?? source.metadata.mimetype,
    cacheControl: optionalTextIn(given, 'cacheControl') ?? source.metadata.cacheControl,
  };
  if (!isCaching(metadata.cacheControl) || !isMediaType(metadata.mimetype))
    throw filesError('InvalidRequest', 'body/metadata has a media type or caching that makes no sense');
  await checkFits(files, { ...source, metadata }, await readBucket(files, target.name.bucket));
  const userMetadata = keeps ? (source.user_metadata ?? {}) : {};
  const id = await saveCopy(files, target, { version: source.version, metadata, userMetadata });
  return { id, metadata };
}

/** What one sees and may not change is forbidden; what one does not see is not there. */
async function whyNot(files: FilesContext, caller: Caller, name: ObjectName): Promise<Error> {
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

function pathOf(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const { path, versionId } = entry as { path?: unknown; versionId?: unknown };
  if (versionId !== undefined && versionId !== null) throw notOffered('Versioning of objects');
  return path;
}

function mountSigning(door: FastifyInstance, files: FilesContext): void {
  door.post('/storage/v1/object/sign/:bucket/*', described(objectOperations.sign), async (request) => {
    const name = nameInAddress(request);
    const { caller } = await sessionOf(files, request);
    const body = readBody(request);
    const expiresIn = wholeIn(body, 'expiresIn', { min: 1, max: longestLink });
    const transform = readTransform(recordIn(body, 'transform'), 'body/transform');
    await readObject(files, caller, name);
    return { signedURL: await signedUrl(files, name, expiresIn, transform) };
  });

  door.post('/storage/v1/object/sign/:bucket', described(objectOperations.signMany), async (request, reply) => {
    const { caller } = await sessionOf(files, request);
    const body = readBody(request);
    const bucket = bucketIn(request);
    const expiresIn = wholeIn(body, 'expiresIn', { min: 1, max: longestLink });
    const paths = textsIn(body, 'paths', manyAtOnce);
    const rows = await query<{ name: string }>(
      files,
      caller,
      sql`select name from storage.objects
        where bucket_id = ${bucket} and name = any (array(select jsonb_array_elements_text(${[...paths]}::jsonb)))`,
      { readOnly: true },
    );
    const seen = new Set(rows.map(({ name }) => name));
    const signed = await Promise.all(
      paths.map(async (path) =>
        seen.has(path)
          ? { error: null, path, signedURL: await signedUrl(files, { bucket, key: path }, expiresIn) }
          : { error: 'Either the object does not exist or you do not have access to it', path, signedURL: null },
      ),
    );
    await unlessFewer(rows, paths.length, reply);
    return signed;
  });

  door.post('/storage/v1/object/upload/sign/:bucket/*', described(objectOperations.signUpload), async (request) => {
    const name = nameInAddress(request);
    const session = await sessionOf(files, request);
    const upsert = request.headers['x-upsert'] === 'true';
    await readBucket(files, name.bucket);
    await checkMayWrite(files, { caller: session.caller, sub: session.claims.sub, name, upsert });
    const token = await files.links.forUpload(name, session, upsert);
    return { url: `/object/upload/sign/${name.bucket}/${name.key}?token=${token}`, token };
  });
}

async function signedUrl(
  files: FilesContext,
  name: ObjectName,
  expiresIn: number,
  transform: Transform = {},
): Promise<string> {
  const transformations = writeTransform(transform);
  const isResized = transformations !== '';
  const token = await files.links.forDownload(name, expiresIn, isResized ? transformations : undefined);
  return `/${isResized ? 'render/image' : 'object'}/sign/${name.bucket}/${name.key}?token=${token}`;
}

function bucketIn(request: FastifyRequest): string {
  return (request.params as Readonly<Record<string, string>>).bucket ?? '';
}

function readWay(body: Body): { readonly from: ObjectName; readonly to: ObjectName } {
  if (body.sourceVersionId !== undefined && body.sourceVersionId !== null) throw notOffered('Versioning of objects');
  const bucket = textIn(body, 'bucketId');
  return {
    from: { bucket, key: checkKey(textIn(body, 'sourceKey')) },
    to: { bucket: optionalTextIn(body, 'destinationBucket') ?? bucket, key: checkKey(textIn(body, 'destinationKey')) },
  };
}

/** A way round the limits of a bucket would be none: what holds for an upload holds for what is moved or copied there. */
async function checkFits(files: FilesContext, { metadata, version }: ObjectRow, bucket: BucketLimits): Promise<void> {
  if (metadata === null || version === null) return;
  const { mimetype, size } = metadata;
  checkType(mimetype, bucket.allowed_mime_types);
  if (size > Math.min(bucket.file_size_limit ?? files.sizeLimit, files.sizeLimit)) throw tooLarge();
  await checkBytes(files.store, version, size, mimetype, bucket.allowed_mime_types);
}
