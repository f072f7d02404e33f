// Screens in `npm run bench -- --pages`: each is opened anew on a device that knows it, from afar, until what it is about is drawn.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { at } from './quantile.ts';

/** For the way there and back, in milliseconds. */
export const latency = 100;
const rounds = 6;

/** Each with what stands there once it is drawn with its content. */
const screensOf = (projectId: string): Readonly<Record<string, readonly [path: string, drawn: string]>> => ({
  board: [`/app/projects/${projectId}/board`, '[data-column] [data-task-id]'],
  list: [`/app/projects/${projectId}/list`, '[data-row-link]'],
  calendar: [`/app/projects/${projectId}/calendar?day=2030-12-01`, '[data-day] [data-task-id]'],
  timeline: [`/app/projects/${projectId}/timeline?day=2030-12-01`, '[data-timeline] a[data-task-id]'],
  dashboard: [`/app/projects/${projectId}/dashboard`, 'main figure svg'],
  task: [`/app/projects/${projectId}/board/1`, '[data-open-task] textarea'],
});

/** Medians of some rounds by the names of the screens, in milliseconds. */
export async function measureInstant(
  browser: Browser,
  url: string,
  projectId: string,
  signIn: (page: Page) => Promise<void>,
): Promise<Readonly<Record<string, number>>> {
  const far = await openFarDoor(Number(new URL(url).port));
  try {
    const context = await browser.newContext({ baseURL: far.url, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await signIn(page);
    const screens = Object.entries(screensOf(projectId));
    const times = new Map<string, number[]>();
    for (let round = -1; round < rounds; round++)
      for (const [name, [path, drawn]] of screens) {
        const time = await open(page, path, drawn);
        // The first time a device gets to know it.
        if (round >= 0) times.set(name, [...(times.get(name) ?? []), time]);
        await page.waitForLoadState('networkidle');
      }
    await context.close();
    return Object.fromEntries([...times].map(([name, all]) => [name, at(all, 0.5)]));
  } finally {
    far.close();
  }
}

/** From the beginning of the visit to the picture, by the page's own clock. */
async function open(page: Page, path: string, drawn: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' });
  const found = await page.waitForFunction(
    (selector) => document.querySelector(selector) !== null && performance.now(),
    drawn,
    { polling: 'raf' },
  );
  return (await found.jsonValue()) as number;
}

interface FarDoor {
  readonly url: string;
  close(): void;
}

/** A door to the server that is half the latency away in each direction. */
async function openFarDoor(port: number): Promise<FarDoor> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (data) => void setTimeout(() => to.writable && to.write(data), latency / 2));
      from.on('close', () => void setTimeout(() => to.destroy(), latency / 2));
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
