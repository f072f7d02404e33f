// Stage of the benches: an embedded Postgres filled with 200,000 tasks under the real policies, and one server process of the built
// `kanbase` in front of it.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { withDatabase } from '../server/database/connection-url.ts';
import { migrate } from '../server/database/migrate.ts';
import { startCluster } from '../server/database/start-cluster.ts';
import { fill } from './fill.ts';
import { postmasterOf } from './process-figures.ts';
import { openKeys, SECRET, type StartedServer, startServer, stopServer } from './start-server.ts';

/** Member of the measured projects. */
const SOMEONE = '00000000-0000-4000-8000-000000000001';

export interface Stage {
  readonly url: string;
  /** The pool's address of the database. */
  readonly databaseUrl: string;
  /** Its owner's, past any pooler. */
  readonly ownerUrl: string;
  /** What tokens are signed with. */
  readonly secret: string;
  readonly directory: string;
  readonly anonKey: string;
  readonly serviceKey: string;
  /** Someone who is a member of the measured projects. */
  readonly token: string;
  readonly claims: string;
  readonly pid: number;
  /** Where the database's processes begin. */
  readonly postmaster: number;
  /** A token of somebody else's. */
  tokenFor(userId: string): Promise<string>;
  /** A server in the place of the one before, with these settings beside those of the stage. */
  serveAnew(settings: Readonly<Record<string, string>>): Promise<Stage>;
  /** Warnings and errors of the server so far. */
  log(): string;
  close(): Promise<void>;
}

export interface StageOptions {
  /** False leaves it at the database. */
  readonly server?: boolean;
  /** False leaves the database as the migrations make it. */
  readonly filled?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function openStage(
  say: (line: string) => void,
  { server: served = true, filled = true, settings = {} }: StageOptions = {},
): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-'));
  chmodSync(directory, 0o755);
  const log = pino({ level: 'silent' });
  const cluster = await startCluster({ dataDir: directory, log });
  let server: StartedServer | null = null;
  const close = async (): Promise<void> => {
    if (server !== null) await stopServer(server);
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await migrate({ url: cluster.directUrl, poolUrl: cluster.url, directory: join(process.cwd(), 'sql'), log });
    if (filled) {
      say('filling 200,000 tasks …');
      await fill(withDatabase(cluster.adminUrl, 'kanbase'), size, labels);
    }
    const sessions = await openKeys();
    const tokenFor = (sub: string): Promise<string> =>
      sessions.sign({ sub, role: 'authenticated', aud: 'authenticated', email: 'person1@bench.test' }, 3600);
    const token = await tokenFor(SOMEONE);
    const own = {
      DATA_DIR: directory,
      DATABASE_URL: cluster.url,
      DATABASE_DIRECT_URL: cluster.directUrl,
      ...settings,
    };
    if (served) server = await startServer(own);
    const stage: Stage = {
      url: server?.url ?? '',
      databaseUrl: cluster.url,
      ownerUrl: cluster.directUrl,
      secret: SECRET,
      directory,
      anonKey: sessions.anonKey,
      serviceKey: sessions.serviceRoleKey,
      token,
      claims: Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
      pid: server?.process.pid ?? 0,
      postmaster: postmasterOf(directory),
      tokenFor,
      log: () => server?.log() ?? '',
      async serveAnew(more) {
        if (server !== null) await stopServer(server);
        server = await startServer({ ...own, ...more });
        return { ...stage, url: server.url, pid: server.process.pid ?? 0 };
      },
      close,
    };
    return stage;
  } catch (error) {
    await close();
    throw error;
  }
}

const size = { people: 400, projects: [50_000, 100_000, 5000, 200, ...Array<number>(196).fill(228)], measured: 20 };

const labels = `
  insert into public.task_labels (id, project_id, name, color)
    select md5(p.id::text || '/' || i)::uuid, p.id, 'Label ' || i, '#4477aa' from public.projects p, generate_series(1, 5) i;
  insert into public.task_label_links (project_id, task_id, label_id)
    select t.project_id, t.id, md5(t.project_id::text || '/' || (1 + (t.number + i) % 5))::uuid
    from public.tasks t, generate_series(1, 2) i where t.number % 3 = 0`;
