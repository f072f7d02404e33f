// The pages of /docs: each operation on one of them, small, with examples that compile against the types of the service and, where they only read, run.

import { createClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startApp } from '../helpers/app.ts';
import { compile } from '../helpers/compile.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

interface Index {
  readonly pages: readonly (readonly [title: string, address: string, section: string])[];
  readonly operations: readonly (readonly [id: string, method: string, path: string, summary: string, page: number])[];
  readonly former: Readonly<Record<string, string>>;
}

let index: Index;
const pages = new Map<string, string>();

beforeAll(async () => {
  index = await (await fetch(`${app.url}/docs/search.json`)).json();
  for (const address of ['/docs', ...index.pages.map(([, at]) => at)]) {
    const answer = await fetch(app.url + address);
    expect([address, answer.status]).toEqual([address, 200]);
    pages.set(address, await answer.text());
  }
});

const elements = (page: string): number => page.match(/<[a-z]/g)?.length ?? 0;

describe('pages', () => {
  test('are small', () => {
    const sizes = [...pages].map(([address, page]) => [address, Buffer.byteLength(page), elements(page)] as const);
    const largest = [...sizes].sort((a, b) => b[1] - a[1]).slice(0, 5);
    console.log(
      `${sizes.length} pages, ${Math.round(sizes.reduce((sum, [, bytes]) => sum + bytes, 0) / sizes.length / 1000)} kB each; largest: ${largest.map(([address, bytes, count]) => `${address} ${Math.round(bytes / 1000)} kB, ${count} elements`).join('; ')}`,
    );
    expect(sizes.filter(([, bytes, count]) => bytes > 90_000 || count > 2500)).toEqual([]);
  });

  test('have every operation once, and lead from its former anchor', async () => {
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>;
    };
    const described = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    expect(index.operations.map(([id]) => id).sort()).toEqual(described.sort());
    for (const [id, , , , at] of index.operations)
      expect(pages.get(index.pages[at]?.[1] ?? ''), id).toContain(`<article id="${id}"`);
    expect(Object.values(index.former).filter((address) => !pages.has(address))).toEqual([]);
    expect(index.former).toMatchObject({
      'group-table-tasks': '/docs/tables/tasks',
      'group-identity': '/docs/identity',
    });
  });

  test('group every procedure of the service by its subject', () => {
    expect(index.pages.map(([title]) => title)).not.toContain('Others');
    expect(index.pages.filter(([, , section]) => section === 'Procedures').length).toBeGreaterThan(5);
  });

  test('have the requests of webhooks with their payloads', () => {
    expect(pages.get('/docs/webhook-payloads')).toMatch(/<h3>.*<figcaption>Payload/s);
  });

  test('link only to pages that are there', () => {
    const linked = [...pages.values()].flatMap((page) =>
      [...page.matchAll(/href="(\/docs[^"#]*)"/g)].map(([, address = '']) => address),
    );
    const parts = ['/docs/reference.css', '/docs/database.ts'];
    expect([...new Set(linked)].filter((address) => !pages.has(address) && !parts.includes(address))).toEqual([]);
  });

  test('that are not there answer 404 and lead back', async () => {
    const texts = new Set<string>();
    for (const address of ['/docs/nowhere', '/docs/tables/%3Cscript%3E', '/docs/tables/', '/docs/__proto__']) {
      const answer = await fetch(app.url + address);
      expect([address, answer.status]).toEqual([address, 404]);
      const page = await answer.text();
      expect(page).toContain('href="/docs"');
      texts.add(page);
    }
    // No word of the address is in them.
    expect(texts.size).toBe(1);
    expect(await (await fetch(`${app.url}/docs/`)).text()).toBe(pages.get('/docs'));
  });
});

const written = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function examples(page: string): string[] {
  return [...page.matchAll(/<figcaption>JavaScript<\/figcaption><pre[^>]*><code>([\s\S]*?)<\/code>/g)].map(
    ([, text = '']) => written(text),
  );
}

describe('examples', () => {
  test('stand beside every operation of a table and every procedure', () => {
    const lacking = index.pages
      .map(([, address, section], at) => ({
        address,
        section,
        wanted: index.operations.filter(([, , , , page]) => page === at).length,
      }))
      .filter(({ section }) => section !== 'Topics')
      .filter(({ address, wanted }) => examples(pages.get(address) ?? '').length !== wanted);
    expect(lacking).toEqual([]);
  });

  test('compile with the types of the service', async () => {
    const all = [...pages.values()].flatMap(examples);
    expect(all.length).toBeGreaterThan(200);
    const program = [
      `import type { SupabaseClient } from '@supabase/supabase-js';`,
      `import type { Database } from './database.ts';`,
      `declare const supabase: SupabaseClient<Database>;`,
      ...all.map((example) => `{\n${example}\n}`),
      'export {};',
    ].join('\n');
    const types = await (await fetch(`${app.url}/docs/database.ts`)).text();
    expect(compile({ 'database.ts': types, 'examples.ts': program })).toBe('');
  });

  test('that only read a table run for a person', async () => {
    const person = await app.createUser({ name: 'Reader' });
    const supabase = createClient(app.url, app.anonKey, {
      global: { headers: { authorization: `Bearer ${person.token}` } },
      realtime: { transport: WebSocket as never },
    });
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
    const faults: unknown[] = [];
    for (const [address, page] of pages)
      for (const example of address.startsWith('/docs/tables/') ? examples(page) : []) {
        if (!example.includes('.limit(10)')) continue;
        const { error } = await new AsyncFunction('supabase', `${example}\nreturn { data, error };`)(supabase);
        if (error !== null) faults.push([address, error]);
      }
    expect(faults).toEqual([]);
  });
});

describe('types', () => {
  test('come as text', async () => {
    const answer = await fetch(`${app.url}/docs/database.ts`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await answer.text()).toContain('export type Database = {');
  });
});
