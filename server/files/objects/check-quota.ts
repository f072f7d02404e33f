// How many bytes all files may have together, and those of one project. Counted from the rows when something is added, with what uploads under
// way have said they will bring; those that begin or end at the same moment may go over by what they bring themselves.

import { raw, sql } from '../../database/sql.ts';
import { filesError } from '../errors.ts';
import { type FilesContext, query } from '../files-context.ts';
import type { ObjectName } from '../names.ts';
import { serverCaller } from '../server-caller.ts';

const projectPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\//;

/** Throws when `bytes` more would be too many. What is replaced does not count, nor the upload itself, by its `version`. */
export async function checkQuota(
  files: Pick<FilesContext, 'database' | 'quotas'>,
  name: ObjectName,
  bytes: number,
  version: string | null = null,
): Promise<void> {
  const { totalBytes, projectBytes } = files.quotas;
  const project = name.bucket === 'attachments' ? projectPattern.exec(name.key)?.[0] : undefined;
  if (projectBytes > 0 && project !== undefined) {
    const range = sql`o.bucket_id = 'attachments' and o.name >= ${project} and o.name < ${`${project}\u{10FFFF}`}`;
    if ((await usedBytes(files, name, version, range)) + bytes > projectBytes)
      throw filesError('QuotaExceeded', `The files of this project may have ${projectBytes} bytes together`);
  }
  if (totalBytes > 0 && (await usedBytes(files, name, version, raw('true'))) + bytes > totalBytes)
    throw filesError('QuotaExceeded', `All files together may have ${totalBytes} bytes`);
}

async function usedBytes(
  files: Pick<FilesContext, 'database' | 'quotas'>,
  { bucket, key }: ObjectName,
  version: string | null,
  which: ReturnType<typeof raw>,
): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    files,
    serverCaller,
    sql`select
        (select coalesce(sum((o.metadata->>'size')::float8), 0) from storage.objects o
          where ${which} and (o.bucket_id, o.name) <> (${bucket}, ${key}))
        + (select coalesce(sum(coalesce(o.size, ${String(files.quotas.unknownBytes)}::bigint)), 0)::float8
          from private.resumable_uploads o
          where ${which} and o.finished_at is null and o.version is distinct from ${version}) as bytes`,
    { readOnly: true },
  );
  return row?.bytes ?? 0;
}
