// A walk through the built service on whichever Node runs this file: start, every door once, stop. Prints one JSON line
// per step. `npm test` runs it on the oldest and newest Nodes that are supported: `node scripts/smoke.mjs`.

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';

const directory = mkdtempSync(join(tmpdir(), 'kanbase-smoke-'));
chmodSync(directory, 0o755);
const main = join(root, 'dist/server/main.js');
const server = spawn(
  process.execPath,
  [main, 'serve', '--port', '0', '--host', '127.0.0.1', '--data-dir', join(directory, 'data')],
  {
    cwd: directory,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  },
);
let printed = '';
let logged = '';
server.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
server.stderr.setEncoding('utf8').on('data', (text) => (logged += text));
const ended = new Promise((resolve) => server.once('exit', (code, signal) => resolve(code ?? signal)));

let failed = false;
async function step(name, work) {
  try {
    await work();
    console.log(JSON.stringify({ name, ok: true }));
  } catch (error) {
    failed = true;
    console.log(JSON.stringify({ name, ok: false, message: `${error.message}\n${logged.slice(-2000)}` }));
  }
}

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

let url = '';
let anonKey = '';
let token = '';
let userId = '';
const call = async (path, { method = 'GET', body, headers = {} } = {}) => {
  const answer = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${token || anonKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, json: () => JSON.parse(text) };
};

await step('starts and says where it is', async () => {
  const deadline = Date.now() + 30_000;
  while (!/Service key/.test(printed) && server.exitCode === null && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
  url = /Address\s+(\S+)/.exec(printed)?.[1]?.replace('localhost', '127.0.0.1') ?? '';
  anonKey = /Anon key\s+(\S+)/.exec(printed)?.[1] ?? '';
  expect(url && anonKey, `no banner: ${printed}`);
});
await step('/health and /ready answer', async () => {
  for (const path of ['/health', '/ready']) {
    const { status, text } = await call(path);
    expect(status === 200, `${path} answered ${status} ${text}`);
  }
});
await step('identity: sign up and read the user', async () => {
  const signed = await call('/auth/v1/signup', {
    method: 'POST',
    body: { email: 'smoke@example.test', password: 'correct horse battery', data: { name: 'Smoke' } },
  });
  expect(signed.status === 200, `sign-up answered ${signed.status} ${signed.text}`);
  ({
    access_token: token,
    user: { id: userId } = {},
  } = signed.json());
  expect(token, `no access token in ${signed.text}`);
  const user = await call('/auth/v1/user');
  expect(user.status === 200 && user.json().id === userId, `user answered ${user.status} ${user.text}`);
});
await step('data: a project, a task, and the task read back', async () => {
  const made = await call('/rest/v1/rpc/create_project_with_defaults', { method: 'POST', body: { name: 'Smoke' } });
  expect(made.status === 200, `create_project_with_defaults answered ${made.status} ${made.text}`);
  const answer = made.json();
  const project = Array.isArray(answer) ? answer[0] : answer;
  const columns = (await call(`/rest/v1/workflow_columns?project_id=eq.${project.id}&order=position.asc`)).json();
  const task = await call('/rest/v1/tasks', {
    method: 'POST',
    headers: { prefer: 'return=representation' },
    body: { project_id: project.id, column_id: columns[0].id, title: 'See whether it burns' },
  });
  expect(task.status === 201, `tasks answered ${task.status} ${task.text}`);
  const read = await call(`/rest/v1/tasks?select=title&project_id=eq.${project.id}`);
  expect(read.text === '[{"title":"See whether it burns"}]', `tasks read back as ${read.status} ${read.text}`);
});
await step('landing: a lead is taken, a lead without address is not', async () => {
  const taken = await call('/api/lead', { method: 'POST', body: { email: 'lead@example.test' } });
  expect(taken.status === 200 && taken.text === '{}', `lead answered ${taken.status} ${taken.text}`);
  const refused = await call('/api/lead', { method: 'POST', body: {} });
  expect(
    refused.status === 400 && refused.json().error === 'Email is required',
    `empty lead answered ${refused.status} ${refused.text}`,
  );
});
await step('pages: the landing page and the app are served', async () => {
  for (const path of ['/', '/app', '/sign-in']) {
    const { status, text } = await call(path, { headers: { accept: 'text/html' } });
    expect(status === 200 && /<html/i.test(text), `${path} answered ${status}`);
  }
});
await step('stops on SIGTERM with code 0', async () => {
  server.kill('SIGTERM');
  const code = await Promise.race([
    ended,
    new Promise((resolve) => setTimeout(() => resolve('still running after 15 s'), 15_000)),
  ]);
  // Windows has no signals: a process is ended from outside, and its Postgres is taken over by the next start.
  expect(code === 0 || process.platform === 'win32', `ended with ${code}`);
});

server.kill('SIGKILL');
await ended;
rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = failed ? 1 : 0;
