// Settings: sources, precedence, refusals with their messages, and the storage of secrets.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { allSettings, parseArguments, secretsShown } from '../../server/commands/parse-arguments.ts';
import { serve } from '../../server/commands/serve.ts';
import { loadGeneratedSecrets, secretsPath } from '../../server/config/generated-secrets.ts';
import { ConfigError, flagName, readConfig } from '../../server/config/read-config.ts';

const made: string[] = [];
afterEach(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'kanbase-config-'));
  made.push(path);
  return path;
}

test('flags win over the environment, the environment over .env, .env over defaults', () => {
  const { config, sources } = readConfig({
    env: { PORT: '2000', HOST: '10.0.0.1', SITE_URL: '' },
    envFile: 'PORT=1000\nHOST=10.0.0.2\n# a comment\nSITE_URL="https://boards.example.test"\n',
    flags: { PORT: '3001' },
  });
  expect(config.server).toMatchObject({
    port: 3001,
    host: '10.0.0.1',
    siteUrl: 'https://boards.example.test',
    dataDir: './data',
  });
  expect(['PORT', 'HOST', 'SITE_URL', 'DATA_DIR'].map((name) => sources.get(name))).toEqual([
    'flag',
    'environment',
    '.env',
    'default',
  ]);
});

test.each([
  [{ PORT: 'http' }, 'PORT must be a whole number from 0 to 65535, not "http"'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not "70000"'],
  [{ JWT_SECRET: 'too short' }, 'JWT_SECRET must be at least 32 characters long'],
  [
    { SITE_URL: 'boards' },
    'SITE_URL must be an http(s) address without a path, such as https://boards.example.com, not "boards"',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"'],
  [{ PRODUCTION: 'perhaps' }, 'PRODUCTION must be true or false, not "perhaps"'],
  [
    { TRUST_PROXY: '10.0.0.0/8,nearby' },
    'TRUST_PROXY must be addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal, not "10.0.0.0/8,nearby"',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' },
    'OTEL_EXPORTER_OTLP_ENDPOINT must be the http(s) address of a collector, such as http://127.0.0.1:4318, not "collector"',
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=%zz' },
    'OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs with commas between them, values encoded as in an address',
  ],
  [{ JWT_KEYS: '{' }, 'JWT_KEYS must be a JSON Web Key Set: {"keys":[…]}'],
])('%o is refused in one line that says what is accepted', (env, words) => {
  expect(() => readConfig({ env })).toThrow(new ConfigError(words));
});

test.each([
  ...[
    'auth',
    'billing',
    'data_door',
    'extensions',
    'information_schema',
    'pg_catalog',
    'private',
    'realtime',
    'storage',
  ],
])('the schema %s is never served', (schema) => {
  const words = `DATA_SCHEMAS must be schemas other than ${schema}, which no request may reach, not "public, ${schema}"`;
  expect(() => readConfig({ env: { DATA_SCHEMAS: `public, ${schema}` } })).toThrow(new ConfigError(words));
});

test('a refused flag is named as a flag, a refused line of .env as such', () => {
  expect(() => readConfig({ env: {}, flags: { PORT: 'x' } })).toThrow(/^--port must be/);
  expect(() => readConfig({ env: {}, envFile: 'PORT=x' })).toThrow(/^PORT \(in \.env\) must be/);
});

test('a refused secret is not repeated', () => {
  expect(() => readConfig({ env: { JWT_SECRET: 'hunter2' } })).toThrow(expect.not.stringContaining('hunter2'));
});

test('every setting has a name of its own, says what it means, and has a flag', () => {
  const settings = allSettings();
  expect(new Set(settings.map((setting) => setting.env)).size).toBe(settings.length);
  for (const { env, meaning } of settings) {
    expect(env).toMatch(/^[A-Z][A-Z0-9_]+$/);
    expect(meaning).toMatch(/^\S.*\.$/);
  }
  expect(flagName('DATA_DIR')).toBe('--data-dir');
});

test('the settings the interface promises are there', () => {
  const names = allSettings().map((setting) => setting.env);
  const promised = [
    'PORT',
    'HOST',
    'SITE_URL',
    'DATA_DIR',
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'JWT_SECRET',
    'ANON_KEY',
    'SERVICE_ROLE_KEY',
  ];
  promised.push(
    'DATA_SCHEMAS',
    'DATA_MAX_ROWS',
    'DB_POOL_SIZE',
    'LOG_LEVEL',
    'MIGRATIONS_DIR',
    'TRUST_PROXY',
    'SMTP_URL',
  );
  promised.push('BILLING_SECRET_KEY', 'BILLING_WEBHOOK_SECRET');
  expect(names).toEqual(expect.arrayContaining(promised));
});

test('secrets that nobody set are made once, kept with mode 0600, and found again', () => {
  const dataDir = join(directory(), 'deep', 'data');
  const first = loadGeneratedSecrets(dataDir);
  expect(loadGeneratedSecrets(dataDir)).toEqual(first);
  expect(first.jwtSecret.length).toBeGreaterThanOrEqual(32);
  expect(first.publishableKey).toMatch(/^sb_publishable_[\w-]{32}$/);
  expect(first.secretKey).toMatch(/^sb_secret_[\w-]{32}$/);
  expect(statSync(secretsPath(dataDir)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(secretsPath(dataDir), 'utf8'))).toEqual(first);
});

test('a damaged file of secrets is named, not replaced', () => {
  const dataDir = directory();
  writeFileSync(secretsPath(dataDir), '{"jwtSecret":');
  expect(() => loadGeneratedSecrets(dataDir)).toThrow(/secrets\.json is damaged/);
});

test('a secret may be in a file that its setting names; a setting that is no secret may not', () => {
  const path = join(directory(), 'database-url');
  writeFileSync(path, 'postgres://kanbase:hush@db.example.test/kanbase\n');
  for (const place of ['env', 'flags'] as const) {
    const { config, sources } = readConfig({ env: {}, [place]: { DATABASE_URL_FILE: path, MAIL_FROM_FILE: path } });
    expect(config.database.url).toBe('postgres://kanbase:hush@db.example.test/kanbase');
    expect(sources.get('DATABASE_URL')).toBe(place === 'env' ? 'environment' : 'flag');
    expect(config.mail.from).toBeNull();
  }
  // The value itself goes before the file, and a flag before the environment.
  const env = { DATABASE_URL: 'postgres://other.example.test/kanbase', DATABASE_URL_FILE: path };
  expect(readConfig({ env }).config.database.url).toBe(env.DATABASE_URL);
  expect(readConfig({ env, flags: { DATABASE_URL_FILE: path } }).config.database.url).toContain('hush');
  expect(() => readConfig({ env: { SMTP_URL_FILE: `${path}-none` } })).toThrow(
    new ConfigError(`SMTP_URL_FILE: there is no file ${path}-none`),
  );
});

test('a secret on the command line is named, a file that has it and an address without a password are not', () => {
  const shown = (...argv: string[]) => secretsShown(parseArguments(serve, argv));
  expect(shown('--database-url', 'postgres://kanbase:hush@db.example.test/kanbase')).toEqual(['DATABASE_URL']);
  expect(shown('--database-url', 'postgres://kanbase@db.example.test/kanbase')).toEqual([]);
  expect(shown('--database-url-file', '/etc/kanbase/database-url')).toEqual([]);
  expect(shown('--jwt-secret=hush')).toEqual(['JWT_SECRET']);
});
