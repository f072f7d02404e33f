// `npm run bench -- --mcp`: the official conformance suite of the Model Context Protocol against /mcp: both frozen sets of requirements, and that of
// authorization servers. The suite and the Node it wants are installed into .cache/mcp-conformance. What fails is listed here with its reason; anything else
// that fails, and anything listed that passes, fails the run. Printed only.

import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openKeys, startServer, stopServer, untilReady } from './start-server.ts';

const suite = ['@modelcontextprotocol/conformance@0.2.0-alpha.12', 'node@22.23.3'];
const place = join('.cache', 'mcp-conformance');

/** Asks for a tool, resource or prompt by a name that only servers made for the suite have. */
const fixture = 'calls a tool, resource or prompt that only servers made for the suite have';
const excluded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '2025-11-25': {
    ...named(fixture, [
      ...[
        'simple-text',
        'image',
        'audio',
        'embedded-resource',
        'mixed-content',
        'with-logging',
        'error',
        'with-progress',
      ].map((one) => `tools-call-${one}`),
      ...['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
      ...['simple', 'with-args', 'embedded-resource', 'with-image'].map((one) => `prompts-get-${one}`),
    ]),
    ...named('asks the client for samples or answers, which no tool here does', [
      ...['tools-call-sampling', 'tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    ]),
    'logging-set-level': 'no logging capability: nothing is logged to clients',
    ...named('subscriptions of this revision need a session, and there are none', [
      'resources-subscribe',
      'resources-unsubscribe',
    ]),
    'json-schema-2020-12': fixture,
  },
  '2026-07-28': {
    ...named(fixture, [
      ...['simple-text', 'image', 'audio', 'embedded-resource', 'mixed-content', 'error', 'with-progress'].map(
        (one) => `tools-call-${one}`,
      ),
      ...['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
      ...['simple', 'with-args', 'embedded-resource', 'with-image'].map((one) => `prompts-get-${one}`),
      'json-schema-2020-12',
      'http-custom-header-server-validation',
    ]),
    'server-stateless':
      '24 of 28 checks pass; the others call test_missing_capability, test_streaming_elicitation and test_logging_tool',
    ...named(
      'asks the client for input, which no tool here does',
      [
        ...[
          'basic-elicitation',
          'basic-sampling',
          'basic-list-roots',
          'request-state',
          'multiple-input-requests',
          'multi-round',
        ],
        ...['non-tool-request', 'result-type', 'tampered-state', 'capability-check'],
      ].map((one) => `input-required-result-${one}`),
    ),
    ...named(
      'the extension for tasks is not offered',
      [
        ...[
          'lifecycle',
          'capability-negotiation',
          'wire-fields',
          'request-state-removal',
          'mrtr-input',
          'request-headers',
        ],
        ...['dispatch-and-envelope', 'required-task-error', 'mrtr-composition'],
      ].map((one) => `tasks-${one}`),
    ),
  },
};

function named(reason: string, scenarios: readonly string[]): Record<string, string> {
  return Object.fromEntries(scenarios.map((scenario) => [scenario, reason]));
}

export async function benchMcp(say: (line: string) => void): Promise<void> {
  await install(say);
  const dataDir = mkdtempSync(join(tmpdir(), 'kanbase-mcp-'));
  const server = await startServer({ DATA_DIR: dataDir });
  const proxy = createServer();
  try {
    await untilReady({ agent: new Agent({ keepAlive: true }), url: server.url });
    const token = await signUp(server.url);
    // The suite sends no tokens.
    proxy.on('request', (asked, answer) => {
      const headers = { ...asked.headers, authorization: `Bearer ${token}` };
      const sent = request(
        new URL(asked.url ?? '/', server.url),
        { method: asked.method ?? 'GET', headers },
        (response) => {
          answer.writeHead(response.statusCode ?? 500, response.headers);
          response.pipe(answer);
        },
      );
      sent.on('error', () => answer.destroy());
      answer.on('close', () => sent.destroy());
      asked.pipe(sent);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
    const faults = [
      ...(await runSet(say, '2025-11-25', url)),
      ...(await runSet(say, '2026-07-28', url)),
      ...(await runAuthorization(say, `${server.url}/auth/v1`)),
    ];
    if (faults.length > 0) throw new Error(faults.join('\n'));
  } finally {
    proxy.close();
    proxy.closeAllConnections();
    await stopServer(server);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function install(say: (line: string) => void): Promise<void> {
  if (existsSync(join(place, 'node_modules', '@modelcontextprotocol'))) return;
  say(`installing ${suite.join(' and ')} into ${place}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"private":true}\n');
  const run = promisify(execFile);
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...suite], { cwd: place });
  // Its script does no more than this.
  await run('node', ['installArchSpecificPackage.js'], { cwd: join(place, 'node_modules', 'node') }).catch(
    () => undefined,
  );
}

async function signUp(url: string): Promise<string> {
  const { anonKey } = await openKeys();
  const ask = async (path: string, body: unknown, token = anonKey): Promise<Record<string, string>> => {
    const headers = { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  const { access_token: token = '' } = await ask('/auth/v1/signup', {
    email: 'bench@kanbase.test',
    password: 'correct horse battery',
  });
  await ask('/rest/v1/rpc/create_project_with_defaults', { name: 'Bench' }, token);
  return token;
}

function runSuite(args: readonly string[]): Promise<string> {
  const main = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  return new Promise((resolve) => {
    const child = spawn(join('node_modules', 'node', 'bin', 'node'), [main, ...args], { cwd: place });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.on('close', () => resolve(output));
  });
}

/** What differs from what is listed. */
async function runSet(say: (line: string) => void, revision: string, url: string): Promise<string[]> {
  const output = await runSuite([
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '-o',
    mkdtempSync(join(tmpdir(), 'kanbase-conformance-')),
  ]);
  const rows = [...output.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
  const listed = excluded[revision] ?? {};
  const passed = rows.filter(([, mark]) => mark === '✓').map(([, , name = '']) => name);
  const failed = rows.filter(([, mark]) => mark === '✗').map(([, , name = '']) => name);
  const checks = rows.reduce((sum, [, , , count]) => sum + Number(count), 0);
  say(`${revision}: ${passed.length} of ${rows.length} scenarios pass (${checks} checks); ${failed.length} don't:`);
  for (const name of failed) say(`  ${name}: ${listed[name] ?? 'not listed'}`);
  return [
    ...(rows.length === 0 ? [`${revision}: the suite did not run: ${output.slice(-500)}`] : []),
    ...failed.filter((name) => listed[name] === undefined).map((name) => `${revision}: ${name} fails`),
    ...passed.filter((name) => listed[name] !== undefined).map((name) => `${revision}: ${name} is listed, and passes`),
  ];
}

/** The other scenario, a grant by a code, waits for a person at a browser: test/identity/oauth does it with a client of its own. */
async function runAuthorization(say: (line: string) => void, issuer: string): Promise<string[]> {
  const results = mkdtempSync(join(tmpdir(), 'kanbase-conformance-'));
  await runSuite([
    'authorization',
    '--url',
    issuer,
    '--scenario',
    'authorization-server-metadata-endpoint',
    '-o',
    results,
  ]);
  const checks = readdirSync(results, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('checks.json'))
    .flatMap(
      (name) =>
        JSON.parse(readFileSync(join(results, name), 'utf8')) as {
          id: string;
          status: string;
          errorMessage?: string;
        }[],
    );
  rmSync(results, { recursive: true, force: true });
  // The suite wants https, and this server is on loopback.
  const failed = checks.filter(
    ({ status, errorMessage }) => status === 'FAILURE' && errorMessage !== `Invalid issuer: ${issuer}`,
  );
  say(`authorization, but for https: ${checks.length - failed.length} of ${checks.length} checks of metadata pass`);
  return [
    ...(checks.length === 0 ? ['authorization: the suite did not run'] : []),
    ...failed.map(({ id, errorMessage }) => `authorization: ${id}: ${errorMessage}`),
  ];
}
