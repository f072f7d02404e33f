// Takes the pictures in docs/screenshots: every screen of the sample workspace, light and dark, and on a phone. The landing page
// and the README show them. `npm run build`, then `node scripts/take-screenshots.mjs [screen …]`.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './find-browser.mjs';
import { root } from './install.mjs';

const only = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'kanbase-screens-'));
const port = process.env.PORT ?? '4571';
const base = `http://localhost:${port}`;
const main = join(root, 'dist/server/main.js');
const env = { ...process.env, PORT: port, DATA_DIR: join(directory, 'data'), NODE_OPTIONS: '' };
const pictures = join(root, 'docs/screenshots');

const app = (path) => `/app${path}`;
/** Where each screen is, and what shows that it is complete. `board` in a path is the sample project. */
const screens = {
  'sign-in': {
    path: '/sign-in',
    there: (page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(),
  },
  projects: { path: app(''), there: (page) => page.locator('.project-card').nth(2).waitFor() },
  board: { path: app('/projects/:id/board'), there: (page) => page.locator('.card').nth(8).waitFor() },
  task: {
    path: app('/projects/:id/board/29'),
    there: async (page) => {
      await page.getByText('WEB-29').first().waitFor();
      await page.locator('.card').nth(4).waitFor();
      await page.waitForTimeout(600);
    },
  },
  list: { path: app('/projects/:id/list'), there: (page) => page.locator('.row-link').nth(8).waitFor() },
  dashboard: {
    path: app('/projects/:id/dashboard'),
    there: async (page) => {
      await page.locator('.recharts-surface').nth(3).waitFor();
      await page.waitForTimeout(800);
    },
  },
  settings: {
    path: app('/projects/:id/settings'),
    there: (page) => page.getByRole('heading', { level: 2 }).first().waitFor(),
  },
  'my-tasks': { path: app('/my-tasks'), there: (page) => page.locator('.my-item').nth(5).waitFor() },
  search: {
    path: app('/projects/:id/board'),
    there: async (page) => {
      await page.locator('.card').nth(4).waitFor();
      await page.keyboard.press('Control+k');
      await page.locator('.palette-input').fill('page');
      await page.waitForTimeout(700);
    },
  },
  account: { path: app('/account'), there: (page) => page.getByRole('button', { name: 'Set up' }).waitFor() },
};

const looks = [
  { name: 'light', scheme: 'light', width: 1440, height: 900, scale: 1.5 },
  { name: 'dark', scheme: 'dark', width: 1440, height: 900, scale: 1.5 },
  { name: 'phone', scheme: 'light', width: 390, height: 844, scale: 2 },
  { name: 'phone-dark', scheme: 'dark', width: 390, height: 844, scale: 2 },
];

/** The landing page shows these to small windows, too. */
const alsoSmall = new Set(['board-light', 'board-dark']);

async function signedIn(browser) {
  const context = await browser.newContext({ baseURL: base });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail', { exact: true }).fill('mara@example.com');
  await page.getByLabel('Password', { exact: true }).fill('sample-workspace');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const card = page.getByRole('link', { name: /Website relaunch/ }).last();
  await card.waitFor();
  const id = (await card.getAttribute('href')).split('/')[3];
  const state = await context.storageState();
  await context.close();
  return { id, state };
}

/** Browsers write WebP themselves; no other program is needed. */
async function writePicture(press, png, file, width) {
  const address = `data:image/png;base64,${png.toString('base64')}`;
  const data = await press.evaluate(
    async ({ address, width }) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = width ?? image.width;
      canvas.height = Math.round((image.height / image.width) * canvas.width);
      const context = canvas.getContext('2d');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', 0.86);
    },
    { address, width },
  );
  writeFileSync(file, Buffer.from(data.split(',')[1], 'base64'));
}

const server = spawn(process.execPath, [main, 'serve', '--host', '127.0.0.1'], {
  cwd: directory,
  env,
  stdio: 'ignore',
});
let browser;
try {
  mkdirSync(pictures, { recursive: true });
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${base}/api/settings`)
      .then((answer) => answer.ok)
      .catch(() => false);
    if (up) break;
    if (tries > 100) throw new Error('the server did not start: run `npm run build` first');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  const filled = spawnSync(process.execPath, [main, 'demo'], { cwd: directory, env, encoding: 'utf8' });
  if (filled.status !== 0) throw new Error(filled.stderr);
  browser = await chromium.launch({ executablePath: (await findBrowser()).path, args: ['--no-sandbox'] });
  const { id, state } = await signedIn(browser);
  const press = await (await browser.newContext()).newPage();
  for (const [screen, { path, there }] of Object.entries(screens)) {
    if (only.length > 0 && !only.includes(screen)) continue;
    for (const look of looks) {
      const context = await browser.newContext({
        baseURL: base,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        viewport: { width: look.width, height: look.height },
        deviceScaleFactor: look.scale,
        colorScheme: look.scheme,
        hasTouch: look.width < 500,
        isMobile: look.width < 500,
        ...(screen === 'sign-in' ? {} : { storageState: state }),
      });
      const page = await context.newPage();
      await page.goto(path.replace(':id', id));
      await there(page);
      await page.waitForTimeout(300);
      const png = await page.screenshot();
      const name = `${screen}-${look.name}`;
      await writePicture(press, png, join(pictures, `${name}.webp`));
      if (alsoSmall.has(name)) await writePicture(press, png, join(pictures, `${name}-small.webp`), 960);
      await context.close();
    }
    console.log(screen);
  }
} finally {
  await browser?.close();
  server.kill();
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(directory, { recursive: true, force: true });
}
