// Every command, then its reverse, is the identity: on the store, whatever the store holds and whatever is asked.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { plainView } from '../contract/view-address.ts';
import { commandNames, commandsOf } from '../test/helpers/command-names.ts';
import { taskRow } from '../test/helpers/task-row.ts';
import { restore } from './commands/command-registry.ts';
import type { BoardPlace } from './commands/regroup-commands.ts';
import { changesOf } from './commands/revert.ts';
import {
  addAttachment,
  addChecklistItems,
  addColumn,
  addComment,
  addField,
  addLabel,
  addSubtasks,
  addToGroup,
  addToProject,
  archiveProject,
  archiveTasks,
  assign,
  chooseFirstView,
  chooseNotifications,
  completeTasks,
  createFromTemplate,
  createLabel,
  createTasks,
  deleteComment,
  deleteField,
  deleteGroup,
  deleteLabel,
  deleteOption,
  deleteProject,
  deleteTasks,
  deleteTemplate,
  deleteView,
  dropTasks,
  duplicateTask,
  duplicateTasks,
  editChecklistItem,
  editColumn,
  editComment,
  editField,
  editGroup,
  editLabel,
  editProfile,
  editProject,
  editRepeat,
  editTasks,
  editTemplate,
  editView,
  favorView,
  itemToTask,
  leaveGroup,
  linkManyTasks,
  markDone,
  markRead,
  moveFavorite,
  moveTask,
  moveTasks,
  moveTasksToProject,
  nameForTask,
  nestTasks,
  planTasks,
  react,
  regroupTasks,
  removeAttachment,
  removeChecklistItem,
  removeColumn,
  removeFromGroup,
  removeGroupFromProject,
  removeLabel,
  removeMember,
  renameServiceAccount,
  repeatTasks,
  resolveThread,
  restoreDescription,
  restrictTask,
  revokeInvitation,
  saveProjectTemplate,
  saveTaskTemplate,
  saveView,
  scheduleNotifications,
  setCells,
  setCover,
  setGroupManager,
  setLag,
  setOwnRole,
  setRole,
  setRoleOfGroup,
  shareTask,
  shareTaskWithGroup,
  snooze,
  sortColumn,
  stopRepeating,
  taskToItem,
  tickBox,
  unarchiveProject,
  unarchiveTask,
  unassign,
  unlinkTasks,
  watchProject,
  watchTask,
} from './commands.ts';
import { readColumnTasks } from './queries.ts';
import type { Door } from './sync/door.ts';
import type { Mutation } from './sync/journal/entries.ts';
import type { Change } from './sync/procedures.ts';
import { reverse, rowKey } from './sync/rows/diff.ts';
import { keyOf, type Priority, type Role, tableNames } from './sync/rows/rows.ts';
import { type RowChange, Store } from './sync/rows/store.ts';

afterEach(() => void vi.useRealTimers());

const columns = ['backlog', 'todo', 'doing', 'done'] as const;
const people = ['ada', 'bob', 'cyd'] as const;
const taskIds = ['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7'] as const;

const attachment = {
  id: 'f1',
  project_id: 'p',
  task_id: 't1',
  name: 'a.png',
  content_type: 'image/png',
  size_bytes: 5,
  object_path: 'p/t1/a.png',
};

function fieldRows(): RowChange[] {
  return [
    {
      table: 'custom_fields',
      row: {
        id: 'f',
        project_id: 'p',
        name: 'Size',
        kind: 'select',
        options: [
          { id: 's', name: 'Small' },
          { id: 'l', name: 'Large' },
        ],
        unit: null,
        default_value: null,
        position: 1,
      },
    },
    {
      table: 'task_recurrences',
      row: {
        id: 'r',
        project_id: 'p',
        task_id: 't1',
        rule: 'FREQ=DAILY',
        mode: 'calendar',
        time_zone: 'UTC',
        starts_on: '2026-11-23',
        copies: ['labels'],
        column_id: null,
        paused_at: null,
        next_on: '2026-11-24',
        is_over: false,
      },
    },
    { table: 'task_field_values', row: { project_id: 'p', task_id: 't1', field_id: 'f', value: 's' } },
  ];
}

function groupRows(): RowChange[] {
  return [
    ...(['crew', 'spare'] as const).flatMap((id) => [
      { table: 'groups' as const, row: { id, name: id, description: '', source: 'hand' } },
      { table: 'group_members' as const, row: { group_id: id, user_id: 'ada', is_manager: true } },
    ]),
    { table: 'project_groups', row: { project_id: 'p', group_id: 'crew', role: 'viewer' } },
  ];
}

function fill(): Store {
  const store = new Store();
  store.receive([
    {
      table: 'projects',
      row: {
        id: 'p',
        name: 'P',
        key: 'PP',
        description: '',
        color: null,
        archived_at: null,
        enforce_dependencies: true,
      },
    },
    ...columns.map((id, at) => ({
      table: 'workflow_columns' as const,
      row: {
        id,
        project_id: 'p',
        name: id,
        kind: id === 'done' ? ('done' as const) : ('todo' as const),
        position: at,
        wip_limit: null,
        color: null,
      },
    })),
    ...people.flatMap((id) => [
      { table: 'profiles' as const, row: { id, display_name: id, avatar_url: null } },
      {
        table: 'project_members' as const,
        row: { project_id: 'p', user_id: id, role: 'editor' as const, created_at: '' },
      },
    ]),
    ...taskIds.map((id, at) => ({
      table: 'tasks' as const,
      row: taskRow(id, {
        column_id: columns[at % 3] ?? 'todo',
        number: at + 1,
        order_rank: `a${at}`,
        description: '',
        // t5 and t6 are parts of t4, t7 of t6.
        parent_id: at === 7 ? 't6' : at > 4 ? 't4' : null,
        subtask_position: at > 4 ? at : null,
      }),
    })),
    { table: 'task_labels', row: { id: 'l1', project_id: 'p', name: 'Bug', color: null } },
    { table: 'task_label_links', row: { project_id: 'p', task_id: 't1', label_id: 'l1' } },
    { table: 'task_assignees', row: { project_id: 'p', task_id: 't1', user_id: 'ada' } },
    {
      table: 'task_checklist_items',
      row: { id: 'i1', project_id: 'p', task_id: 't1', title: 'x', is_done: false, position: 1 },
    },
    {
      table: 'task_comments',
      row: { id: 'c1', project_id: 'p', task_id: 't1', author_id: 'ada', body: 'hi', created_at: '' },
    },
    {
      table: 'task_dependencies',
      row: { id: 'd1', project_id: 'p', predecessor_id: 't0', successor_id: 't1', type: 'FS', lag_days: 0 },
    },
    {
      table: 'project_invitations',
      row: { id: 'v1', project_id: 'p', email: 'x@example.test', role: 'viewer', accepted_at: null },
    },
    { table: 'task_attachments', row: { ...attachment, uploaded_by: 'ada', created_at: '' } },
    {
      table: 'notifications',
      row: {
        id: 'n1',
        user_id: 'ada',
        kind: 'assigned',
        project_id: 'p',
        task_id: 't1',
        actor_id: 'bob',
        data: {},
        read_at: null,
        snoozed_until: null,
        done_at: null,
        created_at: '',
      },
    },
    { table: 'task_watchers', row: { project_id: 'p', task_id: 't1', user_id: 'ada', is_watching: true } },
    {
      table: 'saved_views',
      row: {
        id: 'w1',
        project_id: 'p',
        owner_id: 'ada',
        name: 'Mine',
        filter: {},
        is_shared: false,
        layout: 'board',
        grouping: 'column',
        lanes: null,
        sort: [],
        shown: {},
        position: 1,
      },
    },
    {
      table: 'templates',
      row: {
        id: 'm1',
        project_id: null,
        owner_id: 'ada',
        built_in: null,
        language: null,
        kind: 'task',
        name: 'Bug',
        description: '',
        holds: {},
      },
    },
    { table: 'favorite_views', row: { user_id: 'ada', view_id: 'w1', position: 1024 } },
    { table: 'view_defaults', row: { id: 'd1', project_id: 'p', user_id: 'ada', view_id: 'w1' } },
  ]);
  store.receive([...fieldRows(), ...groupRows()]);
  return store;
}

const id = fc.constantFrom(...taskIds);
const ids = fc.uniqueArray(id, { minLength: 1 });
const column = fc.constantFrom(...columns);
const person = fc.constantFrom(...people);
const words = fc.string({ minLength: 1, maxLength: 20 });

const comment = { id: 'c1', project_id: 'p', task_id: 't1' };

const mutations: Record<string, fc.Arbitrary<(store: Store) => Mutation>> = {
  createTasks: fc.tuple(column, fc.array(words, { maxLength: 3 })).map(
    ([columnId, titles]) =>
      (store: Store) =>
        createTasks(
          store,
          { projectId: 'p', columnId },
          titles.map((title) => ({ title })),
        ),
  ),
  editTasks: fc
    .tuple(
      ids,
      fc.record(
        {
          title: words,
          priority: fc.constantFrom<Priority>('p0', 'p1', 'p2'),
          due_date: fc.option(fc.constant('2026-01-02')),
        },
        { requiredKeys: [] },
      ),
    )
    .map(
      ([some, patch]) =>
        (store) =>
          editTasks(store, some, patch),
    ),
  moveTask: fc.tuple(id, column, fc.option(id)).map(
    ([task, columnId, beforeId]) =>
      (store) =>
        moveTask(store, task, { columnId, beforeId }),
  ),
  completeTasks: fc.tuple(ids, column).map(
    ([task, columnId]) =>
      (store) =>
        completeTasks(store, task, columnId),
  ),
  moveTasks: fc.tuple(ids, column).map(
    ([some, columnId]) =>
      (store) =>
        moveTasks(store, some, columnId),
  ),
  moveTasksToProject: ids.map(
    (some) => (store) => moveTasksToProject(store, some, { projectId: 'q', columns: [{ from: 'todo', to: 'later' }] }),
  ),
  dropTasks: fc.tuple(ids, column, fc.option(id)).map(
    ([some, columnId, beforeId]) =>
      (store) =>
        dropTasks(store, some, { columnId, beforeId }),
  ),
  regroupTasks: fc
    .tuple(
      ids,
      fc.option(id),
      column,
      fc.constantFrom<BoardPlace>(
        { grouping: 'assignee', id: 'bob' },
        { grouping: 'assignee', id: '' },
        { grouping: 'priority', id: 'p0' },
        { grouping: 'parent', id: 't7' },
      ),
    )
    .map(
      ([some, beforeId, columnId, to]) =>
        (store) =>
          regroupTasks(store, some, {
            from: [
              { grouping: 'column', id: 'todo' },
              { grouping: to.grouping, id: 'ada' },
            ],
            to: [{ grouping: 'column', id: columnId }, to],
            beforeId,
            name: 'There',
          }),
    ),
  sortColumn: column.map((columnId) => (store: Store) => sortColumn(store, columnId, 'title')),
  restoreDescription: fc.tuple(id, words).map(
    ([task, description]) =>
      (store) =>
        restoreDescription(store, task, description),
  ),
  archiveTasks: ids.map((some) => (store) => archiveTasks(store, some)),
  unarchiveTask: id.map((task) => (store) => unarchiveTask(store, task)),
  deleteTasks: ids.map((some) => (store) => deleteTasks(store, some)),
  duplicateTasks: ids.map((some) => (store) => duplicateTasks(store, some)),
  duplicateTask: id.map((task) => (store) => duplicateTask(store, task)),
  assign: fc.tuple(ids, person).map(
    ([some, who]) =>
      (store) =>
        assign(store, some, who),
  ),
  unassign: fc.tuple(ids, person).map(
    ([some, who]) =>
      (store) =>
        unassign(store, some, who),
  ),
  addLabel: ids.map((some) => (store) => addLabel(store, some, 'l1')),
  removeLabel: ids.map((some) => (store) => removeLabel(store, some, 'l1')),
  addChecklistItems: fc.tuple(id, words).map(
    ([task, title]) =>
      (store) =>
        addChecklistItems(store, task, [title]),
  ),
  editChecklistItem: fc.boolean().map((is_done) => (store) => editChecklistItem(store, 'i1', { is_done, position: 7 })),
  removeChecklistItem: fc.constant((store: Store) => removeChecklistItem(store, 'i1')),
  addSubtasks: fc.tuple(id, words).map(
    ([task, title]) =>
      (store) =>
        addSubtasks(store, task, [{ title }, { title: `${title} again` }]),
  ),
  nestTasks: fc.tuple(id, id, fc.option(id), fc.option(fc.nat(3), { nil: undefined })).map(
    ([one, other, parent, index]) =>
      (store) =>
        nestTasks(store, [...new Set([one, other])], parent, index),
  ),
  itemToTask: fc.boolean().map((asSubtask) => (store) => itemToTask(store, 'i1', asSubtask)),
  taskToItem: id.map((task) => (store) => taskToItem(store, task)),
  linkManyTasks: fc.tuple(id, id, id, fc.constantFrom('blocked_by' as const, 'blocks' as const)).map(
    ([one, other, third, relation]) =>
      (store) =>
        linkManyTasks(store, [...new Set([one, other])], relation, third),
  ),
  unlinkTasks: fc.constant((store: Store) => unlinkTasks(store, 't0', 't1')),
  setLag: fc.integer({ min: -9, max: 9 }).map((days) => (store) => setLag(store, 'd1', days)),
  planTasks: fc.tuple(id, id, fc.constantFrom('2030-05-15', null)).map(
    ([one, other, day]) =>
      (store) =>
        planTasks(store, [
          { id: one, dates: { start_date: day } },
          ...(other === one ? [] : [{ id: other, dates: { start_date: day, due_date: day } }]),
        ]),
  ),
  addComment: fc.tuple(id, words).map(
    ([task, body]) =>
      (store) =>
        addComment(store, task, 'ada', body),
  ),
  tickBox: fc
    .boolean()
    .map(
      (done) => (store) =>
        tickBox(store, { table: 'task_comments', id: 'c1', line: 'hi', changed: 'ho', nth: 0, words: 'x', done }),
    ),
  react: fc.boolean().map((reacts) => (store) => react(store, comment, 'ada', '👍', reacts)),
  resolveThread: fc.boolean().map((resolved) => (store) => resolveThread(store, comment, 'ada', resolved)),
  editComment: words.map((body) => (store) => editComment(store, 'c1', body)),
  deleteComment: fc.constant((store: Store) => deleteComment(store, 'c1')),
  editProject: words.map((name) => (store) => editProject(store, 'p', { name })),
  archiveProject: fc.constant((store: Store) => archiveProject(store, 'p')),
  unarchiveProject: fc.constant((store: Store) => unarchiveProject(store, 'p')),
  deleteProject: fc.constant((store: Store) => deleteProject(store, 'p')),
  addColumn: words.map((name) => (store) => addColumn(store, 'p', name)),
  editColumn: fc.tuple(column, fc.option(fc.nat())).map(
    ([one, wip_limit]) =>
      (store) =>
        editColumn(store, one, { wip_limit }),
  ),
  removeColumn: column.map((one) => (store) => removeColumn(store, one)),
  createLabel: words.map((name) => (store) => createLabel(store, 'p', name, '#112233')),
  editLabel: words.map((name) => (store) => editLabel(store, 'l1', { name })),
  deleteLabel: fc.constant((store: Store) => deleteLabel(store, 'l1')),
  addField: words.map((name) => (store) => addField(store, 'p', name, 'select', ['One', 'Other'])),
  editField: words.map((name) => (store) => editField(store, 'f', { name, default_value: 's' })),
  deleteField: fc.constant((store: Store) => deleteField(store, 'f')),
  deleteOption: fc.constant((store: Store) => deleteOption(store, 'f', 's')),
  setCells: fc.tuple(fc.uniqueArray(id, { minLength: 1 }), column, words, fc.option(fc.constantFrom('s', 'l'))).map(
    ([tasks, columnId, title, value]) =>
      (store) =>
        setCells(
          store,
          tasks.flatMap((taskId) => [
            { taskId, cell: { of: 'column' as const, columnId } },
            { taskId, cell: { of: 'task' as const, patch: { title } } },
            { taskId, cell: { of: 'task' as const, patch: { estimate: title.length } } },
            { taskId, cell: { of: 'people' as const, ids: value === null ? [] : ['ada', 'cyd'] } },
            { taskId, cell: { of: 'labels' as const, ids: value === null ? [] : ['l1'] } },
            { taskId, cell: { of: 'field' as const, fieldId: 'f', value } },
          ]),
        ),
  ),
  repeatTasks: fc.tuple(id, id).map(
    ([one, other]) =>
      (store) =>
        repeatTasks(store, [...new Set([one, other])], 'FREQ=WEEKLY', 'calendar', '2026-11-23'),
  ),
  editRepeat: fc.constant((store: Store) => editRepeat(store, 'r', { rule: 'FREQ=WEEKLY', mode: 'after_completion' })),
  stopRepeating: fc.constant((store: Store) => stopRepeating(store, 'r')),
  addToProject: fc
    .constantFrom<Role>('owner', 'editor', 'viewer')
    .map((role) => (store) => addToProject(store, 'p', { userIds: ['fay'], groupIds: ['spare'] }, role)),
  setRole: fc.tuple(person, fc.constantFrom<Role>('owner', 'editor', 'viewer')).map(
    ([who, role]) =>
      (store) =>
        setRole(store, 'p', who, role),
  ),
  setOwnRole: fc.tuple(person, fc.option(fc.constantFrom<Role>('owner', 'editor', 'viewer'))).map(
    ([who, role]) =>
      (store) =>
        setOwnRole(store, 'p', who, role),
  ),
  setRoleOfGroup: fc
    .constantFrom<Role>('owner', 'editor', 'viewer')
    .map((role) => (store) => setRoleOfGroup(store, 'p', 'crew', role)),
  removeGroupFromProject: fc.constant((store) => removeGroupFromProject(store, 'p', 'crew')),
  editGroup: words.map((name) => (store) => editGroup(store, 'crew', { name, description: name })),
  deleteGroup: fc.constantFrom('crew', 'spare').map((group) => (store) => deleteGroup(store, group)),
  addToGroup: fc.constant((store) => addToGroup(store, 'crew', ['bob', 'cyd'])),
  removeFromGroup: fc.constant((store) => removeFromGroup(store, 'crew', 'ada', 'Ada')),
  leaveGroup: fc.constant((store) => leaveGroup(store, 'spare', 'ada')),
  setGroupManager: fc.boolean().map((manages) => (store) => setGroupManager(store, 'crew', 'ada', manages, 'Ada')),
  removeMember: person.map((who) => (store) => removeMember(store, 'p', who)),
  revokeInvitation: fc.constant((store: Store) => revokeInvitation(store, 'v1')),
  addAttachment: words.map((id) => (store) => addAttachment(store, { ...attachment, id }, 'ada')),
  removeAttachment: fc.constant((store: Store) => removeAttachment(store, 'f1')),
  setCover: fc.option(fc.constant('f1')).map((attachmentId) => (store) => setCover(store, 't1', attachmentId)),
  markRead: fc.boolean().map((read) => (store) => markRead(store, ['n1'], read)),
  markDone: fc.constant((store: Store) => markDone(store, ['n1'])),
  snooze: fc.constant((store: Store) => snooze(store, ['n1'], '2030-01-01T08:00:00Z')),
  restrictTask: fc.tuple(id, fc.boolean()).map(
    ([task, is]) =>
      (store) =>
        restrictTask(store, task, 'ada', is),
  ),
  shareTask: fc.tuple(id, fc.constantFrom('see' as const, 'comment' as const, 'edit' as const, null)).map(
    ([task, level]) =>
      (store) =>
        shareTask(store, task, 'bob', level),
  ),
  shareTaskWithGroup: fc.tuple(id, fc.constantFrom('see' as const, 'edit' as const, null)).map(
    ([task, level]) =>
      (store) =>
        shareTaskWithGroup(store, task, 'crew', level),
  ),
  nameForTask: fc.tuple(id, fc.boolean()).map(
    ([task, is]) =>
      (store) =>
        nameForTask(store, task, 'bob', is),
  ),
  watchTask: fc.tuple(id, fc.boolean()).map(
    ([task, watching]) =>
      (store) =>
        watchTask(store, { id: task, project_id: 'p' }, 'ada', watching),
  ),
  watchProject: fc.boolean().map((watching) => (store) => watchProject(store, 'p', 'ada', watching)),
  chooseNotifications: fc
    .boolean()
    .map(
      (inbox) => (store) => chooseNotifications(store, 'ada', null, 'commented', { inbox, mail: 'off', push: false }),
    ),
  scheduleNotifications: fc.nat(23).map((daily_hour) => (store) => scheduleNotifications(store, 'ada', { daily_hour })),
  saveTaskTemplate: fc.tuple(id, words, fc.option(fc.constant('p'))).map(
    ([of, name, projectId]) =>
      (store) =>
        saveTaskTemplate(store, { of, userId: 'ada', name, projectId }),
  ),
  saveProjectTemplate: fc.tuple(words, fc.boolean()).map(
    ([name, withTasks]) =>
      (store) =>
        saveProjectTemplate(store, { of: 'p', userId: 'ada', name, projectId: null }, withTasks),
  ),
  editTemplate: words.map((name) => (store) => editTemplate(store, 'm1', { name })),
  deleteTemplate: fc.constant((store: Store) => deleteTemplate(store, 'm1')),
  createFromTemplate: fc.tuple(column, words).map(
    ([columnId, title]) =>
      (store) =>
        createFromTemplate(store, {
          templateId: 'm1',
          projectId: 'p',
          columnId,
          title,
          day: '2030-05-15',
          due: '2030-05-20',
          needs: [{ name: 'Made for it', color: null }],
        }),
  ),
  saveView: fc.tuple(words, fc.boolean()).map(
    ([name, isShared]) =>
      (store) =>
        saveView(store, { projectId: isShared ? 'p' : null, ownerId: 'ada', name, isShared, view: plainView('list') }),
  ),
  editView: words.map((name) => (store) => editView(store, 'w1', { name, position: 7, view: plainView('list') })),
  deleteView: fc.constant((store: Store) => deleteView(store, 'w1')),
  chooseFirstView: fc.tuple(fc.constantFrom('ada', null), fc.option(fc.constant('w1'))).map(
    ([who, viewId]) =>
      (store) =>
        chooseFirstView(store, 'p', who, viewId),
  ),
  favorView: fc.boolean().map((is) => (store) => favorView(store, 'ada', 'w1', is)),
  moveFavorite: fc.nat(2).map((index) => (store) => moveFavorite(store, 'ada', 'w1', index)),
  editProfile: words.map((display_name) => (store) => editProfile(store, 'ada', { display_name })),
  renameServiceAccount: words.map((name) => (store) => renameServiceAccount(store, 'ada', name)),
};

test('kept and restored, each command is the same command', () => {
  const store = fill();
  for (const make of Object.values(mutations))
    fc.assert(
      fc.property(make, (of) => {
        const made = of(store);
        const { name, args, label } = JSON.parse(JSON.stringify(made)) as Mutation;
        const again = restore(name, args, label);
        expect(again).toMatchObject({ name, label, args: JSON.parse(JSON.stringify(made.args)) });
        // Ids and moments are in the arguments or the server's.
        expect(again?.apply(store).map(({ kind, table }) => [kind, table])).toEqual(
          made.apply(store).map(({ kind, table }) => [kind, table]),
        );
      }),
      { numRuns: 5 },
    );
});

test.each<[string, unknown]>([
  ['moveTask', { taskId: 't1' }],
  ['editTasks', { taskIds: ['t1'], patch: { column_id: 'done' } }],
  ['editTasks', { taskIds: 't1', patch: {} }],
  ['setRole', { projectId: 'p', userId: 'ada', role: 'king' }],
  ['revert', { diff: [{ kind: 'insert', table: 'users', row: {} }] }],
  ['archiveTasks', null],
  ['aCommandOfTomorrow', {}],
])('%s with arguments it does not take is not restored: %j', (name, args) => {
  expect(restore(name, args, '')).toBeNull();
});

/** What a command sends with no procedure of its own; null where it asks one, or reads first. */
async function sentBy(mutation: Mutation): Promise<readonly Change[] | null> {
  const sent: Change[] = [];
  const door = {
    rpc(name: string, { changes }: { readonly changes: readonly Change[] }) {
      if (name !== 'apply_changes') throw new Error(`asks ${name}`);
      sent.push(...changes);
      return Promise.resolve({ data: changes, error: null });
    },
  };
  return mutation.send(door as unknown as Door).then(
    () => sent,
    () => null,
  );
}

const ofGroups = { project_members: 'project_groups', task_grants: 'group_grants' } as const;

test.each(Object.entries(mutations))('%s shows what it sends, to the moment', async (_, arbitrary) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await fc.assert(
    fc.asyncProperty(arbitrary, async (make) => {
      const store = fill();
      const mutation = make(store);
      const diff = mutation.apply(store);
      store.apply(diff);
      vi.advanceTimersByTime(1000);
      const sent = await sentBy(mutation);
      if (diff.length === 0 || sent === null) return;
      const named = new Map<string, Set<string>>();
      for (const { change, table: served, rows } of sent)
        for (const row of rows) {
          const table = 'group_id' in row ? (ofGroups[served as keyof typeof ofGroups] ?? served) : served;
          const key = keyOf(table, row);
          named.set(`${table} ${key}`, new Set([...(named.get(`${table} ${key}`) ?? []), ...Object.keys(row)]));
          if (change === 'delete') expect(store.get(table, key)).toBeUndefined();
          else expect(store.get(table, key)).toMatchObject(row);
        }
      for (const one of diff)
        for (const column of one.kind === 'update' ? Object.keys(one.after) : [])
          if (!one.guessed?.some((name) => name === column))
            expect(named.get(`${one.table} ${rowKey(one)}`)).toContain(column);
    }),
    { numRuns: 20 },
  );
});

test('no command is left out', () => {
  expect(commandsOf(mutations)).toEqual(commandNames());
});

function picture(store: Store): unknown {
  return Object.fromEntries(
    tableNames.map((table) => [
      table,
      store
        .all(table)
        .map((row) => JSON.stringify(row, Object.keys(row).sort()))
        .sort(),
    ]),
  );
}

describe('a command, then its reverse, is the identity', () => {
  test.each(Object.entries(mutations))('%s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (make) => {
        const store = fill();
        const before = picture(store);
        const diff = make(store).apply(store);
        store.apply(diff);
        store.apply(reverse(diff));
        expect(picture(store)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  test('any history, kept by the server, undone from its end', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(...Object.values(mutations)), { maxLength: 25 }), (history) => {
        const store = fill();
        const before = picture(store);
        const done = history.map((make) => {
          const diff = make(store).apply(store);
          store.apply(diff);
          store.accept(diff);
          return diff;
        });
        for (const diff of done.reverse()) {
          const back = reverse(diff);
          store.apply(back);
          store.accept(back);
        }
        expect(picture(store)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });

  test('any history, refused by the server in any order, leaves no trace', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(...Object.values(mutations)), fc.nat()), { maxLength: 20 }), (history) => {
        const store = fill();
        const before = picture(store);
        const sent = history.map(([make, order]) => {
          const diff = make(store).apply(store);
          store.apply(diff);
          return { diff, order };
        });
        for (const { diff } of sent.sort((one, other) => one.order - other.order)) store.refuse(diff);
        expect(picture(store)).toEqual(before);
      }),
      { numRuns: 150 },
    );
  });
});

describe('moving', () => {
  test('lands where it was dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, column, fc.nat(9)), { maxLength: 60 }), (moves) => {
        const store = fill();
        for (const [task, columnId, place] of moves) {
          const others = readColumnTasks(store, columnId).filter((one) => one.id !== task);
          const at = Math.min(place, others.length);
          const diff = moveTask(store, task, { columnId, beforeId: others[at]?.id ?? null }).apply(store);
          store.apply(diff);
          store.accept(diff);
          expect(readColumnTasks(store, columnId).findIndex((one) => one.id === task)).toBe(at);
        }
      }),
    );
  });

  test('is undone by moving back; what was written is written back', () => {
    const store = fill();
    const moved = moveTask(store, 't0', { columnId: 'done', beforeId: null }).apply(store);
    expect(changesOf(reverse(moved)).map(({ change }) => change)).toEqual(['move']);
    expect(changesOf(reverse(editTasks(store, ['t0'], { title: 'Other' }).apply(store)))).toEqual([
      { change: 'update', table: 'tasks', rows: [{ id: 't0', title: store.get('tasks', 't0')?.title }] },
    ]);
    // Nothing in the columns of a diff makes it a move: whoever made it says so.
    const written = reverse(moved).map((one) => ({ ...one, by: undefined }));
    expect(changesOf(written).map(({ change }) => change)).toEqual(['update']);
  });

  test('names the neighbour it was dropped at, so that the server decides the rank', () => {
    const store = fill();
    expect(moveTask(store, 't0', { columnId: 'todo', beforeId: 't4' }).args).toMatchObject({ beforeId: 't4' });
    expect(moveTask(store, 't0', { columnId: 'todo', beforeId: null }).args).toMatchObject({
      beforeId: null,
      afterId: 't7',
    });
  });

  test('of many into an empty column can be taken back to the very places', () => {
    const store = fill();
    const ids = readColumnTasks(store, 'todo').map((task) => task.id);
    const empty = columns.find((one) => readColumnTasks(store, one).length === 0) ?? 'done';
    for (const one of reverse(moveTasks(store, ids, empty).apply(store)))
      expect(one).toMatchObject({ after: { column_id: 'todo', order_rank: expect.any(String) } });
  });

  test('into a done column completes it, out of it opens it again', () => {
    const store = fill();
    store.apply(moveTask(store, 't1', { columnId: 'done', beforeId: null }).apply(store));
    expect(store.get('tasks', 't1')?.completed_at).not.toBeNull();
    store.apply(moveTask(store, 't1', { columnId: 'todo', beforeId: null }).apply(store));
    expect(store.get('tasks', 't1')?.completed_at).toBeNull();
  });

  test('to where it already is does nothing', () => {
    const store = fill();
    expect(moveTask(store, 't1', { columnId: 'todo', beforeId: 't4' }).apply(store)).toEqual([]);
  });
});

const overMany: Readonly<Record<string, (store: Store, ids: readonly string[]) => Mutation>> = {
  assign: (store, ids) => assign(store, ids, 'bob'),
  unassign: (store, ids) => unassign(store, ids, 'bob'),
  addLabel: (store, ids) => addLabel(store, ids, 'l1'),
  removeLabel: (store, ids) => removeLabel(store, ids, 'l1'),
  editTasks: (store, ids) => editTasks(store, ids, { priority: 'p1' }),
  planTasks: (store, ids) =>
    planTasks(
      store,
      ids.map((taskId) => ({ id: taskId, dates: { due_date: '2030-05-15' } })),
    ),
  setCells: (store, ids) =>
    setCells(
      store,
      ids.map((taskId) => ({ taskId, cell: { of: 'people' as const, ids: ['bob'] } })),
    ),
  moveTasks: (store, ids) => moveTasks(store, ids, 'done'),
  regroupTasks: (store, ids) =>
    regroupTasks(store, ids, { from: [], to: [{ grouping: 'priority', id: 'p1' }], beforeId: undefined, name: 'P1' }),
};

test.each(Object.entries(overMany))('%s counts in its label what it changes, not what is selected', (_, make) => {
  const store = fill();
  const all = store.all('tasks').map((task) => task.id);
  // Some of them are so already.
  for (const part of [overMany.assign, overMany.addLabel, make])
    store.apply(
      part?.(
        store,
        all.filter((__, at) => at % 3 === 0),
      ).apply(store) ?? [],
    );
  const whole = make(store, all);
  const changed = new Set(
    whole.apply(store).map((one) => ('key' in one ? one.key : 'task_id' in one.row ? one.row.task_id : '')),
  );
  const alone = make(
    store,
    all.filter((one) => changed.has(one)),
  );
  expect(whole.label).toBe(alone.label);
});

test('places of the checklist items of a task that becomes one are a guess: the server decides them', () => {
  const store = new Store();
  const item = { id: 'i', project_id: 'p', task_id: 't', title: 'x', is_done: false, position: 4 };
  store.receive([
    { table: 'tasks', row: { ...taskRow('t'), parent_id: 'up' } },
    { table: 'task_checklist_items', row: item },
  ]);
  const moved = taskToItem(store, 't')
    .apply(store)
    .filter(({ kind, table }) => kind === 'update' && table === 'task_checklist_items');
  expect(moved).toMatchObject([{ after: { task_id: 'up', position: 2 }, guessed: ['position'] }]);
});

test('every file that makes commands is listed to be sent by name', () => {
  const directory = join(import.meta.dirname, 'commands');
  const makers = readdirSync(directory).filter((file) =>
    / define[(<]/.test(readFileSync(join(directory, file), 'utf8')),
  );
  const kept = readFileSync(join(directory, 'command-registry.ts'), 'utf8');
  expect(makers.filter((file) => !kept.includes(`'./${file}'`))).toEqual([]);
});
