// Rows of private.resumable_uploads: state of an upload that arrives in parts. Each has a note in private.unclaimed_files, by which the sweeper
// removes the bytes of abandoned uploads.

import { roomRoles } from '../../database/room-roles.ts';
import { sql } from '../../database/sql.ts';
import { type FilesContext, query } from '../files-context.ts';

/** After this much silence an upload is given up. */
export const expiresAfterMs = 24 * 3600 * 1000;
/** One of which no byte has come counts against the quota all the same. */
export const beginsWithinMs = 3600 * 1000;

export interface UploadRow {
  readonly version: string;
  readonly bucket_id: string;
  readonly name: string;
  readonly caller_role: string;
  readonly caller_sub: string | null;
  readonly upsert: boolean;
  readonly size: number | null;
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly expires_at: string;
  readonly finished_at: string | null;
}

export async function addUploadRow(
  files: FilesContext,
  row: Omit<UploadRow, 'expires_at' | 'finished_at'>,
): Promise<void> {
  await query(
    files,
    roomRoles.files,
    sql`with noted as (
        insert into private.unclaimed_files (version, due_at) values (${row.version}, now() + interval '1 hour')
      )
      insert into private.resumable_uploads
        (version, bucket_id, name, caller_role, caller_sub, upsert, size, metadata, expires_at)
      values (${row.version}, ${row.bucket_id}, ${row.name}, ${row.caller_role}, ${row.caller_sub}, ${row.upsert},
        ${row.size}::bigint, ${row.metadata}::jsonb, now() + interval '1 hour')`,
  );
}

export async function findUploadRow(files: FilesContext, version: string): Promise<UploadRow | null> {
  const [row] = await query<UploadRow>(
    files,
    roomRoles.files,
    sql`select version, bucket_id, name, caller_role, caller_sub, upsert, size::float8 as size, metadata, expires_at, finished_at
      from private.resumable_uploads where version = ${version} and expires_at > now()`,
    { readOnly: true },
  );
  return row ?? null;
}

/** Of one person, in all buckets. */
export async function uploadsUnderWay(files: FilesContext, sub: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    files,
    roomRoles.files,
    sql`select count(*)::int as count from private.resumable_uploads
      where caller_sub = ${sub} and finished_at is null and expires_at > now()`,
    { readOnly: true },
  );
  return row?.count ?? 0;
}

/** Somebody goes on with it: another day for it. */
export async function prolongUpload(files: FilesContext, version: string): Promise<void> {
  await query(
    files,
    roomRoles.files,
    sql`with noted as (
        update private.unclaimed_files set due_at = now() + interval '1 day' where version = ${version}
      )
      update private.resumable_uploads set expires_at = now() + interval '1 day' where version = ${version}`,
  );
}

export async function declareSize(files: FilesContext, version: string, size: number): Promise<void> {
  await query(
    files,
    roomRoles.files,
    sql`update private.resumable_uploads set size = ${size}::bigint where version = ${version} and size is null`,
  );
}

/** Whether it has become an object. */
export async function isClaimed(files: FilesContext, version: string): Promise<boolean> {
  const rows = await query(files, roomRoles.files, sql`select from storage.objects where version = ${version}`, {
    readOnly: true,
  });
  return rows.length > 0;
}

export async function noteFinished(files: FilesContext, version: string): Promise<void> {
  await query(
    files,
    roomRoles.files,
    sql`update private.resumable_uploads set finished_at = now() where version = ${version}`,
  );
}

/** The row goes, and so do the bytes, unless an object has claimed them. */
export async function removeUpload(files: FilesContext, version: string): Promise<void> {
  await query(
    files,
    roomRoles.files,
    sql`with noted as (update private.unclaimed_files set due_at = now() where version = ${version})
      delete from private.resumable_uploads where version = ${version}`,
  );
  files.sweeper.sweepSoon();
}
