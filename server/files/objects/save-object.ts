// An upload from the first to the last step: may the caller? → a version is reserved → bytes → row. The row is written under the
// caller's policies, and claims the version in the same transaction; whatever fails, neither bytes nor row are left.

import { randomUUID } from 'node:crypto';
import { roomRoles } from '../../database/room-roles.ts';
import { type Fragment, sql } from '../../database/sql.ts';
import type { Caller } from '../../database/types.ts';
import { ownerOf } from '../buckets.ts';
import { type FilesContext, query } from '../files-context.ts';
import type { ObjectName } from '../names.ts';
import type { StoredFile } from '../store/file-store.ts';
import { checkQuota } from './check-quota.ts';
import { type BucketLimits, type ObjectMetadata, readBucket } from './object-row.ts';
import type { Upload } from './read-upload.ts';

export interface Target {
  readonly caller: Caller;
  /** Who the object will belong to. */
  readonly sub: string | undefined;
  readonly name: ObjectName;
  readonly upsert: boolean;
}

/** What of this room saving needs. */
export interface SavingFiles extends Pick<FilesContext, 'database' | 'store' | 'quotas' | 'log'> {
  readonly sweeper: Pick<FilesContext['sweeper'], 'sweepSoon'>;
}

interface Content {
  readonly metadata: ObjectMetadata | null;
  readonly userMetadata: Readonly<Record<string, unknown>>;
  readonly version: string | null;
}

/** Gives back the id of the object. `read` is called once it is known that the caller may write here. `begins`: a request begins with it. */
export async function saveUpload(
  files: SavingFiles,
  target: Target,
  read: (bucket: BucketLimits) => Promise<Upload>,
  begins = false,
): Promise<string> {
  const bucket = await readBucket(files, target.name.bucket, begins);
  await checkMayWrite(files, target);
  const upload = await read(bucket);
  return withNewVersion(files, async (version) => {
    const stored = await files.store.put(version, upload.bytes);
    const metadata = describe(stored, upload);
    return writeRow(files, target, { metadata, userMetadata: upload.userMetadata, version });
  });
}

/** The row of an upload whose bytes lie in the file store already, under a version that is reserved. */
export async function saveFinished(
  files: SavingFiles,
  target: Target,
  version: string,
  stored: StoredFile,
  upload: Omit<Upload, 'bytes'>,
): Promise<void> {
  const metadata = describe(stored, upload);
  await writeRow(files, target, { metadata, userMetadata: upload.userMetadata, version });
  files.sweeper.sweepSoon();
}

export async function saveCopy(
  files: SavingFiles,
  target: Target,
  from: { readonly version: string } & Omit<Content, 'version'>,
): Promise<string> {
  await checkMayWrite(files, target);
  return withNewVersion(files, async (version) => {
    await files.store.copy(from.version, version);
    return writeRow(files, target, { ...from, version });
  });
}

/** Tried and taken back, so that nobody sends a gigabyte to be refused. */
export async function checkMayWrite(files: SavingFiles, target: Target): Promise<void> {
  const nothing = { metadata: null, userMetadata: {}, version: null };
  await query(files, target.caller, rowStatement(target, randomUUID(), nothing), { rollback: true });
}

async function withNewVersion(files: SavingFiles, write: (version: string) => Promise<string>): Promise<string> {
  const version = randomUUID();
  // Longer than any upload takes; after it the sweeper removes what came of it.
  await query(
    files,
    roomRoles.files,
    sql`insert into private.unclaimed_files (version, due_at) values (${version}, now() + interval '1 day')`,
  );
  try {
    const id = await write(version);
    files.sweeper.sweepSoon();
    return id;
  } catch (error) {
    await query(
      files,
      roomRoles.files,
      sql`update private.unclaimed_files set due_at = now() where version = ${version}`,
    ).catch((why: unknown) => files.log.warn({ err: why }, 'a broken upload is cleared away within a day'));
    files.sweeper.sweepSoon();
    throw error;
  }
}

async function writeRow(files: SavingFiles, target: Target, content: Content): Promise<string> {
  await checkQuota(files, target.name, content.metadata?.size ?? 0, content.version);
  const id = randomUUID();
  const [row] = await query<{ id: string }>(files, target.caller, rowStatement(target, id, content));
  return row?.id ?? id;
}

/** Without upsert nothing is read back: who may add but not see can upload all the same. */
function rowStatement({ name, sub, upsert }: Target, id: string, content: Content): Fragment {
  const insert = sql`
    insert into storage.objects (id, bucket_id, name, owner, owner_id, metadata, user_metadata, version)
    values (${id}, ${name.bucket}, ${name.key}, ${ownerOf(sub)}, ${sub}, ${content.metadata}, ${content.userMetadata},
      ${content.version})`;
  if (!upsert) return insert;
  return sql`${insert}
    on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
      metadata = excluded.metadata, user_metadata = excluded.user_metadata, version = excluded.version, updated_at = now()
    returning id`;
}

function describe({ size, md5 }: StoredFile, upload: Omit<Upload, 'bytes'>): ObjectMetadata {
  const { type: mimetype, cacheControl, contentEncoding } = upload;
  return {
    eTag: `"${md5}"`,
    size,
    mimetype,
    cacheControl,
    ...(contentEncoding === null ? {} : { contentEncoding }),
    lastModified: new Date().toISOString(),
    contentLength: size,
    httpStatusCode: 200,
  };
}
