// Takes the pictures in docs/screenshots: every screen, light and dark, and on a phone. The landing page and the README show some
// of them. `npm run build`, then `node scripts/take-screenshots.mjs [screen …]`; pictured-screens.mjs says which screens there are.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { findBrowser } from './find-browser.mjs';
import { root } from './install.mjs';
import { others, shown } from './pictured-screens.mjs';

const only = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'kanbase-screens-'));
const port = process.env.PORT ?? '4571';
const base = `http://localhost:${port}`;
const main = join(root, 'dist/server/main.js');
const env = { ...process.env, PORT: port, DATA_DIR: join(directory, 'data'), NODE_OPTIONS: '' };
const pictures = join(root, 'docs/screenshots');

const looks = [
  { name: 'light', scheme: 'light', width: 1440, height: 900, scale: 1.5 },
  { name: 'dark', scheme: 'dark', width: 1440, height: 900, scale: 1.5 },
  { name: 'phone', scheme: 'light', width: 390, height: 844, scale: 2 },
  { name: 'phone-dark', scheme: 'dark', width: 390, height: 844, scale: 2 },
];

/** For screens that nobody is shown but those who look after them. */
const plainLooks = looks
  .filter((look) => look.name !== 'phone-dark')
  .map((look) => ({ ...look, scale: Math.min(look.scale, 1.25) }));

/** The landing page shows these to small windows, too. */
const alsoSmall = new Set(['board-light', 'board-dark']);

const password = 'sample-workspace';
/** Mara has the sample workspace, the newcomer an empty project, the stranger nothing, the careful one a second factor to show. */
const people = Object.fromEntries(
  ['mara', 'newcomer', 'stranger', 'careful'].map((name) => [name, `${name}@example.com`]),
);

async function client(name) {
  const { anonKey } = await (await fetch(`${base}/api/settings`)).json();
  const door = createClient(base, anonKey, { realtime: { transport: WebSocket }, auth: { persistSession: false } });
  const asked = name === 'mara' ? door.auth.signInWithPassword.bind(door.auth) : door.auth.signUp.bind(door.auth);
  const { error } = await asked({ email: people[name], password, options: { data: { name: 'Ines Duarte' } } });
  if (error) throw error;
  return door;
}

const kept = ({ data, error }) => {
  if (error) throw new Error(error.message);
  return data;
};

/** People and things that the sample workspace does not have; answers what `:id` and `:empty` stand for. */
async function prepare() {
  const mara = await client('mara');
  const [{ id }] = kept(await mara.from('projects').select('id').eq('key', 'WEB'));
  const newcomer = await client('newcomer');
  const { id: empty } = kept(await newcomer.rpc('create_project_with_defaults', { name: 'Spring fair' }));
  await client('stranger');
  const careful = await client('careful');
  const factor = kept(await careful.auth.mfa.enroll({ factorType: 'totp' }));
  const code = new TOTP({ secret: factor.totp.secret }).generate();
  kept(await careful.auth.mfa.challengeAndVerify({ factorId: factor.id, code }));
  const limit = async (count) =>
    kept(
      await mara.from('workflow_columns').update({ wip_limit: count }).eq('project_id', id).eq('kind', 'in_progress'),
    );
  return { places: { ':id': id, ':empty': empty }, limit };
}

const states = new Map();

async function stateOf(browser, name) {
  if (name === null) return {};
  const known = states.get(name);
  if (known) return known;
  const context = await browser.newContext({ baseURL: base });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail', { exact: true }).fill(people[name]);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).or(page.getByLabel('Code from')).waitFor();
  const state = { storageState: await context.storageState() };
  states.set(name, state);
  await context.close();
  return state;
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
  const { places, limit } = await prepare();
  const press = await (await browser.newContext()).newPage();
  for (const [screen, what] of Object.entries({ ...shown, ...others })) {
    if (only.length > 0 && !only.includes(screen)) continue;
    if (what.limit) await limit(what.limit);
    const state = await stateOf(browser, what.who === undefined ? 'mara' : what.who);
    for (const look of screen in shown ? looks : plainLooks) {
      const context = await browser.newContext({
        baseURL: base,
        locale: 'en-GB',
        reducedMotion: 'reduce',
        viewport: { width: look.width, height: what.height ?? look.height },
        deviceScaleFactor: look.scale,
        colorScheme: look.scheme,
        hasTouch: look.width < 500,
        isMobile: look.width < 500,
        ...state,
      });
      const page = await context.newPage();
      await what.before?.(page);
      await page.goto(what.path.replace(/:\w+/, (place) => places[place]));
      await what.there(page);
      await page.waitForTimeout(300);
      const png = await page.screenshot();
      const name = `${screen}-${look.name}`;
      await writePicture(press, png, join(pictures, `${name}.webp`));
      if (alsoSmall.has(name)) await writePicture(press, png, join(pictures, `${name}-small.webp`), 960);
      await context.close();
    }
    if (what.limit) await limit(null);
    console.log(screen);
  }
} finally {
  await browser?.close();
  server.kill();
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(directory, { recursive: true, force: true });
}
