// The whole service with another client of Postgres in it, for `wire-door.ts`: everything is as in `openServices`, and what the data door runs goes
// by the client that is asked for. All else (the catalog, listening, long answers) stays with ours, which the measured requests do not use.

import { pino } from 'pino';
import { createApp } from '../server/app.ts';
import { readConfig } from '../server/config/read-config.ts';
import { openDatabase } from '../server/database/open-database.ts';
import { SettingsWriter } from '../server/database/settings-writer.ts';
import { ShapeCache } from '../server/database/shape-cache.ts';
import type { Database } from '../server/database/types.ts';
import { createMetrics } from '../server/http/metrics.ts';
import { openBudget } from '../server/limits/budget.ts';
import { openLimits } from '../server/limits/open-limits.ts';
import { openUnnamedProxies } from '../server/limits/unnamed-proxies.ts';
import { openConfiguredSessions } from '../server/session/open-configured-sessions.ts';
import { type OtherClient, openPg, openPostgresJs } from './wire-clients.ts';

const { config } = readConfig({ env: process.env });
const [client = '', size = ''] = (process.env.BENCH_CLIENT ?? '').split(' ');
const log = pino({ level: 'warn' });
const addresses = { url: config.database.url ?? '', directUrl: config.database.directUrl ?? '' };

const own = await openDatabase({ ...addresses, config: config.database, log });
const other =
  client === 'pg'
    ? await openPg(addresses.url, Number(size))
    : client === 'postgres'
      ? await openPostgresJs(addresses.url, Number(size))
      : null;
const database = other === null ? own : withClient(own, other);
const services = {
  config,
  database,
  sessions: await openConfiguredSessions(config),
  limits: openLimits(config, database),
  proxies: openUnnamedProxies({ config, database, log }),
  budget: openBudget(0),
  metrics: createMetrics(),
  gatherMetrics: (own: () => Promise<string>) => own,
  log,
  siteUrl: 'http://localhost',
  unsettledMigrations: async () => [],
  listSettings: () => [],
  storedSettings: {
    placeOf: () => null,
    onChange: () => () => undefined,
    seal: (text: string) => text,
    reload: async () => undefined,
    close: async () => undefined,
  },
  examine: async () => [],
  jobs: {
    every: async () => ({ settle: async () => undefined, ask: () => undefined, stop: async () => undefined }),
    run: <T>(_job: string, work: () => Promise<T>) => work(),
    start: async () => undefined,
    stop: async () => undefined,
  },
  fetch: async () => new Response(),
};
const app = await createApp(services);
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(`Address ${typeof address === 'object' ? address?.port : ''}\n`);
process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => other?.close())
    .then(() => own.close())
    .then(() => process.exit(0));
});

/** What the door asks for in the measured requests; what it asks beside them has no place in the other packages. */
function withClient(rest: Database, one: OtherClient): Database {
  const writer = new SettingsWriter(config.database, new ShapeCache());
  return {
    ...rest,
    runAs: (caller, statement, options) => {
      const { before, onBefore, rollback, isolation, signal } = options ?? {};
      const isPlain = [before, onBefore, rollback, isolation, signal].every((each) => each === undefined);
      if (!isPlain || caller.role === 'authenticator') return rest.runAs(caller, statement, options);
      return one.run(writer.write(caller, options).statement, statement);
    },
  };
}
