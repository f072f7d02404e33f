// Makes the services from settings and addresses of a migrated database, and the app with every door mounted in it.
// The same for the server, for tests and for commands that use a door from inside.

import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import inject, { type DispatchFunc } from 'light-my-request';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { openJobs } from './background/open-jobs.ts';
import type { Config } from './config/config.ts';
import { listSettings } from './config/list-settings.ts';
import { openLiveSettings } from './config/live-settings.ts';
import type { ReadConfig } from './config/read-config.ts';
import { migrationStatus } from './database/migrate.ts';
import { openDatabase } from './database/open-database.ts';
import { roomRoles } from './database/room-roles.ts';
import type { Database } from './database/types.ts';
import type { GatherMetrics } from './http/gather-metrics.ts';
import { keepSignal } from './http/in-process-signal.ts';
import { createMetrics } from './http/metrics.ts';
import { openBudget } from './limits/budget.ts';
import { openLimits, sharesLimits } from './limits/open-limits.ts';
import { shareBudget } from './limits/share-budget.ts';
import { openUntrustedProxies } from './limits/untrusted-proxies.ts';
import { migrations } from './reach-database.ts';
import type { Services } from './services.ts';
import { openConfiguredSessions } from './session/open-configured-sessions.ts';
import { openStoredSettings } from './stored-settings.ts';
import { openTracing } from './tracing/open-tracing.ts';

export interface Addresses {
  /** The pool's login. */
  readonly url: string;
  /** The owner's, past any pooler. */
  readonly directUrl: string;
}

export interface OpenServices {
  readonly services: Services;
  readonly app: FastifyInstance;
  /** Background jobs finish beside the requests, before their database closes. */
  close(background?: Promise<unknown>): Promise<void>;
}

/** What is known beside the settings themselves: where each came from, and which processes serve beside this one. */
interface Company {
  readonly sources?: ReadConfig['sources'];
  readonly gatherMetrics?: GatherMetrics;
  /** What /mcp serves in place of the board. */
  readonly loadOffer?: Parameters<typeof createApp>[1];
}

export async function openServices(
  given: Config,
  addresses: Addresses,
  log: Logger,
  { sources = new Map(), gatherMetrics = (own) => own, loadOffer }: Company = {},
): Promise<OpenServices> {
  const live = openLiveSettings(given, sources);
  const { config } = live;
  const sessions = await openConfiguredSessions(config);
  const budget = openBudget(config.server.workBudgetSeconds);
  const tracing = openTracing(config.tracing);
  const plain: Database = await openDatabase({ ...addresses, config: config.database, meter: budget, log });
  const database = tracing?.database(plain) ?? plain;
  const key = sessions.deriveKey('stored settings');
  const storedSettings = await openStoredSettings(live, { database, key, log });
  const tellWhoMakesGroups = (): void =>
    void database
      .runAs(roomRoles.admin, {
        text: 'select private.allow_groups($1::boolean)',
        values: [String(config.identity.groupsMadeBy === 'everyone')],
      })
      .catch((error: unknown) => log.warn({ err: error }, 'GROUPS_MADE_BY could not be told to the database'));
  tellWhoMakesGroups();
  storedSettings.onChange(tellWhoMakesGroups);
  const stopSharing = sharesLimits(config) ? shareBudget(budget, database, log) : () => undefined;
  let app: FastifyInstance | null = null;
  const services: Services = {
    config,
    database,
    sessions,
    limits: openLimits(config, database),
    proxies: openUntrustedProxies({ config, database, log }),
    budget,
    metrics: createMetrics(),
    jobs: openJobs(database, config.server.port, log),
    gatherMetrics,
    trace: tracing?.request ?? null,
    traceWork: tracing?.work ?? null,
    log,
    siteUrl: (config.server.siteUrl ?? `http://localhost:${config.server.port}`).replace(/\/+$/, ''),
    unsettledMigrations: keepFor(cacheMs, async () => {
      const { pending, problems, ahead } = await migrationStatus(migrations(config, addresses));
      // This version served this database before a newer one came to it, which for the length of a release only adds to it.
      return [...pending, ...problems.filter((problem) => !ahead.includes(problem))];
    }),
    listSettings: () => listSettings(config, live.sources),
    storedSettings,
    examine: keepFor(cacheMs, async () => {
      const { examine } = await import('./doctor/examine.ts');
      return examine(config, addresses, log);
    }),
    fetch: (input, init) => {
      if (app === null) throw new Error('The app is not ready to answer yet');
      return answerInProcess(
        app,
        new Request(new URL(input instanceof Request ? input.url : input, services.siteUrl), init),
      );
    },
  };
  try {
    app = await createApp(services, loadOffer);
    await app.ready();
  } catch (error) {
    stopSharing();
    await storedSettings.close();
    await database.close();
    throw error;
  }
  const opened = app;
  return {
    services,
    app: opened,
    async close(background = services.jobs.stop()) {
      await Promise.all([opened.close(), background]);
      stopSharing();
      await storedSettings.close();
      await database.close();
      await tracing?.close();
    },
  };
}

const cacheMs = 10_000;

/** However many ask, it is looked up once in that time; what failed is not kept. */
function keepFor<T>(milliseconds: number, look: () => Promise<T>): () => Promise<T> {
  let known: { readonly at: number; readonly answer: Promise<T> } | null = null;
  return () => {
    if (known === null || performance.now() - known.at > milliseconds) {
      const answer = look();
      known = { at: performance.now(), answer };
      answer.catch(() => {
        known = null;
      });
    }
    return known.answer;
  };
}

/** A request through our own doors without a socket in between. They are open to it also while the app closes, which `app.inject` is not. */
async function answerInProcess(app: FastifyInstance, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const body = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
  const { 'x-forwarded-for': forwarded, ...others } = Object.fromEntries(request.headers);
  const dispatch: DispatchFunc = (asked, answer) => {
    keepSignal(asked as IncomingMessage, request.signal);
    (app.routing as DispatchFunc)(asked, answer);
  };
  const response = await inject(dispatch, {
    method: request.method as 'GET',
    url: url.pathname + url.search,
    headers: { ...others, host: url.host },
    ...(forwarded === undefined ? {} : { remoteAddress: forwarded.split(',', 1)[0]?.trim() }),
    ...(body === undefined ? {} : { payload: body }),
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) headers.append(name, String(one));
  const empty = response.statusCode === 204 || response.statusCode === 304;
  return new Response(empty ? null : new Uint8Array(response.rawPayload), { status: response.statusCode, headers });
}
