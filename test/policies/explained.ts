// Access explained, to the owner and of each caller: explain_access of a person, reach_of of a key or link, and the same tried at the door.

import { one } from '../sql/board.ts';
import { callers, everybody, isPerson, type Who } from './callers.ts';
import { type Ground, groundOf } from './callers-and-board.ts';
import type { Note } from './cells.ts';
import { askAs } from './rows.ts';

type Rights = Readonly<Record<'sees' | 'comments' | 'changes' | 'manages', boolean | null>>;

export async function askExplained(ground: Ground, note: Note): Promise<void> {
  for (const who of everybody) {
    const { board, idOf } = groundOf(ground, who);
    const id = idOf(who);
    if (id === undefined) continue;
    const { client } = board.people.owner;
    const tried = await tryRights(ground, who);
    const say = (what: string, due: Rights, told: Rights): void => {
      for (const right of ['sees', 'comments', 'changes', 'manages'] as const)
        note({
          door: 'access explained',
          who,
          what: `${right} ${what}`,
          due: String(due[right]),
          came: String(told[right]),
        });
    };
    if (isPerson(who)) {
      const explain = async (object: string): Promise<Rights> =>
        ((await one(client.rpc('explain_access', { object, person: id }))) as Rights[])[0] as Rights;
      say('the task', tried, await explain(board.tasks[0]));
      say('the attachment', tried, await explain(board.attachment));
      // The project is seen as what is around its tasks, and a guest does nothing with it.
      const ofProject =
        callers[who].role === 'guest' ? { ...tried, comments: false, changes: false } : await triedAround(ground, who);
      say('the project', { ...ofProject, sees: await isSeen(ground, who, 'projects') }, await explain(board.project));
    } else {
      const reached = (
        (await one(client.rpc('reach_of', { subject: id }))) as (Rights & { project_id: string })[]
      ).find(({ project_id }) => project_id === board.project);
      const none = { sees: false, comments: false, changes: false, manages: false };
      const { comments, changes, manages } = reached ?? none;
      say('by what it holds', tried, {
        sees: reached?.sees ?? false,
        comments: comments ?? false,
        changes: changes ?? false,
        manages: manages ?? false,
      });
    }
  }
}

const isSeen = async (ground: Ground, who: Who, table: string): Promise<boolean> =>
  (await askAs(ground, who, 'select', table)) === '200, 1 rows';

/** What the door lets them do with the first task, put back each time. */
async function tryRights(ground: Ground, who: Who): Promise<Rights> {
  return {
    sees: await isSeen(ground, who, 'tasks'),
    comments: (await askAs(ground, who, 'insert', 'task_comments')) === '201, 1 rows',
    changes: (await askAs(ground, who, 'update', 'tasks')) === '200, 1 rows',
    manages: (await askAs(ground, who, 'update', 'projects')) === '200, 1 rows',
  };
}

/** And with the project, where the restricted tasks are not all there is. */
async function triedAround(ground: Ground, who: Who): Promise<Rights> {
  const tried = await tryRights(ground, who);
  if (callers[who].isUnnamed !== true) return tried;
  const changes = (await askAs(ground, who, 'insert', 'tasks')) === '201, 1 rows';
  return { ...tried, comments: changes, changes };
}
