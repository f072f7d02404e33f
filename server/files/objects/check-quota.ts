// Checks the quotas of bytes: of all files and of one project. Counts the rows plus the announced sizes of unfinished uploads; uploads that
// begin or end at the same moment may exceed a quota by their own size.

import { roomRoles } from '../../database/room-roles.ts';
import { raw, sql } from '../../database/sql.ts';
import { filesError } from '../errors.ts';
import { type FilesContext, query } from '../files-context.ts';
import type { ObjectName } from '../names.ts';

const projectPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\//;

/** Throws when `bytes` more would be too many. What is replaced does not count, nor the upload itself, by its `version`. */
export async function checkQuota(
  files: Pick<FilesContext, 'database' | 'quotas'>,
  name: ObjectName,
  bytes: number,
  version: string | null = null,
): Promise<void> {
  await checkProjectQuota(files, name, bytes, version);
  const { totalBytes } = files.quotas;
  if (totalBytes > 0 && (await usedBytes(files, name, version, raw('true'))) + bytes > totalBytes)
    throw filesError('QuotaExceeded', `All files together may have ${totalBytes} bytes`);
}

/** In another bucket or project, where other limits hold. */
export function isElsewhere(from: ObjectName, to: ObjectName): boolean {
  return from.bucket !== to.bucket || projectOf(from) !== projectOf(to);
}

/** How the names of its files begin; of other buckets none do. */
function projectOf({ bucket, key }: ObjectName): string | undefined {
  return bucket === 'attachments' ? projectPattern.exec(key)?.[0] : undefined;
}

/** The same of the project alone: what moves there leaves all files together as many as they were. */
export async function checkProjectQuota(
  files: Pick<FilesContext, 'database' | 'quotas'>,
  name: ObjectName,
  bytes: number,
  version: string | null = null,
): Promise<void> {
  const { projectBytes } = files.quotas;
  const project = projectOf(name);
  if (projectBytes === 0 || project === undefined) return;
  const range = sql`o.bucket_id = 'attachments' and o.name >= ${project} and o.name < ${`${project}\u{10FFFF}`}`;
  if ((await usedBytes(files, name, version, range)) + bytes > projectBytes)
    throw filesError('QuotaExceeded', `The files of this project may have ${projectBytes} bytes together`);
}

async function usedBytes(
  files: Pick<FilesContext, 'database' | 'quotas'>,
  { bucket, key }: ObjectName,
  version: string | null,
  which: ReturnType<typeof raw>,
): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    files,
    roomRoles.files,
    sql`select
        (select coalesce(sum((o.metadata->>'size')::float8), 0) from storage.objects o
          where ${which} and (o.bucket_id, o.name) <> (${bucket}, ${key}))
        + (select coalesce(sum(coalesce(o.size, least(b.file_size_limit, ${String(files.quotas.unknownBytes)}::bigint))), 0)::float8
          from private.resumable_uploads o join storage.buckets b on b.id = o.bucket_id
          where ${which} and o.finished_at is null and o.version is distinct from ${version}) as bytes`,
    { readOnly: true },
  );
  return row?.bytes ?? 0;
}
