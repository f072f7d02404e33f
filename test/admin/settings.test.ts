// Settings changed on the admin pages: they take effect at once on every node, secrets are sealed, values set by the environment are locked, and the
// log names the operator.

import { SMTPServer } from 'smtp-server';
import { beforeAll, expect, test } from 'vitest';
import { startMail } from '../../server/mail/start-mail.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeOperator } from './operator.ts';

let token: string;

const app = forSuite(() => startApp({ settings: { MAIL_PRODUCT_NAME: 'Boards' } }));
// A second node on the same database, with the same secret.
const other = forSuite(() =>
  startApp({
    settings: { JWT_SECRET: app.services.config.server.jwtSecret ?? '' },
    database: { url: app.databaseUrl, directUrl: app.ownerUrl, drop: async () => undefined },
  }),
);
beforeAll(async () => {
  ({ token } = await makeOperator(app));
});

async function change(name: string, value: string | null, who = token) {
  const answer = await fetch(`${app.url}/api/admin/settings/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${who}`, 'content-type': 'application/json' },
    body: JSON.stringify({ value }),
  });
  return { status: answer.status, body: await answer.json() };
}

async function signUp(on: TestApp, email: string): Promise<number> {
  const answer = await on.request('/auth/v1/signup', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'a good long password' }),
  });
  return answer.status;
}

test('the sign-up policy changes at once on every node, and can be reset', async () => {
  expect(await signUp(other, 'one@example.test')).toBe(200);
  expect(await change('AUTH_SIGN_UP', 'off')).toMatchObject({
    status: 200,
    body: { value: 'off', source: 'admin page' },
  });
  expect(await signUp(app, 'two@example.test')).toBe(422);
  await expect.poll(() => signUp(other, 'three@example.test')).toBe(422);
  expect(await change('AUTH_SIGN_UP', null)).toMatchObject({ body: { value: 'open', source: 'default' } });
  await expect.poll(() => signUp(other, 'four@example.test')).toBe(200);
});

test('a setting from the environment is locked, and an unusable value is refused with the accepted ones', async () => {
  expect(await change('MAIL_PRODUCT_NAME', 'Other')).toMatchObject({ status: 409, body: { code: 'KB804' } });
  expect(await change('BACKUP_SCHEDULE', 'nightly')).toMatchObject({
    status: 400,
    body: { code: 'KB805', message: expect.stringContaining('a cron pattern of five fields') },
  });
  expect(await change('SMTP_URL', 'mail.example.com')).toMatchObject({ status: 400 });
  expect(await change('DATA_DIR', '/etc')).toMatchObject({ status: 404 });
  const { token: stranger } = await app.createUser({ name: 'Stranger' });
  expect((await change('AUTH_SIGN_UP', 'off', stranger)).status).toBeGreaterThanOrEqual(401);
  expect(app.services.config.identity.signUp).toBe('open');
});

test('a mail server takes effect without a restart; its password is sealed, and in no answer and no log', async () => {
  const taken: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(null, { user: 'ada' }),
    onData: (stream, _session, done) => {
      let text = '';
      stream.on('data', (bytes: Buffer) => {
        text += bytes.toString();
      });
      stream.on('end', () => {
        taken.push(text);
        done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.server.address() as { port: number };
  const mail = await startMail(app.services);
  const secret = 'hush-hush-0123456789';
  expect(await change('SMTP_URL', `smtp://ada:${secret}@127.0.0.1:${port}`)).toMatchObject({
    status: 200,
    body: { value: '(set, not shown)' },
  });
  expect((await change('MAIL_FROM', 'Boards <boards@example.test>')).status).toBe(200);
  const asked = await app.request('/api/admin/mail/test', { method: 'POST', token });
  expect(asked.status).toBe(200);
  await expect.poll(() => taken.length, { timeout: 20_000 }).toBe(1);
  expect(taken[0]).toContain('From: Boards <boards@example.test>');
  await mail.stop();
  server.close();
  const rows = await app.sql('select * from private.server_settings');
  const log = await app.call('GET', '/api/admin/log', undefined, token);
  const settings = await app.call('GET', '/api/admin/settings', undefined, token);
  for (const told of [rows, log.body, settings.body]) expect(JSON.stringify(told)).not.toContain(secret);
  expect(JSON.stringify(log.body)).toContain('setting_changed');
  expect(await change('SMTP_URL', null)).toMatchObject({ body: { source: 'default' } });
});
