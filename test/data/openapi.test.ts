// The documents that describe the service: PostgREST's OpenAPI 2.0 at the root of the data door, OpenAPI 3.1 of all
// doors at /openapi.json, and the pages made from it below /docs.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

interface Document {
  readonly info: { title: string; description: string };
  readonly paths: Record<
    string,
    Record<string, { parameters?: { $ref?: string; name?: string }[]; tags: string[]; security?: unknown[] }>
  >;
  readonly definitions: Record<string, { properties: Record<string, Record<string, unknown>>; required?: string[] }>;
  readonly parameters: Record<string, Record<string, unknown>>;
  readonly components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

let root: Document;
const api = forSuite(() => startApi({ AUTH_OAUTH_CLIENTS: 'open' }));
beforeAll(async () => {
  root = (await api.get('/')).json as Document;
});

async function problems(document: unknown): Promise<unknown> {
  const result = await new Validator().validate(document as Record<string, unknown>);
  return result.valid ? [] : result.errors;
}

describe('the root of the data door', () => {
  test('is a valid OpenAPI 2.0 document', async () => {
    const reply = await api.get('/');
    expectReply(reply, {
      headers: { 'content-type': 'application/openapi+json; charset=utf-8', 'content-profile': 'harbour' },
    });
    expect(await problems(reply.json)).toEqual([]);
    expect(root).toMatchObject({ swagger: '2.0', basePath: '/rest/v1' });
  });

  test('for those who accept it', async () => {
    for (const accept of ['application/openapi+json', 'application/json', '*/*'])
      expectReply(await api.get('/', { accept }), {
        headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
      });
    expectReply(await api.get('/', { accept: 'text/csv' }), {
      status: 406,
      json: {
        code: 'PGRST107',
        message: 'None of these media types are available: text/csv',
        details: null,
        hint: null,
      },
    });
    expectReply(await api.ask('HEAD', '/'), {
      text: '',
      headers: { 'content-type': 'application/openapi+json; charset=utf-8' },
    });
  });

  test('is titled by the comment on the schema', async () => {
    expect(root.info).toMatchObject({
      title: 'Harbour API',
      description: 'Ships, ports and what goes on between them.',
    });
    const annex = await api.get('/', { headers: { 'accept-profile': 'annex' } });
    expect((annex.json as Document).info.title).toBe('PostgREST API');
    expect(Object.keys((annex.json as Document).definitions).sort()).toEqual(['ports', 'sheds']);
  });

  test('describes tables and their columns', () => {
    expect(root.definitions.ships).toEqual({
      type: 'object',
      required: ['id', 'name', 'kind'],
      properties: {
        id: { description: 'Note:\nThis is a Primary Key.<pk/>', format: 'int32', type: 'integer' },
        name: { format: 'text', type: 'string' },
        kind: { default: 'barge', enum: ['barge', 'clipper', 'tug'], format: 'harbour.ship_kind', type: 'string' },
        tonnage: { description: 'May exceed what a double can hold', format: 'int64', type: 'integer' },
        home_port_id: {
          description: "Note:\nThis is a Foreign Key to `ports.id`.<fk table='ports' column='id'/>",
          format: 'int32',
          type: 'integer',
        },
        built_at: {
          description: "Note:\nThis is a Foreign Key to `ports.id`.<fk table='ports' column='id'/>",
          format: 'int32',
          type: 'integer',
        },
        tows_id: {
          description: "Note:\nThis is a Foreign Key to `ships.id`.<fk table='ships' column='id'/>",
          format: 'int32',
          type: 'integer',
        },
        launched_at: { format: 'timestamp with time zone', type: 'string' },
      },
    });
    expect(root.definitions.samples?.properties).toMatchObject({
      c_num: { format: 'numeric', type: 'number' },
      c_json: { format: 'json' },
      c_ints: { format: 'integer[]', type: 'array', items: { type: 'integer' } },
      c_texts: { format: 'text[]', type: 'array', items: { type: 'string' } },
      c_varchar: { format: 'character varying', type: 'string', maxLength: 5 },
      c_bool: { format: 'boolean', type: 'boolean' },
    });
    expect(root.definitions.samples?.properties.c_json).not.toHaveProperty('type');
    expect(root.definitions.crates?.properties).toMatchObject({
      weight: { default: 7 },
      label: { default: 'unlabelled' },
    });
    expect(root.definitions.ports?.properties.name?.description).toBe('As painted on the quay');
  });

  test('describes what can be done with them', () => {
    expect(Object.keys(root.paths['/ships'] ?? {}).sort()).toEqual(['delete', 'get', 'patch', 'post']);
    expect(Object.keys(root.paths['/crate_count'] ?? {})).toEqual(['get']);
    expect(Object.keys(root.paths['/port_totals'] ?? {})).toEqual(['get']);
    expect(root.paths['/ports']?.get).toMatchObject({
      tags: ['ports'],
      summary: 'Places where ships lie',
      description: 'A port is known by its name.',
    });
    const refs = root.paths['/pages']?.get?.parameters?.map((parameter) => parameter.$ref);
    expect(refs).toEqual(
      ['rowFilter.pages.id', 'select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'].map(
        (name) => `#/parameters/${name}`,
      ),
    );
    expect(root.parameters['rowFilter.ports.name']).toEqual({
      name: 'name',
      description: 'As painted on the quay',
      required: false,
      in: 'query',
      type: 'string',
    });
  });

  test('describes procedures', () => {
    expect(root.paths['/rpc/add_them']).toMatchObject({
      get: { tags: ['(rpc) add_them'], summary: 'Adds two numbers', description: 'No more than that.' },
      post: { tags: ['(rpc) add_them'] },
    });
    expect(root.paths['/rpc/rename_ship']).not.toHaveProperty('get');
    expect(root.paths['/rpc/total']?.get?.parameters).toEqual([
      {
        name: 'numbers',
        required: true,
        in: 'query',
        type: 'array',
        collectionFormat: 'multi',
        items: { type: 'integer', format: 'int32' },
      },
    ]);
    expect(root.paths['/rpc/with_defaults']?.post?.parameters?.[0]).toMatchObject({
      name: 'args',
      in: 'body',
      required: true,
      schema: {
        required: ['a'],
        properties: { a: { format: 'int32', type: 'integer' }, c: { format: 'text', type: 'string' } },
      },
    });
  });

  test('shows a role what it may touch, and nothing more', async () => {
    expect(root.definitions).not.toHaveProperty('ledger');
    expect(root.paths).not.toHaveProperty('/rpc/locked_up');
    expect(root.definitions).toHaveProperty('dropbox');
    const all = (await api.get('/', { as: api.serviceKey })).json as Document;
    expect(all.definitions).toHaveProperty('ledger');
    expect(all.paths).toHaveProperty('/rpc/locked_up');
    expect(await problems(all)).toEqual([]);
  });

  test('can show everything, or nothing', async () => {
    const open = await startApi({ DATA_OPENAPI_MODE: 'ignore-privileges' });
    const closed = await startApi({ DATA_OPENAPI_MODE: 'disabled' });
    try {
      expect(((await open.get('/')).json as Document).definitions).toHaveProperty('ledger');
      expectReply(await closed.get('/'), {
        status: 404,
        json: { code: 'PGRST126', message: 'Root endpoint metadata is disabled', details: null, hint: null },
      });
    } finally {
      await open.stop();
      await closed.stop();
    }
  });
});

/** Of a description, of several under names, or of those a function makes. */
function operationIdsIn(written: unknown): string[] {
  if (typeof written === 'function') return [true, false].flatMap((value) => operationIdsIn(written(value)));
  const all = written as Record<string, unknown>;
  if (typeof all.operationId === 'string') return [all.operationId];
  return Object.values(all).flatMap((one) => (one as { operationId?: string }).operationId ?? []);
}

describe('the whole service', () => {
  let whole: Document;
  beforeAll(async () => {
    const response = await fetch(`${api.url}/openapi.json`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    whole = (await response.json()) as Document;
  });

  test('is a valid OpenAPI 3.1 document', async () => {
    expect(await problems(whole)).toEqual([]);
    expect(whole).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
  });

  test('covers every door', () => {
    const paths = Object.keys(whole.paths);
    for (const path of [
      '/rest/v1/ships',
      '/rest/v1/rpc/add_them',
      '/auth/v1/signup',
      '/auth/v1/token',
      '/auth/v1/user',
      '/auth/v1/logout',
      '/auth/v1/authorize',
      '/auth/callback',
      '/api/lead',
      '/api/billing/create-checkout',
      '/api/billing/create-portal',
      '/api/webhook/billing',
      '/api/billing/webhook',
      '/health',
    ])
      expect(paths).toContain(path);
  });

  test('leaves no description out that stands beside the handlers', async () => {
    const files = readdirSync('server', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('described.ts'))
      .map((file) => join(process.cwd(), 'server', file));
    const written = (await Promise.all(files.map((file) => import(file) as Promise<Record<string, unknown>>)))
      .flatMap((exports) => Object.values(exports))
      .flatMap(operationIdsIn);
    const served = Object.values(whole.paths)
      .flatMap((item) => Object.values(item))
      .map((operation) => (operation as unknown as { operationId: string }).operationId);
    expect(written.length).toBeGreaterThan(40);
    expect(written.filter((name) => !served.includes(name))).toEqual([]);
  });

  test('names the parts of a path as the path does, and its chapters', () => {
    const { tags: chapters } = whole as unknown as { tags: { name: string }[] };
    for (const [path, item] of Object.entries(whole.paths))
      for (const [method, { parameters = [], tags }] of Object.entries(item)) {
        const inPath = (parameters as { in?: string; name?: string }[]).filter((parameter) => parameter.in === 'path');
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(inPath.map(({ name }) => name).sort(), `${method} ${path}`).toEqual(named.sort());
        expect(chapters.map(({ name }) => name)).toEqual(expect.arrayContaining(tags));
      }
  });

  test('covers every exposed schema, and says how to ask for it', () => {
    const profile = (path: string, method: string) =>
      whole.paths[path]?.[method]?.parameters?.find(({ name }) => name?.endsWith('-Profile'));
    expect(profile('/rest/v1/ships', 'get')).toMatchObject({
      name: 'Accept-Profile',
      schema: { enum: ['harbour'], default: 'harbour' },
    });
    expect(profile('/rest/v1/sheds', 'get')).toMatchObject({ required: true, schema: { enum: ['annex'] } });
    expect(profile('/rest/v1/sheds', 'post')).toMatchObject({ name: 'Content-Profile', required: true });
    expect(profile('/rest/v1/rpc/where_am_i', 'post')).toMatchObject({ schema: { enum: ['harbour', 'annex'] } });
    const ports = whole.paths['/rest/v1/ports']?.get as unknown as {
      tags: string[];
      responses: Record<string, object>;
    };
    expect(ports.tags).toEqual(['Table ports', 'Table annex.ports']);
    expect(ports.responses['200']).toMatchObject({
      content: {
        'application/json': {
          schema: {
            anyOf: [
              { items: { $ref: '#/components/schemas/data.ports' } },
              { items: { $ref: '#/components/schemas/data-annex.ports' } },
            ],
          },
        },
      },
    });
    expect(whole.components.schemas['data-annex.sheds']).toMatchObject({
      properties: { port_id: { type: 'integer' } },
    });
  });

  test('comes with bodies that can be sent', async () => {
    const example = (path: string): unknown => {
      const operation = whole.paths[path]?.post as unknown as {
        requestBody: { content: Record<string, { example: unknown }> };
      };
      return operation.requestBody.content['application/json']?.example;
    };
    expect(example('/rest/v1/stamped')).toEqual({ body: 'body' });
    expect(example('/rest/v1/rpc/add_them')).toEqual({ a: 1, b: 1 });
    const posted = api.post('/stamped', example('/rest/v1/stamped'), { prefer: 'tx=rollback' });
    expectReply(await posted, { status: 201 });
  });

  test('gives every operation a name, a summary, answers, and no dangling reference', () => {
    const names = new Set<string>();
    for (const [path, item] of Object.entries(whole.paths))
      for (const [method, operation] of Object.entries(item)) {
        if (!/^(get|head|post|put|patch|delete)$/.test(method)) continue;
        const { operationId, summary, responses } = operation as unknown as {
          operationId: string;
          summary: string;
          responses: object;
        };
        expect(operationId, `${method} ${path}`).toMatch(/\S/);
        expect(names.has(operationId), `${operationId} twice`).toBe(false);
        names.add(operationId);
        expect(summary, `${method} ${path}`).toMatch(/\S/);
        expect(Object.keys(responses).length).toBeGreaterThan(0);
      }
    for (const [, target] of JSON.stringify(whole).matchAll(/"\$ref":"#([^"]+)"/g)) {
      const found = (target ?? '')
        .split('/')
        .slice(1)
        .reduce<unknown>(
          (at, step) =>
            (at as Record<string, unknown>)?.[decodeURIComponent(step.replaceAll('~1', '/').replaceAll('~0', '~'))],
          whole,
        );
      expect(found, target).toBeDefined();
    }
  });

  test('names no object that the described role may not touch', () => {
    expect(JSON.stringify(whole)).not.toContain('locked_up');
    expect(JSON.stringify(whole)).not.toContain('ledger');
  });
});

describe('the reference', () => {
  const page = async (path: string): Promise<string> => (await fetch(`${api.url}/docs${path}`)).text();

  test.each(['', '/tables/ships', '/identity'])('has /docs%s without foreign scripts or styles', async (path) => {
    const response = await fetch(`${api.url}/docs${path}`);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src '(none|self)'/);
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/);
    for (const [, address] of text.matchAll(/(?:src|href)="(https?:[^"]+)"/g))
      expect(address).toMatch(/^https:\/\/(docs\.)?postgrest\.org|^http:\/\/(127\.0\.0\.1|localhost)/);
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle="|\son[a-z]+="/);
    expect(text).toContain('lang="en"');
  });

  test('has a page of its own for each table, of any schema', async () => {
    expect(await page('/tables/ships')).toContain('/rest/v1/ships');
    const shed = await page('/tables/annex.sheds');
    expect(shed).toContain('/rest/v1/sheds');
    expect(shed).toContain('Content-Profile: annex');
    expect(shed).toContain('supabase.schema(&#39;annex&#39;)');
    expect(await page('/identity')).toContain('/auth/v1/signup');
  });

  test('its parts are there', async () => {
    const parts = [...(await page('')).matchAll(/(?:src|href)="(\/docs\/[^"#]+)"/g)].map(([, path]) => path);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) {
      const response = await fetch(`${api.url}${part}`);
      expect(response.status, part).toBe(200);
      await response.arrayBuffer();
    }
  });

  test('escapes what the catalog says', async () => {
    await api.sql(
      `comment on table harbour.sailors is '<script>alert(1)</script> & "friends"'; notify pgrst, 'reload schema'`,
    );
    await expect.poll(() => page('/tables/sailors')).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp;');
  });
});
