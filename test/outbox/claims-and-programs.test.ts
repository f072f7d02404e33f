// Claims of tasks as webhooks tell of them, and the program behind a change: the key or app that its actor used.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startOutbox } from '../../server/outbox/start-outbox.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addTask, makeProject, one } from '../sql/board.ts';
import { openReceiver, type Receiver } from './receiver.ts';

const app = forSuite(() => startApp({ settings: { WEBHOOKS_ALLOWED_NETWORKS: 'loopback', DB_POOL_SIZE: '8' } }));

let owner: TestUser;
let editor: TestUser;
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
  owner = await app.createUser({ name: 'Olga Owner' });
  editor = await app.createUser({ name: 'Edda Editor' });
  ({ project } = await makeProject(app, owner));
  await addMember(app, project, editor, 'editor');
});
afterAll(() => receiver.close());

/** With a key, or as somebody who is signed in. */
async function send(path: string, body: unknown, token: string) {
  const headers = { 'content-type': 'application/json' };
  const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body), token });
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return text === '' ? null : JSON.parse(text);
}

async function addHook(events: readonly string[], shape = 'json'): Promise<void> {
  const hook = { project_id: project, name: 'Ours', url: receiver.url, events, shape };
  await send('/api/webhooks', hook, owner.token);
}

const keyOf = async ({ client }: TestUser) =>
  one(client.rpc('create_api_key', { name: 'Nightly build', scope: 'write' }));

describe('a claim', () => {
  const events = ['task.claimed', 'task.claim_released', 'task.claim_expired'];

  it('is told of when it is made, handed back and run out, with its holder and the key', async () => {
    await addHook(events);
    const task = await addTask(app, owner, { project_id: project, title: 'Next' });
    const key = await keyOf(editor);
    const claim = async () => {
      const claimed = await send('/rest/v1/rpc/claim_next_task', { project, seconds: 900 }, key.token);
      return [claimed].flat()[0] as { id: string };
    };
    const first = await claim();
    await one(owner.client.rpc('release_claim', { claim: first.id, note: 'Needs a decision' }));
    const second = await claim();
    await app.sql("update public.task_claims set expires_at = now() - interval '1 s' where id = $1", [second.id]);
    await app.sql('select private.end_expired_claims(10)');

    const told = (await receiver.until(4)).map(({ json }) => json);
    expect(told.map(({ type }) => type)).toEqual([
      'task.claimed',
      'task.claim_released',
      'task.claimed',
      'task.claim_expired',
    ]);
    const person = { id: editor.id, display_name: 'Edda Editor' };
    const program = { kind: 'key', sub: key.id, name: 'Nightly build' };
    const [claimed, released, , expired] = told.map(({ data }) => data);
    expect(claimed).toMatchObject({
      actor: person,
      person,
      program,
      task: { id: task },
      change: { claim_id: first.id },
    });
    expect(released).toMatchObject({ actor: { id: owner.id }, person, change: { note: 'Needs a decision' } });
    expect(released).not.toHaveProperty('program');
    expect(expired).toMatchObject({ actor: null, person, change: { claim_id: second.id } });
    expect(expired).not.toHaveProperty('program');
  });

  it('that is handed back reads as a message with its note', async () => {
    await addHook(['task.claim_released'], 'slack');
    await addTask(app, owner, { project_id: project, title: 'Next' });
    const claim = await one(editor.client.rpc('claim_next_task', { project, seconds: 900 }).single());
    await one(owner.client.rpc('release_claim', { claim: (claim as { id: string }).id, note: 'Needs a decision' }));
    const [message] = (await receiver.until(1)).map(({ body }) => body);
    expect(message).toContain('Olga Owner released the claim of Edda Editor');
    expect(message).toContain('> Needs a decision');
  });
});

describe('a program', () => {
  it('stands behind its person in payloads and messages, whatever the change is of', async () => {
    await addHook(['task.created', 'label.created']);
    const key = await keyOf(editor);
    await send('/rest/v1/tasks', { project_id: project, title: 'By a key' }, key.token);
    await send('/rest/v1/task_labels', { project_id: project, name: 'Key', color: '#336699' }, key.token);
    await addTask(app, editor, { project_id: project, title: 'By hand' });
    const told = (await receiver.until(3)).map(({ json }) => json);
    const program = { kind: 'key', sub: key.id, name: 'Nightly build' };
    const shown = told.map(({ type, data }) => [type, data.task?.title, data.actor?.display_name, data.program]);
    expect(shown.toSorted()).toEqual(
      [
        ['label.created', undefined, 'Edda Editor', program],
        ['task.created', 'By a key', 'Edda Editor', program],
        ['task.created', 'By hand', 'Edda Editor', undefined],
      ].toSorted(),
    );
  });

  it('is named in messages', async () => {
    await addHook(['task.created'], 'mattermost');
    const key = await keyOf(editor);
    await send('/rest/v1/tasks', { project_id: project, title: 'By a key' }, key.token);
    const [message] = (await receiver.until(1)).map(({ body }) => body);
    expect(message).toContain('Edda Editor via “Nightly build” created this task');
  });
});
