// One export that this node has claimed: written with the rights of who asked, straight into the file store, told how far it is, and handed
// over as an object of theirs.

import { PassThrough, type Writable } from 'node:stream';
import { roomRoles } from '../database/room-roles.ts';
import type { Caller } from '../database/types.ts';
import type { Services } from '../services.ts';
import { type ExportOptions, type Format, findProjects } from './export-options.ts';
import { exportOf } from './write-export.ts';

const TELL_MS = 500;

/** Not asked for any more, or another node's by now. */
export class NotWanted extends Error {}

interface Stored {
  readonly size: number;
  readonly md5: string;
}

/** What is used of the file store. */
export interface ExportFiles {
  put(version: string, bytes: AsyncIterable<Buffer>): Promise<Stored>;
  readPlain: ExportOptions['readFile'];
}

export interface Claimed {
  readonly id: string;
  readonly attempt: number;
  readonly user_id: string;
  readonly project_id: string | null;
  readonly format: Format;
  readonly version: string;
}

interface Writing extends Pick<Services, 'database' | 'log' | 'siteUrl'> {
  readonly files: ExportFiles;
  readonly stopping: AbortSignal;
}

/** Stops when nobody waits for it any more, or when the service stops. */
export async function writeClaimed(
  claimed: Claimed,
  { database, log, siteUrl, files, stopping }: Writing,
): Promise<void> {
  const { id, attempt, user_id, project_id, format, version } = claimed;
  const caller: Caller = {
    role: 'task_guest',
    claims: JSON.stringify({ sub: user_id, role: 'authenticated' }),
  };
  const ask = <Row>(text: string, values: readonly string[]): Promise<readonly Row[]> =>
    database.objectsAs<Row & Record<string, unknown>>(roomRoles.exports, { text, values });
  const stop = new AbortController();
  const end = (): void => stop.abort(stopping.reason);
  stopping.addEventListener('abort', end);
  let far: readonly [done: number, total: number] = [0, 0];
  let telling: Promise<unknown> = Promise.resolve();
  const tell = async (): Promise<void> => {
    const [row] = await ask<{ wanted: boolean }>('select private.report_export_progress($1, $2, $3, $4) as wanted', [
      id,
      String(attempt),
      ...far.map(String),
    ]);
    if (row?.wanted === false) stop.abort(new NotWanted());
  };
  const timer = setInterval(() => {
    telling = telling
      .then(tell)
      .catch((error: unknown) => log.debug({ err: error }, 'how far an export is was not told'));
  }, TELL_MS);
  try {
    const projects = await findProjects(database, caller, project_id);
    // Seen when it was asked for, and not any more.
    const [first] = projects;
    if (project_id !== null && first === undefined) throw new NotWanted();
    const made = exportOf(format, project_id === null ? null : (first ?? null));
    const { size, md5 } = await intoStore(files, version, stop.signal, (out) =>
      made.write({
        database,
        caller,
        projects,
        out,
        siteUrl,
        readFile: files.readPlain,
        onProgress: (done, total) => {
          far = [done, total];
        },
        signal: stop.signal,
      }),
    );
    clearInterval(timer);
    await telling;
    await tell();
    await ask('select private.finish_export($1, $2, $3, $4, $5, $6)', [
      id,
      String(attempt),
      made.fileName,
      String(size),
      md5,
      made.contentType,
    ]);
  } catch (error) {
    // Whatever broke because it was stopped, that is why.
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearInterval(timer);
    stopping.removeEventListener('abort', end);
  }
}

/** What breaks the one breaks the other; the first reason is the one that counts. */
async function intoStore(
  files: ExportFiles,
  version: string,
  signal: AbortSignal,
  write: (out: Writable) => Promise<void>,
): Promise<Stored> {
  const out = new PassThrough({ highWaterMark: 1024 * 1024 });
  out.on('error', () => undefined);
  signal.addEventListener('abort', () => out.destroy(signal.reason as Error));
  const storing = files.put(version, out);
  storing.catch((error: unknown) => out.destroy(error as Error));
  try {
    await write(out);
  } catch (error) {
    out.destroy(error as Error);
    await storing.catch(() => undefined);
    throw error;
  }
  out.end();
  return storing;
}
