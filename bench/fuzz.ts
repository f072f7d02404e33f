// `npm run bench -- --fuzz`: requests from a seeded generator over all doors, sixteen at a time. Nothing may be answered with 5xx, everything
// is answered; memory, files and connections are at the end what they were. Into docs/figures.md.
// `--quick`: a tenth of it. `--count=`, `--seed=` and `--request=N` (that one alone, shown in full) help to look at what was found.

import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import type { OpenApi } from '../server/http/open-api.ts';
import { unsubscribeUrl } from '../server/mail/unsubscribe.ts';
import { ask, NoResponse } from './ask.ts';
import { flag, isQuick } from './flag.ts';
import { type Learned, learn } from './fuzz-known.ts';
import { type Doors, fuzzRequest, readDoors } from './fuzz-requests.ts';
import { fuzzBytes, fuzzSocket } from './fuzz-sockets.ts';
import type { Known } from './fuzz-values.ts';
import { startPaymentStandIn, webhookSecret } from './payment-stand-in.ts';
import { taken } from './plant.ts';
import { type Held, heldBy } from './process-figures.ts';
import { seeded } from './seeded.ts';
import { openStage, type Stage } from './stage.ts';
import { openKeys } from './start-server.ts';
import { type Sample, type Tally, writeFuzzPage } from './write-fuzz-page.ts';

const atOnce = 16;
/** Requests with X-Forwarded-For make this machine a proxy, from which no metrics are read without a token. */
const metricsToken = 'only-for-measuring-0123456789abcdef';
/** After so many requests there are new people and a new project, since others may have been removed. */
const plantEvery = 1000;

export async function benchFuzz(say: (line: string) => void): Promise<void> {
  const count = Number(flag('count') ?? (isQuick() ? 20_000 : 200_000));
  const seed = Number(flag('seed') ?? 20);
  const payments = await startPaymentStandIn();
  const stage = await openStage(say, {
    filled: false,
    settings: {
      ...payments.settings,
      DATA_AGGREGATES: 'true',
      DATA_PLANS: 'true',
      DATA_TX_OVERRIDE: 'true',
      STORAGE_QUOTA_BYTES: '1000000000',
      METRICS_TOKEN: metricsToken,
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  try {
    const door = { agent, url: stage.url, anonKey: stage.anonKey };
    const document = taken<OpenApi>(await ask(agent, stage.url, { method: 'GET', path: '/openapi.json' }));
    const doors = readDoors(document);
    const tally: Tally = {
      statuses: new Map(),
      faults: new Map(),
      times: [],
      late: 0,
      cut: 0,
      messages: 0,
    };
    const learned = await whatToLearn(stage, agent);
    let known = await learn(learned);
    const alone = flag('request');
    const samples: Sample[] = [];
    const began = performance.now();
    const look = (asked: number): void => {
      const held: Held = heldBy(stage.pid, stage.postmaster);
      samples.push({ asked, seconds: (performance.now() - began) / 1000, ...held });
      say(
        `${asked} requests after ${samples.at(-1)?.seconds.toFixed(0)} s: server ${held.server} MB, ${held.files} open files; Postgres ${held.postgres} MB`,
      );
    };
    if (alone !== null) {
      const request = fuzzRequest(doors, seeded(seed * 1_000_003 + Number(alone)), known);
      say(`${request.method} ${request.path}\n${JSON.stringify(request.headers)}\n${request.body?.toString() ?? ''}`);
      const answer = await ask(agent, stage.url, request);
      say(`${answer.status} ${answer.body.toString().slice(0, 2000)}`);
      return;
    }
    look(0);
    let next = 0;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < count) {
          const index = next++;
          // The service key may remove what is just being planted: then those of before serve on.
          if (index > 0 && index % plantEvery === 0) known = await learn(learned).catch(() => known);
          if (index > 0 && index % (count / 20) === 0) look(index);
          await askOnce(index, { doors, known, seed, door, tally });
        }
      }),
    );
    look(count);
    await pause(isQuick() ? 3000 : 15_000);
    look(count);
    const queue = await askQueue(agent, stage.url);
    const ready = (await ask(agent, stage.url, { method: 'GET', path: '/ready' })).status;
    for (const [name, statuses] of tally.statuses) {
      const letIn = [...statuses].reduce((all, [status, n]) => all + (status >= 200 && status < 300 ? n : 0), 0);
      say(`${name}: ${letIn} of ${[...statuses.values()].reduce((all, n) => all + n, 0)} answered with 2xx`);
    }
    for (const [what, { count: times, example }] of tally.faults) say(`${times} × ${what}\n    ${example}`);
    if (process.argv.includes('--log')) say(stage.log());
    const grave = stage
      .log()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
    for (const line of grave.slice(0, 20)) say(line.slice(0, 600));
    say(
      `5xx or unreadable ${sum(tally.faults)}, not answered ${tally.late}, cut off ${tally.cut}; queue ${queue}, /ready ${ready}; ${grave.length} errors in the log`,
    );
    writeFuzzPage({ count, seed, tally, samples, queue, ready });
    if (sum(tally.faults) + tally.late > 0) process.exitCode = 1;
  } finally {
    agent.destroy();
    await stage.close();
    await payments.close();
  }
}

const sum = (faults: Tally['faults']): number => [...faults.values()].reduce((all, { count }) => all + count, 0);

async function askQueue(agent: Agent, url: string): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const { status, body } = await ask(agent, url, { method: 'GET', path: '/metrics', headers });
  const [, waiting] = /^kanbase_database_queue (\d+)/m.exec(body.toString()) ?? [];
  if (waiting === undefined) throw new Error(`/metrics answers ${status}, without the queue`);
  return Number(waiting);
}

async function whatToLearn(stage: Stage, agent: Agent): Promise<Learned> {
  const key = (await openKeys()).deriveKey('unsubscribe from mail');
  return {
    door: { agent, url: stage.url, anonKey: stage.anonKey },
    serviceKey: stage.serviceKey,
    webhookSecret,
    makeOperator: async (email) => {
      const owner = new pg.Client(connectionOptions(stage.ownerUrl));
      await owner.connect();
      await owner.query('select private.set_operator($1, true)', [email]).finally(() => owner.end());
    },
    unsubscribe: (userId) => unsubscribeUrl(stage.url, userId, key),
  };
}

interface Asking {
  readonly doors: Doors;
  readonly known: Known;
  readonly seed: number;
  readonly door: { readonly agent: Agent; readonly url: string };
  readonly tally: Tally;
}

async function askOnce(index: number, { doors, known, seed, door, tally }: Asking): Promise<void> {
  const dice = seeded(seed * 1_000_003 + index);
  // Drawn apart, so that `--request=` need not know of it.
  const kind = (index * 7919) % 100;
  const began = performance.now();
  if (kind < 4) {
    const name = kind < 2 ? 'sockets' : 'bare bytes';
    const { messages, fault } = await (kind < 2 ? fuzzSocket : fuzzBytes)(door.url, dice, known);
    tally.messages += messages;
    tallyUp(tally, name, 0);
    if (/not closed/.test(fault)) tally.late++;
    if (fault !== '') note(tally, `${name}: ${fault.slice(0, 80)}`, `request ${index}: ${fault}`);
    return;
  }
  const request = fuzzRequest(doors, dice, known);
  try {
    const { status, body } = await ask(door.agent, door.url, request);
    tally.times.push(performance.now() - began);
    tallyUp(tally, request.door, status);
    if (status < 500) return;
    note(
      tally,
      `${status} ${request.method} ${request.route} ${codeIn(body.toString())}`,
      `request ${index}: ${request.path.slice(0, 600)} ${request.body?.toString().slice(0, 400) ?? ''} → ${body.toString().slice(0, 400)}`,
    );
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    // A head that Node's server takes for an attack is answered, and the connection closed with it.
    tallyUp(tally, request.door, 0);
    if (error.late) {
      tally.late++;
      note(tally, `late ${request.method} ${request.route}`, `request ${index}: ${request.path.slice(0, 600)}`);
    } else {
      tally.cut++;
      if (!/ECONNRESET|EPIPE|socket hang up/.test(error.message))
        note(tally, error.message.slice(-60), `request ${index}`);
    }
  }
}

function tallyUp({ statuses }: Tally, door: string, status: number): void {
  const known = statuses.get(door) ?? new Map<number, number>();
  statuses.set(door, known.set(status, (known.get(status) ?? 0) + 1));
}

function note({ faults }: Tally, what: string, example: string): void {
  const known = faults.get(what);
  if (known === undefined) faults.set(what, { count: 1, example });
  else known.count++;
}

function codeIn(body: string): string {
  return /"(?:code|error_code|error)":\s*"([^"]{1,60})/.exec(body)?.[1] ?? '';
}
