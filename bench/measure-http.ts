// Measures a request over HTTP: wrk in a process of its own, one thread, keep-alive. Random ids are made before the clock starts, so that the
// generator does as little as it can.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case } from './cases.ts';
import type { Figure } from './figure.ts';
import type { Stage } from './stage.ts';
import { taskId } from './statements.ts';

const VARIANTS = 2048;

/** `prefix`: where a server of another make has its tables. */
export function measureHttp(
  one: Case,
  stage: Stage & { readonly prefix?: string },
  seconds: number,
  connections: number,
): Figure {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-wrk-'));
  const script = join(directory, 'case.lua');
  try {
    writeFileSync(script, luaFor(one, stage));
    const before = cpuMicros(stage.pid);
    const done = spawnSync(
      'wrk',
      ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, stage.url],
      {
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    const figures = /^FIGURE (.*)$/m.exec(done.stdout)?.[1];
    if (figures === undefined) throw new Error(`wrk: ${done.stdout}${done.stderr}`);
    const [requests = 0, micros = 1, p50 = 0, p99 = 0, failed = 0] = figures.split(' ').map(Number);
    if (failed > 0) throw new Error(`${one.name}: ${failed} of ${requests} answers were failures\n${done.stdout}`);
    return {
      perSecond: (requests / micros) * 1e6,
      p50: p50 / 1000,
      p99: p99 / 1000,
      serverMicros: (cpuMicros(stage.pid) - before) / requests,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** User and system time of a process so far; the kernel counts in hundredths of a second. */
function cpuMicros(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return 0;
  }
}

function luaFor(one: Case, stage: Stage & { readonly prefix?: string }): string {
  const headers = {
    apikey: stage.anonKey,
    Authorization: `Bearer ${stage.token}`,
    ...(one.prefer === undefined ? {} : { Prefer: one.prefer }),
    ...(one.bodies === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const bodies = one.bodies ?? [''];
  const count = one.path.includes('{id}') || bodies.some((body) => body.includes('{')) ? VARIANTS : bodies.length;
  const requests = Array.from({ length: count }, (_, index) => {
    const id = taskId(one.project, 1 + Math.floor(Math.random() * one.tasks));
    const body = (bodies[index % bodies.length] ?? '').replace('{id}', id).replace('{n}', String(index));
    return [`${stage.prefix ?? '/rest/v1'}${one.path.replace('{id}', id)}`, body] as const;
  });
  const distinct = new Map(requests.map(([path, body]) => [`${path}\n${body}`, [path, body] as const]));
  return `
local headers = {${Object.entries(headers)
    .map(([name, value]) => `[${lua(name)}]=${lua(value)}`)
    .join(',')}}
local ready = {}
local at = 0
function init()
${[...distinct.values()].map(([path, body]) => `  ready[#ready + 1] = wrk.format(${lua(one.method)}, ${lua(path)}, headers, ${body === '' ? 'nil' : lua(body)})`).join('\n')}
end
function request()
  at = at % #ready + 1
  return ready[at]
end
function done(summary, latency)
  local errors = summary.errors
  print(string.format('FIGURE %d %d %d %d %d', summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status + errors.read + errors.write + errors.connect + errors.timeout))
end
`;
}

const lua = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
