// `npm run bench -- --backup`: how long a backup of 200,000 tasks and 300 MB of files takes, its proof and its restore, how large it is, how much memory each needs, and what
// somebody who reads meanwhile notices, into docs/figures.md.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conditions } from './conditions.ts';
import { ms, table, whole, writeFigures } from './page.ts';
import { memoryOf } from './process-figures.ts';
import { at } from './quantile.ts';
import { openStage, type Stage } from './stage.ts';

interface Ran {
  readonly seconds: number;
  /** Of the command's process alone, in MB. */
  readonly memory: number;
  readonly said: string;
}

/** `kanbase` as a user runs it. */
async function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  const began = performance.now();
  const child = spawn(process.execPath, ['dist/server/main.js', ...args], {
    env: { PATH: process.env.PATH, LANG: process.env.LANG, ...env },
  });
  let said = '';
  child.stdout.on('data', (piece: Buffer) => {
    said += piece;
  });
  child.stderr.on('data', (piece: Buffer) => {
    said += piece;
  });
  let memory = 0;
  const sampling = setInterval(() => {
    memory = Math.max(memory, memoryOf(child.pid ?? 0));
  }, 50);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`kanbase ${args.join(' ')} ended with ${code}: ${said}`);
  return { seconds: (performance.now() - began) / 1000, memory, said: said.trim() };
}

/** Milliseconds that a list of fifty tasks takes, until `until` is settled. */
async function readWhile(stage: Stage, until: Promise<unknown>): Promise<number[]> {
  let over = false;
  const end = () => {
    over = true;
  };
  until.then(end, end);
  const took: number[] = [];
  while (!over) {
    const began = performance.now();
    const answer = await fetch(`${stage.url}/rest/v1/tasks?select=*&limit=50`, {
      headers: { apikey: stage.anonKey, authorization: `Bearer ${stage.token}` },
    });
    await answer.arrayBuffer();
    took.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return took.sort((a, b) => a - b);
}

/** How many, and how large each is. */
const files: readonly (readonly [count: number, bytes: number])[] = [
  [1000, 100_000],
  [20, 10_000_000],
];

/** By the door, eight at a time; of noise, which does not pack. */
async function upload({ url, anonKey, serviceKey }: Stage): Promise<void> {
  const send = async (path: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> => {
    const headers = { apikey: anonKey, authorization: `Bearer ${serviceKey}`, 'content-type': type };
    const answer = await fetch(`${url}/storage/v1/${path}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  await send('bucket', 'application/json', JSON.stringify({ id: 'bench', name: 'bench' }));
  const waiting = files.flatMap(([count, bytes]) =>
    Array.from({ length: count }, (_, n) => [`${bytes}/${n}.bin`, bytes] as const),
  );
  const sender = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      await send(`object/bench/${next[0]}`, 'application/octet-stream', new Uint8Array(randomBytes(next[1])));
  };
  await Promise.all(Array.from({ length: 8 }, sender));
}

export async function benchBackup(say: (line: string) => void): Promise<void> {
  const stage = await openStage(say);
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-backup-'));
  chmodSync(directory, 0o755);
  try {
    say('uploading files …');
    await upload(stage);
    const file = join(directory, 'whole.zip');
    const source = { DATABASE_URL: stage.ownerUrl, DATA_DIR: stage.directory };
    const quiet = await readWhile(stage, new Promise((resolve) => setTimeout(resolve, 5000)));
    say('backing up …');
    const writing = run(['backup', file, '--without-secrets'], source);
    const busy = await readWhile(stage, writing);
    const written = await writing;
    say('proving …');
    const proved = await run(['backup', '--verify', file], { DATA_DIR: join(directory, 'none') });
    say('restoring …');
    const restored = await run(['restore', file], { DATA_DIR: join(directory, 'again') });
    const line = (what: string, { seconds, memory }: Ran) => [what, `${seconds.toFixed(1)} s`, `${memory} MB`];
    const report = `${conditions()}. 200,000 tasks and ${files.map(([count, bytes]) => `${count.toLocaleString('en')} files of ${bytes / 1000} kB`).join(' and ')}; once each, with the start of each process.

${table('what | >takes | >memory of its process', [
  line('`npx kanbase backup FILE`, beside the running service', written),
  line('`npx kanbase backup --verify FILE`: restored, every table and file compared, doctor asked', proved),
  line('`npx kanbase restore FILE` into an empty directory', restored),
])}

${written.said} The file has ${whole(statSync(file).size / 1e6)} MB. A reader of fifty tasks waited ${ms(at(busy, 0.5))} (median) and ${ms(at(busy, 0.99))} (99 %) meanwhile; before it, ${ms(at(quiet, 0.5))} and ${ms(at(quiet, 0.99))}.`;
    console.log(report);
    writeFigures('backup', report);
  } finally {
    await stage.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
