// Undo and redo of every command against the real server: undo restores the rows exactly; redo with a lost answer, and undo again, do too. The app's
// own store, journal and transport, without its screens.

import { beforeAll, expect, test } from 'vitest';
import type { View } from '../../contract/views.ts';
import * as commands from '../../web/commands.ts';
import { type Door, Refusal } from '../../web/sync/door.ts';
import type { Mutation } from '../../web/sync/journal/entries.ts';
import { type Journal, openJournal } from '../../web/sync/journal/journal.ts';
import { resend } from '../../web/sync/journal/sending.ts';
import type { GroupOfProject, GroupPage } from '../../web/sync/procedures.ts';
import { fetchScope } from '../../web/sync/rows/scopes.ts';
import { Store } from '../../web/sync/rows/store.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { commandNames, commandsOf } from '../helpers/command-names.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeGroup } from '../sql/board.ts';

let ada: TestUser;
let bob: TestUser;
let cyd: TestUser;
let dee: TestUser;
/** In no project. */
let eve: TestUser;
let store: Store;
let journal: Journal;
/** Happens on the way back of the next answer, which is lost. */
let lose: (() => Promise<unknown>) | null = null;
/** Happens once, between the look at what is there and the write. */
let between: (() => Promise<unknown>) | null = null;
let projectId: string;
const ids: Record<string, string> = {};

/** What a project is, but for what nobody undoes: moments, history, and numbers once given. */
const picture = `
  select jsonb_build_object(
    'project', (select to_jsonb(p) - 'updated_at' - 'version' - 'task_counter' - 'archived_at' || jsonb_build_object('archived', archived_at is not null) from projects p where p.id = $1),
    'columns', (select jsonb_agg(jsonb_build_object('id', id, 'name', name, 'kind', kind, 'position', position, 'limit', wip_limit, 'needs', required_fields) order by id) from workflow_columns where project_id = $1),
    'tasks', (select jsonb_agg(jsonb_build_object('id', id, 'column', column_id, 'title', title, 'description', description, 'priority', priority,
      'parent', parent_id, 'part', subtask_position, 'place', (select count(*) from tasks o where o.column_id = t.column_id and o.order_rank < t.order_rank), 'start', start_date, 'due', due_date, 'estimate', estimate, 'done', completed_at is not null, 'archived', archived_at is not null) order by id) from tasks t where project_id = $1),
    'assignees', (select jsonb_agg(jsonb_build_array(task_id, user_id) order by task_id, user_id) from task_assignees where project_id = $1),
    'labels', (select jsonb_agg(jsonb_build_array(id, name, color) order by id) from task_labels where project_id = $1),
    'links', (select jsonb_agg(jsonb_build_array(task_id, label_id) order by task_id, label_id) from task_label_links where project_id = $1),
    'items', (select jsonb_agg(jsonb_build_array(id, task_id, title, is_done, position) order by id) from task_checklist_items where project_id = $1),
    'fields', (select jsonb_agg(jsonb_build_array(id, name, kind, options, unit, default_value, position) order by id) from custom_fields where project_id = $1),
    'values', (select jsonb_agg(jsonb_build_array(task_id, field_id, value) order by task_id, field_id) from task_field_values where project_id = $1),
    'grants', (select jsonb_agg(jsonb_build_array(task_id, user_id, group_id, is_named, level) order by task_id, user_id, group_id) from task_grants where project_id = $1),
    'dependencies', (select jsonb_agg(jsonb_build_array(predecessor_id, successor_id, lag_days) order by predecessor_id, successor_id) from task_dependencies where project_id = $1),
    'repeats', (select jsonb_agg(jsonb_build_array(id, task_id, rule, mode, starts_on, copies, paused_at is not null) order by id) from task_recurrences where project_id = $1),
    'reactions', (select jsonb_agg(jsonb_build_array(comment_id, user_id, emoji) order by comment_id, user_id, emoji) from comment_reactions where project_id = $1),
    'resolutions', (select jsonb_agg(comment_id order by comment_id) from comment_resolutions where project_id = $1),
    'comments', (select jsonb_agg(jsonb_build_array(id, task_id, author_id, body) order by id) from task_comments where project_id = $1),
    'members', (select jsonb_agg(jsonb_build_array(user_id, group_id, role, own_role) order by user_id, group_id) from project_members where project_id = $1),
    'groups', (select jsonb_agg(jsonb_build_array(id, name, description) order by id) from groups),
    'people of groups', (select jsonb_agg(jsonb_build_array(group_id, user_id, is_manager) order by group_id, user_id) from group_members),
    'invitations', (select jsonb_agg(jsonb_build_array(id, email, role, accepted_at, expires_at) order by id) from project_invitations where project_id = $1),
    'attachments', (select jsonb_agg(jsonb_build_array(id, task_id, name) order by id) from task_attachments where project_id = $1),
    'covers', (select jsonb_agg(jsonb_build_array(id, cover_attachment_id) order by id) from tasks where project_id = $1 and cover_attachment_id is not null),
    'watched', (select jsonb_agg(jsonb_build_array(task_id, is_watching) order by task_id) from task_watchers where project_id = $1 and user_id = $2),
    'watches', (select count(*) from project_watchers where project_id = $1 and user_id = $2),
    'inbox', (select jsonb_agg(jsonb_build_array(id, read_at is not null, done_at is not null, snoozed_until) order by id) from notifications where user_id = $2),
    'hears', (select jsonb_agg(jsonb_build_array(kind, inbox, mail, push) order by kind) from notification_settings where user_id = $2),
    'hears_at', (select daily_hour from notification_schedules where user_id = $2),
    'views', (select jsonb_agg(to_jsonb(v) - 'updated_at' - 'version' order by v.id) from saved_views v where v.project_id = $1),
    'first_views', (select jsonb_agg(jsonb_build_array(d.user_id, d.view_id) order by d.user_id) from view_defaults d where d.project_id = $1),
    'favorites', (select jsonb_agg(jsonb_build_array(f.view_id, f.position) order by f.view_id) from favorite_views f where f.user_id = $2),
    'templates', (select jsonb_agg(to_jsonb(m) - 'updated_at' - 'created_at' - 'version' order by m.id) from templates m where m.owner_id = $2 or m.project_id = $1),
    'profile', (select jsonb_build_array(display_name, avatar_url) from profiles where id = $2)
  ) as held`;
const held = async (): Promise<unknown> => (await app.sql<{ held: unknown }>(picture, [projectId, ada.id]))[0]?.held;

const app = forSuite(startApp);
beforeAll(async () => {
  [ada, bob, cyd] = await Promise.all([
    app.createUser({ name: 'Ada' }),
    app.createUser({ name: 'Bob' }),
    app.createUser({ name: 'Cyd' }),
  ]);
  const { data } = await ada.client.rpc('create_project_with_defaults', { name: 'Harbour' });
  projectId = data.id;
  await app.sql("insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')", [
    projectId,
    bob.id,
  ]);
  for (const { id, kind } of await app.sql<{ id: string; kind: string }>(
    'select id, kind::text from workflow_columns where project_id = $1',
    [projectId],
  ))
    ids[kind] = id;
  for (const title of ['one', 'two', 'three', 'four']) {
    const { data: task } = await ada.client
      .from('tasks')
      .insert({ project_id: projectId, column_id: ids.todo, title, description: '- [ ] Buy' })
      .select()
      .single();
    ids[title] = task.id;
  }
  const made = async (table: string, row: object): Promise<string> => {
    const { data: row_, error } = await ada.client
      .from(table)
      .insert({ project_id: projectId, ...row })
      .select()
      .single();
    expect(error).toBeNull();
    return row_.id;
  };
  ids.label = await made('task_labels', { name: 'Urgent', color: '#cc4a3d' });
  ids.item = await made('task_checklist_items', { task_id: ids.one, title: 'Buy paint' });
  ids.part = await made('tasks', { column_id: ids.todo, title: 'part', parent_id: ids.three });
  ids.field = await made('custom_fields', {
    name: 'Size',
    kind: 'select',
    options: [
      { id: 's', name: 'Small' },
      { id: 'l', name: 'Large' },
    ],
    default_value: 'l',
  });
  ids.repeat = await made('task_recurrences', { task_id: ids.one, rule: 'FREQ=DAILY', copies: ['labels'] });
  await ada.client.from('task_field_values').insert({ task_id: ids.one, field_id: ids.field, value: 's' });
  ids.comment = await made('task_comments', { task_id: ids.one, author_id: ada.id, body: 'Which red?' });
  ids.attachment = await made('task_attachments', {
    task_id: ids.one,
    name: 'crane.png',
    content_type: 'image/png',
    size_bytes: 5,
    object_path: `${projectId}/${ids.one}/crane.png`,
  });
  await made('task_dependencies', { predecessor_id: ids.one, successor_id: ids.two });
  await app.sql('insert into task_assignees (project_id, task_id, user_id) values ($1, $2, $3)', [
    projectId,
    ids.one,
    bob.id,
  ]);
  await app.sql('insert into task_label_links (project_id, task_id, label_id) values ($1, $2, $3)', [
    projectId,
    ids.one,
    ids.label,
  ]);
  await app.sql('update tasks set archived_at = now() where id = $1', [ids.four]);
  // Bob is no member of it.
  const { data: other } = await ada.client.rpc('create_project_with_defaults', { name: 'Lighthouse' });
  ids.other = other.id;

  await ada.client.rpc('invite_member', { project_id: projectId, email: 'cyd@example.test', role: 'viewer' });
  const invited = await app.sql<{ id: string }>('select id from project_invitations where project_id = $1', [
    projectId,
  ]);
  ids.invitation = invited[0]?.id ?? '';

  await bob.client.from('task_comments').insert({ task_id: ids.one, body: 'Blue.' });
  const [entry] = await app.sql<{ id: string }>('select id from notifications where user_id = $1', [ada.id]);
  ids.entry = entry?.id ?? '';
  ids.view = await made('saved_views', { name: 'Ours' });
  for (const [position, name] of ['favorite', 'another'].entries()) {
    ids[name] = await made('saved_views', { name });
    await ada.client.from('favorite_views').insert({ view_id: ids[name], position });
  }
  const { data: template } = await ada.client.rpc('save_task_as_template', { task_id: ids.three, name: 'Three' });
  ids.template = template.id;

  store = new Store();
  journal = openJournal({
    store,
    revert: commands.revert,
    async send(entry) {
      const watched = {
        ...entry,
        async send(door: Door) {
          const happens = between;
          between = null;
          await happens?.();
          return entry.send(door);
        },
      };
      const rows = await (entry.checksConflicts ? resend(ada.client, watched) : entry.send(ada.client));
      if (lose === null) return rows;
      await lose();
      lose = null;
      throw new Refusal('The answer was lost', '', 0);
    },
  });
  // At once, rather than after a while.
  journal.subscribe(({ kind }) => kind === 'offline' && queueMicrotask(journal.retry));
  await makeGroups();
  await fetchScope(ada.client, store, { kind: 'project', projectId });
  for (const kind of ['inbox', 'hearing', 'views', 'templates'] as const)
    await fetchScope(ada.client, store, { kind, userId: ada.id });
  for (const title of ['one', 'two', 'three', 'four', 'part'])
    await fetchScope(ada.client, store, { kind: 'task', projectId, taskId: ids[title] ?? '' });
});

const at = (name: string): string => ids[name] ?? '';

/** Dee is in the project by one of them alone. */
async function makeGroups(): Promise<void> {
  dee = await app.createUser({ name: 'Dee' });
  eve = await app.createUser({ name: 'Eve' });
  await ada.client.from('task_grants').insert({ task_id: ids.three, user_id: eve.id, level: 'comment' });
  for (const [name, person] of [
    ['crew', dee],
    ['spare', bob],
  ] as const) {
    ids[name] = await makeGroup(app, ada);
    await ada.client.from('group_members').insert({ group_id: ids[name], user_id: person.id });
  }
  await ada.client.from('project_members').insert({ project_id: projectId, group_id: ids.crew, role: 'viewer' });
  await ada.client.from('task_grants').insert({ task_id: ids.three, group_id: ids.crew, level: 'comment' });
  await fetchScope(ada.client, store, { kind: 'me', userId: ada.id });
  for (const name of ['crew', 'spare']) await knowGroup(at(name));
}

/** As its page does. */
async function knowGroup(group_id: string): Promise<void> {
  const [{ data: page }, { data: inProject }] = await Promise.all([
    ada.client.rpc('group_page', { group_id }),
    ada.client.rpc('project_groups', { project_id: projectId }),
  ]);
  const { name, description, source } = page;
  store.receive([
    { table: 'groups', row: { id: group_id, name, description, source } },
    ...(page as GroupPage).members.map(({ user_id, is_manager }) => ({
      table: 'group_members' as const,
      row: { group_id, user_id, is_manager },
    })),
    ...(inProject as readonly GroupOfProject[])
      .filter((one) => one.group_id === group_id)
      .flatMap(({ role }) =>
        role === null ? [] : [{ table: 'project_groups' as const, row: { project_id: projectId, group_id, role } }],
      ),
  ]);
}

const setField = (name: string, value: string | null) =>
  commands.setCells(store, [{ taskId: at(name), cell: { of: 'field', fieldId: at('field'), value } }]);
const fieldGrouping = () => `select_field.${at('field')}` as const;
const commentAt = () => ({ id: at('comment'), project_id: projectId, task_id: at('one') });

const late: View = {
  layout: 'list',
  filter: { all: [{ property: 'due_date', is: 'before', value: 'today' }] },
  grouping: 'assignee',
  lanes: null,
  sort: [{ by: 'due_date', descending: true }],
  shown: {},
};

/** One of each kind; those that are held back can only be undone before they are sent. */
const mutations: Record<string, () => Mutation> = {
  createTasks: () =>
    commands.createTasks(store, { projectId, columnId: at('backlog'), atTop: true }, [
      { title: 'seven', due: '2030-05-15', assignees: [bob.id], labels: [at('label')] },
      { title: 'eight', description: 'By crane' },
    ]),
  'createTasks, some of them subtasks': () =>
    commands.createTasks(store, { projectId, columnId: at('backlog') }, [
      { title: 'nine', labels: [at('label')], values: [{ fieldId: at('field'), value: 's' }] },
      { title: 'ten', parentId: at('two'), place: 1024, assignees: [bob.id] },
    ]),
  editTasks: () =>
    commands.editTasks(store, [at('one'), at('two')], {
      priority: 'p1',
      due_date: '2030-01-02',
      start_date: '2030-01-01',
      estimate: 2.5,
      description: 'Mind the step',
    }),
  'editTasks, one title': () => commands.editTasks(store, [at('one')], { title: 'uno' }),
  restoreDescription: () => commands.restoreDescription(store, at('two'), 'Mind the step'),
  'moveTask, within its column': () =>
    commands.moveTask(store, at('three'), { columnId: at('todo'), beforeId: at('one') }),
  'moveTask, to another': () => commands.moveTask(store, at('two'), { columnId: at('in_progress'), beforeId: null }),
  'moveTask, to done': () => commands.moveTask(store, at('one'), { columnId: at('done'), beforeId: null }),
  completeTasks: () => commands.completeTasks(store, [at('one'), at('two')], at('done')),
  moveTasks: () => commands.moveTasks(store, [at('one'), at('two'), at('three')], at('backlog')),
  dropTasks: () => commands.dropTasks(store, [at('three'), at('one')], { columnId: at('backlog'), beforeId: null }),
  sortColumn: () => commands.sortColumn(store, at('todo'), 'title'),
  archiveTasks: () => commands.archiveTasks(store, [at('one'), at('two')]),
  unarchiveTask: () => commands.unarchiveTask(store, at('four')),
  duplicateTasks: () => commands.duplicateTasks(store, [at('one'), at('two')]),
  duplicateTask: () => commands.duplicateTask(store, at('one')),
  moveTasksToProject: () =>
    commands.moveTasksToProject(store, [at('two'), at('one'), at('four')], { projectId: at('other'), columns: [] }),
  deleteTasks: () => commands.deleteTasks(store, [at('one'), at('two')]),
  assign: () => commands.assign(store, [at('two'), at('three')], ada.id),
  unassign: () => commands.unassign(store, [at('one')], bob.id),
  addLabel: () => commands.addLabel(store, [at('two'), at('three')], at('label')),
  removeLabel: () => commands.removeLabel(store, [at('one')], at('label')),
  addChecklistItems: () => commands.addChecklistItems(store, at('two'), ['Prime', 'Paint']),
  editChecklistItem: () =>
    commands.editChecklistItem(store, at('item'), { title: 'Buy red paint', is_done: true, position: 7 }),
  removeChecklistItem: () => commands.removeChecklistItem(store, at('item')),
  addSubtasks: () => commands.addSubtasks(store, at('two'), [{ title: 'Prime' }, { title: 'Paint' }]),
  'nestTasks, one in': () => commands.nestTasks(store, [at('two')], at('three'), 0),
  'nestTasks, one out': () => commands.nestTasks(store, [at('part')], null),
  'nestTasks, in': () => commands.nestTasks(store, [at('two'), at('part')], at('one')),
  'nestTasks, out': () => commands.nestTasks(store, [at('two'), at('part')], null),
  'archiveTasks, with a part': () => commands.archiveTasks(store, [at('three')]),
  'deleteTasks, with a part': () => commands.deleteTasks(store, [at('three')]),
  itemToTask: () => commands.itemToTask(store, at('item'), true),
  'itemToTask, beside it': () => commands.itemToTask(store, at('item'), false),
  taskToItem: () => commands.taskToItem(store, at('part')),
  addField: () => commands.addField(store, projectId, 'Colour', 'multi_select', ['Red', 'Blue']),
  editField: () =>
    commands.editField(store, at('field'), {
      name: 'Format',
      position: 7,
      default_value: null,
      options: [
        { id: 'l', name: 'Big', color: '#3b74d6' },
        { id: 's', name: 'Small' },
      ],
    }),
  deleteField: () => commands.deleteField(store, at('field')),
  deleteOption: () => commands.deleteOption(store, at('field'), 's'),
  'setCells, a field': () => setField('one', 'l'),
  'setCells, a field to nothing': () => setField('one', null),
  regroupTasks: () =>
    commands.regroupTasks(store, [at('one'), at('two')], {
      from: [
        { grouping: 'column', id: at('todo') },
        { grouping: fieldGrouping(), id: 's' },
      ],
      to: [
        { grouping: 'column', id: at('done') },
        { grouping: fieldGrouping(), id: 'l' },
      ],
      beforeId: null,
      name: 'Done',
    }),
  'regroupTasks, to a parent': () =>
    commands.regroupTasks(store, [at('part'), at('two')], {
      from: [{ grouping: 'parent', id: '' }],
      to: [{ grouping: 'parent', id: at('one') }],
      beforeId: undefined,
      name: 'One',
    }),
  'regroupTasks, to nobody': () =>
    commands.regroupTasks(store, [at('one'), at('two')], {
      from: [
        { grouping: 'assignee', id: ada.id },
        { grouping: 'priority', id: 'p2' },
      ],
      to: [
        { grouping: 'assignee', id: '' },
        { grouping: 'priority', id: 'p0' },
      ],
      beforeId: undefined,
      name: 'Nobody',
    }),
  'setCells, a field for the first time': () => setField('two', 's'),
  setCells: () =>
    commands.setCells(
      store,
      ['one', 'two', 'three'].flatMap((name) => [
        { taskId: at(name), cell: { of: 'column' as const, columnId: at('todo') } },
        { taskId: at(name), cell: { of: 'task' as const, patch: { title: `${name}!` } } },
        { taskId: at(name), cell: { of: 'task' as const, patch: { priority: 'p0' as const } } },
        { taskId: at(name), cell: { of: 'people' as const, ids: name === 'one' ? [] : [bob.id] } },
        { taskId: at(name), cell: { of: 'labels' as const, ids: name === 'one' ? [] : [at('label')] } },
        { taskId: at(name), cell: { of: 'field' as const, fieldId: at('field'), value: name === 'one' ? null : 'l' } },
      ]),
    ),
  'repeatTasks, one': () => commands.repeatTasks(store, [at('two')], 'FREQ=WEEKLY', 'calendar', '2026-11-23'),
  repeatTasks: () =>
    commands.repeatTasks(store, [at('one'), at('two'), at('three')], 'FREQ=WEEKLY', 'calendar', '2026-11-23'),
  editRepeat: () =>
    commands.editRepeat(store, at('repeat'), { rule: 'FREQ=YEARLY', mode: 'after_completion', copies: [] }),
  stopRepeating: () => commands.stopRepeating(store, at('repeat')),
  'linkManyTasks, one': () => commands.linkManyTasks(store, [at('three')], 'blocked_by', at('two')),
  'linkManyTasks, before': () => commands.linkManyTasks(store, [at('two'), at('three')], 'blocked_by', at('four')),
  'linkManyTasks, after': () => commands.linkManyTasks(store, [at('two'), at('three')], 'blocks', at('four')),
  unlinkTasks: () => commands.unlinkTasks(store, at('one'), at('two')),
  setLag: () => commands.setLag(store, store.where('task_dependencies', 'successor_id', at('two'))[0]?.id ?? '', 3),
  planTasks: () =>
    commands.planTasks(store, [
      { id: at('one'), dates: { start_date: '2030-05-06', due_date: '2030-05-10' } },
      { id: at('two'), dates: { due_date: '2030-05-14' } },
    ]),
  tickBox: () =>
    commands.tickBox(store, {
      table: 'tasks',
      id: at('one'),
      line: '- [ ] Buy',
      changed: '- [x] Buy',
      nth: 0,
      words: 'Buy',
      done: true,
    }),
  addComment: () => commands.addComment(store, at('two'), ada.id, 'Later'),
  react: () => commands.react(store, commentAt(), ada.id, '🎉', true),
  resolveThread: () => commands.resolveThread(store, commentAt(), ada.id, true),
  editComment: () => commands.editComment(store, at('comment'), 'Which blue?'),
  deleteComment: () => commands.deleteComment(store, at('comment')),
  deleteProject: () => commands.deleteProject(store, projectId),
  editProject: () =>
    commands.editProject(store, projectId, {
      name: 'Quay',
      key: 'QUAY',
      description: 'Old',
      color: '#3b74d6',
      enforce_dependencies: false,
      parents_wait_for_subtasks: true,
      viewers_may_comment: true,
    }),
  archiveProject: () => commands.archiveProject(store, projectId),
  addColumn: () => commands.addColumn(store, projectId, 'Review'),
  editColumn: () =>
    commands.editColumn(store, at('todo'), {
      name: 'Next',
      kind: 'custom',
      position: 9,
      wip_limit: 2,
      required_fields: [at('field')],
    }),
  removeColumn: () => commands.removeColumn(store, at('done')),
  createLabel: () => commands.createLabel(store, projectId, 'Later', '#3b74d6'),
  editLabel: () => commands.editLabel(store, at('label'), { name: 'Soon', color: '#4b913f' }),
  deleteLabel: () => commands.deleteLabel(store, at('label')),
  addToProject: () => commands.addToProject(store, projectId, { userIds: [cyd.id], groupIds: [at('spare')] }, 'viewer'),
  setRole: () => commands.setRole(store, projectId, bob.id, 'viewer'),
  removeMember: () => commands.removeMember(store, projectId, bob.id),
  setOwnRole: () => commands.setOwnRole(store, projectId, dee.id, 'editor'),
  setRoleOfGroup: () => commands.setRoleOfGroup(store, projectId, at('crew'), 'editor'),
  removeGroupFromProject: () => commands.removeGroupFromProject(store, projectId, at('crew')),
  editGroup: () => commands.editGroup(store, at('crew'), { name: 'Hands', description: 'All of them' }),
  addToGroup: () => commands.addToGroup(store, at('crew'), [cyd.id]),
  removeFromGroup: () => commands.removeFromGroup(store, at('crew'), dee.id, 'Dee'),
  leaveGroup: () => commands.leaveGroup(store, at('spare'), ada.id),
  setGroupManager: () => commands.setGroupManager(store, at('crew'), dee.id, true, 'Dee'),
  deleteGroup: () => commands.deleteGroup(store, at('spare')),
  revokeInvitation: () => commands.revokeInvitation(store, at('invitation')),
  removeAttachment: () => commands.removeAttachment(store, at('attachment')),
  setCover: () => commands.setCover(store, at('one'), at('attachment')),
  markDone: () => commands.markDone(store, [at('entry')]),
  snooze: () => commands.snooze(store, [at('entry')], '2030-01-01T08:00:00+00:00'),
  restrictTask: () => commands.restrictTask(store, at('one'), ada.id, true),
  nameForTask: () => commands.nameForTask(store, at('one'), bob.id, true),
  shareTask: () => commands.shareTask(store, at('one'), eve.id, 'comment'),
  'shareTask, no longer': () => commands.shareTask(store, at('three'), eve.id, null),
  shareTaskWithGroup: () => commands.shareTaskWithGroup(store, at('one'), at('spare'), 'comment'),
  'shareTaskWithGroup, no longer': () => commands.shareTaskWithGroup(store, at('three'), at('crew'), null),
  watchTask: () => commands.watchTask(store, { id: at('one'), project_id: projectId }, ada.id, false),
  watchProject: () => commands.watchProject(store, projectId, ada.id, true),
  chooseNotifications: () =>
    commands.chooseNotifications(store, ada.id, null, 'commented', { inbox: true, mail: 'off', push: false }),
  scheduleNotifications: () => commands.scheduleNotifications(store, ada.id, { daily_hour: 6 }),
  saveView: () => commands.saveView(store, { projectId, ownerId: ada.id, name: 'Late', isShared: true, view: late }),
  editView: () => commands.editView(store, at('view'), { name: 'Late ones', is_shared: true, position: 7, view: late }),
  chooseFirstView: () => commands.chooseFirstView(store, projectId, ada.id, at('view')),
  'chooseFirstView, for everybody': () => commands.chooseFirstView(store, projectId, null, at('view')),
  favorView: () => commands.favorView(store, ada.id, at('view'), true),
  'favorView, no longer': () => commands.favorView(store, ada.id, at('favorite'), false),
  moveFavorite: () => commands.moveFavorite(store, ada.id, at('favorite'), 1),
  saveTaskTemplate: () =>
    commands.saveTaskTemplate(store, { of: at('one'), userId: ada.id, name: 'One', projectId: null }),
  'saveTaskTemplate, shared': () =>
    commands.saveTaskTemplate(store, { of: at('one'), userId: ada.id, name: 'One', projectId }),
  saveProjectTemplate: () =>
    commands.saveProjectTemplate(store, { of: projectId, userId: ada.id, name: 'All', projectId: null }, true),
  editTemplate: () => commands.editTemplate(store, at('template'), { name: 'Third' }),
  deleteTemplate: () => commands.deleteTemplate(store, at('template')),
  createFromTemplate: () =>
    commands.createFromTemplate(store, {
      templateId: at('template'),
      projectId,
      columnId: at('backlog'),
      title: 'Another three',
      day: '2030-05-15',
      priority: 'p0',
      due: '2030-05-20',
      atTop: true,
      assignees: [ada.id],
      needs: [{ name: 'Made for it', color: null }],
    }),
  deleteView: () => commands.deleteView(store, at('view')),
  editProfile: () =>
    commands.editProfile(store, ada.id, { display_name: 'Ada King', avatar_url: 'https://example.test/ada.png' }),
  renameServiceAccount: () => commands.renameServiceAccount(store, ada.id, 'Ada Bot'),
  // Last: until then all others work on a project that is not archived.
  unarchiveProject: () => commands.unarchiveProject(store, projectId),
};

/** What a command needs to find. */
const prepare: Record<string, () => Promise<void>> = {
  unarchiveProject: async () => {
    await app.sql('update projects set archived_at = now() where id = $1', [projectId]);
    await fetchScope(ada.client, store, { kind: 'me', userId: ada.id });
  },
};

test('no command is left out', () => {
  // Another command is their way back.
  const without = ['addAttachment', 'markRead'];
  expect([...commandsOf(mutations), ...without].sort()).toEqual(commandNames());
});

test('an answer is lost, and someone else writes meanwhile: what they wrote stays, and it is said', async () => {
  const two = [at('two')];
  const isOvertaken = { code: 'KB017', message: 'Someone else has changed it since' };
  lose = () => app.sql("update tasks set title = 'deux' where id = $1", two);
  await expect(journal.run(commands.editTasks(store, two, { title: 'dos' }))).rejects.toMatchObject(isOvertaken);
  expect(await app.sql('select title from tasks where id = $1', two)).toEqual([{ title: 'deux' }]);
  // A value that was not there before.
  lose = () => app.sql(`update task_field_values set value = '"l"' where task_id = $1`, two);
  await expect(journal.run(setField('two', 's'))).rejects.toMatchObject(isOvertaken);
  expect(await app.sql('delete from task_field_values where task_id = $1 returning value', two)).toEqual([
    { value: 'l' },
  ]);
  // After an undo, and after a move.
  await journal.run(commands.editTasks(store, two, { priority: 'p0' }));
  lose = () => app.sql("update tasks set priority = 'p1' where id = $1", two);
  const refusals: unknown[] = [];
  const deaf = journal.subscribe((news) => news.kind === 'refused' && refusals.push(news.reason));
  journal.undo();
  await new Promise<void>((resolve) => journal.subscribe(({ kind }) => kind === 'refused' && resolve()));
  deaf();
  expect(refusals).toMatchObject([isOvertaken]);
  expect(await app.sql('select priority from tasks where id = $1', two)).toEqual([{ priority: 'p1' }]);
  lose = () => app.sql('update tasks set column_id = $2 where id = $1', [at('two'), at('backlog')]);
  const move = commands.moveTask(store, at('two'), { columnId: at('in_progress'), beforeId: null });
  await expect(journal.run(move)).rejects.toMatchObject(isOvertaken);
  expect(await app.sql('select column_id from tasks where id = $1', two)).toEqual([{ column_id: at('backlog') }]);
  await fetchScope(ada.client, store, { kind: 'project', projectId });
  await journal.run(commands.moveTask(store, at('two'), { columnId: at('todo'), beforeId: null }));
  // What they changed is something else.
  lose = () => app.sql("update tasks set title = 'two' where id = $1", two);
  await journal.run(commands.editTasks(store, two, { estimate: 5 }));
  expect(await app.sql('select title, estimate::int from tasks where id = $1', two)).toEqual([
    { title: 'two', estimate: 5 },
  ]);
});

test('someone else writes between the look and the write that is sent again: what they wrote stays', async () => {
  const two = [at('two')];
  lose = () => app.sql("update tasks set title = 'two' where id = $1", two);
  between = () => app.sql("update tasks set title = 'deux' where id = $1", two);
  const renamed = journal.run(commands.editTasks(store, two, { title: 'dos' }));
  await expect(renamed).rejects.toMatchObject({ code: 'KB017' });
  expect(between).toBeNull();
  expect(await app.sql('select title from tasks where id = $1', two)).toEqual([{ title: 'deux' }]);
  // Another column: it is compared anew, and written.
  lose = () => app.sql("update tasks set title = 'two' where id = $1", two);
  between = () => app.sql('update tasks set estimate = 8 where id = $1', two);
  await journal.run(commands.editTasks(store, two, { priority: 'p0' }));
  expect(await app.sql('select priority, estimate::int from tasks where id = $1', two)).toEqual([
    { priority: 'p0', estimate: 8 },
  ]);
  await app.sql("update tasks set title = 'two', priority = 'p2', estimate = 5 where id = $1", two);
  await fetchScope(ada.client, store, { kind: 'project', projectId });
});

test.each(Object.entries(mutations))('%s', async (name, make) => {
  await prepare[name]?.();
  const before = await held();
  const refusals: string[] = [];
  const deaf = journal.subscribe((news) => {
    if (news.kind === 'refused') refusals.push(news.reason.message);
  });
  /** Until the server has said yes to all that was sent; what is held back stays so. */
  const arrived = async (mutation: Mutation): Promise<void> => {
    if (mutation.delay !== undefined) return;
    if (lose !== null)
      await new Promise<void>((resolve) => {
        const stop = journal.subscribe(({ kind }) => {
          if (kind !== 'online') return;
          stop();
          resolve();
        });
      });
    await journal.idle();
  };
  const mutation = make();
  expect(mutation.apply(store).length).toBeGreaterThan(0);
  void journal.run(mutation).catch(() => undefined);
  await arrived(mutation);
  if (mutation.delay === undefined) expect(await held()).not.toEqual(before);
  for (const again of [false, true]) {
    if (again) {
      if (mutation.delay === undefined) lose = async () => undefined;
      journal.redo();
      await arrived(mutation);
    }
    journal.undo();
    await journal.idle();
    expect(refusals).toEqual([]);
    expect(await held()).toEqual(before);
  }
  deaf();
});

test('a project is deleted with all that is in it, here and on the server', async () => {
  const { data: made } = await ada.client.rpc('create_project_with_defaults', { name: 'Brief' });
  await fetchScope(ada.client, store, { kind: 'me', userId: ada.id });
  await journal.run(commands.deleteProject(store, made.id));
  expect(store.get('projects', made.id)).toBeUndefined();
  expect(await app.sql('select from project_members where project_id = $1', [made.id])).toEqual([]);
});
