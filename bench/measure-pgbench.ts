// The limit: pgbench runs the same pair of statements, prepared and pipelined, straight against Postgres.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../server/data/catalog/catalog.ts';
import { connectionOptions } from '../server/database/connection-options.ts';
import type { Case } from './cases.ts';
import type { Figure } from './figure.ts';
import type { Stage } from './stage.ts';
import { asText, rawRequest, taskId, writePair } from './statements.ts';

export function measurePgbench(
  one: Case,
  stage: Stage,
  catalog: Catalog,
  seconds: number,
  connections: number,
): Figure {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-pgbench-'));
  try {
    const variables: string[] = [];
    const scripts = (one.bodies ?? ['']).map((body, turn) => {
      const first = taskId(one.project, 1);
      const pair = writePair(rawRequest(one, stage, body.replace('{id}', first).replace('{n}', '1')), catalog, stage);
      const text = pair.map((statement, place) => {
        const name = (index: number): string => `s${turn}p${place}v${index}`;
        return `${statement.text.replaceAll(/\$(\d+)/g, (_, number: string) => {
          const index = Number(number);
          const value = asText(statement.values[index - 1] ?? null);
          if (value === first) return `md5('${one.project}/' || :n)::uuid`;
          // A body with a random id in it: put together where pgbench has the number.
          if (value.includes(first)) {
            const [before = '', after = ''] = value.split(first);
            return `('${before}' || md5('${one.project}/' || :n)::uuid || '${after}')`;
          }
          const variable = `-D${name(index)}=${value}`;
          if (!variables.includes(variable)) variables.push(variable);
          return `:${name(index)}`;
        })};`;
      });
      const file = join(directory, `script-${turn}.sql`);
      writeFileSync(file, `\\set n random(1, ${one.tasks})\n\\startpipeline\n${text.join('\n')}\n\\endpipeline\n`);
      return ['-f', file];
    });
    const { host, port, user, password, database } = connectionOptions(stage.databaseUrl) as Record<
      string,
      string | number | undefined
    >;
    const done = spawnSync(
      'pgbench',
      [
        ...['-n', '-M', 'prepared', '-c', String(connections), '-j', '1', '-T', String(seconds)],
        ...['-l', '--sampling-rate=0.2', `--log-prefix=${join(directory, 'log')}`],
        ...variables,
        ...scripts.flat(),
      ],
      {
        encoding: 'utf8',
        env: {
          PATH: process.env.PATH,
          PGHOST: String(host),
          PGPORT: String(port ?? 5432),
          PGUSER: String(user),
          PGDATABASE: String(database),
          ...(password === undefined ? {} : { PGPASSWORD: String(password) }),
        },
      },
    );
    const perSecond = Number(/tps = ([\d.]+) \(without/.exec(done.stdout)?.[1] ?? Number.NaN);
    if (Number.isNaN(perSecond) || /aborted/.test(done.stderr))
      throw new Error(`pgbench: ${done.stderr.slice(0, 2000)}`);
    const times = readdirSync(directory)
      .filter((name) => name.startsWith('log'))
      .flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n'))
      .map((line) => Number(line.split(' ')[2]) / 1000)
      .sort((a, b) => a - b);
    const at = (share: number): number =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    return { perSecond, p50: at(0.5), p99: at(0.99) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
