// `npm run bench -- --files`: downloads of small and large files, and of the scripts and sheets of the app, beside nginx with the same files on the
// same disk, in turns, and what a gigabyte up and down does to memory, into docs/figures.md.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../test/helpers/find-free-port.ts';
import { conditions } from './conditions.ts';
import { table, whole, writeFigures } from './page.ts';
import { openKeys, startServer, stopServer } from './start-server.ts';

const smallBytes = 10_000;
const smallCount = 200;
const largeBytes = 256 * 1024 * 1024;
const hugeBytes = 1024 * 1024 * 1024;
const seconds = 3;
const rounds = 5;
const connections = 32;

interface Line {
  readonly what: string;
  /** Where there is something beside it. */
  readonly ratio: string;
  readonly measured: string;
  readonly wanted: string;
}

/** Where the same bytes lie for each kind of caller. */
interface Filled {
  /** The folder of a task in the bucket attachments, and a member of its project. */
  readonly folder: string;
  readonly token: string;
  /** Addresses of small files with a signature. */
  readonly signed: readonly string[];
}

export async function benchFiles(say: (line: string) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-files-'));
  chmodSync(directory, 0o755);
  const nginxPort = await findFreePort('127.0.0.1');
  const server = await startServer({ DATA_DIR: join(directory, 'data') });
  const { url } = server;
  let nginx: ChildProcess | null = null;
  try {
    const { serviceRoleKey: key } = await openKeys();
    say('writing files …');
    const filled = await fill(url, key, join(directory, 'plain'));
    nginx = startNginx(directory, nginxPort);
    await answers(`http://127.0.0.1:${nginxPort}/small/0`);
    const lines = measure(url, `http://127.0.0.1:${nginxPort}`, key, filled, directory, server.process.pid ?? 0);
    for (const { what, ratio, measured, wanted } of lines) say(`${what}: ${ratio} ${measured} (${wanted})`);
    writeFigures('files', report(lines));
  } finally {
    await ended(nginx);
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 240; tries++) {
    if ((await fetch(url).catch(() => null))?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${url} did not answer within a minute`);
}

async function ended(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null) return;
  const end = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await end;
}

/** The same bytes as attachments of a task, in a public bucket, and as plain files for nginx. */
async function fill(url: string, key: string, plain: string): Promise<Filled> {
  const call = async <T>(path: string, body: unknown, token = key): Promise<T> => {
    const isBytes = body instanceof Uint8Array;
    const type = isBytes ? 'application/octet-stream' : 'application/json';
    const headers = {
      apikey: key,
      authorization: `Bearer ${token}`,
      'content-type': type,
      prefer: 'return=representation',
    };
    const init = { method: 'POST', headers, body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) };
    const response = await fetch(`${url}/${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const person = { email: 'ada@example.test', password: 'a good long password' };
  await call('auth/v1/admin/users', { ...person, email_confirm: true });
  const { access_token: token } = await call<{ access_token: string }>('auth/v1/token?grant_type=password', person);
  const { id: project } = await call<{ id: string }>(
    'rest/v1/rpc/create_project_with_defaults',
    { name: 'Files' },
    token,
  );
  const columns = await fetch(`${url}/rest/v1/workflow_columns?select=id&limit=1&project_id=eq.${project}`, {
    headers: { apikey: key, authorization: `Bearer ${token}` },
  });
  const [column] = (await columns.json()) as { id: string }[];
  const row = { project_id: project, column_id: column?.id, title: 'With files' };
  const [task] = await call<{ id: string }[]>('rest/v1/tasks', row, token);
  const folder = `${project}/${task?.id}`;

  mkdirSync(join(plain, 'small'), { recursive: true });
  await call('storage/v1/bucket', { name: 'open', public: true });
  for (let n = 0; n < smallCount; n++) {
    const bytes = new Uint8Array(randomBytes(smallBytes));
    writeFileSync(join(plain, 'small', String(n)), bytes);
    await call(`storage/v1/object/open/small/${n}`, bytes);
    await call(`storage/v1/object/attachments/${folder}/${n}`, bytes, token);
  }
  const large = new Uint8Array(randomBytes(largeBytes));
  writeFileSync(join(plain, 'large'), large);
  await call(`storage/v1/object/attachments/${folder}/large`, large, token);
  const paths = Array.from({ length: smallCount }, (_, n) => `${folder}/${n}`);
  const links = await call<{ signedURL: string }[]>(
    'storage/v1/object/sign/attachments',
    { expiresIn: 3600, paths },
    token,
  );
  return { folder, token, signed: links.map(({ signedURL }) => `/storage/v1${signedURL}`) };
}

function startNginx(directory: string, port: number): ChildProcess {
  const config = join(directory, 'nginx.conf');
  writeFileSync(
    config,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log;
events { worker_connections 256; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; default_type application/octet-stream;
  client_body_temp_path ${directory}/n1; proxy_temp_path ${directory}/n2; fastcgi_temp_path ${directory}/n3;
  uwsgi_temp_path ${directory}/n4; scgi_temp_path ${directory}/n5;
  server { listen 127.0.0.1:${port}; root ${directory}/plain; location /assets/ { root ${process.cwd()}/dist/web; } }
}
`,
  );
  return spawn('nginx', ['-c', config, '-p', directory], { stdio: 'ignore' });
}

function measure(
  url: string,
  nginx: string,
  key: string,
  filled: Filled,
  directory: string,
  pid: number,
): readonly Line[] {
  const numbered = (path: string) => Array.from({ length: smallCount }, (_, n) => `${path}/${n}`);
  const attachments = `/storage/v1/object/authenticated/attachments/${filled.folder}`;
  const each = [
    { who: 'by token of a member, policies asked', paths: numbered(attachments), token: filled.token },
    { who: 'by signed URL', paths: filled.signed, token: null },
    { who: 'of a public bucket', paths: numbered('/storage/v1/object/public/open/small'), token: null },
  ];
  // In turns, so that what else the machine does is shared; the first round is thrown away.
  const small = times(rounds + 1, () => ({
    beside: perSecond(nginx, numbered('/small'), null, directory),
    ours: each.map(({ paths, token }) => perSecond(url, paths, token, directory)),
  })).slice(1);
  const large = times(rounds + 1, () => ({
    beside: curl(`${nginx}/large`, null),
    ours: curl(`${url}${attachments}/large`, filled.token),
  })).slice(1);
  const assets = siteFiles();
  const site = times(rounds + 1, () => ({
    beside: perSecond(nginx, assets, null, directory),
    ours: perSecond(url, assets, null, directory),
  })).slice(1);
  const grown = growth(`${url}/storage/v1/object/open/huge`, key, directory, pid);
  const beside = median(small.map((round) => round.beside));
  const largeBeside = median(large.map((round) => round.beside));
  return [
    ...each.map(({ who }, at) => ({
      what: `10 kB files, ${who}`,
      ratio: percent(median(small.map((round) => (round.ours[at] ?? 0) / round.beside))),
      measured: `${whole(median(small.map((round) => round.ours[at] ?? 0)))} a second; nginx ${whole(beside)}`,
      wanted: '2,000 a second or 50 %',
    })),
    {
      what: `Scripts and sheets (${assets.length})`,
      ratio: percent(median(site.map((round) => round.ours / round.beside))),
      measured: `${whole(median(site.map((round) => round.ours)))} a second; nginx ${whole(median(site.map((round) => round.beside)))}`,
      wanted: '–',
    },
    {
      what: '256 MiB by token of a member, one after the other',
      ratio: percent(median(large.map((round) => round.ours / round.beside))),
      measured: `${whole(median(large.map((round) => round.ours)) / 1e6)} MB/s; nginx ${whole(largeBeside / 1e6)}`,
      wanted: '80 %',
    },
    { what: '1 GiB up: memory grows by', ratio: '', measured: `${whole(grown.up / 1e6)} MB`, wanted: 'under 50 MB' },
    {
      what: '1 GiB down: memory grows by',
      ratio: '',
      measured: `${whole(grown.down / 1e6)} MB`,
      wanted: 'under 50 MB',
    },
  ];
}

/** Names have a digest of what is in them, so both servers may send what they hold. */
function siteFiles(): readonly string[] {
  const names = readdirSync('dist/web/assets').filter((name) => /\.(js|css)$/.test(name));
  return names.map((name) => `/assets/${name}`);
}

const times = <T>(count: number, work: () => T): readonly T[] => Array.from({ length: count }, work);

/** Downloads a second of small files, picked at random. */
function perSecond(origin: string, paths: readonly string[], token: string | null, directory: string): number {
  const script = join(directory, 'small.lua');
  writeFileSync(
    script,
    `${token === null ? '' : `wrk.headers["Authorization"] = "Bearer ${token}"`}
local paths = {${paths.map((path) => `"${path}"`).join(',')}}
request = function() return wrk.format("GET", paths[math.random(1, #paths)]) end
done = function(summary, latency, requests)
  io.write(string.format("FIGURE %d %d %d\\n", summary.requests, summary.duration, summary.errors.status))
end
`,
  );
  const done = spawnSync('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin], {
    encoding: 'utf8',
  });
  const [requests = 0, micros = 1, failed = 0] = (/^FIGURE (.*)$/m.exec(done.stdout)?.[1] ?? '').split(' ').map(Number);
  if (requests === 0 || failed > 0)
    throw new Error(`${origin}${paths[0]}: ${failed} of ${requests} failed ${done.stderr}`);
  return (requests / micros) * 1e6;
}

function curl(address: string, token: string | null, ...more: string[]): number {
  const headers = token === null ? [] : ['-H', `Authorization: Bearer ${token}`];
  const options = ['-sS', '--fail', '-o', '/dev/null', '-w', '%{speed_download}', ...headers, ...more];
  return Number(execFileSync('curl', [...options, address], { encoding: 'utf8' }));
}

/** The highest resident memory of the server while a gigabyte goes up and comes down, above what it was before. */
function growth(address: string, key: string, directory: string, pid: number): { up: number; down: number } {
  const huge = join(directory, 'huge');
  writeFileSync(huge, '');
  truncateSync(huge, hugeBytes);
  const during = (work: () => void): number => {
    const before = memory(pid, 'VmRSS');
    // Begins the count of the highest anew.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    work();
    return memory(pid, 'VmHWM') - before;
  };
  const type = ['-H', 'Content-Type: application/octet-stream'];
  // Curl asks before it sends; that costs a round trip and nothing else.
  const up = during(() => void curl(address, key, '-X', 'POST', '-T', huge, ...type));
  return { up, down: during(() => void curl(address, key)) };
}

function memory(pid: number, field: string): number {
  return (
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  );
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
const percent = (ratio: number): string => `${whole(100 * ratio)} % of nginx;`;

function report(lines: readonly Line[]): string {
  return `${conditions('nginx', 'wrk', 'curl')}. \`koffi\` ${existsSync('node_modules/koffi') ? 'is' : 'is not'} there. By turns, ${rounds} rounds; medians.

${table(
  'what | beside nginx | measured | wanted',
  lines.map(({ what, ratio, measured, wanted }) => [what, ratio.replace(' of nginx;', ''), measured, wanted]),
)}`;
}
