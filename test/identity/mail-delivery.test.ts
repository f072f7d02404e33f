// The mail queue and what leaves it: retries, restarts, secrets at rest, header injection, templates, the inbox page.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { inboxLink } from '../../server/mail/inbox-secret.ts';
import { openMailQueue } from '../../server/mail/mail-queue.ts';
import { nextAttempt, startMail } from '../../server/mail/start-mail.ts';
import { openConfiguredSessions } from '../../server/session/open-configured-sessions.ts';
import { textsIn } from '../../server/texts/texts.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { fetchInbox } from '../helpers/fetch-inbox.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { scratch } from '../helpers/kanbase.ts';
import { catchMail } from './mail-catcher.ts';
import { startMailedApp } from './mailed-app.ts';

const place = scratch('templates');
afterAll(() => place.remove());
const templates = place.path;
const app = forSuite(() => {
  writeFileSync(join(templates, 'notice.subject.txt'), 'For you: {{subject}}');
  writeFileSync(join(templates, 'notice.html'), '<p class="own">{{heading}}</p>');
  writeFileSync(
    join(templates, 'magic_link.html'),
    '<p>Hello {{ .Data.name }}</p><a href="{{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}&type=email&next={{ .RedirectTo }}">In</a>',
  );
  return startMailedApp({ settings: { MAIL_TEMPLATES_DIR: templates, MAIL_FROM: 'Board <board@example.test>' } });
});

const password = 'secret1';
const { t } = textsIn('en');
let count = 0;
function someone(): string {
  count += 1;
  return `letter${count}@example.test`;
}

function queue(kind: string, recipient: string, data: unknown) {
  return app.sql<{ id: string }>('select private.queue_mail($1, $2, $3) as id', [
    kind,
    recipient,
    JSON.stringify(data),
  ]);
}

interface Row {
  readonly state: string;
  readonly data: Record<string, unknown>;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** Polls the row, because the mail server has a letter before we have said so in the database. */
async function rowOf(recipient: string, until: (row: Row) => boolean, services: TestApp = app): Promise<Row> {
  for (;;) {
    const [row] = await services.sql<Row>(
      'select state, data, attempts, last_error from private.outbox where recipient = $1',
      [recipient],
    );
    if (row && until(row)) return row;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('letters', () => {
  test('are plain text and HTML, from the sender that is set, marked as automatic', async () => {
    const email = someone();
    await app.client().auth.signUp({ email, password });
    const mail = await app.post.next(email);
    expect(mail.raw).toMatch(/^From: Board <board@example\.test>/m);
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(mail.raw).toContain('multipart/alternative');
    expect(mail.raw).toContain('text/html');
    expect(mail.text).toContain(t('mail.confirmation.heading'));
    expect(mail.link).toContain('/auth/v1/confirm?');
    expect(mail.code).toMatch(/^\d{6}$/);
  });

  test('rest sealed, and are wiped once they are delivered', async () => {
    const email = someone();
    app.post.refuse = { code: 451, text: 'later' };
    await app.client().auth.signUp({ email, password });
    const waiting = await rowOf(email, (row) => row.last_error !== null);
    expect(Object.keys(waiting.data)).toEqual(['sealed']);
    expect(waiting).toMatchObject({ state: 'queued', attempts: 1 });
    app.post.refuse = null;
    await app.sql(`update private.outbox set next_attempt_at = now() where recipient = $1`, [email]);
    await app.sql(`notify kanbase_mail`);
    await app.post.next(email);
    expect(await rowOf(email, (row) => row.state === 'sent')).toMatchObject({ data: {}, attempts: 2 });
  });

  test('that are refused for good are not tried again, and the account stays', async () => {
    const email = someone();
    app.post.refuse = { code: 550, text: 'no such mailbox' };
    const { error } = await app.client().auth.signUp({ email, password });
    expect(error).toBeNull();
    const refused = await rowOf(email, (row) => row.state === 'failed');
    // Kept as it was, sealed, for an operator who sends it again.
    expect(Object.keys(refused.data)).toEqual(['sealed']);
    expect(refused.attempts).toBe(1);
    app.post.refuse = null;
    expect((await app.client().auth.resend({ type: 'signup', email })).error).toBeNull();
    expect((await app.post.next(email)).code).toMatch(/^\d+$/);
  });

  test('pauses between attempts grow', () => {
    const later = (attempts: number) => nextAttempt(new Error('timeout'), attempts, 12)?.seconds;
    expect([1, 2, 3, 11].map(later)).toEqual([30, 60, 120, 21_600]);
    expect(later(12)).toBeUndefined();
    expect(nextAttempt({ responseCode: 550, command: 'DATA' }, 1, 12)).toBeNull();
    expect(nextAttempt({ responseCode: 535, command: 'AUTH PLAIN' }, 1, 12)).not.toBeNull();
  });

  test('that were sent by another node meanwhile stay sent', async () => {
    const email = someone();
    const [{ id } = { id: '' }] = await queue('notice', email, { subject: 'A', heading: 'B', text: 'C' });
    await rowOf(email, ({ state }) => state === 'sent');
    const late = openMailQueue(app.database, app.services.sessions.deriveKey('mail'));
    await late.markFailed(id, 'too late', { seconds: 1 });
    await late.markFailed(id, 'too late', null);
    await late.markVoid(id, 'too late');
    await late.markStored(id);
    expect(await rowOf(email, () => true)).toMatchObject({ state: 'sent', last_error: null });
  });

  test('survive a restart and a mail server that was away', async () => {
    const post = await catchMail();
    const [, port] = /:(\d+)$/.exec(post.url) ?? [];
    await post.close();
    const away = await startApp({ settings: { SMTP_URL: post.url } });
    const first = await startMail(away.services);
    const email = someone();
    await away.client().auth.signUp({ email, password });
    await first.stop();
    const back = await catchMail(Number(port));
    await away.sql('update private.outbox set next_attempt_at = now()');
    const second = await startMail(away.services);
    expect((await back.next(email)).code).toMatch(/^\d{6}$/);
    await second.stop();
    await away.close();
    await back.close();
  });

  test('wait for the secret they were sealed with, and say so', async () => {
    const post = await catchMail();
    const secrets = ['the first secret of this test, long enough', 'the second secret of this test, long enough'];
    const settings = { SMTP_URL: post.url, JWT_SECRET: secrets[0] ?? '' };
    const before = await startApp({ settings });
    const email = someone();
    await before.client().auth.signUp({ email, password });
    const restarted = async (secret = '') => {
      const { config } = before.services;
      const sessions = await openConfiguredSessions({ ...config, server: { ...config.server, jwtSecret: secret } });
      await before.sql('update private.outbox set next_attempt_at = now()');
      return startMail({ ...before.services, sessions });
    };
    const rotated = await restarted(secrets[1]);
    const row = await rowOf(email, ({ last_error }) => last_error !== null, before);
    expect(row).toMatchObject({ state: 'queued', last_error: expect.stringContaining('another JWT_SECRET') });
    await rotated.stop();
    const inbox = await restarted(secrets[0]);
    expect((await post.next(email)).code).toMatch(/^\d{6}$/);
    await inbox.stop();
    await before.close();
    await post.close();
  });

  test('of invitations hold no token while they wait; the one they leave with lets the invited in', async () => {
    const owner = await app.createUser({ name: 'Olga' });
    const email = someone();
    const guest = await app.createUser({ name: 'Guest', email });
    app.post.refuse = { code: 451, text: 'later' };
    const { data: project } = await owner.client.rpc('create_project_with_defaults', { name: 'Garden' });
    const invite = { project_id: project.id, email, role: 'editor' };
    const { data: invitation, error } = await owner.client.rpc('invite_member', invite);
    expect(error).toBeNull();
    // Before the mail room has seen it and after a first try: nothing in the queue opens the door.
    const { data } = await rowOf(email, (row) => row.last_error !== null);
    expect(Object.keys(data)).toEqual(['sealed']);
    expect(JSON.stringify(data)).not.toContain(invitation.token);
    app.post.refuse = null;
    await app.sql(`update private.outbox set next_attempt_at = now() where recipient = $1`, [email]);
    await app.sql(`notify kanbase_mail`);
    const mail = await app.post.next(email);
    const token = /\/invitation#([\w-]+)/.exec(mail.text)?.[1] ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(token).not.toBe(invitation.token);
    expect((await guest.client.rpc('accept_invitation', { token })).error).toBeNull();
    expect((await guest.client.rpc('accept_invitation', { token: invitation.token })).status).toBe(404);
  });

  test('of invitations that were withdrawn do not leave any more', async () => {
    const quiet = await startApp();
    const owner = await quiet.createUser({ name: 'Olga' });
    const { data: project } = await owner.client.rpc('create_project_with_defaults', { name: 'Garden' });
    const [kept, withdrawn] = [someone(), someone()];
    for (const email of [kept, withdrawn])
      await owner.client.rpc('invite_member', { project_id: project.id, email, role: 'viewer' });
    const waiting = await quiet.sql<{ data: unknown }>('select data from private.outbox');
    expect(JSON.stringify(waiting)).not.toMatch(/[\w-]{43}/);
    await owner.client.from('project_invitations').delete().eq('email', withdrawn);
    const mail = await startMail(quiet.services);
    expect(await rowOf(kept, (row) => row.state !== 'queued', quiet)).toMatchObject({ state: 'kept' });
    expect(await rowOf(withdrawn, (row) => row.state !== 'queued', quiet)).toMatchObject({
      state: 'failed',
      data: {},
      last_error: 'the invitation is no longer open',
    });
    const answer = await fetchInbox(quiet, '/dev/inbox', 'application/json');
    const letters: { recipient: string; text: string }[] = await answer.json();
    expect(letters.find((one) => one.recipient === kept)?.text).toMatch(/\/invitation#[\w-]{43}/);
    await mail.stop();
    await quiet.close();
  });

  test('an address or a name cannot add headers or recipients', async () => {
    for (const recipient of [
      'a@b.test\r\nBcc: c@d.test',
      'a@b.test, c@d.test',
      'A <a@b.test>',
      'a b@c.test',
      'nobody',
      'a@b@c.test',
    ])
      await expect(queue('notice', recipient, {})).rejects.toThrow(/outbox_recipient/);
    const email = someone();
    await queue('project_invitation', email, {
      inviter_name: 'Eve\r\nBcc: victim@example.test\r\n\r\nHello',
      project_name: 'Plan\nX-Evil: 1 <script>',
      role: 'editor',
      url: '/invitation#token',
    });
    const mail = await app.post.next(email);
    const head = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n'));
    expect(head).not.toMatch(/^(Bcc|X-Evil)/im);
    expect(mail.raw.slice(mail.raw.indexOf('<!doctype html>'))).not.toContain('<script>');
    expect(app.post.mails.some((one) => one.to.includes('victim'))).toBe(false);
    expect(mail.text).toContain('Eve Bcc: victim@example.test Hello');
    expect(mail.text).toContain(`${app.services.siteUrl}/invitation#token`);
  });

  test('can be written anew by the operator; only web addresses become links', async () => {
    const email = someone();
    await queue('notice', email, {
      subject: 'News',
      heading: '<b>Big</b>',
      lines: ['One', 'Two'],
      action: { label: 'Go', url: 'javascript:alert(1)' },
    });
    const mail = await app.post.next(email);
    expect(mail.subject).toBe('For you: News');
    expect(mail.raw).toContain('<p class="own">&lt;b&gt;Big&lt;/b&gt;</p>');
    expect(mail.text).toContain('One\n\nTwo');
  });

  test('can carry a link that a server of theirs confirms, as the guides of Supabase write it', async () => {
    const email = someone();
    const made = await app.client({ key: app.serviceKey }).auth.admin.createUser({
      email,
      email_confirm: true,
      user_metadata: { name: 'Ada <i>' },
    });
    expect(made.error).toBeNull();
    const redirectTo = `${app.services.siteUrl}/welcome?from=mail&to=board`;
    await app.client().auth.signInWithOtp({ email, options: { emailRedirectTo: redirectTo } });
    const { raw } = await app.post.next(email);
    const html = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
    expect(html).toContain('<p>Hello Ada &lt;i&gt;</p>');
    const link = new URL(/href="([^"]+)"/.exec(html)?.[1] ?? '');
    expect([link.origin, link.pathname]).toEqual([app.services.siteUrl, '/auth/confirm']);
    expect(link.searchParams.get('next')).toBe(redirectTo);
    const tokenHash = link.searchParams.get('token_hash') ?? '';
    const verified = await app.client().auth.verifyOtp({ token_hash: tokenHash, type: 'email' });
    expect(verified.data.user?.email).toBe(email);
  });

  test('the mail room reads the mail queue, which mails began a conversation, and nothing else', async () => {
    const reachable = await app.sql<{ name: string }>(`
      select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'v', 'm', 'p', 'f') and n.nspname !~ '^(pg_|information_schema)'
        and has_table_privilege('kanbase_mail', c.oid, 'select, insert, update, delete')
      order by 1`);
    expect(reachable).toEqual([{ name: 'private.mail_threads' }, { name: 'private.outbox' }]);
  });
});

describe('the inbox page', () => {
  test('shows what was not sent to who has its link, and not in production', async () => {
    const quiet = await startApp({ settings: { AUTH_AUTOCONFIRM: 'false' } });
    const email = someone();
    await quiet.client().auth.signUp({ email, password });
    const list = await fetchInbox(quiet, '/dev/inbox', 'application/json');
    const [letter] = await list.json();
    expect(letter).toMatchObject({
      kind: 'confirmation',
      recipient: email,
      subject: t('mail.confirmation.subject', { product: 'Kanbase' }),
    });
    expect(letter.text).toMatch(/Code: \d{6}/);
    const page = await fetchInbox(quiet, `/dev/inbox/${letter.id}`);
    expect(await page.text()).toContain(t('mail.confirmation.button'));
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const path of ['/dev/inbox', `/dev/inbox/${letter.id}`])
      for (const authorization of ['', 'Bearer ', 'Bearer null', `Bearer ${'x'.repeat(43)}`]) {
        const answer = await fetch(quiet.url + path, { headers: { authorization } });
        expect([path, authorization, answer.status]).toEqual([path, authorization, 401]);
        expect(await answer.text()).not.toContain(email);
      }
    // What the page of the link does with what stands after #.
    const secret = /#([\w-]{43})$/.exec(inboxLink(quiet.services) ?? '')?.[1];
    const open = (sent: string) =>
      fetch(`${quiet.url}/dev/inbox/open`, { method: 'POST', headers: { authorization: `Bearer ${sent}` } });
    expect((await open('x')).headers.get('set-cookie')).toBeNull();
    const given = (await open(secret ?? '')).headers.get('set-cookie') ?? '';
    expect(given).toMatch(/^kanbase-inbox=[\w-]{43}; Max-Age=\d+; Path=\/dev\/inbox; HttpOnly; SameSite=Strict$/);
    const shown = await fetch(`${quiet.url}/dev/inbox`, { headers: { cookie: given.split(';', 1)[0] ?? '' } });
    expect(await shown.text()).toContain(email);
    await quiet.close();

    // A service with a public address keeps its mail to itself, whoever asks from this machine.
    const named = await startApp({ settings: { SITE_URL: 'https://board.example.com' } });
    expect((await fetchInbox(named)).status).toBe(404);
    await named.close();

    const real = await startApp({ settings: { PRODUCTION: 'true' } });
    expect((await fetchInbox(real)).status).toBe(404);
    await real.close();
    expect((await fetchInbox(app)).status).toBe(404);
  });
});
