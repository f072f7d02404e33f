// Trace context and spans: a request's trace is answered and logged, and with a collector set its spans arrive there over HTTP, as JSON and as
// protobuf, with the database work below each request and without addresses, values or tokens.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTraceParent } from '../../server/http/trace-context.ts';
import { loadSdk } from '../../server/tracing/load-sdk.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const given = `00-${traceId}-00f067aa0ba902b7-01`;
const answered = new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`);

describe('without a collector', () => {
  const lines: Record<string, unknown>[] = [];
  const app = forSuite(() =>
    startApp({ log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) }),
  );

  // A door in front of Fastify, one behind it, and a path that nothing answers.
  test.each(['/rest/v1/tasks?limit=1', '/auth/v1/settings', '/api/no-such-thing'])(
    'a trace is answered and logged by %s',
    async (path) => {
      const marked = await app.request(path, {
        headers: { traceparent: given, 'x-request-id': `asked-${path.length}` },
      });
      const parent = marked.headers.get('traceparent') ?? '';
      expect(parent).toMatch(answered);
      expect(parent).not.toBe(given);
      expect(marked.headers.get('x-request-id')).toBe(`asked-${path.length}`);
      await expect
        .poll(() => lines.find(({ reqId }) => reqId === `asked-${path.length}`))
        .toMatchObject({ trace_id: traceId, span_id: parent.split('-')[2] });
    },
  );

  test('a request without a trace, or with a malformed one, is answered without one', async () => {
    const malformed: Record<string, string>[] = [
      {},
      { traceparent: 'nonsense' },
      { traceparent: given.replace(traceId, '0'.repeat(32)) },
    ];
    for (const headers of malformed) {
      const plain = await app.request('/rest/v1/tasks?limit=1', { headers });
      expect([plain.status, plain.headers.get('traceparent')]).toEqual([200, null]);
    }
  });
});

test.each([
  [given, { traceId, flags: '01' }],
  [`01-${traceId}-00f067aa0ba902b7-00-more`, { traceId, flags: '00' }],
  [`${given}-more`, null],
  [given.replace(/^00/, 'ff'), null],
  [given.toUpperCase(), null],
  [`${given}, ${given}`, null],
])('%s is read as the standard says', (header, read) => {
  expect(readTraceParent(header)).toEqual(read);
});

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Received {
  readonly type: string;
  readonly token: string;
  readonly body: Buffer;
}

describe('with a collector', () => {
  const place = scratch('tracing');
  const received: Received[] = [];
  let collector: Server;
  let endpoint: string;

  beforeAll(async () => {
    await putReadyCluster(join(place.path, 'data'));
    collector = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        if (request.url === '/v1/traces')
          received.push({
            type: String(request.headers['content-type']),
            token: String(request.headers.authorization),
            body,
          });
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
    endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    collector.close();
    collector.closeAllConnections();
    place.remove();
  });

  /** Asks as a client would, and stops the server, which sends what it has not sent. */
  async function trace(env: Record<string, string>): Promise<Served> {
    received.length = 0;
    const kanbase = await startKanbase(['--data-dir', join(place.path, 'data')], {
      // The SDK is found where the server was started.
      cwd: process.cwd(),
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...env },
    });
    const headers = { apikey: kanbase.anonKey, authorization: `Bearer ${kanbase.anonKey}`, traceparent: given };
    const read = await fetch(`${kanbase.url}/rest/v1/projects?name=eq.a-name-nobody-may-see`, { headers });
    expect([read.status, await read.text()]).toEqual([200, '[]']);
    expect(read.headers.get('traceparent')).toMatch(answered);
    const own = await fetch(`${kanbase.url}/health`);
    expect(own.headers.get('traceparent')).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect((await kanbase.stop()).code).toBe(0);
    return kanbase;
  }

  const spansReceived = (): OtlpSpan[] =>
    received.flatMap(({ body }) =>
      (
        JSON.parse(body.toString()) as { resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[] }
      ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );

  test('spans of requests and their database work arrive as JSON', async () => {
    const { anonKey } = await trace({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20collector',
    });
    expect(received.length).toBeGreaterThan(0);
    for (const { type, token } of received) expect([type, token]).toEqual(['application/json', 'Bearer collector']);
    const text = received.map(({ body }) => body.toString()).join('\n');
    expect(text).not.toContain('a-name-nobody-may-see');
    expect(text).not.toContain(anonKey);
    expect(text).toContain('{"key":"service.name","value":{"stringValue":"kanbase"}}');
    const spans = spansReceived();
    const asked = spans.find(({ name }) => name === 'GET /rest/v1/*');
    expect(asked).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 2 });
    expect(asked?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } });
    const below = spans.filter(({ parentSpanId }) => parentSpanId === asked?.spanId);
    expect(below.map(({ kind, traceId: of }) => [kind, of])).toContainEqual([3, traceId]);
    const query = below.flatMap(({ attributes }) => attributes).find(({ key }) => key === 'db.query.text');
    expect(String(query?.value.stringValue)).toMatch(/projects/);
    expect(spans.map(({ name }) => name)).toContain('GET /health');
  });

  test('statements of the thread that sends webhooks are counted, and arrive below its runs', async () => {
    received.length = 0;
    const metricsToken = 'a token that monitoring has';
    const kanbase = await startKanbase(['--data-dir', join(place.path, 'data')], {
      cwd: process.cwd(),
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        WEBHOOKS_ALLOWED_NETWORKS: 'loopback',
        METRICS_TOKEN: metricsToken.replaceAll(' ', '-'),
      },
    });
    const ask = async (path: string, body: unknown, token = kanbase.anonKey): Promise<Record<string, string>> => {
      const headers = {
        apikey: kanbase.anonKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'return=representation',
      };
      const answer = await fetch(`${kanbase.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await answer.text();
      expect(answer.ok, text).toBe(true);
      return JSON.parse(text) as Record<string, string>;
    };
    const person = { email: 'olga@example.test', password: 'correct horse battery' };
    const { access_token: token } = await ask('/auth/v1/signup', person);
    const { id: project_id } = await ask('/rest/v1/rpc/create_project_with_defaults', { name: 'Traced' }, token);
    // Nobody listens there: it stays queued.
    const hook = { project_id, name: 'Ours', url: 'http://127.0.0.1:9/', events: ['task.created'] };
    await ask('/api/webhooks', hook, token);
    await ask('/rest/v1/tasks', { project_id, title: 'a-title-nobody-may-see' }, token);
    const figure = async (name: string): Promise<number> => {
      const headers = { authorization: `Bearer ${metricsToken.replaceAll(' ', '-')}` };
      const text = await (await fetch(`${kanbase.url}/metrics`, { headers })).text();
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      );
    };
    await expect.poll(() => figure('kanbase_webhook_deliveries{state="queued"}')).toBe(1);
    await expect.poll(() => figure('kanbase_outbox_statements_total{result="done"}')).toBeGreaterThan(2);
    expect(await figure('kanbase_outbox_statements_total{result="failed"}')).toBe(0);
    expect(await figure('kanbase_outbox_connections')).toBeGreaterThan(0);
    expect((await kanbase.stop()).code).toBe(0);

    const spans = spansReceived();
    for (const [run, statement] of [
      ['outbox queue', 'save_webhook_deliveries'],
      ['outbox send', 'claim_webhook_deliveries'],
    ] as const) {
      const runs = spans.filter(({ name, parentSpanId }) => name === run && !parentSpanId).map(({ spanId }) => spanId);
      const texts = spans
        .filter(({ parentSpanId, kind }) => kind === 3 && runs.includes(parentSpanId ?? ''))
        .flatMap(({ attributes }) => attributes.filter(({ key }) => key === 'db.query.text'))
        .map(({ value }) => String(value.stringValue));
      expect(texts.filter((text) => text.includes(statement)).length, run).toBeGreaterThan(0);
    }
    expect(received.map(({ body }) => body.toString()).join('')).not.toContain('a-title-nobody-may-see');
  });

  test('spans arrive as protobuf unless JSON is asked for', async () => {
    await trace({});
    expect([...new Set(received.map(({ type }) => type))]).toEqual(['application/x-protobuf']);
    const bytes = Buffer.concat(received.map(({ body }) => body));
    expect(bytes.includes(Buffer.from(traceId, 'hex'))).toBe(true);
    expect(bytes.includes('GET /rest/v1/*')).toBe(true);
  });

  test('without the SDK the message says what to install', () => {
    expect(() => loadSdk('http/json', [join(place.path, 'package.json')])).toThrow(
      /npm install @opentelemetry\/sdk-trace-node@2 @opentelemetry\/exporter-trace-otlp-http@/,
    );
  });
});

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
