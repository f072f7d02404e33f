// Takes a picture of every screen, light and dark, and on a phone. What the landing page or the README shows goes to
// docs/screenshots, all others to .cache/screenshots, to be looked over. `npm run build`, then
// `node scripts/take-screenshots.mjs [screen or look …]`; screenshots/screens.mjs says which screens there are.
// Reactions need a font with emoji (fonts-noto-color-emoji).

import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@supabase/supabase-js';
import { TOTP } from 'otpauth';
import { chromium } from 'playwright-core';
import { WebSocket } from 'ws';
import { findBrowser } from './find-browser.mjs';
import { root } from './install.mjs';
import { buildTypeScript } from './run-ts.mjs';
import { planRelease, putAgentToWork } from './screenshots/agents.mjs';
import { gather } from './screenshots/people-present.mjs';
import { addPrograms, startReceiver } from './screenshots/programs.mjs';
import { provision, startSignIn } from './screenshots/provisioning.mjs';
import { others, shown } from './screenshots/screens.mjs';

const directory = mkdtempSync(join(tmpdir(), 'kanbase-screens-'));
const port = process.env.PORT ?? '4571';
const base = `http://localhost:${port}`;
const main = join(root, 'dist/server/main.js');
const settings = { ...process.env, PORT: port, DATA_DIR: join(directory, 'data'), NODE_OPTIONS: '' };
const guides = ['docs/use', 'docs/run', 'docs/build'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
);
/** Files in docs/screenshots that are shown somewhere. */
const published = new Set(
  ['README.md', 'web/index.html', ...guides].flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/screenshots\/([\w-]+\.webp)/g)].map(([, file]) => file),
  ),
);
const placeOf = (file) => join(root, published.has(file) ? 'docs/screenshots' : '.cache/screenshots', file);

const looks = [
  { name: 'light', scheme: 'light', width: 1440, height: 900, scale: 1.5 },
  { name: 'dark', scheme: 'dark', width: 1440, height: 900, scale: 1.5 },
  { name: 'phone', scheme: 'light', width: 390, height: 844, scale: 2 },
  { name: 'phone-dark', scheme: 'dark', width: 390, height: 844, scale: 2 },
];

const asked = process.argv.slice(2);
const isLook = (word) => looks.some((look) => look.name === word);
const only = asked.filter((word) => !isLook(word));
const onlyLooks = asked.filter(isLook);

/** For screens that nobody is shown but those who look after them. */
const plainLooks = looks
  .filter((look) => look.name !== 'phone-dark')
  .map((look) => ({ ...look, scale: Math.min(look.scale, 1.25) }));

/** The landing page shows these to small windows, too. */
const alsoSmall = new Set(['board', 'dashboard', 'list'].flatMap((screen) => [`${screen}-light`, `${screen}-dark`]));

const password = 'sample-workspace';
/** Mara has the sample workspace, the newcomer an empty project, the stranger nothing, the careful one a second factor to show, the operator the admin pages. */
const people = Object.fromEntries(
  ['mara', 'tomas', 'ines', 'noor', 'newcomer', 'stranger', 'careful', 'operator', 'guest', 'rosa'].map((name) => [
    name,
    `${name}@example.com`,
  ]),
);
const inWorkspace = new Set(['mara', 'tomas']);

/** What is done beforehand is done from a phone, as far as the list of sessions knows. */
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

async function client(name, shownName = 'Ines Duarte') {
  const { anonKey } = await (await fetch(`${base}/api/settings`)).json();
  const door = createClient(base, anonKey, {
    realtime: { transport: WebSocket },
    auth: { persistSession: false },
    global: { headers: { 'User-Agent': phone } },
  });
  const asked = inWorkspace.has(name) ? door.auth.signInWithPassword.bind(door.auth) : door.auth.signUp.bind(door.auth);
  const { error } = await asked({ email: people[name], password, options: { data: { name: shownName } } });
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
  const { id: gone } = kept(await newcomer.rpc('create_project_with_defaults', { name: 'Autumn fair' }));
  kept(await newcomer.from('projects').delete().eq('id', gone));
  kept(await mara.rpc('begin_export', { format: 'csv' }));
  await client('stranger');
  const operator = await client('operator', 'Olga Brandt');
  await kanbase('operator', people.operator);
  const shared = await shareWithGroup(mara, operator);
  const { stdout: keys } = await kanbase('keys', '--json');
  const keyed = (key, headers = {}) =>
    createClient(base, key, {
      realtime: { transport: WebSocket },
      auth: { persistSession: false },
      global: { headers },
    });
  const { anonKey } = await (await fetch(`${base}/api/settings`)).json();
  const service = keyed(JSON.parse(keys).service_role);
  await provision({ base, door: () => keyed(anonKey), operator, service, signIn, kept });
  const claimed = await addPrograms({ base, mara, id, quiet: shared[':shared'], receiver, kept });
  const agents = await putAgentToWork({ door: await client('rosa', 'Rosa Lind'), keyed, kept });
  const release = await planRelease({ mara, tomas: await client('tomas'), keyed, kept });
  const careful = await client('careful');
  const factor = kept(await careful.auth.mfa.enroll({ factorType: 'totp' }));
  const code = new TOTP({ secret: factor.totp.secret }).generate();
  kept(await careful.auth.mfa.challengeAndVerify({ factorId: factor.id, code }));
  for (const [price, position] of [
    ['price_team', '1'],
    ['price_quarter', '2'],
    ['price_lifetime', '3'],
  ])
    await kanbase('plans', 'set', '--price', price, '--position', position);
  const { user } = kept(await mara.auth.getUser());
  const paid = [
    ['checkout.session.completed', payments.checkout({ user: user.id, customer: 'cus_mara' })],
    ['customer.subscription.created', payments.subscription({ id: 'sub_mara', customer: 'cus_mara', user: user.id })],
    ['checkout.session.completed', payments.checkout({ user: user.id, customer: 'cus_mara', mode: 'payment' })],
  ];
  for (const [what, object] of paid) await payments.deliver(base, payments.paymentEvent(what, object));
  const limit = async (count) =>
    kept(
      await mara.from('workflow_columns').update({ wip_limit: count }).eq('project_id', id).eq('kind', 'in_progress'),
    );
  const views = kept(await mara.from('saved_views').select('id, name'));
  return {
    places: {
      ':id': id,
      ':empty': empty,
      ...shared,
      ...claimed,
      ...agents,
      ...release,
      ':consent': await addressOfConsent(),
      ...Object.fromEntries(views.map((view) => [`:${view.name}`, view.id])),
    },
    limit,
  };
}

/** Two tasks of another project, whose cards no published picture shows. */
async function shareWithGroup(mara, operator) {
  const guest = await client('guest', 'Gil Berger');
  const [{ id }] = kept(await mara.from('projects').select('id').eq('key', 'MOVE'));
  const open = mara
    .from('tasks')
    .select('id, number')
    .eq('project_id', id)
    .is('parent_id', null)
    .is('completed_at', null);
  const [task, restricted] = kept(await open.order('number').limit(2));
  const { id: group_id } = kept(await operator.rpc('create_group', { name: 'Movers' }));
  for (const door of [mara, guest]) {
    const { user } = kept(await door.auth.getUser());
    kept(await operator.from('group_members').insert({ group_id, user_id: user.id }));
  }
  kept(await mara.from('task_grants').insert({ task_id: task.id, group_id, level: 'comment' }));
  kept(await mara.rpc('invite_guest', { task_id: task.id, email: 'studio@example.com', level: 'see' }));
  const { user } = kept(await mara.auth.getUser());
  kept(await mara.from('task_grants').insert({ task_id: restricted.id, user_id: user.id }));
  kept(await mara.from('task_grants').insert({ task_id: restricted.id, group_id, level: 'edit' }));
  kept(await mara.from('tasks').update({ is_restricted: true }).eq('id', restricted.id));
  const { session } = kept(await mara.auth.getSession());
  const { anonKey } = await (await fetch(`${base}/api/settings`)).json();
  const answer = await fetch(`${base}/auth/v1/share_links`, {
    method: 'POST',
    headers: { apikey: anonKey, authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: id, days: 30, password: 'third-floor' }),
  });
  return {
    ...{ ':shared': id, ':task': String(task.number), ':restricted': String(restricted.number), ':group': group_id },
    ':locked': `/share#${(await answer.json()).token}`,
  };
}

/** Where a program sends people to ask them for access. */
async function addressOfConsent() {
  const { stdout } = await kanbase('keys', '--json');
  const { service_role: key } = JSON.parse(stdout);
  const admin = createClient(base, key, { realtime: { transport: WebSocket }, auth: { persistSession: false } });
  const program = {
    client_name: 'Planner',
    redirect_uris: ['https://planner.example/callback'],
    token_endpoint_auth_method: 'none',
  };
  const { client_id } = kept(await admin.auth.admin.oauth.createClient(program));
  return `/auth/v1/oauth/authorize?${new URLSearchParams({
    ...{ client_id, redirect_uri: program.redirect_uris[0], response_type: 'code', scope: 'openid email write' },
    ...{ code_challenge: 'c'.repeat(43), code_challenge_method: 'S256', prompt: 'consent' },
  })}`;
}

const states = new Map();

async function stateOf(browser, name) {
  if (name === null) return {};
  const known = states.get(name);
  if (known) return known;
  const context = await browser.newContext({ baseURL: base });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill(people[name]);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Projects', level: 1 }).or(page.getByLabel('Code from')).waitFor();
  const state = { storageState: await context.storageState() };
  states.set(name, state);
  await context.close();
  return state;
}

/** What the page asked for has come, covers of cards are drawn, and nothing moves any more. */
async function settle(page) {
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('[data-cover]:empty, main [aria-busy="true"]') === null);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const near = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
    await Promise.all(near.map((image) => image.decode()));
    const moving = document
      .getAnimations()
      .filter((one) => one.effect.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(moving.map((one) => one.finished));
  });
}

/** With a margin, as far as it is on the screen. */
async function cutOut(part) {
  const margin = 20;
  const { x, y, width, height } = await part.boundingBox();
  const { width: right, height: bottom } = part.page().viewportSize();
  const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
  return {
    clip: {
      ...{ x: left, y: top },
      ...{ width: Math.min(right, x + width + margin) - left, height: Math.min(bottom, y + height + margin) - top },
    },
  };
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

/** What other sites show when someone links here: our sign, what it is, and the board as it was just taken. */
async function writeSocial(press) {
  const file = (path) => readFileSync(join(root, path)).toString('base64');
  const font = file('node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2');
  await press.setViewportSize({ width: 1200, height: 630 });
  await press.setContent(`<style>
    @font-face { font-family: Hanken; font-weight: 100 900; src: url(data:font/woff2;base64,${font}); }
    body { position: relative; margin: 0; height: 630px; overflow: hidden; background: #0f6b73; color: #fff;
      font-family: Hanken; }
    div { position: absolute; left: 64px; top: 64px; width: 430px; }
    b { display: flex; align-items: center; gap: 16px; font-size: 36px; font-weight: 650; letter-spacing: -0.02em; }
    h1 { margin: 60px 0 32px; font-size: 60px; font-weight: 700; line-height: 1.05; letter-spacing: -0.02em; }
    p { margin: 0; color: #d7ecee; font-size: 26px; line-height: 1.4; }
    img { position: absolute; left: 552px; top: 84px; width: 1080px; border-radius: 16px;
      box-shadow: 0 24px 64px rgb(0 0 0 / 0.4); }
    </style><div><b><svg viewBox="0 0 32 32" width="48" height="48"><rect width="32" height="32" rx="8" fill="#fff"
    fill-opacity=".18"/><rect x="7" y="7" width="5" height="18" rx="2" fill="#fff"/><rect x="13.5" y="7" width="5" height="12"
    rx="2" fill="#fff" fill-opacity=".82"/><rect x="20" y="7" width="5" height="7" rx="2" fill="#ffc76b"/></svg>Kanbase</b>
    <h1>Project boards on your own server</h1><p>Boards, lists, dependencies,<br>dashboards. Open API.</p></div>
    <img src="data:image/webp;base64,${file('docs/screenshots/board-light.webp')}">`);
  await press.evaluate(() => Promise.all([document.fonts.ready, document.images[0].decode()]));
  await press.screenshot({ path: join(root, 'web/public/social.png') });
  console.log('social');
}

/** The stand-in of the tests for the payment provider. */
async function loadHelper(name) {
  return import(pathToFileURL(await buildTypeScript(`test/helpers/${name}.ts`)).href);
}

/** Not at once and waiting: the stand-in answers from this very process. */
const kanbase = (...words) => promisify(execFile)(process.execPath, [main, ...words], { cwd: directory, env });

const payments = await loadHelper('payment-events');
const provider = await (await loadHelper('stripe-server')).startStripeServer();
const signIn = await startSignIn();
const receiver = await startReceiver();
const env = {
  ...settings,
  BILLING_SECRET_KEY: provider.secretKey,
  BILLING_WEBHOOK_SECRET: 'whsec_kanbase',
  BILLING_API_URL: provider.url,
  ...signIn.settings,
  ...receiver.settings,
};
const server = spawn(process.execPath, [main, 'serve', '--host', '127.0.0.1'], {
  cwd: directory,
  env,
  stdio: 'ignore',
});
let browser;
try {
  mkdirSync(join(root, 'docs/screenshots'), { recursive: true });
  mkdirSync(join(root, '.cache/screenshots'), { recursive: true });
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${base}/api/settings`)
      .then((answer) => answer.ok)
      .catch(() => false);
    if (up) break;
    if (tries > 100) throw new Error('the server did not start: run `npm run build` first');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await kanbase('demo');
  browser = await chromium.launch({ executablePath: (await findBrowser()).path, args: ['--no-sandbox'] });
  const { places, limit } = await prepare();
  const press = await (await browser.newContext()).newPage();
  for (const [screen, what] of Object.entries({ ...shown, ...others })) {
    if (only.length > 0 && !only.includes(screen)) continue;
    if (what.limit) await limit(what.limit);
    const company = what.company && (await gather(client, places[':id'], what.company));
    const state = await stateOf(browser, what.who === undefined ? 'mara' : what.who);
    for (const each of screen in shown ? looks : plainLooks) {
      const isCut = what.part !== undefined && each.width > 500;
      const look = isCut ? { ...each, scale: 2 } : each;
      if (onlyLooks.length > 0 && !onlyLooks.includes(look.name)) continue;
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
      await what.before?.(page, places);
      await page.goto(what.path.replaceAll(/:[A-Za-z][\w ]*/g, (place) => places[place]));
      await what.there(page);
      await settle(page);
      const png = await page.screenshot(isCut ? await cutOut(what.part(page)) : {});
      const name = `${screen}-${look.name}`;
      await writePicture(press, png, placeOf(`${name}.webp`));
      if (alsoSmall.has(name)) await writePicture(press, png, placeOf(`${name}-small.webp`), 960);
      await context.close();
    }
    if (what.limit) await limit(null);
    await company?.leave();
    console.log(screen);
  }
  if (asked.length === 0 || asked.includes('social')) await writeSocial(press);
} finally {
  await browser?.close();
  await Promise.all([provider.close(), signIn.close(), receiver.close()]);
  server.kill();
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(directory, { recursive: true, force: true });
}
