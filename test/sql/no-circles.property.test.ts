// Dependencies and subtasks in random order: exactly those are refused that would close a circle or exceed eight levels, compared with a plain model.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draws, seed } from '../helpers/seed.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

const amount = 11;
const task = fc.integer({ min: 0, max: amount - 1 });
/** A chain from the first on, so that there is something deep, and then any two. */
const pairs = fc
  .tuple(fc.integer({ min: 0, max: 8 }), fc.array(fc.tuple(task, task), { minLength: 10, maxLength: 25 }))
  .map(([chain, more]) => [...Array.from({ length: chain }, (_, at) => [at + 1, at] as const), ...more]);

async function fill(name: string): Promise<readonly string[]> {
  const { project, columns } = await shared(name);
  const rows = Array.from({ length: amount }, (_, at) => ({
    project_id: project,
    column_id: columns.todo,
    title: `Task ${at}`,
  }));
  const { data, error } = await owner.client.from('tasks').insert(rows).select('id').order('number');
  if (error) throw error;
  return data.map((row) => row.id as string);
}

it(`a dependency is refused where it would close a circle, and nowhere else (SEED=${seed})`, async () => {
  const ids = await fill('Links');
  await fc.assert(
    fc.asyncProperty(pairs, async (drawn) => {
      await app.sql('delete from public.task_dependencies where predecessor_id = any ($1)', [ids]);
      const after = ids.map(() => new Set<number>());
      const leads = (from: number, to: number): boolean =>
        from === to || [...(after[from] ?? [])].some((next) => leads(next, to));
      for (const [from, to] of drawn) {
        if (from === to || after[from]?.has(to)) continue;
        const { error } = await editor.client
          .from('task_dependencies')
          .insert({ predecessor_id: ids[from], successor_id: ids[to] });
        expect(error?.code ?? 'in', `${from} before ${to} of ${JSON.stringify(drawn)}`).toBe(
          leads(to, from) ? 'KB002' : 'in',
        );
        if (error === null) after[from]?.add(to);
      }
    }),
    { seed, numRuns: draws(12) },
  );
}, 60_000);

it(`a parent is refused where it would close a circle or lie too deep, and nowhere else (SEED=${seed})`, async () => {
  const ids = await fill('Outline');
  await fc.assert(
    fc.asyncProperty(pairs, async (drawn) => {
      await app.sql('update public.tasks set parent_id = null where id = any ($1)', [ids]);
      const above = new Map<number, number>();
      const levelOf = (at: number): number => 1 + (above.has(at) ? levelOf(above.get(at) ?? 0) : 0);
      const under = (at: number): number[] => [...above].filter(([, parent]) => parent === at).map(([child]) => child);
      const heightOf = (at: number): number => 1 + Math.max(0, ...under(at).map(heightOf));
      const isBelow = (at: number, top: number): boolean =>
        at === top || (above.has(at) && isBelow(above.get(at) ?? 0, top));
      for (const [child, parent] of drawn) {
        const { error } = await editor.client.from('tasks').update({ parent_id: ids[parent] }).eq('id', ids[child]);
        const tooDeep = !isBelow(parent, child) && levelOf(parent) + heightOf(child) > 8;
        const expected = isBelow(parent, child) ? 'KB008' : tooDeep ? 'KB009' : 'in';
        expect(error?.code ?? 'in', `${child} under ${parent} of ${JSON.stringify(drawn)}`).toBe(expected);
        if (error === null) above.set(child, parent);
      }
    }),
    { seed, numRuns: draws(12) },
  );
}, 60_000);
