// Shapes of chat services as a receiver gets them, with names that would be markup there; and webhooks that were removed and brought back.

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOutbox } from '../../server/outbox/start-outbox.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addTask, makeProject, one } from '../sql/board.ts';
import { openReceiver, type Received, type Receiver } from './receiver.ts';

const app = forSuite(() => startApp({ settings: { WEBHOOKS_ALLOWED_NETWORKS: 'loopback', DB_POOL_SIZE: '8' } }));

let owner: TestUser;
let project: string;
let receiver: Receiver;
let outbox: { stop(): Promise<void> };

beforeAll(async () => {
  outbox = await startOutbox(app.services);
});
afterAll(() => outbox.stop());

beforeEach(async () => {
  await receiver?.close();
  receiver = await openReceiver();
  owner = await app.createUser({ name: 'Olga *Owner*' });
  ({ project } = await makeProject(app, owner));
});
afterAll(() => receiver.close());

async function addHook(more: Record<string, unknown> = {}) {
  const response = await app.request('/api/webhooks', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      project_id: project,
      name: 'Ours',
      url: `${receiver.url}/in`,
      events: ['comment.created'],
      ...more,
    }),
    token: owner.token,
  });
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(201);
  return body as { id: string; secret: string; public_key: string };
}

const comment = async (title: string, body: string) => {
  const task = await addTask(app, owner, { project_id: project, title });
  await one(owner.client.from('task_comments').insert({ task_id: task, body }).select());
};

describe('a message', () => {
  const title = '<b>@channel</b> [x](http://evil.example) | `code`';
  const body = 'See <!here> & @everyone\nand *this*';

  it.each([
    [
      'slack',
      (url: string) => ({
        text: expect.stringMatching(/^WS-1 &lt;b&gt;@channel&lt;\/b&gt; .*: Olga \*Owner\* commented$/),
        blocks: [
          {
            type: 'section',
            text: {
              type: 'mrkdwn',
              text:
                `*<${url}|WS-1 &lt;b&gt;@channel&lt;/b&gt; [x](http://evil.example) ¦ \`code\`>*\nOlga *Owner* commented` +
                '\n> See &lt;!here&gt; &amp; @everyone\n> and *this*',
            },
          },
        ],
        unfurl_links: false,
      }),
    ],
    [
      'mattermost',
      (url: string) => ({
        text:
          `**[WS-1 \\<b\\>@\u200Bchannel\\</b\\> \\[x\\]\\(http://evil.example\\) \\| \\\`code\\\`](${url})**` +
          '\nOlga \\*Owner\\* commented\n> See \\<\\!here\\> & @\u200Beveryone\n> and \\*this\\*',
      }),
    ],
    [
      'discord',
      (url: string) => ({
        embeds: [
          {
            title: `WS-1 ${title}`,
            url,
            description: 'Olga \\*Owner\\* commented\n> See \\<\\!here\\> & @\u200Beveryone\n> and \\*this\\*',
            timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          },
        ],
        allowed_mentions: { parse: [] },
      }),
    ],
    [
      'matrix',
      (url: string) => ({
        text: `WS-1 ${title}\nOlga *Owner* commented\n${body}\n${url}`.replaceAll('@', '@\u200B'),
        html:
          `<strong><a href="${url}">WS-1 &lt;b&gt;@\u200Bchannel&lt;/b&gt; [x](http://evil.example) | \`code\`</a></strong>` +
          '<br>Olga *Owner* commented<blockquote>See &lt;!here&gt; &amp; @\u200Beveryone\nand *this*</blockquote>',
      }),
    ],
    [
      'teams',
      (url: string) => ({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: expect.objectContaining({
              type: 'AdaptiveCard',
              body: [
                expect.objectContaining({ type: 'TextBlock', weight: 'Bolder', wrap: true }),
                expect.objectContaining({ text: 'Olga \\*Owner\\* commented' }),
                expect.objectContaining({
                  text: 'See \\<\\!here\\> & @\u200Beveryone\nand \\*this\\*',
                  isSubtle: true,
                }),
              ],
              actions: [{ type: 'Action.OpenUrl', title: 'Open', url }],
            }),
          },
        ],
      }),
    ],
    [
      'json',
      (url: string) => ({
        type: 'comment.created',
        timestamp: expect.any(String),
        data: expect.objectContaining({
          task: expect.objectContaining({ title, url }),
          comment: expect.objectContaining({ body }),
        }),
      }),
    ],
  ])('for %s says the task with its address, who did it and the comment, and calls nobody', async (shape, expected) => {
    const hook = await addHook({ shape });
    await comment(title, body);
    const [sent] = (await receiver.until(1)) as [Received];
    expect(sent.headers['content-type']).toBe('application/json');
    expect(sent.json).toEqual(expected(`${app.url}/app/projects/${project}/board/1`));
    new Webhook(hook.secret).verify(sent.body, sent.headers as Record<string, string>);
  });

  it('of a test comes in every shape, and is kept as it was sent', async () => {
    for (const shape of ['slack', 'mattermost', 'discord', 'matrix', 'teams']) {
      const hook = await addHook({ shape, name: shape });
      await one(owner.client.rpc('test_webhook', { webhook_id: hook.id }));
      await expect
        .poll(() => one(owner.client.from('webhook_deliveries').select('state, request').eq('webhook_id', hook.id)))
        .toEqual([{ state: 'delivered', request: expect.stringContaining('This is a test.') }]);
    }
    expect(receiver.received.length).toBe(5);
  });
});

describe('a webhook that was removed', () => {
  const restore = (id: string, by = owner) => by.client.rpc('restore_webhook', { webhook_id: id });

  it('is brought back as it was, with its secret and deliveries, and is told of changes again', async () => {
    const hook = await addHook({ name: 'Chat' });
    // The project is listened to all the while.
    await addHook({ name: 'Other', url: `${receiver.url}/other` });
    const toldOf = (path: string) =>
      receiver.received.filter((one) => one.path === path).map(({ json }) => json.data.comment?.body);
    await comment('First', 'one');
    await expect
      .poll(() => one(owner.client.from('webhook_deliveries').select('state').eq('webhook_id', hook.id)))
      .toEqual([{ state: 'delivered' }]);
    const read = async () => ({
      hook: await one(
        owner.client
          .from('webhooks')
          .select('id, name, url, events, public_key, created_at, created_by')
          .eq('id', hook.id),
      ),
      deliveries: await one(
        owner.client.from('webhook_deliveries').select('id, state, event_id').eq('webhook_id', hook.id),
      ),
    });
    const before = await read();
    // Nothing is read while it is away.
    await outbox.stop();
    await comment('Before', 'in time');
    await one(owner.client.from('webhooks').delete().eq('id', hook.id).select());
    expect(await read()).toEqual({ hook: [], deliveries: [] });
    await comment('Between', 'unheard');
    expect((await one(restore(hook.id))).id).toBe(hook.id);
    expect(await read()).toEqual(before);
    expect((await restore(hook.id)).error?.code).toBe('PT404');
    await comment('Later', 'two');
    outbox = await startOutbox(app.services);
    await receiver.until(7);
    expect(toldOf('/other').sort()).toEqual(['in time', 'one', 'two', 'unheard']);
    expect(toldOf('/in').sort()).toEqual(['in time', 'one', 'two']);
    expect((await read()).deliveries).toHaveLength(3);
    const later = receiver.received.find(
      ({ path, json }) => path === '/in' && json.data.comment?.body === 'two',
    ) as Received;
    new Webhook(hook.secret).verify(later.body, later.headers as Record<string, string>);
    const log = await one(owner.client.from('access_log').select('subject').eq('project_id', project).order('id'));
    expect(log.filter(({ subject }) => (subject as { kind: string }).kind === 'webhook').length).toBe(4);
  });

  it('is brought back by owners alone, within a week, and not beyond fifty', async () => {
    const hook = await addHook();
    const editor = await app.createUser({ name: 'Edda Editor' });
    const second = await app.createUser({ name: 'Second Owner' });
    await addMember(app, project, editor, 'editor');
    await addMember(app, project, second, 'owner');
    await one(owner.client.from('webhooks').delete().eq('id', hook.id).select());
    expect((await restore(hook.id, editor)).error?.code).toBe('PT404');
    expect((await restore(hook.id, await app.createUser({ name: 'Otto' }))).error?.code).toBe('PT404');
    await app.sql(
      `insert into public.webhooks (project_id, name, url, events, public_key)
       select $1, 'n' || n, 'https://example.com/', '{task.created}', 'k' from generate_series(1, 50) n`,
      [project],
    );
    expect((await restore(hook.id)).error).toMatchObject({ code: 'PT400' });
    await app.sql(`delete from public.webhooks where project_id = $1 and name <> 'n1'`, [project]);
    await one(owner.client.from('project_members').delete().match({ project_id: project, user_id: owner.id }).select());
    expect(await one(restore(hook.id, second))).toMatchObject({ created_by: second.id, is_active: true });

    await one(second.client.from('webhooks').delete().eq('id', hook.id).select());
    await app.sql(`update private.deleted_webhooks set deleted_at = now() - interval '8 days' where webhook_id = $1`, [
      hook.id,
    ]);
    // Also before the sweep, which comes now and then.
    expect((await restore(hook.id, second)).error?.code).toBe('PT404');
    await app.sql('select private.sweep_webhook_deliveries()');
    expect((await restore(hook.id, second)).error?.code).toBe('PT404');
  });

  it('that an administrator turned off stays off', async () => {
    const hook = await addHook();
    await app.sql(`update public.webhooks set is_active = false, off_because = 'operator' where id = $1`, [hook.id]);
    await one(owner.client.from('webhooks').delete().eq('id', hook.id).select());
    expect(await one(restore(hook.id))).toMatchObject({ is_active: false, off_because: 'operator' });
    const on = await owner.client.from('webhooks').update({ is_active: true }).eq('id', hook.id).select();
    expect(on.error?.code).toBe('42501');
  });

  it('goes for good with its project', async () => {
    const hook = await addHook();
    await app.sql('delete from public.projects where id = $1', [project]);
    expect(await app.sql('select 1 from private.deleted_webhooks where webhook_id = $1', [hook.id])).toEqual([]);
  });
});
