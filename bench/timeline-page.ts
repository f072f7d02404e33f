// The timeline in `npm run bench -- --pages`: 5,000 bars and nearly as many dependencies, opened and scrolled both ways.

import type { SupabaseClient } from '@supabase/supabase-js';
import type { CDPSession, Page } from 'playwright-core';

export type MeasureFrames<F> = (page: Page, session: CDPSession, work: () => Promise<void>) => Promise<F>;

/** Each task on some days over two years, and waiting for one a little before it. */
export async function fillTimeline(client: SupabaseClient, projectId: string): Promise<void> {
  const ids: string[] = [];
  for (let from = 0; ; from += 1000) {
    const { data, error } = await client
      .from('tasks')
      .select('id')
      .eq('project_id', projectId)
      .order('number')
      .range(from, from + 999);
    if (error) throw error;
    ids.push(...data.map((row) => row.id as string));
    if (data.length < 1000) break;
  }
  const day = (ahead: number): string => new Date(Date.now() + (ahead - 365) * 86_400_000).toISOString().slice(0, 10);
  for (let from = 0; from < ids.length; from += 100) {
    const some = ids.slice(from, from + 100);
    const rows = some.map((id, at) => {
      const start = Math.floor(((from + at) * 730) / ids.length);
      return { id, start_date: day(start), due_date: day(start + 3 + (at % 9)) };
    });
    const links = some.flatMap((successor_id, at) => {
      // Chains of twenty.
      const predecessor_id = (from + at) % 140 < 7 ? undefined : ids[from + at - 7];
      return predecessor_id === undefined ? [] : [{ project_id: projectId, predecessor_id, successor_id }];
    });
    const { error } = await client.rpc('apply_changes', {
      changes: [
        { change: 'update', table: 'tasks', rows },
        ...(links.length > 0 ? [{ change: 'insert', table: 'task_dependencies', rows: links }] : []),
      ],
    });
    if (error) throw error;
  }
}

export interface TimelineFigures<F> {
  readonly opened: number;
  readonly down: F;
  readonly across: F;
}

export async function measureTimeline<F>(
  page: Page,
  session: CDPSession,
  projectId: string,
  frames: MeasureFrames<F>,
): Promise<TimelineFigures<F>> {
  const start = performance.now();
  await page.goto(`/app/projects/${projectId}/timeline?critical=1`, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.querySelectorAll('[data-arrow]').length > 5, undefined, {
    polling: 'raf',
    timeout: 90_000,
  });
  const opened = performance.now() - start;
  await page.waitForTimeout(4000);
  const box = await page.getByRole('treegrid').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 700, (box?.y ?? 0) + 300);
  const wheel = (x: number, y: number) => async (): Promise<void> => {
    for (let step = 0; step < 90; step++) {
      await page.mouse.wheel(x, y);
      await page.waitForTimeout(16);
    }
  };
  const down = await frames(page, session, wheel(0, 100));
  await page.waitForTimeout(500);
  const across = await frames(page, session, wheel(100, 0));
  return { opened, down, across };
}
