// Templates for hosts in deploy/: each asks for the size that was measured, by settings and paths that exist, and its scripts do what they say
// where the host's own programs are replaced by ones that note what they were asked for.

import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { haveProgram } from '../../scripts/apt.mjs';
import { readConfig } from '../../server/config/read-config.ts';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('hosts');
afterAll(() => place.remove());

const read = (name: string): string => readFileSync(`deploy/${name}`, 'utf8');
const settings = new Set(readConfig({ env: {} }).sources.keys());
const set = (text: string): string[] => [...text.matchAll(/^([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
/** Text between `<<'NAME'` and NAME. */
const heredoc = (text: string, name: string): string =>
  new RegExp(`<<'${name}'\\n([\\s\\S]*?)^${name}$`, 'm').exec(text)?.[1] ?? '';

/** What `docs/run/self-hosting.md` says was measured. */
const [processors, megabytes] = [1, 512];

test('the guide names every template, and the size that each asks for', () => {
  const guide = readFileSync('docs/run/self-hosting.md', 'utf8');
  const named = ['proxmox.sh', 'railway.json', 'casaos.yaml', 'yunohost/'];
  expect(named.filter((name) => !guide.includes(`deploy/${name}`))).toEqual([]);
  expect(guide.includes(`${processors} processor and ${megabytes} MB`)).toBe(true);
});

test('Railway waits for /ready and keeps the data on a volume', () => {
  const { build, deploy } = JSON.parse(read('railway.json')) as {
    build: { dockerfilePath: string };
    deploy: Record<string, unknown>;
  };
  expect(existsSync(build.dockerfilePath)).toBe(true);
  expect(deploy).toMatchObject({
    healthcheckPath: '/ready',
    requiredMountPath: '/data',
    numReplicas: 1,
    // Two servers on one cluster refuse each other.
    overlapSeconds: 0,
    drainingSeconds: 30,
    limitOverride: { containers: { cpu: processors, memoryBytes: megabytes * 1e6 } },
  });
});

test('CasaOS gets an app of its store protocol, as closed as compose.yaml', () => {
  const app = parse(read('casaos.yaml')) as {
    services: { kanbase: Record<string, unknown> };
    'x-casaos': Record<string, unknown>;
  };
  const { kanbase } = (parse(readFileSync('compose.yaml', 'utf8')) as typeof app).services;
  const { read_only, tmpfs, cap_drop, security_opt, stop_grace_period } = kanbase;
  expect(app.services.kanbase).toMatchObject({
    ...{ read_only, tmpfs, cap_drop, security_opt, stop_grace_period },
    deploy: { resources: { limits: { cpus: String(processors), memory: `${megabytes}M` } } },
    ports: [{ target: 3000, published: '3000', protocol: 'tcp' }],
    volumes: [{ type: 'volume', source: 'data', target: '/data' }],
  });
  const required = ['id', 'main', 'index', 'port_map', 'icon', 'title', 'category', 'version', 'architectures'];
  expect(required.filter((name) => !(name in app['x-casaos']))).toEqual([]);
  expect(app['x-casaos']).toMatchObject({ main: 'kanbase', port_map: '3000', architectures: ['amd64', 'arm64'] });
});

test('YunoHost gets a package of format 2 whose scripts are well-formed and whose settings exist', () => {
  const manifest = read('yunohost/manifest.toml');
  for (const line of [
    'packaging_format = 2',
    'id = "kanbase"',
    'helpers_version = "2.1"',
    `ram.runtime = "${megabytes}M"`,
  ])
    expect(manifest).toContain(line);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(manifest).toContain(`version = "${version.replace(/-dev$/, '')}~ynh1"`);
  expect(readdirSync('deploy/yunohost/scripts').sort()).toEqual(
    ['_common.sh', 'backup', 'install', 'remove', 'restore', 'upgrade'].sort(),
  );
  for (const name of readdirSync('deploy/yunohost/scripts')) {
    const checked = spawnSync('bash', ['-n', `deploy/yunohost/scripts/${name}`], { encoding: 'utf8' });
    expect([checked.status, checked.stderr], name).toEqual([0, '']);
  }
  const env = set(read('yunohost/conf/kanbase.env'));
  expect(env).toContain('TRUST_PROXY');
  expect(env.filter((name) => !settings.has(name))).toEqual([]);
});

test('systemd takes the units of both', () => {
  expect(haveProgram('systemd')).toBe(true);
  const filled = read('yunohost/conf/systemd.service')
    .replaceAll('__APP__', 'kanbase')
    .replaceAll('__DATA_DIR__', '/var/lib/kanbase')
    .replaceAll('__INSTALL_DIR__', '/opt/kanbase')
    .replaceAll('__NODEJS_DIR__', '/usr/bin');
  for (const [name, unit] of [
    ['yunohost', filled],
    ['proxmox', heredoc(heredoc(read('proxmox.sh'), 'INSIDE'), 'UNIT')],
  ] as const) {
    expect(unit).toContain('ExecStart=/usr/bin/node ');
    const file = join(place.path, `${name}.service`);
    writeFileSync(file, unit.replaceAll('/usr/bin/node', process.execPath));
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    expect(`${verified.stdout}${verified.stderr}`).not.toContain(`${name}.service`);
  }
});

test('the Proxmox script creates one container of that size and installs the package in it', () => {
  const shims = join(place.path, 'shims');
  const notes = join(place.path, 'notes');
  mkdirSync(shims);
  const programs = {
    pvesh: 'echo 105',
    pveam: `case "$1" in available) echo "system          debian-12-standard_12.7-1_amd64.tar.zst"; echo "system          debian-13-standard_13.1-2_amd64.tar.zst";; esac`,
    pct: `echo "pct $*" >> '${notes}'; case "$*" in *"hostname -I"*) echo "10.0.0.5 ";; *"route show"*) echo "default via 10.0.0.1";; *"bash -s") cat > '${notes}.inside';; esac`,
  };
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(shims, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(shims, name), 0o755);
  }
  const run = (env: Record<string, string>) =>
    spawnSync('bash', ['deploy/proxmox.sh'], {
      encoding: 'utf8',
      env: { PATH: `${shims}${delimiter}${process.env.PATH}`, ...env },
    });
  const done = run({});
  expect(done.status, done.stderr).toBe(0);
  expect(done.stderr).toContain('Kanbase runs at http://10.0.0.5:3000 (container 105).');
  const asked = readFileSync(notes, 'utf8');
  expect(asked).toContain('pct create 105 local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst');
  expect(asked).toMatch(new RegExp(`--unprivileged 1 .*--cores ${processors} --memory ${megabytes} `));
  const inside = readFileSync(`${notes}.inside`, 'utf8');
  expect(spawnSync('bash', ['-n'], { input: inside }).status).toBe(0);
  expect(inside).toMatch(/npm install .*--ignore-scripts .*"kanbase@\$\{1:-latest\}"/);
  const [, env = ''] = /printf '([^']*)' > \/etc\/kanbase\.env/.exec(inside) ?? [];
  expect(set(env.replaceAll('\\n', '\n')).filter((name) => !settings.has(name))).toEqual([]);
  // What is given goes into no shell unread.
  expect(run({ VERSION: '1; reboot' }).status).toBe(2);
});
