// `npm run bench -- --pages`: cost of the pages in a real headless Chromium, on a board of 5,000 tasks, against their budgets, into docs/figures.md.
// Each time is the wait of a person, beside the computing time of the page's main thread, which a busy machine does not lengthen. `--only=` names
// parts of it.

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { WebSocket } from 'ws';
import { measureCalendar } from './calendar-page.ts';
import { conditions } from './conditions.ts';
import type { MeasuredLine } from './figure.ts';
import { latency, measureInstant } from './instant-page.ts';
import { tableOfLines, writeFigures } from './page.ts';
import { at } from './quantile.ts';
import { openKeys, startServer, stopServer } from './start-server.ts';
import { fillFields, measureTable, type TableFigures } from './table-page.ts';
import { fillTimeline, measureTimeline, type TimelineFigures } from './timeline-page.ts';

const taskCount = 5000;
const searchedCount = 10_000;
const smallCount = 40;
const password = 'correct horse battery';
const email = 'ada@bench.test';

/** `--only=table,timeline` measures these parts and writes nothing. */
const [, only] = process.argv.map((word) => /^--only=(.+)$/.exec(word)).find((found) => found !== null) ?? [];
const parts = ['shell', 'board', 'timeline', 'opening', 'search', 'calendar', 'table', 'instant'] as const;
const wants = (part: (typeof parts)[number]): boolean => only === undefined || only.split(',').includes(part);

export async function benchPages(say: (line: string) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-pages-'));
  const server = await startServer({ DATA_DIR: directory });
  const { url } = server;
  let browser: Browser | null = null;
  try {
    const { anonKey } = await openKeys();
    say(`filling ${(2 * taskCount + searchedCount).toLocaleString('en')} tasks …`);
    const projects = await fill(url, anonKey);
    browser = await chromium.launch({
      executablePath: process.env.KANBASE_BROWSER as string,
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-gpu-rasterization'],
    });
    const lines = await measure(browser, url, projects);
    for (const line of lines) say(`${line.what}: ${line.measured} (${line.wanted})`);
    writeFigures('pages', report(lines));
  } finally {
    await browser?.close();
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Projects {
  readonly board: string;
  readonly searched: string;
  /** Columns of the table: all fields of the second. */
  readonly columns: readonly string[];
  readonly timeline: string;
  readonly small: string;
}

async function fill(url: string, anonKey: string): Promise<Projects> {
  const client = createClient(url, anonKey, { realtime: { transport: WebSocket as never } });
  const { error } = await client.auth.signUp({ email, password, options: { data: { name: 'Ada Lovelace' } } });
  if (error) throw error;
  const me = (await client.auth.getUser()).data.user?.id ?? '';
  const board = await fillProject(client, me, 'Five thousand tasks', taskCount);
  const searched = await fillProject(client, me, 'Ten thousand tasks', searchedCount, dayInYear);
  const timeline = await fillProject(client, me, 'Five thousand bars', taskCount);
  if (wants('timeline')) await fillTimeline(client, timeline);
  const small = await fillProject(client, me, 'Forty tasks', smallCount);
  return { board, searched, timeline, small, columns: wants('table') ? await fillFields(client, searched) : [] };
}

/** Fourteen on each day of a year; every second task has none. */
function dayInYear(at: number): string | null {
  return at % 2 === 0 ? new Date(Date.UTC(2030, 0, 1 + ((at / 2) % 365))).toISOString().slice(0, 10) : null;
}

async function fillProject(
  client: SupabaseClient,
  me: string,
  name: string,
  count: number,
  dueOf: (at: number) => string | null = (at) => (at % 5 === 0 ? '2030-12-01' : null),
): Promise<string> {
  const project = (await client.rpc('create_project_with_defaults', { name })).data as { id: string };
  const columns =
    (await client.from('workflow_columns').select('id').eq('project_id', project.id).order('position')).data ?? [];
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count) }, (_, at) => ({
      project_id: project.id,
      column_id: columns[(from + at) % columns.length]?.id as string,
      title: `Task ${from + at}: ${['fix it', 'write a few words about the thing that takes two lines', 'ask'][at % 3]}`,
      priority: ['p0', 'p1', 'p2', 'p2'][at % 4],
      due_date: dueOf(from + at),
    }));
    const made = await client.from('tasks').insert(rows).select('id');
    if (made.error) throw made.error;
    const assigned = made.data
      .filter((_, at) => at % 2 === 0)
      .map((task) => ({ task_id: task.id as string, user_id: me }));
    const { error: refused } = await client.from('task_assignees').insert(assigned);
    if (refused) throw refused;
  }
  return project.id;
}

async function measure(browser: Browser, url: string, projects: Projects): Promise<MeasuredLine[]> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await signIn(page);
  const state = await context.storageState();
  await context.close();

  const visit = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, storageState: state });
  const board = await visit.newPage();
  const session = await browser.newBrowserCDPSession();
  const lines = [
    ...(wants('shell') ? [shellLine(await shellSize(browser, url, state))] : []),
    ...(wants('board') ? await measureBoard(board, session, projects.board) : []),
    ...(wants('timeline') ? timelineLines(await measureTimeline(board, session, projects.timeline, frames)) : []),
    ...(wants('opening') ? await measureOpening(board, projects.board) : []),
    ...(wants('search') ? await measureSearch(board, projects.searched) : []),
    ...(wants('calendar') ? [calendarLine(await measureCalendar(board, projects.searched))] : []),
    ...(wants('table')
      ? tableLines(
          await measureTable(board, (work) => frames(board, session, work), projects.searched, projects.columns),
        )
      : []),
  ];
  await visit.close();
  const far = wants('instant') ? Object.entries(await measureInstant(browser, url, projects.small, signIn)) : [];
  return [
    ...lines,
    ...far.map(([screen, time]) => ({
      what: `Of a project of ${smallCount} tasks, ${latency} ms away, later visits: ${screen} (median of 6)`,
      measured: ms(time),
      wanted: ms(wantedAway[screen] ?? 300),
    })),
  ];
}

/** In milliseconds, by the names of screens. */
const wantedAway: Readonly<Record<string, number>> = { dashboard: 500 };

async function signIn(page: Page): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
}

const ms = (value: number): string => `${Math.round(value)} ms`;

function shellLine(shell: number): MeasuredLine {
  return {
    what: 'App shell, gzipped script of the first load',
    measured: `${(shell / 1024).toFixed(0)} kB`,
    wanted: '200 kB',
  };
}

async function measureBoard(board: Page, session: CDPSession, projectId: string): Promise<MeasuredLine[]> {
  const cold = await openBoard(board, projectId, taskCount);
  // The device remembers a moment after the board is there.
  await board.waitForTimeout(2500);
  const warm: number[] = [];
  for (let round = 0; round < 5; round++) {
    warm.push(await openBoard(board, projectId, taskCount));
    await board.waitForTimeout(1500);
  }
  // Coming back to a window asks again only after a while.
  await board.waitForTimeout(4500);
  const scroll = await frames(board, session, () => scrollColumn(board));
  const drag = await frames(board, session, () => dragCard(board));
  return [
    { what: 'Board of 5,000 tasks, first visit', measured: ms(cold), wanted: '2,500 ms' },
    { what: 'Board of 5,000 tasks, later visits (median of 5)', measured: ms(median(warm)), wanted: '1,000 ms' },
    {
      what: 'Frames while scrolling, all tasks asked for again meanwhile',
      measured: formatFrames(scroll),
      wanted: 'p95 17 ms, none over 50 ms',
    },
    { what: 'Frames while dragging', measured: formatFrames(drag), wanted: 'p95 17 ms, none over 50 ms' },
  ];
}

async function measureOpening(board: Page, projectId: string): Promise<MeasuredLine[]> {
  await openBoard(board, projectId, taskCount);
  await board.waitForTimeout(2500);
  const opened = await openTasks(board);
  return [{ what: 'Opening a task (median of 7)', measured: ms(median(opened)), wanted: '50 ms' }];
}

async function measureSearch(board: Page, projectId: string): Promise<MeasuredLine[]> {
  await openBoard(board, projectId, searchedCount);
  await board.waitForTimeout(2500);
  const keys = await typeSearch(board);
  await board.keyboard.press('Escape');
  return [
    {
      what: 'Search, from a key to its results, beside 10,000 tasks',
      measured: `median ${ms(median(keys))}, longest ${ms(at(keys, 1))}`,
      wanted: '50 ms',
    },
  ];
}

function timelineLines({ opened, down, across }: TimelineFigures<Frames>): MeasuredLine[] {
  return [
    { what: 'Timeline of 5,000 bars and dependencies, first visit', measured: ms(opened), wanted: '2,500 ms' },
    { what: 'Frames while scrolling it down', measured: formatFrames(down), wanted: 'p95 17 ms' },
    { what: 'Frames while scrolling it across', measured: formatFrames(across), wanted: 'p95 17 ms' },
  ];
}

function calendarLine(months: readonly number[]): MeasuredLine {
  return {
    what: 'A month of the calendar, of 10,000 tasks (median of 8)',
    measured: `median ${ms(median(months))}, longest ${ms(at(months, 1))}`,
    wanted: '200 ms',
  };
}

function tableLines({ cold, warm, scroll, filters }: TableFigures<Frames>): MeasuredLine[] {
  const what = 'Table of 10,000 tasks, 20 fields shown';
  return [
    { what: `${what}, first visit`, measured: ms(cold), wanted: '–' },
    { what: `${what}, later visits (median of 5)`, measured: ms(median(warm)), wanted: '1,000 ms' },
    { what: 'Frames while scrolling the table', measured: formatFrames(scroll), wanted: 'p95 17 ms' },
    {
      what: 'Filtering the table (5 filters)',
      measured: `median ${ms(median(filters))}, longest ${ms(at(filters, 1))}`,
      wanted: '100 ms',
    },
  ];
}

async function shellSize(browser: Browser, url: string, storageState: object): Promise<number> {
  const context = await browser.newContext({ baseURL: url, storageState: storageState as never });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script')
      sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto('/app', { waitUntil: 'networkidle' });
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await context.close();
  return total;
}

/** Until the cards stand and a key press is answered. */
export async function openBoard(page: Page, projectId: string, count: number): Promise<number> {
  const start = performance.now();
  await page.goto(`/app/projects/${projectId}/board`, { waitUntil: 'commit' });
  await page.waitForFunction(
    (all) => {
      const counts = [...document.querySelectorAll('[data-column] h2 + span')].map((one) =>
        Number(one.textContent?.replace(/\D/g, '')),
      );
      return (
        counts.reduce((sum, one) => sum + one, 0) >= all && document.querySelectorAll('[data-task-id]').length > 10
      );
    },
    count,
    { polling: 'raf' },
  );
  await page.getByRole('searchbox').focus();
  return performance.now() - start;
}

/** Halfway through, the window gets a focus event, so that all tasks are fetched again meanwhile. */
async function scrollColumn(page: Page): Promise<void> {
  const column = await page.locator('[data-column] ul').nth(1).boundingBox();
  if (column === null) throw new Error('no column to scroll');
  await page.mouse.move(column.x + 100, column.y + 300);
  for (let step = 0; step < 90; step++) {
    if (step === 45) await page.evaluate(() => void window.dispatchEvent(new Event('focus')));
    await page.mouse.wheel(0, 100);
    await page.waitForTimeout(16);
  }
}

async function dragCard(page: Page): Promise<void> {
  const card = await page.locator('[data-column]').nth(1).locator('[data-task-id]').nth(4).boundingBox();
  if (card === null) throw new Error('no card to drag');
  await page.mouse.move(card.x + 60, card.y + 20);
  await page.mouse.down();
  for (let step = 0; step < 90; step++) {
    await page.mouse.move(card.x + 60 + step * 6, card.y + 20 + Math.sin(step / 5) * 120);
    await page.waitForTimeout(14);
  }
  await page.keyboard.press('Escape');
  await page.mouse.up();
}

async function openTasks(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < 8; at++) {
    times.push(
      await page.evaluate(async (index) => {
        const card = document.querySelectorAll<HTMLElement>('[data-task-id]')[index + 2];
        const start = performance.now();
        card?.click();
        await new Promise<void>((resolve) => {
          const look = (): void => {
            const title = document.querySelector<HTMLTextAreaElement>('aside textarea');
            if (title?.value) resolve();
            else requestAnimationFrame(look);
          };
          look();
        });
        return performance.now() - start;
      }, at),
    );
    await page.keyboard.press('Escape');
    await page.waitForTimeout(250);
  }
  // The first also fetches and compiles the panel.
  return times.slice(1);
}

/** Each key until the picture that answers it is drawn: short words that hold everything, numbers, and taking letters back. */
async function typeSearch(page: Page): Promise<number[]> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await page.waitForTimeout(500);
  const times: number[] = [];
  for (const key of [...'task 1234', ...Array<string>(5).fill('Backspace'), ...'write few']) {
    await page.evaluate(() => {
      const answered = new Promise<number>((resolve) => {
        const onKey = (event: KeyboardEvent): void => {
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - event.timeStamp);
            port2.postMessage(0);
          });
        };
        document.addEventListener('keydown', onKey, { once: true, capture: true });
      });
      Object.assign(window, { answered });
    });
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    times.push(await page.evaluate(() => (window as unknown as { answered: Promise<number> }).answered));
    await page.waitForTimeout(150);
  }
  return times;
}

interface Frames {
  readonly p95: number;
  readonly longest: number;
  readonly cpuP95: number;
  readonly cpuLongest: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
}

export async function frames(page: Page, session: CDPSession, work: () => Promise<void>): Promise<Frames> {
  const events: TraceEvent[] = [];
  const collect = (part: { value: unknown[] }): void => void events.push(...(part.value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seenFrames: seen });
    let last = performance.now();
    const tick = (now: number): void => {
      seen.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] },
  });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  const seen = await page.evaluate(() => (window as unknown as { seenFrames: number[] }).seenFrames);
  const main = events.find((event) => event.name === 'FireAnimationFrame');
  const tasks = events
    .filter((event) => event.name === 'RunTask' && event.pid === main?.pid && event.tid === main.tid)
    .map((event) => (event.tdur ?? 0) / 1000);
  return {
    p95: at(seen.slice(1), 0.95),
    longest: at(seen.slice(1), 1),
    cpuP95: at(tasks, 0.95),
    cpuLongest: at(tasks, 1),
  };
}

export function formatFrames({ p95, longest, cpuP95, cpuLongest }: Frames): string {
  return `p95 ${p95.toFixed(1)} ms, longest ${longest.toFixed(1)} ms; main thread p95 ${cpuP95.toFixed(1)} ms, longest ${cpuLongest.toFixed(1)} ms`;
}

const median = (values: readonly number[]): number => at(values, 0.5);

function report(lines: readonly MeasuredLine[]): string {
  return `${conditions('Chromium')} (above ${cpus().length}, waiting times are longer than the work is).

${tableOfLines(lines, 'budget')}`;
}
