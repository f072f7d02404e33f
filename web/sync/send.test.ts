// Steps as requests of the official client: what travels together, what is sent one by one after a refusal, and what a
// move does when its neighbour has left.

import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { Refusal } from './door.ts';
import { PartRefusal, sendTo } from './send.ts';
import { type Step, update } from './step.ts';
import { taskRow } from './task-row.ts';

interface Asked {
  readonly what: string;
  readonly body: Record<string, unknown>;
}

/** A door whose server answers as told: rows, or a refusal. */
function doorWith(answer: (asked: Asked) => { status: number; body: unknown }) {
  const asked: Asked[] = [];
  const ask: typeof fetch = async (address, init) => {
    const url = new URL(String(address));
    const one = {
      what: `${init?.method} ${decodeURIComponent(url.pathname.replace('/rest/v1/', '') + url.search)}`,
      body: JSON.parse(String(init?.body ?? '{}')) as Record<string, unknown>,
    };
    asked.push(one);
    const { status, body } = answer(one);
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
  const auth = { persistSession: false, autoRefreshToken: false };
  const door = createClient('http://board.test', 'key', {
    auth,
    global: { fetch: ask },
    realtime: { transport: class {} as never },
  });
  return { asked, send: sendTo(door) };
}

const refusal = (status: number, code: string) => ({
  status,
  body: { code, message: code, details: null, hint: null },
});
const idsIn = ({ what }: Asked): string[] => /id=in\.\(([^)]*)\)/.exec(what)?.[1]?.split(',') ?? [];
const renamed = (...ids: string[]): Step[] => ids.flatMap((id) => update('tasks', taskRow(id), { title: 'x' }) ?? []);

test('the same change of many rows is one request', async () => {
  const { asked, send } = doorWith((one) => ({ status: 200, body: idsIn(one).map((id) => ({ id, title: 'x' })) }));
  expect(await send(renamed('a', 'b', 'c'))).toHaveLength(3);
  expect(asked.map(idsIn)).toEqual([['a', 'b', 'c']]);
});

test('one row’s fault is not the others’: refused together, they are sent one by one', async () => {
  const { asked, send } = doorWith((one) =>
    idsIn(one).includes('b')
      ? refusal(400, '23514')
      : { status: 200, body: idsIn(one).map((id) => ({ id, title: 'x' })) },
  );
  const steps = renamed('a', 'b', 'c');
  const part = await send(steps).catch((error: unknown) => error);
  expect(asked.map(idsIn)).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
  expect(part).toBeInstanceOf(PartRefusal);
  expect(part).toMatchObject({ refused: [steps[1]], reason: { code: '23514' }, rows: [{}, {}] });
});

test('what a role may not do is asked once for all', async () => {
  const { asked, send } = doorWith(() => refusal(403, '42501'));
  await expect(send(renamed('a', 'b', 'c'))).rejects.toMatchObject({ code: '42501' });
  expect(asked).toHaveLength(1);
});

test('nobody there: nothing is taken apart', async () => {
  const { asked, send } = doorWith(() => refusal(503, 'PGRST000'));
  await expect(send(renamed('a', 'b'))).rejects.toBeInstanceOf(Refusal);
  expect(asked).toHaveLength(1);
});

const move = (): Step[] => [
  {
    kind: 'update',
    table: 'tasks',
    key: 'a',
    before: { column_id: 'todo', order_rank: 'a0' },
    after: { column_id: 'done', order_rank: 'a5' },
    beside: { after_id: 'neighbour' },
  },
];

test.each([
  [409, 'KB004'],
  [404, 'PT404'],
])('a move beside a card that has left keeps the place it was shown at (%i %s)', async (status, code) => {
  const { asked, send } = doorWith(({ body }) =>
    'after_id' in body ? refusal(status, code) : { status: 200, body: taskRow('a', { order_rank: 'a5' }) },
  );
  expect(await send(move())).toMatchObject([{ table: 'tasks', row: { id: 'a', order_rank: 'a5' } }]);
  expect(asked.map(({ body }) => body)).toEqual([
    { task_id: 'a', column_id: 'done', after_id: 'neighbour' },
    { task_id: 'a', column_id: 'done', order_rank: 'a5' },
  ]);
});

test('a move that is refused for another reason is not tried elsewhere', async () => {
  const { asked, send } = doorWith(() => refusal(409, 'KB001'));
  await expect(send(move())).rejects.toMatchObject({ code: 'KB001' });
  expect(asked).toHaveLength(1);
});
