// Security definer functions called directly, as if schema `private` were served: they answer members of the project, and tell others nothing.

import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

let owner: TestUser;
let outsider: TestUser;
let project: string;
let calls: Readonly<Record<string, string>>;

const app = forSuite(startApp);
beforeAll(async () => {
  [owner, outsider] = [await app.createUser({ name: 'Olga' }), await app.createUser({ name: 'Otto' })];
  const { data } = await owner.client.rpc('create_project_with_defaults', { name: 'Harbour' });
  project = data.id;
  const one = async <T>(table: string, row: object) => {
    const { data: made, error } = await owner.client.from(table).insert(row).select().single();
    expect(error).toBeNull();
    return made as T;
  };
  const { data: columns } = await owner.client.from('workflow_columns').select('id').eq('project_id', project).limit(1);
  const place = { project_id: project, column_id: columns?.[0]?.id };
  const task = await one<{ id: string; number: number }>('tasks', { ...place, title: 'Quay' });
  await one('tasks', { ...place, title: 'Bollard', parent_id: task.id });
  const attachment = await one<{ id: string }>('task_attachments', {
    task_id: task.id,
    project_id: project,
    name: 'quay.png',
    object_path: `${project}/${task.id}/quay.png`,
  });
  const field = await one<{ id: string }>('custom_fields', {
    project_id: project,
    name: 'Harbour master',
    kind: 'person',
  });
  calls = {
    lock_attachment: `private.lock_attachment('${task.id}', '${attachment.id}')`,
    lock_member: `private.lock_member('${project}', '${owner.id}')`,
    last_subtask_position: `private.last_subtask_position('${project}', '${task.id}') > 1`,
    may_hold: `private.may_hold(
      jsonb_populate_record(null::public.custom_fields, '{"id": "${field.id}", "project_id": "${project}", "kind": "person"}'),
      '"${owner.id}"')`,
    task_with_address: `private.task_with_address('${project}', ${task.number}) is not null`,
  };
});

test.each(['lock_attachment', 'lock_member', 'last_subtask_position', 'may_hold', 'task_with_address'])(
  'private.%s tells members, and no outsider',
  async (name) => {
    const ask = async (who: TestUser) =>
      (await app.asUser<{ told: boolean }>(who.id, `select ${calls[name]} as told`))[0]?.told;
    expect([await ask(owner), await ask(outsider)]).toEqual([true, false]);
    const [service] = await app.asUser<{ told: boolean }>({ role: 'service_role' }, `select ${calls[name]} as told`);
    expect(service?.told).toBe(true);
  },
);
