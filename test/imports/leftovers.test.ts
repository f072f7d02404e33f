// Unknown content is preserved as text, including keys that a later version of a product adds, in any object of its file. Missing and omitted content
// is reported.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import { keepNames } from '../../server/imports/people.ts';
import { readFile } from '../../server/imports/products.ts';

type Tree = Record<string, unknown>;

function sample<T = unknown>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'samples', name), 'utf8'));
}
/** What stands there, given more. */
function give(to: object | undefined, more: Tree): void {
  if (to === undefined) throw new Error('the sample has no such thing');
  Object.assign(to, more);
}

async function read(value: unknown) {
  const { read: found } = await readFile(Buffer.from(JSON.stringify(value)), { fileName: 'x.json' });
  const { project, problems } = fitToLimits(keepNames(found, new Map()));
  const descriptionOf = (title: string): string =>
    project.tasks.find((task) => task.title.startsWith(title))?.description ?? '';
  return { project, descriptionOf, told: problems.map(({ kind, about }) => `${kind} ${about}`) };
}

const id = (n: number): string => `0198c1de-0000-7000-8000-${String(n).padStart(12, '0')}`;
/** One of ours, which comes into a project that is there. */
const ours = () => ({
  format: 'kanbase.projects',
  version: 1,
  tables: {
    projects: [{ id: id(1), name: 'Harbour', key: 'HAR', description: 'All about it' }],
    people: [{ id: id(2), name: 'Ada' }],
    workflow_columns: [{ id: id(3), project_id: id(1), name: 'To do', kind: 'todo', wip_limit: 3 }],
    tasks: [
      { id: id(4), project_id: id(1), column_id: id(3), number: 1, title: 'Dredge', description: '', priority: 'p1' },
      { id: id(5), project_id: id(1), column_id: id(3), number: 2, title: 'Paint', description: '', priority: 'p1' },
    ],
    task_dependencies: [{ id: id(6), predecessor_id: id(4), successor_id: id(5), type: 'FS', lag_days: 2 }],
    task_comments: [{ id: id(7), task_id: id(4), author_id: id(2), body: 'On it' }],
    comment_reactions: [{ task_id: id(4), comment_id: id(7), user_id: id(2), emoji: '🚀' }],
    saved_views: [{ id: id(8), project_id: id(1), name: 'Sprint' }],
    moorings: [
      { task_id: id(5), berth: 'North 4' },
      { project_id: id(1), depth: 12 },
    ],
  },
});

/** Every object of it gets a key that nobody knows; gives back where each is, by its value. */
function withUnknownKeys(value: unknown, path = '', places = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) return places;
  for (const [key, one] of Object.entries(value)) withUnknownKeys(one, `${path}.${key}`, places);
  if (Array.isArray(value)) return places;
  const words = `waxing ${places.size + 1} of it`;
  (value as Tree).moonPhase = words;
  places.set(words, path);
  return places;
}

test.each([
  // What happened to a card is no history here, but for comments.
  ['trello', sample('trello.json'), /^\.actions\.2\b/],
  ['github', sample('github.json'), null],
  ['gitlab', sample('gitlab.json'), null],
  // The tasks that a task names stand there themselves; of views those are read that have buckets.
  ['vikunja', sample('vikunja.json'), /\.related_tasks\.\w+\./],
  ['vikunja', sample('vikunja-views.json'), /\.related_tasks\.\w+\.|\.(views|task_buckets|positions)\./],
  // What was thrown away is told by its name.
  ['planka', sample('planka.json'), /^\.included\.cards\.2$/],
  // Of what is no row.
  ['kanbase', ours(), /^(\.tables)?$/],
] as const)(
  '%s: a key that nobody knows is kept in words, whichever object has it',
  async (product, value, leftOut) => {
    const places = withUnknownKeys(value);
    const found = await readFile(Buffer.from(JSON.stringify(value)), { fileName: 'x.json' });
    expect(found.product).toBe(product);
    const { project, told } = await read(value);
    const words = [
      ...project.tasks.flatMap(({ description, comments }) => [description, ...comments.map(({ body }) => body)]),
      ...told,
    ].join('\n');
    const missing = [...places].filter(([one]) => !words.includes(one)).map(([, path]) => path);
    expect(missing.filter((path) => leftOut?.test(path) !== true)).toEqual([]);
    expect(words).toMatch(/Moon phase/);
    // What is left out is left out: the pattern names nothing that is kept.
    expect([...places].filter(([one, path]) => leftOut?.test(path) === true && words.includes(one))).toEqual([]);
  },
);

test('Trello: hours, reminders, votes, covers, who made a card, what single steps say, and what the board says of itself', async () => {
  const board = sample<{
    lists: Tree[];
    cards: (Tree & { attachments?: Tree[] })[];
    checklists: { checkItems: Tree[] }[];
    actions: Tree[];
  }>('trello.json');
  give(board, { desc: 'All that floats', dateLastView: '2026-01-01T00:00:00Z' });
  give(board.lists[0], { softLimit: 3 });
  board.checklists.pop();
  give(board.checklists[0]?.checkItems[0], { due: '2024-05-02T09:00:00.000Z', idMember: 'm2' });
  give(board.cards[1], {
    dueReminder: 1440,
    idMembersVoted: ['m1', 'm2'],
    idMemberCreator: 'm2',
    cover: { idAttachment: 'a1', color: null, size: 'normal', brightness: 'dark' },
    coordinates: { latitude: 53.5, longitude: 9.9 },
    badges: { votes: 2, comments: 7, attachments: 1 },
    pluginData: [{ id: 'p', idPlugin: 'points', scope: 'card', value: '{"points":5}' }],
    limits: { attachments: { perCard: { status: 'ok', disableAt: 1000 } } },
    pos: 65535,
  });
  give(board.cards[1]?.attachments?.[0], { id: 'a1' });
  const { project, descriptionOf, told } = await read(board);
  const words = descriptionOf('Dredge');
  for (const kept of [
    '**Due:** 2024-05-03 16:00 UTC',
    '**Due reminder:** 1440 min before',
    '**Votes:** Ada Berg, Gone Person',
    '**Comments:** 7 there, 2 of them in the file',
    '**Created by:** Gone Person',
    '**Cover:** chart [v2].pdf',
    '**Coordinates:** Latitude: 53.5; Longitude: 9.9',
    '**Checklist:** Before',
    '**Checklist, Second: Due:** 2024-05-02T09:00:00.000Z',
    '**Checklist, Second: Assigned to:** Gone Person',
    '{"points":5}',
  ])
    expect(words).toContain(kept);
  // Machinery says nothing.
  expect(words).not.toMatch(/65535|disableAt|Disable at|Brightness/i);
  expect(project.description).toBe('All that floats');
  expect(told).toContain('of_the_project List Ideas: Soft limit: 3');
  expect(told.join()).not.toContain('perhaps_part');
  // As many as an export holds at most.
  board.actions = Array.from({ length: 1000 }, (_, n) => ({ ...board.actions[0], id: `a${n}` }));
  expect((await read(board)).told).toContain('perhaps_part 1000 actions');
});

test('Planka: custom fields, stopwatches, addresses of links, colors, and what lay in the bin', async () => {
  const board = sample<{ included: Record<'cards' | 'tasks' | 'attachments', Tree[]> }>('planka.json');
  const { included } = board;
  give(included, {
    customFieldGroups: [{ id: 'g', boardId: '900', name: 'Ship' }],
    customFields: [{ id: 'f', customFieldGroupId: 'g', name: 'Draught', position: 1 }],
    customFieldValues: [{ id: 'v', cardId: 'c1', customFieldGroupId: 'g', customFieldId: 'f', content: '3 m' }],
    comments: [{ id: 'm', cardId: 'c1', userId: 'u1', text: 'Nearly there' }],
  });
  give(included.cards[1], { creatorUserId: 'u1', stopwatch: { total: 3600, startedAt: null } });
  included.attachments.push({
    id: 'x',
    cardId: 'c1',
    type: 'link',
    name: 'Plan',
    data: { url: 'https://example.test/plan' },
  });
  give(included.tasks[0], { assigneeUserId: 'u2' });
  const { project, descriptionOf, told } = await read(board);
  const words = descriptionOf('Tar');
  for (const kept of [
    '**Due:** 2026-06-01 10:00 UTC',
    '**Created by:** Ada Berg',
    '**Draught:** 3 m',
    '**Stopwatch:** Total: 3600',
    '- Plan https://example.test/plan',
    '**Checklist, Paint: Assigned to:** gone',
    'Nearly there',
  ])
    expect(words).toContain(kept);
  expect(project.labels.map(({ name, color }) => [name, color !== null])).toEqual([
    ['berry-red', true],
    ['wood', true],
  ]);
  expect(told).toContain('thrown_away Thrown away');
  expect(told).toContain('of_the_project customFieldGroups, Ship: Name: Ship');
});

test('Vikunja, GitLab and GitHub: hours, who made it, steps of priority, efforts, epics, reactions, boards', async () => {
  const projects = sample<(Tree & { tasks: Tree[] })[]>('vikunja.json');
  const [dig, plant] = projects[1]?.tasks ?? [];
  give(dig, { created_by: { id: 1, username: 'ada', name: 'Ada Berg' }, reactions: { '👍': [{ username: 'gone' }] } });
  give(plant, { priority: 2 });
  give(projects[1], { description: '<p>Beds and <b>paths</b></p>' });
  const vikunja = await read(projects);
  for (const kept of [
    '**Due:** 2026-05-01 22:00 UTC',
    '**Created by:** Ada Berg',
    '**Priority:** do now',
    '**Reactions:** 👍:',
  ])
    expect(vikunja.descriptionOf('Dig')).toContain(kept);
  expect(vikunja.descriptionOf('Plant')).toContain('**Priority:** medium');
  expect(vikunja.told).toContain('of_the_project Garden: Description: Beds and **paths**');
  expect(vikunja.told).toContain('of_the_project Project without tasks: Inbox');

  const issues = sample<Tree[]>('gitlab.json');
  give(issues[0], {
    time_stats: { time_estimate: 3600, total_time_spent: 0, human_time_estimate: '1h' },
    confidential: true,
    epic: { iid: 3, title: 'Harbour works' },
    iteration: null,
    blocking_issues_count: 2,
    user_notes_count: 4,
    issue_type: 'issue',
    labels: [{ id: 1, name: 'docs', color: '#0033CC', description: 'Words' }],
  });
  const gitlab = await read(issues);
  for (const kept of [
    '**Time stats:** Time estimate: 3600',
    '**Confidential:** yes',
    'Title: Harbour works',
    '**Blocking issues count:** 2',
    '**User notes count:** 4',
    '**Label docs: Description:** Words',
  ])
    expect(gitlab.descriptionOf('Write docs')).toContain(kept);
  expect(gitlab.descriptionOf('Write docs')).not.toMatch(/Iteration|Issue type|Project id/);
  expect(gitlab.project.labels).toEqual([{ name: 'docs', color: '#0033CC' }]);

  const found = sample<(Tree & { comments: Tree[] })[]>('github.json');
  give(found[0], {
    projectItems: [{ title: 'Roadmap', status: { optionId: 'x', name: 'Later' } }],
    isPinned: true,
  });
  give(found[0]?.comments[0], { reactionGroups: [{ content: 'HEART', users: { totalCount: 2 } }] });
  const github = await read(found);
  for (const kept of ['Title: Roadmap', 'Later', '**Is pinned:** yes', 'Content: HEART; Users: Total count: 2'])
    expect(github.descriptionOf('Crash')).toContain(kept);
  const page = Array.from({ length: 30 }, (_, n) => ({ ...found[1], number: n + 1 }));
  expect((await read(page)).told).toContain('perhaps_part 30 issues');
});

test('our own export, into an existing project: parts only a whole project has are told', async () => {
  const { descriptionOf, told } = await read(ours());
  expect(descriptionOf('Paint')).toContain('**task dependencies: Lag days:** 2');
  expect(descriptionOf('Paint')).toContain('**moorings: Berth:** North 4');
  expect(descriptionOf('Dredge')).toContain('**comment reactions: Emoji:** 🚀');
  for (const one of ['workflow columns To do: Wip limit: 3', 'saved views Sprint: Name: Sprint', 'moorings: Depth: 12'])
    expect(told).toContain(`of_the_project ${one}`);
});

test('values of any size and depth are told, the longest in part', async () => {
  const issues = sample<Tree[]>('github.json');
  let deep: Tree = { end: 'the bottom' };
  for (let n = 0; n < 50; n++) deep = { further: deep };
  give(issues[0], { huge: 'w'.repeat(50_000), deep, empty: { nothing: [null, '', false, 0, {}] } });
  const words = (await read(issues)).descriptionOf('Crash');
  expect(words).toMatch(/\*\*Huge:\*\* w{4000}… \(46000 characters more in the file\)/);
  expect(words).toContain('the bottom');
  expect(words).not.toContain('Nothing');
});

test('a table: hours of days, other relations, what comments hold beside, rows of an unknown kind, who wrote a task', async () => {
  const table = async (text: string, fileName: string) => {
    const { read: found } = await readFile(Buffer.from(text), { fileName });
    const { project, problems } = fitToLimits(found);
    return { tasks: project.tasks, told: problems.map(({ kind, about }) => `${kind} ${about}`) };
  };
  const plain = await table(
    'ID,Title,Due date\n1,Ebb,2026-05-03 16:30\n2,Flood,2026-05-03 00:00\n3,Noon,May 3 2026 12:00 pm',
    'x.csv',
  );
  expect(plain.tasks.map(({ due, description }) => [due, description])).toEqual([
    ['2026-05-03', '**Due date:** 2026-05-03 16:30'],
    ['2026-05-03', ''],
    ['2026-05-03', '**Due date:** May 3 2026 12:00 pm'],
  ]);
  const jira = (count: number) =>
    table(
      `Summary,Issue key,Status\n${Array.from({ length: count }, (_, n) => `Plank ${n},YARD-${n},Open`).join('\n')}`,
      'x.csv',
    );
  expect((await jira(999)).told).toEqual([]);
  expect((await jira(1000)).told).toEqual(['perhaps_part 1000 rows']);
  const plane = await table(
    readFileSync(join(import.meta.dirname, 'samples/plane.csv'), 'utf8').replace(
      'Started **looking**""',
      'Started **looking**"", ""mood"": ""calm""',
    ),
    'plane.csv',
  );
  expect(plane.tasks.find(({ title }) => title.startsWith('Part'))?.description).toContain(
    '**Other relations:** Type: relates_to; Issue: HRB-9',
  );
  expect(plane.tasks.find(({ title }) => title.startsWith('Sign'))?.comments[0]?.body).toContain('**Mood:** calm');
  const todoist = await table(
    `${readFileSync(join(import.meta.dirname, 'samples/todoist.csv'), 'utf8').trimEnd()}\ngoal,Sail by June,,,,,,,,,,,,\n`,
    'todoist.csv',
  );
  expect(todoist.told).toContain('broken_row goal Sail by June');
  expect(todoist.tasks.find(({ title }) => title.startsWith('Repot'))?.description).toContain(
    '**AUTHOR:** Kai (48151623)',
  );
});
