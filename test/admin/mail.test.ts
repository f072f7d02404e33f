// Emails on the admin pages: listed without their content, sent again when they failed, tried with a test email.

import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { mailKinds } from '../../server/mail/mail-kinds.ts';
import { startMail } from '../../server/mail/start-mail.ts';
import { textsIn } from '../../server/texts/texts.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { catchMail } from '../identity/mail-catcher.ts';
import { makeOperator, type Operator } from './operator.ts';

const post = forSuite(() => catchMail());
const app = forSuite(() => startApp({ settings: { SMTP_URL: post.url } }));
forSuite(() => startMail(app.services));
let olga: Operator;
beforeAll(async () => {
  olga = await makeOperator(app);
});

const mailTo = async (email: string) => {
  const { body } = await olga.ask('GET', `/mail?words=${encodeURIComponent(email)}`);
  return (body.mails as { id: string; state: string; last_error: string | null; can_be_sent: boolean }[])[0];
};

test('a failed email is listed with its reason, without its content, and can be sent again', async () => {
  const email = 'ada@example.test';
  post.refuse = { code: 550, text: 'no such mailbox' };
  await app.client().auth.signUp({ email, password: 'correct horse' });
  await expect.poll(async () => (await mailTo(email))?.state).toBe('failed');
  const mail = await mailTo(email);
  expect(mail).toMatchObject({ last_error: expect.stringContaining('no such mailbox'), can_be_sent: true });
  expect(JSON.stringify(mail)).not.toMatch(/sealed|token|http/);
  post.refuse = null;
  expect(await olga.ask('POST', `/mail/${mail?.id}/again`, {})).toMatchObject({ status: 200, body: { sent: 1 } });
  expect((await post.next(email)).code).toMatch(/^\d+$/);
  await expect.poll(async () => (await mailTo(email))?.state).toBe('sent');
  // Delivered, it says nothing any more.
  expect((await olga.ask('POST', `/mail/${mail?.id}/again`, {})).body).toMatchObject({ code: 'KB804' });
  expect((await olga.ask('POST', `/mail/${crypto.randomUUID()}/again`, {})).status).toBe(404);

  post.refuse = { code: 550, text: 'full' };
  await app.sql(`select private.queue_mail('notice', 'bob@example.test', '{"subject": "Hello"}')`);
  await expect.poll(async () => (await mailTo('bob@example.test'))?.state).toBe('failed');
  post.refuse = null;
  expect((await olga.ask('POST', '/mail/again', {})).body).toEqual({ sent: 1 });
  expect((await post.next('bob@example.test')).subject).toBe('Hello');
  expect((await olga.ask('GET', '/log?words=mail_sent_again')).body).toHaveLength(2);
});

test('an email waiting for its next try is sent at once, one possibly being sent is not', async () => {
  await app.sql(`insert into private.outbox (kind, recipient, data, attempts, next_attempt_at, last_error)
    values ('notice', 'late@example.test', '{"subject": "Late"}', 5, now() + interval '1 hour', 'busy'),
      ('notice', 'leased@example.test', '{"subject": "Leased"}', 1, now() + interval '4 minutes', null)`);
  expect((await olga.ask('POST', `/mail/${(await mailTo('late@example.test'))?.id}/again`, {})).status).toBe(200);
  expect((await post.next('late@example.test')).subject).toBe('Late');
  const leased = await mailTo('leased@example.test');
  expect((await olga.ask('POST', `/mail/${leased?.id}/again`, {})).body).toMatchObject({ code: 'KB804' });
});

test('a test mail goes to the operator alone, and what became of it is told', async () => {
  const { body } = await olga.ask('POST', '/mail/test', { email: 'stranger@example.test' });
  expect((await post.next(olga.email)).subject).toBe(textsIn('en').t('mail.test.subject', { product: 'Kanbase' }));
  await expect.poll(async () => (await olga.ask('GET', `/mail/${body.id}`)).body).toMatchObject({ state: 'sent' });
  expect(await mailTo('stranger@example.test')).toBeUndefined();
  expect((await olga.ask('GET', '/log?words=test_mail_sent')).body).toHaveLength(1);
});

test('mails of one round, made at once, are paged through to the last', async () => {
  await app.sql(
    `select private.queue_mail('notice', 'round-' || n || '@example.test', '{"subject": "Round"}') from generate_series(1, 60) n`,
  );
  const page = async (before: string) => {
    const { body } = await olga.ask('GET', `/mail?words=round-&before=${encodeURIComponent(before)}`);
    return body.mails as { recipient: string; created_at: string }[];
  };
  const first = await page('');
  const second = await page(first.at(-1)?.created_at ?? '');
  expect([first.length, second.length]).toEqual([50, 10]);
  expect(new Set([...first, ...second].map(({ recipient }) => recipient)).size).toBe(60);
});

test('every kind of mail has a name on the admin pages', () => {
  const { admin } = JSON.parse(readFileSync('web/strings/en/admin.json', 'utf8'));
  const names = Object.keys(admin.mail.kind).sort();
  expect(names).toEqual([...Object.keys(mailKinds), 'daily_summary', 'notice', 'notification'].sort());
});
