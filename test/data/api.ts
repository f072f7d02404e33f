// The app with the sample schemas of fixture/ behind it, and the few calls the tests of the data API make.
// Raw HTTP goes through node:http, so that headers and empty bodies are seen as they are on the wire.

import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, vi } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';

export const MINE = '00000000-0000-4000-8000-000000000001';
export const THEIRS = '00000000-0000-4000-8000-000000000002';

export interface Reply {
  readonly status: number;
  readonly statusText: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** The body parsed; undefined when there is none. */
  readonly json: unknown;
}

export interface Ask {
  readonly headers?: Record<string, string>;
  /** Sent as JSON unless it is a string or bytes already. */
  readonly body?: unknown;
  /** A token in `Authorization`; null sends neither header. */
  readonly as?: string | null;
  readonly prefer?: string;
  readonly accept?: string;
}

export interface Api {
  readonly url: string;
  readonly app: TestApp;
  readonly anonKey: string;
  readonly serviceKey: string;
  token(claims: Record<string, unknown>): Promise<string>;
  ask(method: string, path: string, ask?: Ask): Promise<Reply>;
  get(path: string, ask?: Ask): Promise<Reply>;
  post(path: string, body: unknown, ask?: Ask): Promise<Reply>;
  /** Taken back at once: those that write beside each other find what was there before. */
  write(method: string, path: string, body: unknown, prefer?: string, ask?: Ask): Promise<Reply>;
  /** The official client, as anonymous or with a token. */
  client(token?: string, schema?: string): SupabaseClient;
  /** SQL run as the owner of the database. */
  sql(text: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

export async function startApi(settings: Record<string, string> = {}): Promise<Api> {
  const parts = new URL('./fixture/', import.meta.url);
  const fixture = readdirSync(parts)
    .sort()
    .map((name) => readFileSync(new URL(name, parts), 'utf8'))
    .join('\n');
  const app = await startApp({
    prepare: fixture,
    settings: {
      DATA_SCHEMAS: 'harbour,annex',
      DATA_TX_OVERRIDE: 'true',
      DATA_AGGREGATES: 'true',
      DATA_PLANS: 'true',
      ...settings,
    },
  });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

  const ask: Api['ask'] = (method, path, options = {}) =>
    new Promise((resolve, reject) => {
      const headers: Record<string, string> = {};
      if (options.as !== null) {
        headers.apikey = app.anonKey;
        headers.authorization = `Bearer ${options.as ?? app.anonKey}`;
      }
      if (options.prefer !== undefined) headers.prefer = options.prefer;
      if (options.accept !== undefined) headers.accept = options.accept;
      let body: string | Buffer | undefined;
      if (options.body !== undefined) {
        const plain = typeof options.body === 'string' || Buffer.isBuffer(options.body);
        body = plain ? (options.body as string | Buffer) : JSON.stringify(options.body);
        headers['content-length'] = String(Buffer.byteLength(body));
        if (!plain) headers['content-type'] = 'application/json';
      }
      for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = value;
      const request = http.request(
        new URL(`/rest/v1${encodePath(path)}`, app.url),
        { method, headers, agent },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const text = bytes.toString();
            resolve({
              status: response.statusCode ?? 0,
              statusText: response.statusMessage ?? '',
              headers: response.headers,
              bytes,
              text,
              get json() {
                return text === '' ? undefined : JSON.parse(text);
              },
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });

  return {
    url: app.url,
    app,
    anonKey: app.anonKey,
    serviceKey: app.serviceKey,
    token: (claims) => app.services.sessions.sign({ role: 'authenticated', ...claims }, 3600),
    ask,
    get: (path, options) => ask('GET', path, options),
    post: (path, body, options) => ask('POST', path, { ...options, body }),
    write: (method, path, body, prefer = 'return=representation', options = {}) =>
      ask(method, path, { ...options, body, prefer: prefer === '' ? 'tx=rollback' : `${prefer}, tx=rollback` }),
    client: (token, schema = 'harbour') => app.client({ schema, ...(token === undefined ? {} : { token }) }),
    sql: (text) => app.sql(text),
    stop: async () => {
      agent.destroy();
      await app.close();
    },
  };
}

/** With makers, their steps and the parts of these, which a test may change. */
export async function startWorkshop(): Promise<Api> {
  const api = await startApi({ DATA_SERVER_TIMING: 'true', DATA_MAX_ROWS: '0' });
  await api.sql(`
    create table harbour.makers (id int primary key, label text);
    create table harbour.steps (id int primary key, maker_id int references harbour.makers, note text);
    create table harbour.parts (id int primary key, step_id int references harbour.steps);
    insert into harbour.makers values (1, 'b'), (2, 'a');
    insert into harbour.steps values (1, 1, 'x'), (2, 2, 'y'), (3, 1, 'z');
    insert into harbour.parts values (1, 1), (2, 2), (3, 3);
    grant select, insert, update on harbour.makers, harbour.steps, harbour.parts to anon;
    notify pgrst, 'reload schema'`);
  await vi.waitFor(async () => expect((await api.get('/parts?limit=1')).json).toHaveLength(1), 60_000);
  return api;
}

/** Percent-encodes what a URL may not hold and leaves what a person wrote on purpose (`%2C`) alone. */
export function encodePath(path: string): string {
  return path.replace(/[^\x21-\x7e]|["<>\\^`{|}]/gu, (letter) => encodeURIComponent(letter));
}

interface Expected {
  readonly status?: number;
  readonly json?: unknown;
  readonly text?: string;
  /** Lowercase names; null: must be absent. */
  readonly headers?: Record<string, string | RegExp | null>;
}

/** One assertion for a whole reply, so that a failure shows all of it. */
export function expectReply(reply: Reply, expected: Expected): void {
  const seen: Record<string, unknown> = { status: reply.status };
  const wanted: Record<string, unknown> = { status: expected.status ?? 200 };
  if ('json' in expected) {
    seen.json = safely(reply);
    wanted.json = expected.json;
  }
  if (expected.text !== undefined) {
    seen.text = reply.text;
    wanted.text = expected.text;
  }
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    seen[name] = reply.headers[name] ?? null;
    wanted[name] = value instanceof RegExp ? expect.stringMatching(value) : value;
  }
  if (!('json' in expected) && expected.text === undefined && reply.status !== wanted.status) seen.body = reply.text;
  expect(seen).toEqual(wanted);
}

function safely(reply: Reply): unknown {
  try {
    return reply.json;
  } catch {
    return reply.text;
  }
}
