// Background jobs of a node: failures, the order of runs, notifications between processes, and the end.

import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openServices } from '../../server/open-services.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const lines: Record<string, unknown>[] = [];
const app = forSuite(() => {
  const out = new Writable({
    write(line, _, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  return startApp({ log: pino({ level: 'debug' }, out) });
});

const longMs = 3_600_000;

test('a job that fails is logged and recorded under its name, and runs again', async () => {
  let runs = 0;
  const errors: (string | null)[] = [];
  const recorded = () => app.sql<{ error: string | null }>("select error from private.job_rounds where job = 'paint'");
  let seen: () => void = () => undefined;
  const third = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const job = await app.services.jobs.every({
    name: 'paint',
    everyMs: 1,
    firstAfterMs: 0,
    async run() {
      runs += 1;
      if (runs === 1) throw new Error('out of paint');
      if (runs === 2) errors.push(...(await recorded()).map(({ error }) => error));
      if (runs === 3) seen();
    },
  });
  await third;
  await job.stop();
  expect(errors).toEqual(['out of paint']);
  expect(await recorded()).toEqual([{ error: null }]);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 40, job: 'paint', msg: expect.stringMatching(/failed/) }),
  );
});

test('runs of a job never overlap; what is asked for meanwhile follows', async () => {
  const log: string[] = [];
  let finish: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const job = await app.services.jobs.every({
    name: 'one_by_one',
    everyMs: longMs,
    isRecorded: false,
    async run() {
      log.push('begins');
      await first;
      log.push('ends');
    },
  });
  const settled = job.settle();
  job.ask();
  job.ask();
  finish();
  await settled;
  expect(log).toEqual(['begins', 'ends', 'begins', 'ends']);
  await job.stop();
});

test('the end waits for the run under way, which is told, and begins no other', async () => {
  let runs = 0;
  let isOver = false;
  const job = await app.services.jobs.every({
    name: 'long',
    everyMs: longMs,
    isRecorded: false,
    async run(stopping) {
      runs += 1;
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      await app.sql('select 1');
      isOver = true;
      return true;
    },
  });
  void job.settle();
  await job.stop();
  expect(isOver).toBe(true);
  await job.settle();
  expect(runs).toBe(1);
});

test('a process that starts no jobs asks the one that does', async () => {
  let ran: () => void = () => undefined;
  const run = new Promise<void>((resolve) => {
    ran = resolve;
  });
  const job = { name: 'asked_for', everyMs: longMs, channel: 'kanbase_asked_for', isRecorded: false };
  const running = await app.services.jobs.every({ ...job, run: async () => ran() });
  const addresses = { url: app.databaseUrl, directUrl: app.ownerUrl };
  const other = await openServices(app.services.config, addresses, app.services.log);
  const theirs: string[] = [];
  const asking = await other.services.jobs.every({ ...job, run: async () => theirs.push('ran') });
  asking.ask();
  await run;
  expect(theirs).toEqual([]);
  await other.close();
  await running.stop();
});
