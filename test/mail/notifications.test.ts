// Notifications by mail, as a real mail server receives them: at once, daily or not; one for a burst, one conversation for a task,
// whatever dies in between and however many nodes there are; and the way out.

import { beforeAll, describe, expect, it } from 'vitest';
import { languages, readPart } from '../../scripts/strings.mjs';
import { startMail } from '../../server/mail/start-mail.ts';
import { textsIn } from '../../server/texts/texts.ts';
import type { TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import type { CaughtMail } from '../identity/mail-catcher.ts';
import { startMailedApp } from '../identity/mailed-app.ts';
import { addMember, addRow, addTask, makeProject, one } from '../sql/board.ts';

const app = forSuite(() => startMailedApp());
let bob: TestUser;
beforeAll(async () => {
  bob = await app.createUser({ name: 'Bob Byron' });
});

/** Somebody with a project of their own, in which Bob writes. */
async function begin(name: string) {
  const person = await app.createUser({ name });
  const { project, columns } = await makeProject(app, person, 'Harbour');
  await addMember(app, project, bob, 'editor');
  await app.sql('delete from public.notifications where user_id = $1', [bob.id]);
  return { person, project, columns };
}

/** What Bob did to a task, as an email says it. */
function mentionedAndMoved(language: string): string {
  const { t } = textsIn(language);
  const did = { who: 'Bob Byron', from: 'Backlog', to: 'Done' };
  return `${t('mail.notification.event.mentioned', did)} ${t('mail.notification.event.state_changed', did)}`;
}

/** Some minutes go by. */
async function passes(): Promise<void> {
  await app.sql(`update public.notifications set created_at = created_at - interval '3 minutes' where done_at is null`);
  await app.sql(`update private.notification_deliveries set due_at = due_at - interval '3 minutes' where way = 'mail'`);
}
const compose = async (): Promise<number> => {
  const [row] = await app.sql<{ n: number }>('select private.compose_notification_mails() as n');
  return row?.n ?? 0;
};
const header = (mail: CaughtMail, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'mi').exec(mail.raw.replaceAll(/\r\n[ \t]+/g, ' ').replaceAll('\r', ''))?.[1] ?? '';

describe('at once', () => {
  it('comes in the language the account has chosen, days too', async () => {
    const { person, project } = await begin('Grete');
    await app.sql(
      `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"language":"de"}' where id = $1`,
      [person.id],
    );
    const task = await addTask(app, person, { project_id: project, title: 'Kran streichen' });
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Welche Farbe, @Grete?' });
    await passes();
    expect(await compose()).toBe(1);
    const mail = await app.post.next(person.email);
    expect(mail.text).toContain(
      `${textsIn('de').t('mail.notification.event.mentioned', { who: 'Bob Byron' })}\n> Welche Farbe, @Grete?`,
    );
    expect(mail.text).toContain('„Benachrichtigungen“');
    expect(mail.raw).toContain('<html lang=3D"de">');

    // Who has no account is written to as the one who invites them would.
    await one(person.client.rpc('invite_member', { project_id: project, email: 'neu@example.test', role: 'editor' }));
    const invitation = await app.post.next('neu@example.test');
    const named = {
      inviter_name: 'Grete',
      product: 'Kanbase',
      project_name: 'Harbour',
      role: 'editor',
      task: '',
      level: '',
    };
    expect(invitation.text).toContain(textsIn('de').t('mail.project_invitation.words', named));
  });

  it.each(languages())(
    'comes in %s like every language that has a folder, and so does the page behind its link',
    async (language) => {
      const texts = new Map([...readPart(language, 'mails'), ...readPart(language, 'links')]);
      const said = (key: string, values: Readonly<Record<string, string>>) =>
        (texts.get(key) ?? '').replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '');
      const { person, project } = await begin(`Reader ${language}`);
      await app.sql('update auth.users set raw_user_meta_data = raw_user_meta_data || $2 where id = $1', [
        person.id,
        JSON.stringify({ language }),
      ]);
      const task = await addTask(app, person, { project_id: project, title: 'Crane' });
      await addRow(app, bob, 'task_comments', { task_id: task, body: 'Red' });
      await passes();
      await compose();
      const mail = await app.post.next(person.email);
      expect(mail.text).toContain(said('mail.notification.event.commented', { who: 'Bob Byron' }));
      expect(mail.text).toContain(said('mail.notification.closing', { product: 'Kanbase' }));
      expect(mail.raw).toContain(`<html lang=3D"${language}">`);

      const accepted = { headers: { 'accept-language': `${language}-XX, en;q=0.1` } };
      const page = await (await fetch(`${app.url}/auth/v1/confirm?type=signup`, accepted)).text();
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain(`<h1>${texts.get('link.confirm.signup.title')}</h1>`);
    },
  );

  it('comes in French, with what several sentences say of one task', async () => {
    const { person, project, columns } = await begin('Marie');
    await app.sql(
      `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"language":"fr"}' where id = $1`,
      [person.id],
    );
    const task = await addTask(app, person, { project_id: project, title: 'Peindre la grue' });
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Quelle couleur, @Marie ?' });
    await one(bob.client.rpc('move_task', { task_id: task, column_id: columns.done }));
    await passes();
    await compose();
    const mail = await app.post.next(person.email);
    expect(mail.text).toContain(`${mentionedAndMoved('fr')}\n> Quelle couleur, @Marie ?`);
  });

  it('is one mail for what one person did to a task in a few minutes, readable everywhere, one conversation', async () => {
    const { person, project, columns } = await begin('Ada');
    const task = await addTask(app, person, { project_id: project, title: 'Paint the crane' });
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Which **colour**, @Ada?' });
    await one(bob.client.rpc('move_task', { task_id: task, column_id: columns.done }));
    expect(await compose()).toBe(0);
    await passes();
    expect(await compose()).toBe(1);
    const mail = await app.post.next(person.email);
    expect(mail.subject).toMatch(/^[A-Z]+-1 Paint the crane$/);
    expect(mail.text).toContain(`${mentionedAndMoved('en')}\n> Which colour, @Ada?`);
    expect(mail.text).toContain(`${app.services.siteUrl}/app/projects/${project}/board/1`);
    expect(mail.raw).toContain('text/html');
    expect(mail.raw).toContain('prefers-color-scheme:dark');
    // the first of its conversation answers none
    expect(header(mail, 'References')).toBe('');
    expect(header(mail, 'In-Reply-To')).toBe('');

    const asked = await addRow(app, person, 'task_comments', { task_id: task, body: 'Red?' });
    await addRow(app, bob, 'task_comments', { task_id: task, parent_id: asked, body: 'Red then' });
    await passes();
    // one for him, whom she asked, and one for her
    expect(await compose()).toBe(2);
    const answer = await app.post.next(person.email);
    expect(answer.subject).toBe(mail.subject);
    expect(header(answer, 'References')).toBe(header(mail, 'Message-ID'));
    expect(header(answer, 'In-Reply-To')).toBe(header(mail, 'Message-ID'));
    expect(header(answer, 'Message-ID')).not.toBe(header(mail, 'Message-ID'));
    expect(answer.text).toContain(
      `${textsIn('en').t('mail.notification.event.answered', { who: 'Bob Byron' })}\n> Red then`,
    );
    expect(answer.text).not.toContain('colour');
  });

  it('answers the first mail that its reader really got, each reader their own', async () => {
    const { person, project } = await begin('Thea');
    const task = await addTask(app, person, { project_id: project, title: 'Grease the winch' });
    const comments = async (body: string): Promise<void> => {
      await addRow(app, bob, 'task_comments', { task_id: task, body });
      await passes();
      await compose();
    };
    const tells = async (body: string): Promise<CaughtMail> => {
      await comments(body);
      return app.post.next(person.email);
    };
    // One that the mail server refuses for good began nothing.
    app.post.refuse = { code: 550, text: 'no such mailbox' };
    await comments('Zero');
    const refused = () =>
      app.sql(`select 1 as n from private.outbox where recipient = $1 and state = 'failed'`, [person.email]);
    await expect.poll(refused).toHaveLength(1);
    app.post.refuse = null;
    await expect.poll(() => app.sql('select about from private.mail_threads where about = $1', [task])).toEqual([]);
    const first = await tells('One');
    const second = await tells('Two');
    const third = await tells('Three');
    expect(header(first, 'References')).toBe('');
    for (const later of [second, third]) expect(header(later, 'References')).toBe(header(first, 'Message-ID'));
    const told = await app.sql('select user_id from private.mail_threads where about = $1', [task]);
    expect(told).toEqual([{ user_id: person.id }]);
  });

  it('is none for what was read meanwhile', async () => {
    const { person, project } = await begin('Rita');
    const task = await addTask(app, person, { project_id: project, title: 'T' });
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await one(person.client.from('notifications').update({ read_at: 'now' }).eq('task_id', task).select());
    await passes();
    expect(await compose()).toBe(0);
  });

  it('is one, however many nodes there are, and none is lost by a restart', async () => {
    const { person, project } = await begin('Nina');
    const task = await addTask(app, person, { project_id: project, title: 'T' });
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await passes();
    const nodes = await Promise.all([startMail(app.services), startMail(app.services), startMail(app.services)]);
    const mail = await app.post.next(person.email);
    expect(mail.text).toContain('Hello');
    await Promise.all(nodes.map((node) => node.stop()));
    expect(await compose()).toBe(0);
    expect(app.post.mails.filter((one) => one.to === person.email)).toHaveLength(1);
  });
});

it('daily is one mail at the person’s hour in their zone, with all that happened', async () => {
  const { person, project } = await begin('Dora');
  await one(person.client.from('notification_schedules').insert({ time_zone: 'Asia/Tokyo', daily_hour: 7 }).select());
  await one(person.client.from('notification_settings').insert({ kind: 'commented', mail: 'daily' }).select());
  for (const title of ['First', 'Second'])
    await addRow(app, bob, 'task_comments', {
      task_id: await addTask(app, person, { project_id: project, title }),
      body: `About ${title}`,
    });
  const due = await app.sql<{ local: string; soon: boolean }>(
    `select distinct to_char(due_at at time zone 'Asia/Tokyo', 'HH24:MI') as local, due_at between now() and now() + interval '1 day' as soon
     from private.notification_deliveries where user_id = $1`,
    [person.id],
  );
  expect(due).toEqual([{ local: '07:00', soon: true }]);
  await one(person.client.from('notification_schedules').update({ daily_hour: 9 }).eq('user_id', person.id).select());
  const [moved] = await app.sql<{ local: string }>(
    `select distinct to_char(due_at at time zone 'Asia/Tokyo', 'HH24:MI') as local from private.notification_deliveries where user_id = $1`,
    [person.id],
  );
  expect(moved).toEqual({ local: '09:00' });
  await app.sql('update private.notification_deliveries set due_at = now() where user_id = $1', [person.id]);
  expect(await compose()).toBe(1);
  const mail = await app.post.next(person.email);
  expect(mail.subject).toBe(textsIn('en').t('mail.notification.daily', { product: 'Kanbase' }));
  for (const words of ['First', 'About First', 'Second', 'About Second']) expect(mail.text).toContain(words);
});

it('off is none, in one project or in all', async () => {
  const { person, project } = await begin('Olaf');
  const elsewhere = await makeProject(app, person, 'Elsewhere');
  await addMember(app, elsewhere.project, bob, 'editor');
  await one(
    person.client
      .from('notification_settings')
      .insert({ kind: 'commented', project_id: project, mail: 'off' })
      .select(),
  );
  for (const at of [project, elsewhere.project])
    await addRow(app, bob, 'task_comments', {
      task_id: await addTask(app, person, { project_id: at, title: 'T' }),
      body: 'Hello',
    });
  await passes();
  await compose();
  expect((await app.post.next(person.email)).text).toContain(`/app/projects/${elsewhere.project}/`);
  expect(await app.sql('select from private.outbox where recipient = $1', [person.email])).toHaveLength(1);
});

describe('the way out', () => {
  it('is one press in the mail program, or a page with a button, and ends all mail but not the inbox', async () => {
    const { person, project } = await begin('Uma');
    const task = await addTask(app, person, { project_id: project, title: 'T' });
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await passes();
    await compose();
    const mail = await app.post.next(person.email);
    expect(header(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const url = new URL(/<(.*)>/.exec(header(mail, 'List-Unsubscribe'))?.[1] ?? '');
    const address = app.url + url.pathname + url.search;
    // Machines that open links change nothing.
    const page = await fetch(address);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<form method="post">');
    // In the browser's language, until the account has said another.
    const asked = async (language: string) =>
      (await fetch(address, { headers: { 'accept-language': language } })).text();
    expect(await asked('de-AT,en;q=0.5')).toContain('<html lang="de">');
    const chosen = (language: string) =>
      app.sql('update auth.users set raw_user_meta_data = raw_user_meta_data || $2 where id = $1', [
        person.id,
        JSON.stringify({ language }),
      ]);
    await chosen('de');
    expect(await asked('en')).toContain(textsIn('de').t('link.unsubscribe.button'));
    await chosen('fr');
    expect(await asked('en')).toContain(textsIn('fr').t('link.unsubscribe.button'));
    await chosen('en');
    expect(await asked('de')).toContain(textsIn('en').t('link.unsubscribe.button'));
    const mails = () =>
      app.sql<{ mail: string }>(
        `select distinct c.mail from public.notification_kinds() k, private.notification_choice($1, $2, k.kind) c`,
        [person.id, project],
      );
    expect(await mails()).not.toEqual([{ mail: 'off' }]);
    const done = await fetch(address, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(done.status).toBe(200);
    expect(await mails()).toEqual([{ mail: 'off' }]);
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Again' });
    await passes();
    expect(await compose()).toBe(0);
    expect(await one(person.client.from('notifications').select('kind').eq('task_id', task))).toHaveLength(2);
  });

  it('knows only addresses that the service made', async () => {
    const forged = `${bob.id}.${Buffer.from('0'.repeat(32)).toString('base64url')}`;
    for (const token of [forged, bob.id, 'x', '']) {
      for (const method of ['GET', 'POST'])
        expect((await fetch(`${app.url}/api/unsubscribe?token=${token}`, { method })).status).toBe(404);
    }
    expect(await app.sql('select from public.notification_settings where user_id = $1', [bob.id])).toEqual([]);
  });
});
