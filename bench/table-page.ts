// Measures the list as a table: 10,000 tasks with 20 fields, all of them shown. A part of `npm run bench -- --pages` (pages.ts).

import type { SupabaseClient } from '@supabase/supabase-js';
import type { Page } from 'playwright-core';

export interface TableFigures<F> {
  readonly cold: number;
  readonly warm: readonly number[];
  readonly scroll: F;
  readonly filters: readonly number[];
}

const kinds = ['number', 'text', 'date', 'select', 'number'] as const;
const options = ['Oak', 'Beech', 'Ash'].map((name) => ({ id: name.toLowerCase(), name }));

/** Twenty fields, each held by every task. What the view calls them. */
export async function fillFields(client: SupabaseClient, projectId: string): Promise<readonly string[]> {
  const fields: { id: string; kind: string }[] = [];
  for (let n = 0; n < 20; n++) {
    const kind = kinds[n % kinds.length] ?? 'text';
    const field = { project_id: projectId, name: `Field ${n + 1}`, kind, options: kind === 'select' ? options : [] };
    const { data, error } = await client.from('custom_fields').insert(field).select('id,kind').single();
    if (error) throw error;
    fields.push(data);
  }
  for (let from = 0; ; from += 50) {
    const { data: tasks } = await client
      .from('tasks')
      .select('id,number')
      .eq('project_id', projectId)
      .order('number')
      .range(from, from + 49);
    if (tasks === null || tasks.length === 0) return fields.map(({ id, kind }) => `${kind}_field.${id}`);
    const rows = tasks.flatMap(({ id, number }) =>
      fields.map((field) => ({
        project_id: projectId,
        task_id: id,
        field_id: field.id,
        value: heldBy(field.kind, number),
      })),
    );
    const { error } = await client.from('task_field_values').insert(rows);
    if (error) throw error;
  }
}

function heldBy(kind: string, number: number): unknown {
  if (kind === 'number') return (number * 37) % 1000;
  if (kind === 'date') return `2030-0${1 + (number % 9)}-15`;
  return kind === 'select' ? options[number % 3]?.id : `Words of task ${number}`;
}

/** Until each column in sight has its values in a row, and all sums stand. */
async function openTable(page: Page, address: string): Promise<number> {
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(
    () => {
      const row = document.querySelectorAll<HTMLElement>('[data-row]')[9];
      const room = row?.closest('[role="grid"]')?.parentElement?.getBoundingClientRect();
      const sums = [...document.querySelectorAll<HTMLElement>('[data-sum^="number_field."] .numbers')];
      if (!row || !room || sums.length !== 8 || sums.some((sum) => !/\d/.test(sum.innerText))) return false;
      return [...document.querySelectorAll<HTMLElement>('[data-head*="_field."]')].every((head) => {
        if (head.getBoundingClientRect().left >= room.right) return true;
        const cell = row.querySelector<HTMLElement>(`[data-col="${head.dataset.head}"]`);
        return cell !== null && cell.innerText !== '';
      });
    },
    undefined,
    { polling: 'raf' },
  );
  return performance.now() - start;
}

/** Halfway through, the window gets a focus event, so that everything is asked for again meanwhile. */
async function scrollRows(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  for (let step = 0; step < 90; step++) {
    if (step === 45) await page.evaluate(() => void window.dispatchEvent(new Event('focus')));
    await page.mouse.wheel(0, 100);
    await page.waitForTimeout(16);
  }
}

/** From the new address to the picture of the rows that pass it. */
async function filterRows(page: Page, filter: string): Promise<number> {
  return page.evaluate(async (said) => {
    const grid = document.querySelector('[role="grid"]');
    const before = grid?.getAttribute('aria-rowcount');
    const url = new URL(location.href);
    url.searchParams.set('filter', said);
    const start = performance.now();
    history.replaceState(null, '', url);
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (grid?.getAttribute('aria-rowcount') !== before) {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve();
          port2.postMessage(0);
        } else requestAnimationFrame(look);
      };
      look();
    });
    return performance.now() - start;
  }, filter);
}

/** `frames` says what each frame of some work cost. */
export async function measureTable<F>(
  page: Page,
  frames: (work: () => Promise<void>) => Promise<F>,
  projectId: string,
  columns: readonly string[],
): Promise<TableFigures<F>> {
  const shown = encodeURIComponent(JSON.stringify({ columns: ['title', ...columns] }));
  const address = `/app/projects/${projectId}/list?group=none&shown=${shown}`;
  const cold = await openTable(page, address);
  // The device remembers a moment after the table is there.
  await page.waitForTimeout(4000);
  const warm: number[] = [];
  for (let round = 0; round < 5; round++) {
    warm.push(await openTable(page, address));
    await page.waitForTimeout(2000);
  }
  await page.waitForTimeout(4500);
  const scroll = await frames(() => scrollRows(page));
  const number = columns.find((one) => one.startsWith('number_field.')) ?? '';
  const filters: number[] = [];
  for (const filter of [
    'priority.any_of.p0',
    `${number}.at_least.500`,
    'text.contains.ask',
    `${number}.at_most.250`,
    '',
  ]) {
    filters.push(await filterRows(page, filter));
    await page.waitForTimeout(300);
  }
  return { cold, warm, scroll, filters };
}
