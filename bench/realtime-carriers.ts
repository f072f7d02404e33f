// Compares the ways for nodes to send each other messages: notifications of Postgres and logical messages in its log.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import type { MeasuredLine } from './figure.ts';

const alone = 300;
const together = 5000;
const text = randomBytes(150).toString('hex');

export async function measureCarriers(url: string): Promise<MeasuredLine[]> {
  const sender = new pg.Client(connectionOptions(url));
  const listener = new pg.Client(connectionOptions(url));
  await Promise.all([sender.connect(), listener.connect()]);
  try {
    let heard = 0;
    let wake: () => void = () => undefined;
    listener.on('notification', () => {
      heard++;
      wake();
    });
    await listener.query('listen bench_carrier');
    const until = async (count: number): Promise<void> => {
      while (heard < count)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    };
    const waits: number[] = [];
    for (let index = 1; index <= alone; index++) {
      const began = performance.now();
      await sender.query('select pg_notify($1, $2)', ['bench_carrier', `${index} ${text}`]);
      await until(index);
      waits.push(performance.now() - began);
    }
    const began = performance.now();
    for (let sent = 0; sent < together; sent += 500)
      await sender.query(`select pg_notify('bench_carrier', n || $1) from generate_series($2::int, $3::int) n`, [
        text,
        sent,
        sent + 499,
      ]);
    await until(alone + together);
    const notified = performance.now() - began;
    const emitted: number[] = [];
    for (let index = 0; index < alone; index++) {
      const start = performance.now();
      await sender.query(`select pg_logical_emit_message(true, 'bench', $1)`, [text]);
      emitted.push(performance.now() - start);
    }
    const describe = (list: number[]): string => {
      list.sort((a, b) => a - b);
      return `p50 ${list[Math.floor(list.length / 2)]?.toFixed(1)} ms, p99 ${list[Math.floor(list.length * 0.99)]?.toFixed(1)} ms`;
    };
    return [
      {
        what: 'pg_notify of 300 bytes, until another connection has it',
        measured: describe(waits),
        wanted: 'the carrier between nodes',
      },
      {
        what: `pg_notify, 500 in a statement`,
        measured: `${Math.round(together / (notified / 1000)).toLocaleString('en')} a second`,
        wanted: 'the carrier between nodes',
      },
      {
        what: 'pg_logical_emit_message of 300 bytes, until it is written to disk (each node then still has to decode it)',
        measured: describe(emitted),
        wanted: 'weighed',
      },
    ];
  } finally {
    await Promise.all([sender.end(), listener.end()]);
  }
}
