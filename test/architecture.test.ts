// Holds the code to its plan: which way imports run, what the server may need at run time, and the manners that a
// machine can see. ARCHITECTURE.md tells why; this file fails on the first arrow that runs the other way.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';
import { readRules } from '../server/database/rules/read-rules.ts';

const root = process.cwd();

/** The HTTP APIs and the pages, each under its own prefix. */
const doors = [
  'server/identity',
  'server/data',
  'server/realtime',
  'server/files',
  'server/pages',
  'server/billing',
  'server/docs',
  'server/exports/mount-feeds.ts',
  'server/admin',
  'server/imports/door',
  'server/scim',
  'server/mcp',
  'server/outbox',
];

/** A room (a directory or file below server/ or web/) and the rooms it may import from. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  // The ground: nothing below it.
  'server/errors.ts': [],
  'server/domain-errors.ts': ['server/errors.ts'],
  'server/package-root.ts': [],
  'server/effective-user.ts': [],
  'server/loopback.ts': [],
  'server/program-file.ts': ['server/package-root.ts'],
  'server/yield-processor.ts': [],
  'server/json': [],
  'server/texts': [],
  'server/config': [],
  'server/open-log.ts': ['server/config'],
  'server/database': ['server/config', 'server/errors.ts', 'server/loopback.ts', 'server/yield-processor.ts'],
  // Settings that operators change, from the database into the configuration that is in use.
  'server/stored-settings.ts': ['server/config', 'server/database', 'server/session'],
  'server/limits': ['server/config', 'server/database', 'server/errors.ts', 'server/loopback.ts', 'server/texts'],
  'server/reach-database.ts': ['server/config', 'server/database', 'server/package-root.ts'],
  // What a door may ask for: types only, a test below sees to it.
  'server/services.ts': [
    'server/background',
    'server/config',
    'server/database',
    'server/doctor',
    'server/http',
    'server/limits',
    'server/session',
    'server/stored-settings.ts',
  ],
  // Loops of background jobs and the record of their runs.
  'server/background': ['server/database'],
  'server/background/push': ['server/database', 'server/services.ts', 'server/session', 'server/texts'],
  'server/background/recurrence': ['server/background', 'server/database', 'server/services.ts'],
  'server/background/ended-work.ts': ['server/background', 'server/database', 'server/services.ts'],
  'server/background/reminders.ts': ['server/background', 'server/database', 'server/services.ts'],
  // What `kanbase doctor` and the admin pages find.
  'server/doctor': [
    'server/config',
    'server/database',
    'server/effective-user.ts',
    'server/limits',
    'server/reach-database.ts',
    'server/texts',
  ],
  // Wraps the database, and gives listeners what runs a request inside a span.
  'server/tracing': ['server/config', 'server/database', 'server/http', 'server/package-root.ts'],
  // Stands beside the database and knows nothing of it.
  'server/http': [
    'server/config',
    'server/errors.ts',
    'server/json',
    'server/loopback.ts',
    'server/services.ts',
    'server/texts',
  ],
  'server/session': ['server/config', 'server/database', 'server/errors.ts', 'server/services.ts'],
  'server/mail': [
    'server/config',
    'server/database',
    'server/errors.ts',
    'server/loopback.ts',
    'server/services.ts',
    'server/http',
    'server/session',
    'server/texts',
  ],
  // Everything in one file and back; it is handed what reads and writes files.
  'server/backup': ['server/database', 'server/effective-user.ts', 'server/package-root.ts'],
  // What other products export, read and written with the rights of whoever imports.
  'server/imports': ['server/database'],
  // What people take along, written with their rights; it is handed what reads and writes files.
  'server/exports': ['server/background', 'server/database', 'server/services.ts'],
  // The doors: never each other; they meet in Postgres.
  // A calendar under a secret address, asked of the data door.
  'server/exports/mount-feeds.ts': [...doorsMayUse(), 'server/exports'],
  'server/identity': doorsMayUse(),
  'server/data': doorsMayUse(),
  'server/realtime': doorsMayUse(),
  'server/files': doorsMayUse(),
  'server/pages': doorsMayUse(),
  'server/billing': doorsMayUse(),
  'server/docs': doorsMayUse(),
  // The log is a CSV file.
  'server/admin': [...doorsMayUse(), 'server/doctor', 'server/exports'],
  // What a person brings through the app.
  'server/imports/door': [...doorsMayUse(), 'server/background', 'server/imports', 'server/program-file.ts'],
  'server/scim': [...doorsMayUse(), 'server/domain-errors.ts'],
  'server/mcp': [...doorsMayUse(), 'server/package-root.ts'],
  'server/outbox': [...doorsMayUse(), 'server/program-file.ts', 'server/yield-processor.ts'],
  // Fills a workspace through the public doors.
  'server/demo': ['server/config', 'server/database', 'server/services.ts'],
  // Composition: each layer knows the ones below it.
  'server/catalogs.ts': [
    'server/domain-errors.ts',
    'server/errors.ts',
    ...doors,
    'server/database',
    'server/http',
    'server/limits',
  ],
  'server/app.ts': ['server/http', 'server/limits', 'server/mail', 'server/services.ts', 'server/session', ...doors],
  'server/open-services.ts': [
    'server/app.ts',
    'server/background',
    'server/config',
    'server/database',
    'server/doctor',
    'server/http',
    'server/limits',
    'server/reach-database.ts',
    'server/services.ts',
    'server/session',
    'server/stored-settings.ts',
    'server/tracing',
  ],
  'server/commands': [
    'server/background/push',
    'server/background/recurrence',
    'server/background/ended-work.ts',
    'server/background/reminders.ts',
    'server/backup',
    'server/config',
    'server/database',
    'server/demo',
    'server/doctor',
    'server/effective-user.ts',
    'server/exports',
    'server/http',
    'server/imports',
    'server/limits',
    'server/mail',
    'server/open-log.ts',
    'server/open-services.ts',
    'server/package-root.ts',
    'server/reach-database.ts',
    'server/services.ts',
    'server/session',
    ...doors,
    'server/texts',
  ],
  'server/main.ts': ['server/commands', 'server/config', 'server/package-root.ts'],
};

function doorsMayUse(): readonly string[] {
  return [
    'server/config',
    'server/database',
    'server/errors.ts',
    'server/loopback.ts',
    'server/services.ts',
    'server/http',
    'server/json',
    'server/limits',
    'server/package-root.ts',
    'server/session',
    'server/texts',
  ];
}

/** In web/: screens know queries, commands and what draws them; only those know the rows and the way to the server. */
const webArrows: Readonly<Record<string, readonly string[]>> = {
  'web/sync': [],
  'web/actions': ['web/ui'],
  'web/routes.ts': [],
  'web/theme.ts': [],
  'web/load-module.ts': [],
  'web/strings': ['web/load-module.ts'],
  'web/styles': [],
  'web/ui': ['web/load-module.ts', 'web/strings', 'web/styles'],
  // Below queries that filter, sort and group by them; they read people, columns and fields by queries.
  'web/properties': ['web/queries', 'web/strings', 'web/sync'],
  'web/queries': ['web/properties', 'web/strings', 'web/sync'],
  'web/queries.ts': ['web/queries', 'web/sync'],
  'web/commands': ['web/properties', 'web/queries', 'web/strings', 'web/sync'],
  'web/commands.ts': ['web/commands', 'web/sync'],
  'web/session': ['web/commands.ts', 'web/sync'],
  'web/files': ['web/commands.ts', 'web/queries.ts', 'web/strings', 'web/sync'],
  'web/editor': ['web/strings', 'web/ui'],
  'web/pieces': [
    'web/commands.ts',
    'web/editor',
    'web/files',
    'web/properties',
    'web/queries',
    'web/queries.ts',
    'web/routes.ts',
    'web/strings',
    'web/ui',
  ],
  'web/screens': screensMayUse(),
  'web/screens.ts': ['web/screens', 'web/routes.ts', 'web/ui'],
  'web/shell': screensMayUse('web/screens', 'web/screens.ts'),
  'web/landing': ['web/strings', 'web/sync'],
  // The page of parts, for developers, with rows of nobody.
  'web/parts': ['web/commands.ts', 'web/files', 'web/pieces', 'web/strings', 'web/sync', 'web/theme.ts', 'web/ui'],
  // Composition.
  'web/main.tsx': [
    'web/actions',
    'web/screens.ts',
    'web/session',
    'web/shell',
    'web/strings',
    'web/sync',
    'web/theme.ts',
  ],
};

function screensMayUse(...more: string[]): readonly string[] {
  return [
    'web/actions',
    'web/commands',
    'web/commands.ts',
    'web/editor',
    'web/files',
    'web/pieces',
    'web/properties',
    'web/queries',
    'web/queries.ts',
    'web/routes.ts',
    'web/session',
    'web/strings',
    'web/theme.ts',
    'web/ui',
    ...more,
  ];
}

interface Import {
  readonly from: string;
  /** A path below the root, or a package. */
  readonly to: string;
  readonly typeOnly: boolean;
}

const sources = ['server', 'web', 'contract', 'bench', 'scripts']
  .flatMap(filesBelow)
  .filter((file) => /\.tsx?$/.test(file));
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

/** Of a room's own files, wings apart: a room is worth a folder when it has more than one. */
test('no folder of the server or the web holds a single file', () => {
  const files = ['server', 'web'].flatMap(filesBelow).filter((file) => !isTest(file));
  const folders = new Map<string, number>();
  for (const file of files)
    for (let at = dirname(file); at !== '.'; at = dirname(at)) folders.set(at, (folders.get(at) ?? 0) + 1);
  expect([...folders].filter(([, count]) => count < 2)).toEqual([]);
});

test('every room in the plan is there', () => {
  const named = [...Object.entries(arrows), ...Object.entries(webArrows)].flatMap(([room, below]) => [room, ...below]);
  expect([...new Set(named)].filter((room) => !existsSync(join(root, room)))).toEqual([]);
});

test('the doors and the rooms below them stand in ARCHITECTURE.md as they stand here', () => {
  const text = read('ARCHITECTURE.md');
  const rooms = Object.keys(arrows).map((room) => room.slice('server/'.length));
  const isNamed = (room: string): boolean => new RegExp(`\\b${room.replace(/\.ts$/, '')}\\b`).test(text);
  expect(rooms.filter((room) => !isNamed(room))).toEqual([]);
  const [, listed = ''] = /→ app → \{([^}]+)\} →/.exec(text) ?? [];
  expect(listed.split(', ').map((door) => `server/${door}`)).toEqual(doors);
});

test('every room of the web has its place in ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md');
  const within = text.slice(text.indexOf('\nweb/\n'), text.indexOf('Within `web`:'));
  const files = sources.filter((file) => file.startsWith('web/') && !isTest(file) && !file.endsWith('.d.ts'));
  const rooms = [...new Set(files.map(roomOf))];
  expect(rooms.filter((room) => webArrows[room] === undefined)).toEqual([]);
  const names = rooms.map((room) => room.slice('web/'.length));
  expect(
    names.filter((name) => !within.split(/[\s;,()]+/).some((word) => word === name || word === `${name}/`)),
  ).toEqual([]);
});

test('services.ts is made of types alone', () => {
  expect(inside.filter(({ from, typeOnly }) => from === 'server/services.ts' && !typeOnly)).toEqual([]);
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

test('every arrow between rooms of the web app runs the right way', () => {
  const wrong = inside
    .filter(({ to }) => to.startsWith('web/') && !to.endsWith('.css'))
    .filter(({ from, to }) => roomOf(from) !== roomOf(to) && !webArrows[roomOf(from)]?.includes(roomOf(to)))
    .map(({ from, to }) => `${from} imports ${to}`);
  expect(wrong).toEqual([]);
});

/** Commands, the session its own (ARCHITECTURE.md says which), uploads, the form of the landing page; web/sync sends what it is handed. */
const writers = ['web/commands', 'web/files', 'web/landing', 'web/session', 'web/sync'];

test('queries and screens write through commands only', () => {
  const volatile = readRules('sql').flatMap(({ kind, name, made }) => {
    const [, called = ''] = /^public\.(\w+)\(/.exec(name) ?? [];
    return kind === 'function' && called !== '' && !/\b(?:stable|immutable)\b/i.test(made.split('$$')[0] ?? '')
      ? called
      : [];
  });
  expect(volatile).toContain('move_task');
  const writes = (file: string): string[] => [
    ...[...code(file).matchAll(/'(POST|PUT|PATCH|DELETE)'/g)].map(([write]) => write),
    ...[...code(file).matchAll(/\.from\([^)]*\)\s*\.(insert|update|upsert|delete)\(/g)].map(([write]) => write),
    ...volatile.filter((name) => code(file).includes(`'${name}'`)),
  ];
  const found = sources
    .filter((file) => file.startsWith('web/') && !isTest(file))
    .map((file) => ({ room: roomOf(file), file, writes: writes(file) }))
    .filter((one) => one.writes.length > 0);
  expect(found.filter(({ room }) => !writers.includes(room))).toEqual([]);
  // The pattern finds those there are.
  expect(found.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['web/commands/feed-requests.ts', 'web/commands/admin-requests.ts', 'web/session/push.ts']),
  );
});

test('no file needs itself by a detour', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of inside) graph.set(from, [...(graph.get(from) ?? []), to]);
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
  const files = sources.filter((file) => !isTest(file) && !isGenerated(file));
  expect(files.filter((file) => !/^(#!.*\n)?(\/\/|\/\*)/.test(read(file)))).toEqual([]);
  const rules = filesBelow('sql/rules').filter((file) => file.endsWith('.sql'));
  expect(rules.length).toBeGreaterThan(0);
  expect([...files, ...rules].filter((file) => read(file).split('\n').length > 500)).toEqual([]);
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
  return allowed.includes(to) || to === 'contract';
}

/** `server/identity/sign-up.ts` is in the room server/identity, `server/app.ts` is one by itself; a wing may have arrows of its own. */
function roomOf(file: string): string {
  const [top = '', second = '', third] = file.split('/');
  const wing = `${top}/${second}/${third}`;
  if (arrows[wing] !== undefined) return wing;
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

function isGenerated(file: string): boolean {
  return /^\/\/ .*Written by `npm run generate`/.test(read(file));
}
