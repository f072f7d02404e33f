// `claim_next_task`: the next open task that waits for nothing and is nobody else's, claimed for a while.

import { flag, object, orNull, text, whole } from '../../http/open-api.ts';
import { type Claim, claimColumns, firstOf, keyOfClaim, until } from '../claims.ts';
import { findView } from '../find-views.ts';
import { findProject, findTask, noProjects, readProjects } from '../names.ts';
import { writeTask } from '../task-markdown.ts';
import { waitsColumn } from '../tasks.ts';
import { declareTool, orUndefined } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

export const claimNextTask = declareTool({
  name: 'claim_next_task',
  title: 'Claim the next task',
  description:
    'Claims the next task of a project or view that is free and not blocked. Send its fence with your writes.',
  scope: 'write',
  // Not destructive: it adds a claim. `start` moves a task that nobody holds, and moving it back undoes that.
  hints: {},
  input: object({
    'project?': text(),
    'view?': text(),
    'seconds?': whole('How long to hold it, in seconds; default 900, at most 86400'),
    'start?': flag('Also move it to in progress'),
  }),
  output: object({ key: orNull(text()), 'claim?': text(), 'fence?': whole(), 'until?': text(), 'markdown?': text() }),
  async run({ project: named, view: viewNamed, seconds = 900, start = false }, { board: plain }) {
    const project = named === undefined ? null : await findProject(plain, named);
    const view = viewNamed === undefined ? null : await findView(plain, viewNamed, project);
    const home = project?.id ?? view?.project_id ?? (await readProjects(plain))[0]?.id;
    if (home === undefined) throw new ToolFault(noProjects, 'KB885');
    const board = await plain.inSession(home);
    const claim = firstOf(
      await board.call<readonly Claim[]>(
        'claim_next_task',
        {
          ...(view === null ? {} : { view: view.id }),
          ...(project === null ? {} : { project: project.id }),
          seconds,
          ...(start ? { start } : {}),
        },
        [claimColumns],
      ),
    );
    if (claim === null)
      return {
        structured: { key: null },
        text: 'Nothing is free just now: every open task is blocked, claimed, being changed or somebody else’s. Ask again later.',
      };
    const key = keyOfClaim(claim);
    const markdown = await orUndefined(
      findTask(board, claim.task_id, waitsColumn).then((task) => writeTask(board, task)),
    );
    return {
      structured: {
        ...{ key, claim: claim.id, fence: claim.fence, until: claim.expires_at },
        ...(markdown === undefined ? {} : { markdown }),
      },
      text: `Claimed ${key} until ${until(claim)}: claim ${claim.id}, fence ${claim.fence}. Report before then; finish_or_hand_back ends it.\n${markdown ?? 'Its text couldn’t be read: call get_task.'}`,
    };
  },
});
