// `npm run bench -- --files`: downloads of small and large files beside nginx with the same files on the same disk in the same run, and what a
// gigabyte up and down does to memory, into docs/performance-files.md.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../server/http/find-free-port.ts';

const smallBytes = 10_000;
const smallCount = 200;
const largeBytes = 256 * 1024 * 1024;
const hugeBytes = 1024 * 1024 * 1024;
const seconds = 6;
const connections = 32;

interface Line {
  readonly what: string;
  readonly measured: string;
  readonly wanted: string;
}

export async function benchFiles(say: (line: string) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-files-'));
  chmodSync(directory, 0o755);
  const [port, nginxPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')];
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    DATA_DIR: join(directory, 'data'),
    PORT: String(port),
    HOST: '127.0.0.1',
    SITE_URL: url,
    LOG_LEVEL: 'error',
  };
  const server = spawn(process.execPath, ['dist/server/main.js', 'serve'], { env, stdio: 'ignore' });
  let nginx: ChildProcess | null = null;
  try {
    await answers(`${url}/health`);
    const keys = execFileSync(process.execPath, ['dist/server/main.js', 'keys', '--json'], { env, encoding: 'utf8' });
    const key = (JSON.parse(keys) as { service_role: string }).service_role;
    say('writing files …');
    await fill(url, key, join(directory, 'plain'));
    nginx = startNginx(directory, nginxPort);
    await answers(`http://127.0.0.1:${nginxPort}/small/0`);
    const lines = measure(url, `http://127.0.0.1:${nginxPort}`, key, directory, server.pid ?? 0);
    for (const { what, measured, wanted } of lines) say(`${what}: ${measured} (${wanted})`);
    if (!process.argv.includes('--dry')) writeFileSync('docs/performance-files.md', report(lines));
  } finally {
    await ended(nginx);
    await ended(server);
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

/** The same bytes in a public and a private bucket, and as plain files for nginx. */
async function fill(url: string, key: string, plain: string): Promise<void> {
  const call = async (path: string, body: Uint8Array<ArrayBuffer> | string, type: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const response = await fetch(`${url}/storage/v1/${path}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  };
  mkdirSync(join(plain, 'small'), { recursive: true });
  for (const bucket of ['open', 'closed'])
    await call('bucket', JSON.stringify({ name: bucket, public: bucket === 'open' }), 'application/json');
  for (let n = 0; n < smallCount; n++) {
    const bytes = new Uint8Array(randomBytes(smallBytes));
    writeFileSync(join(plain, 'small', String(n)), bytes);
    for (const bucket of ['open', 'closed'])
      await call(`object/${bucket}/small/${n}`, bytes, 'application/octet-stream');
  }
  const large = new Uint8Array(randomBytes(largeBytes));
  writeFileSync(join(plain, 'large'), large);
  await call('object/closed/large', large, 'application/octet-stream');
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
  server { listen 127.0.0.1:${port}; root ${directory}/plain; }
}
`,
  );
  return spawn('nginx', ['-c', config, '-p', directory], { stdio: 'ignore' });
}

function measure(url: string, nginx: string, key: string, directory: string, pid: number): readonly Line[] {
  const withToken = `object/authenticated/closed`;
  const each = [
    { who: 'by token, policies asked', perSecond: small(`${url}/storage/v1/${withToken}/small`, key, directory) },
    { who: 'of a public bucket', perSecond: small(`${url}/storage/v1/object/public/open/small`, null, directory) },
  ];
  const beside = small(`${nginx}/small`, null, directory);
  const rate = (address: string, token: string | null) => median([1, 2, 3, 4, 5].map(() => curl(address, token)));
  const [large, largeBeside] = [rate(`${url}/storage/v1/${withToken}/large`, key), rate(`${nginx}/large`, null)];
  const grown = growth(`${url}/storage/v1/object/closed/huge`, key, directory, pid);
  return [
    ...each.map(({ who, perSecond }) => ({
      what: `10 kB files, ${who}`,
      measured: `${whole(perSecond)} a second; nginx ${whole(beside)}: ${whole((100 * perSecond) / beside)} %`,
      wanted: '2,000 a second, or 50 % of nginx',
    })),
    {
      what: '256 MiB, one after the other',
      measured: `${whole(large / 1e6)} MB/s; nginx ${whole(largeBeside / 1e6)} MB/s: ${whole((100 * large) / largeBeside)} %`,
      wanted: '80 % of nginx',
    },
    { what: '1 GiB up: memory grows by', measured: `${whole(grown.up / 1e6)} MB`, wanted: 'under 50 MB' },
    { what: '1 GiB down: memory grows by', measured: `${whole(grown.down / 1e6)} MB`, wanted: 'under 50 MB' },
  ];
}

/** Downloads a second of small files, picked at random. */
function small(address: string, token: string | null, directory: string): number {
  const { origin, pathname } = new URL(address);
  const script = join(directory, 'small.lua');
  writeFileSync(
    script,
    `${token === null ? '' : `wrk.headers["Authorization"] = "Bearer ${token}"`}
request = function() return wrk.format("GET", "${pathname}/" .. math.random(0, ${smallCount - 1})) end
done = function(summary, latency, requests)
  io.write(string.format("FIGURE %d %d %d\\n", summary.requests, summary.duration, summary.errors.status))
end
`,
  );
  const done = spawnSync('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin], {
    encoding: 'utf8',
  });
  const [requests = 0, micros = 1, failed = 0] = (/^FIGURE (.*)$/m.exec(done.stdout)?.[1] ?? '').split(' ').map(Number);
  if (requests === 0 || failed > 0) throw new Error(`${address}: ${failed} of ${requests} failed ${done.stderr}`);
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
const whole = (value: number): string => Math.round(value).toLocaleString('en');

function report(lines: readonly Line[]): string {
  const load = loadavg()
    .map((one) => one.toFixed(1))
    .join(', ');
  return `# What /storage/v1 costs

Measured by \`npm run bench -- --files\`, ${new Date().toISOString().slice(0, 10)}: one server process with its embedded Postgres, nginx with one worker and the same files on the same disk, the load from
another process, all on one machine with ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}; load average at the end ${load}. Small files are asked for over ${connections} connections for ${seconds} s
each, large ones five times one after the other, of which the median stands here. Files are in the cache of the system for both.

| what | measured | wanted |
|---|---|---|
${lines.map(({ what, measured, wanted }) => `| ${what} | ${measured} | ${wanted} |`).join('\n')}

A download costs one statement: the row is read under the caller's policies each time, so nothing is ever sent that a \`select\` would not show. nginx asks nobody.
`;
}
