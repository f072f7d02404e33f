// Measures live changes on a page: a board of 5,000 cards in a real headless Chromium, from the commit of a change until the card is drawn
// anew, and the smoothness of the board while fifty cards a second change on it.

import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import type pg from 'pg';
import { type Browser, chromium, type Page } from 'playwright-core';
import { WebSocket } from 'ws';
import type { MeasuredLine } from './figure.ts';
import { formatFrames, frames, openBoard } from './pages.ts';
import { at } from './quantile.ts';

interface PageStage {
  readonly url: string;
  readonly anonKey: string;
  readonly owner: pg.Client;
  /** Where a profile of the page goes; null: none is made, for it slows the page down. */
  readonly profile: string | null;
}

const taskCount = 5000;
const shownChanges = 60;
const perSecond = 50;
const seconds = 10;
const added = 2000;
const email = 'ada@page.test';
const password = 'correct horse battery';

export async function measurePage(stage: PageStage): Promise<MeasuredLine[]> {
  const project = await fill(stage);
  const browser = await chromium.launch({
    executablePath: process.env.KANBASE_BROWSER as string,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-gpu-rasterization'],
  });
  try {
    const page = await openPage(browser, stage.url, project);
    const waits = await drawnAfter(page, stage.owner, project);
    const session = await browser.newBrowserCDPSession();
    let sent = 0;
    const stopProfile = stage.profile === null ? null : await startProfile(page, stage.profile);
    const busy = await frames(page, session, async () => {
      sent = await changeMany(stage.owner, project);
    });
    const last = await lastDrawn(page);
    const flood = await frames(page, session, () => addMany(page, stage.owner, project));
    await stopProfile?.();
    return [
      {
        what: `Board of 5,000 cards: from sending a title until another's window draws it (${shownChanges} changes)`,
        measured: `p50 ${Math.round(at(waits, 0.5))} ms, p90 ${Math.round(at(waits, 0.9))} ms, longest ${Math.round(at(waits, 1))} ms`,
        wanted: 'under 200 ms',
      },
      {
        what: `Frames while ${perSecond} cards a second are moved and renamed for ${seconds} s`,
        measured: `${formatFrames(busy)}; ${last === sent - 1 ? 'all arrived' : `${sent - 1 - last} of ${sent} not drawn`}`,
        wanted: 'none over 50 ms',
      },
      {
        what: `Frames while ${added.toLocaleString('en')} cards are added in one transaction`,
        measured: formatFrames(flood),
        wanted: 'nothing blocked',
      },
    ];
  } finally {
    await browser.close();
  }
}

async function startProfile(page: Page, file: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: 500 });
  await session.send('Profiler.start');
  return async () => {
    const { profile } = await session.send('Profiler.stop');
    writeFileSync(file, JSON.stringify(profile));
  };
}

async function fill({ url, anonKey, owner }: PageStage): Promise<string> {
  const client = createClient(url, anonKey, { realtime: { transport: WebSocket as never } });
  const { error } = await client.auth.signUp({ email, password, options: { data: { name: 'Ada Lovelace' } } });
  if (error) throw error;
  const made = await client.rpc('create_project_with_defaults', { name: 'Five thousand tasks' });
  if (made.error) throw made.error;
  const project = (made.data as { id: string }).id;
  await owner.query(
    `insert into public.tasks (project_id, column_id, title)
     select $1, c.columns[1 + n % cardinality(c.columns)], 'Task ' || n || ': write a few words about the thing'
     from (select array_agg(id order by position) as columns from public.workflow_columns where project_id = $1) c,
     generate_series(1, $2::int) n order by n`,
    [project, taskCount],
  );
  await owner.query('analyze');
  return project;
}

async function openPage(browser: Browser, url: string, project: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  await openBoard(page, project, taskCount);
  await page.locator('[data-live="live"]').waitFor({ state: 'attached' });
  // The device remembers a moment after the board is there.
  await page.waitForTimeout(4000);
  return page;
}

/** The tasks whose cards are drawn, so that a change of them is seen. */
function drawnTasks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-task-id]')].map((card) => card.dataset.taskId ?? ''),
  );
}

async function drawnAfter(page: Page, owner: pg.Client, project: string): Promise<number[]> {
  const [card = ''] = await drawnTasks(page);
  await page.evaluate((id) => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seenTitles: seen });
    const look = (): void => {
      const text = document.querySelector(`[data-task-id="${id}"]`)?.textContent ?? '';
      const [said] = /Now \d+/.exec(text) ?? [];
      if (said !== undefined) seen[said] ??= Date.now();
      requestAnimationFrame(look);
    };
    look();
  }, card);
  const sentAt: number[] = [];
  for (let change = 0; change < shownChanges; change++) {
    await pause(150 + Math.random() * 300);
    sentAt.push(Date.now());
    await owner.query('update public.tasks set title = $3 where project_id = $1 and id = $2', [
      project,
      card,
      `Now ${change}.`,
    ]);
  }
  await page.waitForFunction(
    (last) => `Now ${last}` in (window as unknown as { seenTitles: object }).seenTitles,
    shownChanges - 1,
  );
  const seen = await page.evaluate(() => (window as unknown as { seenTitles: Record<string, number> }).seenTitles);
  // What was overwritten before it could be drawn counts until the next one stood.
  return sentAt.map((sent, change) => {
    for (let next = change; next < shownChanges; next++) {
      const drawn = seen[`Now ${next}`];
      if (drawn !== undefined) return drawn - sent;
    }
    return Number.POSITIVE_INFINITY;
  });
}

/** Cards that are drawn and others in turns: renamed, and every second one moved to another column. Answers how many changes. */
async function changeMany(owner: pg.Client, project: string): Promise<number> {
  const { rows } = await owner.query<{ id: string }>(
    'select id from public.tasks where project_id = $1 order by number',
    [project],
  );
  const total = perSecond * seconds;
  const began = performance.now();
  for (let sent = 0; sent < total; sent++) {
    const due = began + (sent * 1000) / perSecond;
    if (due > performance.now()) await pause(due - performance.now());
    const task = rows[sent % 2 === 0 ? (sent * 37) % rows.length : sent % 60]?.id;
    await owner.query(
      `update public.tasks set title = $3, column_id = case when $4 then (
         select id from public.workflow_columns where project_id = $1 order by random() limit 1) else column_id end
       where project_id = $1 and id = $2`,
      [project, task, `Changed ${sent}.`, sent % 4 === 0],
    );
  }
  return total;
}

async function addMany(page: Page, owner: pg.Client, project: string): Promise<void> {
  await owner.query(
    `insert into public.tasks (project_id, column_id, title)
     select $1, (select id from public.workflow_columns where project_id = $1 order by position limit 1), 'Added ' || n
     from generate_series(1, $2::int) n order by n`,
    [project, added],
  );
  await page.waitForFunction(
    (all) =>
      [...document.querySelectorAll('[data-column] h2 + span')].reduce(
        (sum, one) => sum + Number(one.textContent?.replace(/\D/g, '')),
        0,
      ) >= all,
    taskCount + added,
  );
}

/** The highest of the changes that the page knows of. */
async function lastDrawn(page: Page): Promise<number> {
  const search = page.getByRole('searchbox');
  await search.fill(`Changed ${perSecond * seconds - 1}.`);
  const found = await page
    .locator('[data-task-id]', { hasText: `Changed ${perSecond * seconds - 1}.` })
    .waitFor({ timeout: 5000 })
    .then(
      () => true,
      () => false,
    );
  await search.fill('');
  return found ? perSecond * seconds - 1 : 0;
}
