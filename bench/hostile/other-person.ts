// Another person at work: a process that asks for a single task every 20 ms, however long the answers take, so that a server that
// stands still shows in every request of that time.

import { spawn } from 'node:child_process';
import { at } from './requests.ts';

export interface OtherPerson {
  /** Times of the requests sent since then (Date.now()) that were answered, in order of size; how many were not. */
  since(began: number): { readonly times: readonly number[]; readonly failed: number };
  stop(): void;
}

const program = `
const { Agent, request } = require('node:http');
const [url, key, token, paths] = process.argv.slice(1);
const all = JSON.parse(paths);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const { hostname, port } = new URL(url);
let count = 0;
setInterval(() => {
  const sent = Date.now();
  const began = performance.now();
  const told = (status) => console.log(sent + ' ' + (performance.now() - began).toFixed(1) + ' ' + status);
  const asked = request({ agent, hostname, port, path: '/rest/v1/tasks?id=eq.' + all[count++ % all.length],
    headers: { apikey: key, authorization: 'Bearer ' + token }, timeout: 30000 }, (answer) => {
    answer.resume();
    answer.on('end', () => told(answer.statusCode));
  });
  asked.on('error', () => told(0));
  asked.on('timeout', () => asked.destroy());
  asked.end();
}, 20);
process.stdin.on('end', () => process.exit()).resume();
`;

export function startOtherPerson(url: string, key: string, token: string, ids: readonly string[]): OtherPerson {
  const child = spawn(process.execPath, ['-e', program, url, key, token, JSON.stringify(ids)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers: { readonly sent: number; readonly took: number; readonly status: number }[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [sent = 0, took = 0, status = 0] = line.split(' ').map(Number);
      answers.push({ sent, took, status });
    }
  });
  return {
    since(began) {
      const asked = answers.filter(({ sent }) => sent >= began);
      return {
        times: asked
          .filter(({ status }) => status === 200)
          .map(({ took }) => took)
          .sort((a, b) => a - b),
        failed: asked.filter(({ status }) => status !== 200).length,
      };
    },
    stop: () => child.stdin.end(),
  };
}

export interface Felt {
  readonly p50: string;
  readonly p95: string;
  readonly longest: string;
  readonly p95Ms: number;
  readonly failed: number;
}

export function feltBy(person: OtherPerson, began: number): Felt {
  const { times, failed } = person.since(began);
  return {
    p50: at(times, 0.5),
    p95: at(times, 0.95),
    longest: at(times, 1),
    p95Ms: times[Math.min(times.length - 1, Math.floor(times.length * 0.95))] ?? Number.POSITIVE_INFINITY,
    failed,
  };
}
