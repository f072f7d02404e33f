// `npm run bench -- --mcp`: the official conformance suite of the Model Context Protocol, both frozen sets of requirements, against two servers behind the
// door of /mcp: one with the tools, resources and prompts that the suite asks for, so that all it tells is about the door, and the board itself; and its
// scenarios for authorization servers against ours. What fails is listed here with its reason; anything else that fails, and anything listed that passes,
// fails the run. Printed only.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../server/config/read-config.ts';
import { migrate } from '../../server/database/migrate.ts';
import type { Offer } from '../../server/mcp/offer.ts';
import { openServices } from '../../server/open-services.ts';
import { migrations, reachDatabase } from '../../server/reach-database.ts';
import { findFreePort } from '../../test/helpers/find-free-port.ts';
import { everything } from '../../test/mcp/conformance/everything.ts';
import { runAuthorization } from './authorization.ts';
import { installSuite, runSuite } from './suite.ts';
import { withToken } from './with-token.ts';

type Revision = '2025-11-25' | '2026-07-28';

/** The only failures of the door. */
const excluded: Readonly<Record<Revision, Readonly<Record<string, string>>>> = {
  '2025-11-25': {},
  '2026-07-28': Object.fromEntries(
    [
      ...['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input'],
      ...['request-headers', 'dispatch-and-envelope', 'required-task-error', 'mrtr-composition'],
    ].map((one) => [`tasks-${one}`, 'not scored: the extension for tasks is not offered']),
  ),
};

/** Scenarios that need no tool, resource or prompt made for the suite. */
const everywhere = ['completion-complete', 'tools-list', 'server-sse-multiple-streams', 'resources-list'];
const ofBoard: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': [
    ...everywhere,
    ...['server-initialize', 'ping', 'prompts-list', 'dns-rebinding-protection', 'server-session-lifecycle'],
    'server-sse-polling',
  ],
  '2026-07-28': [
    ...everywhere,
    ...['prompts-list', 'dns-rebinding-protection', 'caching', 'sep-2164-resource-not-found', 'http-header-validation'],
    ...['missing-input-response', 'unsupported-methods', 'ignore-extra-params', 'validate-input'].map(
      (one) => `input-required-result-${one}`,
    ),
  ],
};

interface Served {
  readonly url: string;
  readonly token: string;
  readonly serviceKey: string;
  close(): Promise<void>;
}

export async function benchMcp(say: (line: string) => void): Promise<void> {
  await installSuite(say);
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-mcp-'));
  const log = pino({ level: 'warn' }, pino.destination(2));
  const { config } = readConfig({ env: { DATA_DIR: dataDir } });
  const database = await reachDatabase(config, log);
  const open: Served[] = [];
  async function serve(loadOffer?: () => Promise<Offer>): Promise<Served> {
    const port = await findFreePort('127.0.0.1');
    const env = {
      ...{ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(port), SITE_URL: `http://127.0.0.1:${port}` },
      AUTH_LIMIT_EXEMPT: 'loopback',
    };
    const own = readConfig({ env }).config;
    const opened = await openServices(own, database, log, loadOffer === undefined ? {} : { loadOffer });
    await opened.app.listen({ port, host: '127.0.0.1' });
    const { anonKey, serviceRoleKey: serviceKey } = opened.services.sessions;
    const url = `http://127.0.0.1:${port}`;
    const served = { url, token: await signUp(url, anonKey), serviceKey, close: () => opened.close() };
    open.push(served);
    return served;
  }
  try {
    await migrate(migrations(config, database, log));
    const door = await serve(async () => everything);
    const board = await serve();
    const faults = [
      ...(await runSets(say, door)),
      ...(await runBoard(say, board)),
      ...(await runAuthorization(say, board)),
    ];
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    for (const one of open) await one.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function signUp(url: string, anonKey: string): Promise<string> {
  const ask = async (path: string, body: unknown, token = anonKey): Promise<Record<string, string>> => {
    const headers = { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const account = { email: `bench${new URL(url).port}@kanbase.test`, password: 'correct horse battery' };
  const { access_token: token = '' } = await ask('/auth/v1/signup', account);
  await ask('/rest/v1/rpc/create_project_with_defaults', { name: 'Bench' }, token);
  return token;
}

async function runSets(say: (line: string) => void, { url, token }: Served): Promise<string[]> {
  const faults: string[] = [];
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    const begun = performance.now();
    const rows = await withToken(url, token, async (through) => {
      const output = await runSuite(['server', '--url', `${through}/mcp`, '--requirements', revision]);
      return [...output.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
    });
    const listed = excluded[revision];
    const named = (mark: string): string[] => rows.filter((row) => row[1] === mark).map(([, , name = '']) => name);
    const [passed, failed] = [named('✓'), named('✗')];
    const checks = rows.reduce((sum, [, , , count]) => sum + Number(count), 0);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    say(`${revision}: ${passed.length} of ${rows.length} scenarios pass (${checks} checks, ${seconds} s)`);
    for (const name of failed) say(`  ${name}: ${listed[name] ?? 'not listed'}`);
    if (rows.length === 0) faults.push(`${revision}: the suite did not run`);
    faults.push(
      ...failed.filter((name) => listed[name] === undefined).map((name) => `${revision}: ${name} fails`),
      ...passed
        .filter((name) => listed[name] !== undefined)
        .map((name) => `${revision}: ${name} passes, and is listed`),
    );
  }
  return faults;
}

/** Lists and answers of the board itself. */
async function runBoard(say: (line: string) => void, { url, token }: Served): Promise<string[]> {
  const faults: string[] = [];
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    const output = await withToken(url, token, (through) =>
      runSuite(['server', '--url', `${through}/mcp`, '--requirements', revision]),
    );
    const passed = new Set([...output.matchAll(/^✓ ([\w-]+): /gm)].map(([, name]) => name));
    const lacking = ofBoard[revision].filter((name) => !passed.has(name));
    say(`${revision}, the board: ${ofBoard[revision].length - lacking.length} of ${ofBoard[revision].length} pass`);
    faults.push(...lacking.map((name) => `${revision}: ${name} fails with the board`));
  }
  return faults;
}
