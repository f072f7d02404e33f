// Random runs of an agent, interleaved with people's edits, and undone: what people did not touch is as it was before, or listed as staying. A run
// without people's edits leaves nothing. THOROUGH=true has a thousand runs.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { person } from '../helpers/person.ts';
import { isThorough, seed } from '../helpers/seed.ts';
import { addMember, addTask, one } from '../sql/board.ts';
import { startTogether } from '../sql/start-together.ts';
import { type Agent, makeAgent } from './agents.ts';
import { type Act, acts } from './random-acts.ts';
import { type Rows, rowsOf } from './snapshots.ts';

const { app, owner, editor, shared } = startTogether();
const third = person(app, 'Theo Third');
let agent: Agent;

const runs = isThorough ? 1000 : 60;
/** What the database keeps, and places, which others may take meanwhile. */
const always = ['updated_at', 'version', 'edited_at'];
const places = ['order_rank', 'subtask_position', 'started_at', 'completed_at', 'position'];

interface Told {
  readonly table: string | null;
  readonly id: string | null;
  readonly task_id: string | null;
}

const drawn = fc.record({
  alone: fc.nat(3),
  steps: fc.array(fc.record({ byPerson: fc.nat(2), act: fc.nat(acts.length - 1), a: fc.nat(99), b: fc.nat(99) }), {
    minLength: 4,
    maxLength: 14,
  }),
});

let project: string;

beforeAll(async () => {
  ({ project } = await shared('Runs'));
  await addMember(app, project, third, 'editor');
  agent = await makeAgent(app, owner, project);
  await one(owner.client.from('agents').update({ writes_an_hour: 10_000 }).eq('id', agent.id).select());
});

/** Enough of everything that a run may change. */
async function fill(): Promise<void> {
  const [{ left } = { left: 0 }] = await app.sql<{ left: number }>(
    'select count(*)::int as left from public.tasks where project_id = $1 and archived_at is null',
    [project],
  );
  for (let n = left; n < 6; n++) {
    const id = await addTask(app, owner, { project_id: project, title: `Task ${n}` });
    await one(
      owner.client
        .from('task_comments')
        .insert({ task_id: id, body: `Words ${n}` })
        .select(),
    );
    await one(
      editor.client
        .from('task_checklist_items')
        .insert({ task_id: id, title: `Step ${n}` })
        .select(),
    );
    await one(owner.client.from('task_assignees').insert({ task_id: id, user_id: third.id }).select());
  }
}

const differing = (one: object | undefined, other: object | undefined, but: readonly string[]): string[] => {
  if (one === undefined || other === undefined) return one === other ? [] : ['*'];
  return Object.keys({ ...one, ...other }).filter(
    (name) => !but.includes(name) && JSON.stringify(one[name as never]) !== JSON.stringify(other[name as never]),
  );
};

/** A row of these that is removed and made again is the same one, of a later day. */
const isMadeAnew = (key: string): boolean =>
  /^(comment_re|task_(label_links|assignees|watchers|field_values) )/.test(key);

/** Rows and columns that changed between the two. */
function changes(before: Rows, after: Rows, but: readonly string[]): Map<string, string[]> {
  const changed = new Map<string, string[]>();
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const columns = differing(before.get(key), after.get(key), isMadeAnew(key) ? [...but, 'created_at'] : but);
    if (columns.length > 0) changed.set(key, columns);
  }
  return changed;
}

test(`${runs} runs are undone, but for what people touched (SEED=${seed})`, { timeout: 1_800_000 }, async () => {
  const wrong: unknown[] = [];
  let undone = 0;
  for (const [n, { alone, steps }] of fc.sample(drawn, { numRuns: runs, seed }).entries()) {
    await fill();
    const before = await rowsOf(app, project);
    const session = await agent.open({ project_id: project });
    const client = agent.within(session);
    const touched = new Map<string, Set<string>>();
    const did: string[] = [];
    for (const { byPerson, act, a, b } of steps) {
      const isPerson = alone !== 0 && byPerson === 0;
      const known = await rowsOf(app, project);
      const { name, run } = acts[act] as Act;
      const error = await run({
        client: isPerson ? editor.client : client,
        project,
        people: [owner.id, editor.id, third.id],
        rows: known,
        a,
        b,
      });
      did.push(`${isPerson ? 'person' : 'agent'} ${name} ${error ?? ''}`);
      if (!isPerson) continue;
      for (const [key, columns] of changes(known, await rowsOf(app, project), always))
        touched.set(key, new Set([...(touched.get(key) ?? []), ...columns]));
    }
    const answer = (await one(owner.client.rpc('undo_session', { session_id: session.id }))) as unknown as {
      undone: Told[];
      stays: Told[];
    };
    undone += answer.undone.length;
    const isAlone = touched.size === 0;
    const listed = new Set(
      answer.stays.flatMap(({ table, id, task_id }) => [
        ...[`${table} ${id}`, `${table} ${task_id}`],
        ...(table === 'tasks' ? [`task_watchers ${id}`] : []),
      ]),
    );
    for (const [key, columns] of changes(
      before,
      await rowsOf(app, project),
      isAlone ? always : [...always, ...places],
    )) {
      const others = columns.filter((name) => !touched.get(key)?.has(name) && !touched.get(key)?.has('*'));
      const [table = '', id = ''] = key.split(' ');
      if (others.length > 0 && (isAlone || !listed.has(`${table} ${id}`)))
        wrong.push({ n, key, others, did, stays: answer.stays, before: before.get(key) });
    }
    if (isAlone && answer.stays.length > 0) wrong.push({ n, did, stays: answer.stays });
    if (wrong.length > 2) break;
  }
  expect(wrong).toEqual([]);
  expect(undone).toBeGreaterThan(runs);
});
