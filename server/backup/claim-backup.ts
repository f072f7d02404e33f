// Claims a due backup for one node and detects those that broke off. The node that makes a backup holds a lock of the database under its
// name, which ends with its connection: a row without an end whose lock nobody holds was broken off.

import type pg from 'pg';
import type { BackupPlace } from './backup-place.ts';
import { draftEnding } from './write-file.ts';

const named = /^kanbase-\d{4}-\d\d-\d\dT[\d-]+Z\.zip$/;
const brokenOff = 'It was broken off: the service or its machine stopped meanwhile.';

export function nameOf(due: Date): string {
  return `kanbase-${due.toISOString().replaceAll(/[:.]/g, '-')}.zip`;
}

export function isScheduled(name: string): boolean {
  return named.test(name);
}

/** False where another node makes it, or has made it. It is held as long as the connection. */
export async function claim(client: pg.Client, due: Date): Promise<boolean> {
  if (!(await lock(client, nameOf(due)))) return false;
  const { rowCount } = await client.query('insert into private.backups (due_at) values ($1) on conflict do nothing', [
    due,
  ]);
  return rowCount !== 0;
}

/** Where the last one was broken off, one node alone is to make another in its place. A stop in between leaves it as it was. */
export async function claimInItsPlace(client: pg.Client, due: Date): Promise<boolean> {
  await client.query('begin');
  const isMine = (await endLastBrokenOff(client)) && (await claim(client, due));
  await client.query('commit');
  return isMine;
}

async function endLastBrokenOff(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ due: Date }>(
    'select due_at as due from private.backups order by due_at desc limit 1',
  );
  return rows[0] !== undefined && (await endBrokenOff(client, rows[0].due));
}

/** Those broken off before this one have their end, and what had been written of any goes. */
export async function clearBrokenOff(client: pg.Client, place: BackupPlace, due: Date): Promise<void> {
  const { rows } = await client.query<{ due: Date }>(
    'select due_at as due from private.backups where finished_at is null and due_at < $1',
    [due],
  );
  for (const { due: before } of rows) await endBrokenOff(client, before);
  for (const { name: draft } of await place.list()) {
    const name = draft.slice(0, -draftEnding.length);
    if (!draft.endsWith(draftEnding) || !isScheduled(name) || !(await lock(client, name))) continue;
    await place.remove(draft);
    await unlock(client, name);
  }
}

/** False where it has had its end, or a node is at it. */
async function endBrokenOff(client: pg.Client, due: Date): Promise<boolean> {
  const name = nameOf(due);
  if (!(await lock(client, name))) return false;
  const { rowCount } = await client.query(
    'update private.backups set finished_at = now(), error = $2 where due_at = $1 and finished_at is null',
    [due, brokenOff],
  );
  await unlock(client, name);
  return rowCount !== 0;
}

async function lock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is_mine: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_mine',
    [name],
  );
  return rows[0]?.is_mine === true;
}

async function unlock(client: pg.Client, name: string): Promise<void> {
  await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
}
