// Descriptions of routes hold: a route without one is not mounted, a body that breaks its schema is refused with the name of the field, and
// a path or a query that breaks its own as what is not there or does not count.

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastify from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { describeRoutes } from '../../server/http/describe-routes.ts';
import type { OpenApi, Operation, Schema } from '../../server/http/open-api.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(() => startApp({ settings: { AUTH_LIMIT_FACTOR: '0', LEADS_PER_MINUTE: '1000' } }));
let operations: readonly { method: string; path: string; operation: Operation }[];
let token: string;
let ofProvider: string;
const known: Record<string, string> = {
  path: 'folder/a.txt',
  bucket: 'none',
  name: 'SMTP_URL',
  topic: 'room',
  event: 'said',
};

beforeAll(async () => {
  const { paths } = (await (await app.request('/openapi.json')).json()) as OpenApi;
  operations = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/rest/v1'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    );
  const { data } = await app.client().auth.signUp({ email: 'ada@example.test', password: 'a good long password' });
  token = data.session?.access_token ?? '';
  known.user_id = data.user?.id ?? '';
  await app.sql(`select private.set_operator('ada@example.test', true)`);
  await app.sql("insert into private.scim_providers (name) values ('Entra')");
  const [made] = await app.sql<{ token: string }>(
    'select private.draw_scim_token(p.id, null) as token from private.scim_providers p',
  );
  ofProvider = made?.token ?? '';
});

test('a route that is neither described nor unlisted is not mounted', () => {
  const bare = fastify();
  describeRoutes(bare);
  expect(() => bare.get('/somewhere', () => 'here')).toThrow('GET /somewhere has no description');
});

/** Beside these nobody takes a query or a path apart: what a route takes is what its description says. */
const readers = [
  // ?language=de works on every page.
  'server/http/page-language.ts',
  'server/http/read-parameters.ts',
  // What is meant for an issuer has names of the issuer's own.
  'server/identity/requests/read-body.ts',
];

test('queries and paths are read by the description of their route', () => {
  const taken = /\brequest\.(?:params\b|query (?:as|\?\?))|\{ (?:query|params) \} = request/;
  const found = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => taken.test(readFileSync(join('server', name), 'utf8')))
    .map((name) => `server/${name.split(sep).join('/')}`);
  expect(found.sort()).toEqual(readers);
});

/** The schema of a body with each of its fields, inside others too. */
function fieldsOf(schema: Schema, path: readonly string[] = []): [path: readonly string[], schema: Schema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [[...path, name], field],
    ...fieldsOf(field, [...path, name]),
  ]);
}

/** A value of no type that the field has. */
function misfit({ type, enum: choices }: Schema): unknown {
  const types = [type ?? []].flat();
  if (types.length === 0 && choices === undefined) return undefined;
  return ['boolean', 'string', 'array', 'object'].includes(types[0] ?? '') && !types.includes('integer') ? 7 : [{}];
}

function withField(
  body: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): object {
  return { ...body, [name]: rest.length === 0 ? value : withField({}, rest, value) };
}

const letters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');

test('a body that breaks the schema is refused with the name of the field', { timeout: 120_000 }, async () => {
  const enrolled = await app.client({ token }).auth.mfa.enroll({ factorType: 'totp' });
  known.factor_id = enrolled.data?.id ?? '';
  const uploaded = await app.request('/api/imports?name=tasks.csv', { method: 'POST', token, body: 'Title\nOne\n' });
  const { id: job } = (await uploaded.json()) as { id: string };
  let asked = 0;
  for (const { method, path, operation } of operations) {
    const content = operation.requestBody?.content['application/json'];
    if (content?.schema === undefined) continue;
    const { schema } = content;
    const example = (content.example ?? {}) as Readonly<Record<string, unknown>>;
    const needed = Object.fromEntries((schema.required ?? []).map((name) => [name, example[name]]));
    const ids: Record<string, string> = { ...known, id: path.startsWith('/api/imports') ? job : (known.user_id ?? '') };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? crypto.randomUUID());
    const isForService = /^\/(auth\/v1\/(admin|invite)|storage)/.test(path);
    for (const [field, inside] of fieldsOf(schema)) {
      const value = misfit(inside);
      if (value === undefined) continue;
      const query = operation.operationId === 'getToken' ? '?grant_type=password' : '';
      const answer = await app.request(`${address}${query}`, {
        method,
        token: isForService ? app.serviceKey : token,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(withField(needed, field, value)),
      });
      const text = await answer.text();
      const said = `${method} ${path} ${field.join('.')}: ${answer.status} ${text}`;
      expect.soft([400, 422], said).toContain(answer.status);
      expect.soft(letters(text), said).toContain(letters(field.at(-1) ?? ''));
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(120);
});

test('an id in a path that is none is nothing that is there', { timeout: 120_000 }, async () => {
  let asked = 0;
  for (const { method, path, operation } of operations) {
    for (const { name, schema, ...parameter } of operation.parameters ?? []) {
      if (parameter.in !== 'path' || schema?.format !== 'uuid') continue;
      const address = path
        .replace(`{${name}}`, 'no-id')
        .replaceAll(/\{(\w+)\}/g, (_, other: string) => known[other] ?? crypto.randomUUID());
      const isForService = path.startsWith('/auth/v1/admin');
      const answer = await app.request(address, {
        method,
        token: path.startsWith('/scim') ? ofProvider : isForService ? app.serviceKey : token,
        headers: { 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      expect.soft([400, 404], `${method} ${path}: ${answer.status} ${await answer.text()}`).toContain(answer.status);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThan(30);
});

test('a parameter of a query that is no number, choice or id is refused, or counts as not sent', async () => {
  const asked: string[] = [];
  for (const { method, path, operation } of operations) {
    for (const { name = '', schema, ...parameter } of operation.parameters ?? []) {
      const isText = schema?.type === 'string' && schema.enum === undefined && schema.format === undefined;
      if (method !== 'GET' || parameter.in !== 'query' || schema === undefined || isText) continue;
      const isForService = path.startsWith('/auth/v1/admin');
      const answer = await app.request(`${path}?${name}=%27no%20such%27`, {
        token: isForService ? app.serviceKey : token,
        redirect: 'manual',
      });
      await answer.arrayBuffer();
      expect.soft(answer.status, `${path} ${name}`).toBeLessThan(500);
      asked.push(`${path} ${name}`);
    }
  }
  expect(asked).toEqual(
    expect.arrayContaining(['/api/admin/accounts skip', '/api/admin/mail state', '/auth/v1/admin/users page']),
  );
});
