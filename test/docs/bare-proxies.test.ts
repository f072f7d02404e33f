// Proxies as newcomers write them, in front of a server with default settings: nginx with `proxy_pass` alone, Caddy with `reverse_proxy` alone, and
// nginx at an address of another machine, as in Docker's networks. Strangers gain nothing by the address they seem to have, and the administrator
// gets a warning.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { haveProgram } from '../../scripts/apt.mjs';
import { makeOperator } from '../admin/operator.ts';
import { inside as textOf } from '../browser/words.ts';
import { startApp } from '../helpers/app.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { scratch } from '../helpers/kanbase.ts';
import { aroundNginx, runningProxies } from '../helpers/run-proxy.ts';

const proxies = runningProxies();
const place = scratch('bare-proxies');
const password = 'a good long password';

/** A network of two machines where that may be made, as Docker does; else another address of this machine. */
const space = `kanbase-${process.pid}`;
const hasNetwork = ip('netns', 'add', space);
const [outside, inside] = hasNetwork ? ['10.213.87.1', '10.213.87.2'] : ['127.0.0.1', '127.0.0.2'];

function ip(...args: string[]): boolean {
  return process.platform === 'linux' && spawnSync('ip', args).status === 0;
}

beforeAll(() => {
  expect(haveProgram('nginx-light')).toBe(true);
  expect(haveProgram('caddy')).toBe(true);
  if (!hasNetwork) return;
  const [outer, inner] = [`kb${process.pid}`, `kc${process.pid}`];
  const made = [
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', space),
    ip('addr', 'add', `${outside}/24`, 'dev', outer),
    ip('link', 'set', outer, 'up'),
    ip('-n', space, 'addr', 'add', `${inside}/24`, 'dev', inner),
    ip('-n', space, 'link', 'set', inner, 'up'),
  ];
  expect(made).not.toContain(false);
});

afterAll(async () => {
  await proxies.end();
  if (hasNetwork) ip('netns', 'del', space);
  place.remove();
});

interface Front {
  readonly name: string;
  /** The address that the server sees. */
  readonly from: string;
  /** What the log and the admin pages say. */
  readonly advice: RegExp;
  /** Starts the proxy in front of this port; its address. */
  launch(behind: number, port: number): Promise<string>;
}

async function launchNginx(at: string, port: number, location: string, before: string[] = []): Promise<string> {
  const directory = join(place.path, `nginx-${port}`);
  mkdirSync(directory);
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, aroundNginx(directory, `server { listen ${at}:${port}; location / { ${location} } }`));
  await proxies.launch([...before, '/usr/sbin/nginx', '-c', file, '-p', directory], { port, host: at });
  return `http://${at}:${port}`;
}

const silent = new RegExp(textOf('health.proxy.silent'));

const fronts: readonly Front[] = [
  {
    name: 'nginx with nothing but proxy_pass',
    from: '127.0.0.1',
    advice: silent,
    launch: (behind, port) => launchNginx('127.0.0.1', port, `proxy_pass http://127.0.0.1:${behind};`),
  },
  {
    name: 'Caddy with nothing but reverse_proxy',
    from: '127.0.0.1',
    advice: new RegExp(textOf('health.proxy.unnamed')),
    async launch(behind, port) {
      const file = join(place.path, `Caddyfile-${port}`);
      writeFileSync(file, `{\n\tadmin off\n}\nhttp://127.0.0.1:${port} {\n\treverse_proxy 127.0.0.1:${behind}\n}\n`);
      const env = { HOME: place.path, XDG_DATA_HOME: place.path, XDG_CONFIG_HOME: place.path };
      const run = ['/usr/bin/caddy', 'run', '--adapter', 'caddyfile', '--config', file] as const;
      await proxies.launch(run, { port }, env);
      return `http://127.0.0.1:${port}`;
    },
  },
  {
    name: 'nginx at a private address',
    from: inside,
    advice: silent,
    launch: (behind, port) =>
      hasNetwork
        ? launchNginx(inside, port, `proxy_pass http://${outside}:${behind};`, ['ip', 'netns', 'exec', space])
        : launchNginx(inside, port, `proxy_pass http://${outside}:${behind}; proxy_bind ${inside};`),
  },
];

describe.each(fronts)('behind $name', ({ from, advice, launch }) => {
  let front: string;
  const log: string[] = [];

  const app = forSuite(() =>
    startApp({
      // Nothing is set that a newcomer would not have: the tests' own exemption is taken away.
      settings: { AUTH_LIMIT_EXEMPT: '', AUTH_AUTOCONFIRM: 'true', HOST: '0.0.0.0' },
      log: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
    }),
  );
  beforeAll(async () => {
    const port = await findFreePort('127.0.0.1');
    front = await launch(Number(new URL(app.url).port), port);
  });

  async function signIn(email: string, guess: string, cookie = '') {
    const answer = await fetch(`${front}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { apikey: app.anonKey, 'content-type': 'application/json', cookie },
      body: JSON.stringify({ email, password: guess }),
    });
    await answer.arrayBuffer();
    return { status: answer.status, cookie: answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
  }

  test('a stranger reads neither the mail that is kept nor the metrics', async () => {
    const email = 'ada@example.test';
    expect((await app.client().auth.signUp({ email, password })).error).toBeNull();
    expect((await app.client().auth.resetPasswordForEmail(email)).error).toBeNull();
    expect(await app.sql('select 1 from private.outbox where recipient = $1', [email])).toHaveLength(1);
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetch(`${front}/dev/inbox`, { headers: { accept } });
      expect([accept, answer.status]).toEqual([accept, 401]);
      expect(await answer.text()).not.toContain(email);
    }
    expect((await fetch(`${front}/metrics`)).status).toBe(401);
  });

  test('wrong passwords are counted, and a browser that was here before still gets in', async () => {
    const email = 'berta@example.test';
    expect((await app.client().auth.signUp({ email, password })).error).toBeNull();
    const { status, cookie } = await signIn(email, password);
    expect(status).toBe(200);
    const statuses = new Map<number, number>();
    for (let guess = 0; guess < 60; guess += 1) {
      const { status } = await signIn(email, `guess-${guess}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [400, 10],
      [429, 50],
    ]);
    expect((await signIn(email, password)).status).toBe(429);
    expect((await signIn(email, password, cookie)).status).toBe(200);
    expect(log.join('')).toMatch(/a limit by address turns away everybody behind a proxy/);
  });

  test('the log and the admin pages say so at once', async () => {
    await fetch(`${front}/sign-in`);
    const said = log.filter((line) => advice.test(line));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`TRUST_PROXY=${from}`);
    const operator = await makeOperator(app);
    const { body } = await operator.ask('GET', '/state');
    const findings = body.findings as { state: string; about: string; next?: string }[];
    expect(findings.filter(({ about }) => advice.test(about))).toEqual([
      { state: 'thought', about: expect.stringContaining(from), next: expect.stringContaining(`TRUST_PROXY=${from}`) },
    ]);
  });
});

test('a named proxy that says for whom it asks is no longer reported', async () => {
  const log: string[] = [];
  const app = await startApp({
    settings: { TRUST_PROXY: 'loopback' },
    log: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
  });
  try {
    const behind = new URL(app.url).port;
    const bare = await launchNginx(
      '127.0.0.1',
      await findFreePort('127.0.0.1'),
      `proxy_pass http://127.0.0.1:${behind};`,
    );
    await fetch(`${bare}/sign-in`);
    expect(log.filter((line) => silent.test(line))).toHaveLength(1);
    await expect.poll(() => app.services.proxies.list()).toEqual([{ address: '127.0.0.1', silent: true }]);
    const told = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';
    const mended = await launchNginx(
      '127.0.0.1',
      await findFreePort('127.0.0.1'),
      `proxy_pass http://127.0.0.1:${behind}; ${told}`,
    );
    await fetch(`${mended}/sign-in`);
    await expect.poll(() => app.services.proxies.list()).toEqual([]);
  } finally {
    await app.close();
  }
});
