// `npm run bench -- --webhooks`: 50 changes a second in a project with twenty webhooks, by turns with the webhooks off and on: how long writes take,
// how long it takes from a change to the request at a healthy receiver, and the processor time of the server and of its database; the last turn with
// one receiver that never answers. Printed only.

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { webhookEvents } from '../contract/webhooks.ts';
import { flag, isQuick } from './flag.ts';
import { ms } from './page.ts';
import { familyOf, mainThreadTime, processorTime } from './process-figures.ts';
import { at } from './quantile.ts';
import { openKeys, startServer, stopServer, untilReady } from './start-server.ts';
import { openBenchReceiver } from './webhook-receiver.ts';

const perSecond = 50;
const webhooks = 20;

interface Turn {
  readonly writes: readonly number[];
  readonly deliveries: readonly number[];
  /** Seconds of processor time, without what their clients and receivers use. */
  readonly server: number;
  /** Of `server`: the thread that answers requests. */
  readonly eventLoop: number;
  readonly postgres: number;
}

export async function benchWebhooks(say: (line: string) => void): Promise<void> {
  const seconds = isQuick() ? 5 : 20;
  const turns = Number(flag('count') ?? (isQuick() ? 1 : 5));
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-webhooks-'));
  const server = await startServer({ DATA_DIR: dataDir, WEBHOOKS_ALLOWED_NETWORKS: 'loopback' });
  const receiver = await openBenchReceiver();
  const to = receiver.url;
  try {
    await untilReady({ agent: new Agent({ keepAlive: true }), url: server.url });
    const { anonKey } = await openKeys();
    let token = anonKey;
    const ask = async <T>(method: string, path: string, body: unknown, prefer = 'return=minimal'): Promise<T> => {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      return (text === '' ? null : JSON.parse(text)) as T;
    };
    const person = { email: 'bench@kanbase.test', password: 'correct horse battery' };
    ({ access_token: token } = await ask<{ access_token: string }>('POST', '/auth/v1/signup', person));
    const { id: project_id } = await ask<{ id: string }>('POST', '/rest/v1/rpc/create_project_with_defaults', {
      name: 'Bench',
    });
    const columns = (await (
      await fetch(`${server.url}/rest/v1/workflow_columns?select=id&project_id=eq.${project_id}&order=position`, {
        headers: { apikey: anonKey, authorization: `Bearer ${token}` },
      })
    ).json()) as { id: string }[];
    const tasks: string[] = [];
    for (let n = 0; n < 200; n++) tasks.push(await addTask(n));
    for (let n = 0; n < webhooks; n++)
      await ask('POST', '/api/webhooks', { project_id, name: `Hook ${n}`, url: `${to}/${n}`, events: webhookEvents });

    async function addTask(n: number): Promise<string> {
      const id = crypto.randomUUID();
      await ask('POST', '/rest/v1/tasks', { id, project_id, title: `Task ${n}` });
      return id;
    }
    let count = 0;
    /** A task made, renamed, moved, in turn; never as it is already. */
    async function write(): Promise<void> {
      const n = count++;
      const task = tasks[(n * 7) % tasks.length] as string;
      if (n % 3 === 0) await addTask(n);
      else if (n % 3 === 1) await ask('PATCH', `/rest/v1/tasks?id=eq.${task}`, { title: `Renamed ${n}` });
      else
        await ask('POST', '/rest/v1/rpc/move_task', {
          task_id: task,
          column_id: columns[Math.floor(n / tasks.length + n) % columns.length]?.id,
        });
    }
    async function turn(): Promise<Turn> {
      await receiver.takeDelays();
      const writes: number[] = [];
      const under: Promise<void>[] = [];
      const [own = 0, ...children] = familyOf(server.process.pid ?? 0);
      const usedBy = () => [processorTime([own]), mainThreadTime(own), processorTime(children)] as const;
      const before = usedBy();
      const began = performance.now();
      for (let n = 0; n < perSecond * seconds; n++) {
        await pause(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
        const sent = performance.now();
        under.push(write().then(() => void writes.push(performance.now() - sent)));
      }
      await Promise.all(under);
      await pause(2000);
      const after = usedBy();
      return {
        writes,
        deliveries: await receiver.takeDelays(),
        server: after[0] - before[0],
        eventLoop: after[1] - before[1],
        postgres: after[2] - before[2],
      };
    }
    const toggle = (is_active: boolean) => ask('PATCH', `/rest/v1/webhooks?project_id=eq.${project_id}`, { is_active });
    const show = (name: string, { writes, deliveries, server: own, eventLoop, postgres }: Turn): void =>
      say(
        `${name}: writes p50 ${ms(at(writes, 0.5))}, p99 ${ms(at(writes, 0.99))}; processor ${own.toFixed(2)} s of Node (${eventLoop.toFixed(2)} s of its event loop), ${postgres.toFixed(2)} s of Postgres` +
          (deliveries.length === 0
            ? ''
            : `; ${deliveries.length} deliveries, p50 ${ms(at(deliveries, 0.5))}, p99 ${ms(at(deliveries, 0.99))}, longest ${ms(at(deliveries, 1))}`),
      );
    const p99: Record<'off' | 'on', number[]> = { off: [], on: [] };
    for (let n = 0; n < turns; n++)
      // Whoever is first in a pair has the younger tables.
      for (const which of n % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
        await toggle(which === 'on');
        const one = await turn();
        show(which, one);
        p99[which].push(at(one.writes, 0.99));
      }
    const [off, on] = [at(p99.off, 0.5), at(p99.on, 0.5)];
    say(`median of p99 of writes: off ${ms(off)}, on ${ms(on)}, ${((on / off - 1) * 100).toFixed(0)} %`);
    await toggle(true);
    await ask('PATCH', `/rest/v1/webhooks?project_id=eq.${project_id}&name=eq.Hook%200`, { url: `${to}/dead` });
    show('on, one receiver dead', await turn());
  } finally {
    receiver.close();
    await stopServer(server);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
