// A data directory as a first start leaves it: the cluster made, the migrations applied. Made once for these migrations and kept in `.cache`,
// as making it takes seconds and a copy a tenth of one. For tests whose story begins after the first start.

import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { hashOf } from '../../scripts/build.mjs';
import { giveTo } from '../../server/database/embedded/make-cluster.ts';
import { migrate } from '../../server/database/migrate.ts';
import { startCluster } from '../../server/database/start-cluster.ts';

/** Postgres sets up its memory at every start: for one server that is done sooner with little. */
const memoryOfServer = 'shared_buffers = 32MB\n';

/** `dataDir` may be there already, without a cluster. `isForRun`: it serves a whole run, with all the memory it asks for. */
export async function putReadyCluster(dataDir: string, { isForRun = false } = {}): Promise<void> {
  const hash = hashOf(['sql', 'server/database', 'test/helpers/ready-cluster.ts', 'package-lock.json']).slice(0, 16);
  const kept = join(process.cwd(), '.cache', 'test', `cluster-${hash}`);
  if (!existsSync(kept)) await make(kept);
  cpSync(kept, dataDir, { recursive: true });
  if (!isForRun) appendFileSync(join(dataDir, 'postgres', 'postgresql.conf'), memoryOfServer);
  // A copy that root makes is root's: a data directory in which root's Postgres lies is closed to the user that a server started as root
  // goes on as, and that one would not find its database again.
  giveTo(join(dataDir, 'postgres'), statSync(join(kept, 'postgres')));
}

async function make(kept: string): Promise<void> {
  const draft = `${kept}.${process.pid}`;
  // Open to others: servers that were started as root load parts of their build from beside it.
  mkdirSync(dirname(kept), { recursive: true });
  const log = pino({ level: 'silent' });
  const cluster = await startCluster({ dataDir: draft, log, fast: true });
  try {
    await migrate({ url: cluster.directUrl, poolUrl: cluster.url, directory: join(process.cwd(), 'sql'), log });
  } finally {
    await cluster.stop();
  }
  for (const name of readdirSync(dirname(kept)))
    if (/^cluster-\w+$/.test(name)) rmSync(join(dirname(kept), name), { recursive: true, force: true });
  try {
    renameSync(draft, kept);
  } catch {
    // Another run was quicker with the same migrations.
    rmSync(draft, { recursive: true, force: true });
  }
}
