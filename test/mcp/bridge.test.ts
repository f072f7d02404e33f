// `kanbase mcp` as a process: only messages on its output, bounded, ended with its input or by a signal, also where the instance answers nothing; and its
// session of revision 2025-11-25, which it begins again where the instance has forgotten it.

import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { kanbaseCommand } from '../helpers/kanbase.ts';
import { person } from '../helpers/person.ts';
import { makeProject, one } from '../sql/board.ts';
import { openAgent } from './agent.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');
const key = `kb_${'0'.repeat(48)}`;

type Message = ReturnType<typeof JSON.parse>;

async function launch(url: string) {
  const { command, args } = await kanbaseCommand(['mcp']);
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, KANBASE_URL: url, KANBASE_KEY: key },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const told: Message[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => told.push(JSON.parse(line)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const send = (message: object | string): void =>
    void child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const ask = (id: number, method = 'tools/list', params: object = {}): void =>
    send({ jsonrpc: '2.0', id, method, params });
  return { child, told, ended, send, ask };
}

interface Asked {
  readonly method: string | undefined;
  readonly session: string | undefined;
  readonly message: Message;
}

/** An instance whose answers are those of the test. */
async function instance(answer: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = await text(request);
    const one: Asked = {
      method: request.method,
      session: request.headers['mcp-session-id'] as string | undefined,
      message: body === '' ? null : JSON.parse(body),
    };
    asked.push(one);
    answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { asked, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
const json = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const result = ({ message }: Asked, value: object = {}): object => ({ jsonrpc: '2.0', id: message.id, result: value });

test('an agent of revision 2025-11-25 hears of what it subscribed to', async () => {
  const { project } = await makeProject(app, ada, 'Bridged');
  const [{ key: name }] = (await one(ada.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
  await one(ada.client.from('tasks').insert({ project_id: project, title: 'One' }).select());
  const made = (await one(ada.client.rpc('create_api_key', { name: 'Agent', scope: 'read' }))) as { token: string };
  const { command, args } = await kanbaseCommand(['mcp']);
  const env = { KANBASE_URL: app.url, KANBASE_KEY: made.token };
  const agent = await openAgent(new StdioClientTransport({ command, args: [...args], env }), '2025-11-25');
  const changed: string[] = [];
  agent.client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri));
  await agent.client.subscribeResource({ uri: `kanbase://task/${name}-1` });
  await expect
    .poll(async () => {
      await one(
        ada.client
          .from('tasks')
          .update({ title: `One ${changed.length}` })
          .eq('project_id', project)
          .select(),
      );
      return changed;
    })
    .toContain(`kanbase://task/${name}-1`);
  await agent.close();
});

describe('an instance', () => {
  test('that has forgotten the session is asked for another one, with the same subscriptions', async () => {
    let sessions = 0;
    const { asked, url } = await instance((one, response) => {
      if (one.message?.method === 'initialize')
        return json(response, 200, result(one, { protocolVersion: '2025-11-25' }), {
          'mcp-session-id': `session-${++sessions}`,
        });
      if (one.method === 'DELETE') return response.writeHead(204).end();
      if (one.session === 'session-1' && one.message?.method === 'tools/list')
        return json(response, 404, { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'ended' } });
      if (one.message?.id === undefined) return response.writeHead(202).end();
      json(response, 200, result(one));
    });
    const bridge = await launch(url);
    bridge.ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} });
    bridge.ask(2, 'resources/subscribe', { uri: 'kanbase://task/WEB-1' });
    await expect.poll(() => bridge.told.map(({ id }) => id)).toEqual([1, 2]);
    bridge.ask(3);
    await expect.poll(() => bridge.told.map(({ id }) => id)).toEqual([1, 2, 3]);
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
    const seen = asked.map(({ method, session, message }) => [session, message?.method ?? method]);
    expect(seen).toEqual([
      [undefined, 'initialize'],
      ['session-1', 'resources/subscribe'],
      ['session-1', 'tools/list'],
      [undefined, 'initialize'],
      ['session-2', 'resources/subscribe'],
      ['session-2', 'tools/list'],
      ['session-2', 'DELETE'],
    ]);
  });

  test('that goes away, or breaks off, is told of in the answer of each request', async () => {
    const { server, url } = await instance((one, response) => {
      if (one.message.id === 1)
        return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': open\n\n');
      response.destroy();
    });
    const bridge = await launch(url);
    bridge.ask(1);
    await expect.poll(() => bridge.told).toMatchObject([{ id: 1, error: { message: /ended the connection/ } }]);
    bridge.ask(2);
    await expect.poll(() => bridge.told[1]).toMatchObject({ id: 2, error: { message: /can't be reached/ } });
    server.close();
    server.closeAllConnections();
    bridge.ask(3);
    await expect.poll(() => bridge.told[2]).toMatchObject({ id: 3, error: { message: /can't be reached/ } });
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
  });

  test('that tells more than fits is cut off', async () => {
    const { url } = await instance((one, response) => {
      response.writeHead(200, {
        'content-type': one.message.id === 1 ? 'text/event-stream' : 'application/json',
      });
      const part = 'x'.repeat(1024 * 1024);
      const more = (): void => void response.write(part, (error) => error == null && more());
      response.write('data: ');
      more();
    });
    const bridge = await launch(url);
    bridge.ask(1);
    bridge.ask(2);
    await expect
      .poll(() => new Map(bridge.told.map(({ id, error }) => [id, error.message])), { timeout: 20_000 })
      .toEqual(
        new Map([
          [1, expect.stringContaining('longer than')],
          [2, expect.stringContaining('longer than')],
        ]),
      );
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
  });
});

describe('a bridge', () => {
  test('refuses lines that are too long and more than a hundred requests at once, and goes on', async () => {
    const waiting: (() => void)[] = [];
    const { url } = await instance((one, response) => {
      waiting.push(() => json(response, 200, result(one)));
    });
    const bridge = await launch(url);
    bridge.send(`{"jsonrpc":"2.0","id":0,"method":"${'x'.repeat(5 * 1024 * 1024)}"}`);
    await expect.poll(() => bridge.told).toMatchObject([{ id: null, error: { code: -32_700 } }]);
    for (let id = 1; id <= 101; id += 1) bridge.ask(id);
    await expect.poll(() => bridge.told[1]).toMatchObject({ id: 101, error: { message: /under way/ } });
    await expect.poll(() => waiting.length).toBe(100);
    for (const answer of waiting) answer();
    await expect.poll(() => bridge.told.length).toBe(102);
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends by %s, also while nothing answers', async (signal) => {
    const { asked, url } = await instance(() => undefined);
    const bridge = await launch(url);
    bridge.ask(1);
    await expect.poll(() => asked.length).toBe(1);
    bridge.child.kill(signal);
    expect(await bridge.ended).toBe(0);
    expect(bridge.told).toEqual([]);
  });

  test('ends with its input, and does not wait for long for an instance that never answers', async () => {
    const { asked, url } = await instance(() => undefined);
    const bridge = await launch(url);
    bridge.ask(1);
    await expect.poll(() => asked.length).toBe(1);
    bridge.child.stdin.end();
    expect(await bridge.ended).toBe(0);
  });

  test('ends when nobody reads its output', async () => {
    const { url } = await instance((one, response) => json(response, 200, result(one)));
    const bridge = await launch(url);
    bridge.ask(1);
    await expect.poll(() => bridge.told.length).toBe(1);
    bridge.child.stdout.destroy();
    bridge.ask(2);
    expect(await bridge.ended).toBe(0);
  });
});
