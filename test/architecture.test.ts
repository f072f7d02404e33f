// Holds the house to its plan: which way imports run, what the server may need at run time, and the manners that a
// machine can see. ARCHITECTURE.md tells why; this file fails on the first arrow that runs the other way.

import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = process.cwd();

/** A room (a directory or file below server/ or web/) and the rooms it may import from. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  // The ground: nothing below it.
  'server/errors.ts': [],
  'server/domain-errors.ts': ['server/errors.ts'],
  'server/package-root.ts': [],
  'server/config': [],
  'server/open-log.ts': ['server/config'],
  'server/database': ['server/config', 'server/errors.ts'],
  'server/limits': ['server/config', 'server/database', 'server/errors.ts'],
  'server/reach-database.ts': ['server/config', 'server/database', 'server/package-root.ts'],
  // What a door may ask for: types only, a test below sees to it.
  'server/house.ts': ['server/config', 'server/database', 'server/http', 'server/limits', 'server/session'],
  // Stands beside the database and knows nothing of it.
  'server/http': ['server/config', 'server/errors.ts', 'server/house.ts'],
  'server/session': ['server/config', 'server/database', 'server/errors.ts', 'server/house.ts'],
  'server/mail': [
    'server/config',
    'server/database',
    'server/errors.ts',
    'server/house.ts',
    'server/http',
    'server/session',
  ],
  'server/reminders': ['server/database', 'server/house.ts'],
  // The doors: never each other; they meet in Postgres.
  'server/identity': doorsMayUse('server/mail'),
  'server/data': doorsMayUse(),
  'server/landing': doorsMayUse(),
  'server/billing': doorsMayUse(),
  'server/realtime': doorsMayUse(),
  'server/files': doorsMayUse(),
  // Shows what the data door serves, so it reads the data door's catalog.
  'server/docs': doorsMayUse('server/data'),
  // Fills a workspace through the public doors.
  'server/demo': ['server/config', 'server/database', 'server/house.ts'],
  // Composition.
  'server/catalogs.ts': ['server/*'],
  'server/app.ts': ['server/*'],
  'server/open-house.ts': ['server/*'],
  'server/commands': ['server/*'],
  'server/main.ts': ['server/*'],
};

function doorsMayUse(...more: string[]): readonly string[] {
  return [
    'server/config',
    'server/database',
    'server/errors.ts',
    'server/house.ts',
    'server/http',
    'server/limits',
    'server/package-root.ts',
    'server/session',
    ...more,
  ];
}

/** In web/: parts that know nothing of what is built from them. Screens and the shell around them may use everything. */
const webArrows: Readonly<Record<string, readonly string[]>> = {
  'web/sync': [],
  'web/actions': [],
  'web/routes.ts': [],
  'web/theme.ts': [],
  'web/strings': ['web/sync'],
  'web/session': ['web/sync'],
  'web/ui': ['web/strings'],
  'web/queries': ['web/strings', 'web/sync'],
  'web/queries.ts': ['web/queries', 'web/sync'],
  'web/commands': ['web/queries', 'web/strings', 'web/sync'],
  'web/commands.ts': ['web/commands', 'web/sync'],
  'web/pieces': ['web/queries', 'web/strings', 'web/sync', 'web/ui'],
  'web/landing': ['web/strings', 'web/sync'],
};

interface Import {
  readonly from: string;
  /** A path below the root, or a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const sources = ['server', 'web', 'contract', 'bench'].flatMap(filesBelow).filter((file) => /\.tsx?$/.test(file));
const imports = sources.filter((file) => !isTest(file)).flatMap(importsOf);
const inside = imports.filter(({ to }) => /^(server|web|contract|test|bench|scripts)\//.test(to));

test('every arrow between rooms of the server runs the right way', () => {
  const wrong = inside
    .filter(({ from }) => from.startsWith('server/'))
    .filter(({ from, to }) => roomOf(from) !== roomOf(to))
    .filter(({ from, to }) => !isAllowed(roomOf(from), roomOf(to)))
    .map(({ from, to }) => `${from} imports ${to}`);
  expect(wrong).toEqual([]);
});

test('every room of the server has its place in the plan', () => {
  const rooms = new Set(sources.filter((file) => file.startsWith('server/') && !isTest(file)).map(roomOf));
  expect([...rooms].filter((room) => arrows[room] === undefined)).toEqual([]);
});

test('the house is made of types alone', () => {
  expect(inside.filter(({ from, typeOnly }) => from === 'server/house.ts' && !typeOnly)).toEqual([]);
});

test('server and web share nothing but the contract', () => {
  const wrong = inside.filter(
    ({ from, to }) =>
      (from.startsWith('server/') && /^(web|test|bench)\//.test(to)) ||
      (from.startsWith('web/') && !/^(web|contract)\//.test(to)) ||
      (from.startsWith('contract/') && !to.startsWith('contract/')),
  );
  expect(wrong).toEqual([]);
});

test('parts of the web app know nothing of what is built from them', () => {
  const wrong = inside
    .filter(({ from, to }) => to.startsWith('web/') && roomOf(from) !== roomOf(to))
    .filter(({ from, to }) => webArrows[roomOf(from)]?.includes(roomOf(to)) === false)
    .map(({ from, to }) => `${from} imports ${to}`);
  expect(wrong).toEqual([]);
});

test('no file of the web app needs itself by a detour', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of inside) if (from.startsWith('web/')) graph.set(from, [...(graph.get(from) ?? []), to]);
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  expect(circles).toEqual([]);
});

test('every stylesheet is worn: a page, a component or another stylesheet takes it', () => {
  const web = filesBelow('web');
  const taken = web
    .filter((file) => /\.(tsx?|css|html)$/.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/["'](\.\.?\/[^"']+\.css)["']/g)].map(([, path = '']) => join(dirname(file), path)),
    );
  expect(web.filter((file) => file.endsWith('.css') && !taken.includes(file))).toEqual([]);
});

test('the server runs without development dependencies', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  const wanted = imports
    .filter(({ from, to, typeOnly }) => from.startsWith('server/') && !typeOnly && !to.includes(':') && isPackage(to))
    .filter(({ to }) => !builtinModules.includes(to))
    .map(({ from, to }) => ({
      from,
      name: to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/'),
    }));
  expect(wanted.filter(({ name }) => !(name in dependencies))).toEqual([]);
});

test('configuration is an argument: nobody else reads the environment', () => {
  const readers = sources
    .filter((file) => file.startsWith('server/') && !isTest(file))
    .filter((file) => /process\.env/.test(code(file)));
  // What starts Postgres hands on the environment that a process needs to run at all; it takes no setting from it.
  expect(readers.filter((file) => !file.startsWith('server/database/embedded/'))).toEqual(['server/main.ts']);
});

test('files are named for what they are', () => {
  const vague = /(^|\/)(common|internal|misc|([a-z0-9-]*-)?(utils?|helpers?|manager))(\.|\/)/;
  const all = [...sources, ...filesBelow('test'), ...filesBelow('scripts')].filter(
    (file) => !file.startsWith('test/helpers/'),
  );
  expect(all.filter((file) => vague.test(file))).toEqual([]);
  expect(
    all.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/^[a-z0-9.-]+$/.test(file.slice(file.lastIndexOf('/') + 1))),
  ).toEqual([]);
});

test('a file is one idea: it opens with a comment that tells its job, and ends before line 500', () => {
  const files = sources.filter((file) => !file.startsWith('contract/') && !isTest(file));
  expect(files.filter((file) => !/^(#!.*\n)?(\/\/|\/\*)/.test(read(file)))).toEqual([]);
  expect(files.filter((file) => read(file).split('\n').length > 500)).toEqual([]);
});

test('types are believed: no any, no suppressed errors, nothing left to do', () => {
  const wrong = [...sources, ...filesBelow('test').filter((file) => /\.tsx?$/.test(file))]
    .filter((file) => file !== 'test/architecture.test.ts')
    .filter(
      (file) =>
        /@ts-(ignore|expect-error|nocheck)|\b(as|:) any\b|<any>/.test(code(file)) ||
        /\b(TODO|FIXME|XXX)\b/.test(read(file)),
    );
  expect(wrong).toEqual([]);
});

test('no test is skipped for good or run alone', () => {
  const files = ['test', 'server', 'web'].flatMap(filesBelow).filter(isTest);
  expect(
    files.filter(
      (file) => file !== 'test/architecture.test.ts' && /\b(test|it|describe)\.(only|skip|todo)\(/.test(read(file)),
    ),
  ).toEqual([]);
});

function isAllowed(from: string, to: string): boolean {
  const allowed = arrows[from] ?? [];
  return allowed.includes(to) || (to.startsWith('server/') && allowed.includes('server/*')) || to === 'contract';
}

/** `server/identity/sign-up.ts` is in the room server/identity, `server/app.ts` is one by itself. */
function roomOf(file: string): string {
  const [top = '', second = '', third] = file.split('/');
  if (top === 'contract') return 'contract';
  return third === undefined && !second.includes('.') ? top : `${top}/${second}`;
}

function importsOf(file: string): Import[] {
  const found = code(file).matchAll(
    /\b(import|export)\s+(type\s)?[^'";]*?\bfrom\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|^import\s+'([^']+)'/gm,
  );
  return [...found].map((match) => {
    const target = match[3] ?? match[4] ?? match[5] ?? '';
    const to = target.startsWith('.')
      ? relative(root, join(root, dirname(file), target))
          .split(sep)
          .join('/')
      : target;
    return { from: file, to, typeOnly: match[2] !== undefined };
  });
}

/** Without comments: what they say binds nobody. */
function code(file: string): string {
  return read(file).replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '');
}

function isPackage(name: string): boolean {
  return !/^(\.|server\/|web\/|contract\/|test\/|bench\/)/.test(name);
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function filesBelow(directory: string): string[] {
  return readdirSync(join(root, directory), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${directory}/${entry.name}`) : [`${directory}/${entry.name}`],
  );
}
