// A row of storage.objects as this room reads it, and what the server notes of the bytes.

import { roomRoles } from '../../database/room-roles.ts';
import { raw, sql } from '../../database/sql.ts';
import type { Caller } from '../../database/types.ts';
import { filesError, noSuchBucket, noSuchKey } from '../errors.ts';
import { type FilesContext, query } from '../files-context.ts';
import { linkEnded, noteUse } from '../links/link-grants.ts';
import type { DownloadLink } from '../links/sign-link.ts';
import type { ObjectName } from '../names.ts';
import { cleanType, isCaching } from './media-type.ts';

/** In the words of Supabase's rows. */
export interface ObjectMetadata {
  readonly eTag: string;
  readonly size: number;
  readonly mimetype: string;
  readonly cacheControl: string;
  /** Of the bytes as they are kept; absent: none. */
  readonly contentEncoding?: string | null;
  readonly lastModified: string;
  readonly contentLength: number;
  readonly httpStatusCode: 200;
}

export interface ObjectRow {
  readonly id: string;
  readonly bucket_id: string;
  readonly name: string;
  readonly version: string | null;
  readonly metadata: ObjectMetadata | null;
  readonly user_metadata: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface BucketLimits {
  readonly public: boolean;
  readonly file_size_limit: number | null;
  readonly allowed_mime_types: readonly string[] | null;
}

const columns = raw('o.id, o.bucket_id, o.name, o.version, o.metadata, o.user_metadata, o.created_at, o.updated_at');

/** Limits hold for everybody, whether or not they may look at the bucket. `begins`: it is the first that a request asks. */
export async function readBucket(
  files: Pick<FilesContext, 'database'>,
  bucket: string,
  begins = false,
): Promise<BucketLimits> {
  const [row] = await query<BucketLimits>(
    files,
    roomRoles.files,
    sql`select public, file_size_limit, to_jsonb(allowed_mime_types) as allowed_mime_types
      from storage.buckets where id = ${bucket}`,
    { readOnly: true, begins },
  );
  if (row === undefined) throw noSuchBucket();
  return row;
}

/** What the caller's policies let them see; the server sees all. */
export async function readObject(files: FilesContext, caller: Caller, name: ObjectName): Promise<ObjectRow> {
  const [row] = await query<ObjectRow>(
    files,
    caller,
    sql`select ${columns} from storage.objects o where o.bucket_id = ${name.bucket} and o.name = ${name.key}`,
    { readOnly: true },
  );
  return row === undefined ? notFound(files, name) : cleaned(row);
}

interface LinkedRow extends ObjectRow {
  readonly state: 'open' | 'unnoted' | 'ended';
  readonly is_replaced: boolean;
}

/** By a link, which asks no policies but its grant: not while the project is deleted, and of the app's own buckets only the bytes it was made for. */
export async function readLinkedObject(
  files: FilesContext,
  name: ObjectName,
  { grant, key, signedAt, version }: Pick<DownloadLink, 'grant' | 'key' | 'signedAt' | 'version'>,
): Promise<ObjectRow> {
  const [row] = await query<LinkedRow>(
    files,
    roomRoles.files,
    sql`select ${columns}, private.state_of_link(${grant ?? null}::uuid, ${key ?? null}::uuid, o.bucket_id, o.name, ${signedAt}::bigint) as state,
        private.is_app_bucket(o.bucket_id) and o.version is distinct from ${version} as is_replaced
      from storage.objects o
      where o.bucket_id = ${name.bucket} and o.name = ${name.key} and not private.is_file_of_deleted_project(o.bucket_id, o.name)`,
    { readOnly: true },
  );
  if (row === undefined) return notFound(files, name);
  const { state, is_replaced: isReplaced, ...found } = row;
  if (state === 'ended') throw linkEnded();
  if (isReplaced) throw filesError('InvalidJWT', 'The file that this link was made for has been replaced');
  if (state === 'unnoted' && grant !== undefined)
    noteUse(files.database, grant).catch((error: unknown) =>
      files.log.warn({ err: error }, 'the use of a signed address could not be noted'),
    );
  return cleaned(found);
}

async function notFound(files: FilesContext, { bucket }: ObjectName): Promise<never> {
  await readBucket(files, bucket);
  throw noSuchKey();
}

export async function readPublicObject(files: FilesContext, name: ObjectName): Promise<ObjectRow> {
  const [row] = await query<ObjectRow>(
    files,
    roomRoles.files,
    sql`select ${columns} from storage.objects o join storage.buckets b on b.id = o.bucket_id
      where o.bucket_id = ${name.bucket} and o.name = ${name.key} and b.public`,
    { readOnly: true },
  );
  if (row !== undefined) return cleaned(row);
  if (!(await readBucket(files, name.bucket)).public) throw noSuchBucket();
  throw noSuchKey();
}

/** The media type and caching go into the head of downloads, whoever wrote the row and when. */
function cleaned(row: ObjectRow): ObjectRow {
  const { metadata } = row;
  if (metadata === null) return row;
  const cacheControl = isCaching(metadata.cacheControl) ? metadata.cacheControl : 'no-cache';
  return { ...row, metadata: { ...metadata, mimetype: cleanType(metadata.mimetype), cacheControl } };
}
