// `finish_or_hand_back`: the end of a claim, with the task done or free for others, and of the session that is about it; without a claim, of the session.

import { choice, object, text } from '../../http/open-api.ts';
import type { Board } from '../board.ts';
import { findClaim } from '../claims.ts';
import { findTask, readColumns } from '../names.ts';
import { keyOf } from '../tasks.ts';
import { declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';
import type { WorkSession } from '../work.ts';

type Outcome = 'done' | 'hand_back';

export const finishOrHandBack = declareTool({
  name: 'finish_or_hand_back',
  title: 'Finish or hand back',
  description:
    'Ends your claim: `done` moves the task to the first done column, `hand_back` frees it for others. Without a claim, ends your session.',
  scope: 'write',
  hints: { destructive: true, idempotent: true },
  input: object({
    'claim?': text('Claim id from claim_next_task or whoami'),
    outcome: choice(['done', 'hand_back']),
    'note?': text('Markdown'),
  }),
  output: object({ 'key?': text() }),
  async run({ claim: id, outcome, note }, { board: plain }) {
    const words = note?.trim() ?? '';
    if (id === undefined) {
      const session = await plain.session();
      if (session === null) throw new ToolFault('You have no claim and no session that could end.', 'PT404');
      await endSession(plain, session, outcome, words);
      return { structured: {}, text: outcome === 'done' ? 'The session is complete.' : 'Handed back.' };
    }
    const claim = await findClaim(plain, id);
    const board = (await plain.inSession(claim.project_id)).withFence(claim.fence);
    const task = await findTask(board, claim.task_id);
    const key = keyOf(task);
    const session = await board.session();
    if (outcome === 'hand_back')
      await board.call('release_claim', { claim: id, ...(words === '' ? {} : { note: words }) });
    else {
      const done = (await readColumns(board, task.project_id)).find(({ kind }) => kind === 'done');
      if (done === undefined)
        throw new ToolFault(
          `The project has no column of the kind done. Move ${key} with update_tasks, then hand it back.`,
          'KB885',
        );
      const link = { task_id: task.id, project_id: task.project_id };
      // Reaching a done column ends the claim. All or none: a note without the end of the work, or the other way round, would mislead.
      await board.call('apply_changes', {
        changes: [
          ...(words === '' ? [] : [{ change: 'insert', table: 'task_comments', rows: [{ ...link, body: words }] }]),
          { change: 'move', table: 'tasks', rows: [{ id: task.id, column_id: done.id }] },
        ],
      });
    }
    if (session?.task_id === task.id) await endSession(plain, session, outcome, words);
    return { structured: { key }, text: outcome === 'done' ? `${key} is done.` : `Handed back ${key}.` };
  },
});

async function endSession(board: Board, { id }: WorkSession, outcome: Outcome, words: string): Promise<void> {
  if (words !== '')
    await board.call('add_agent_activity', {
      session_id: id,
      kind: outcome === 'done' ? 'response' : 'error',
      body: words.slice(0, 10_000),
    });
  await board.call('report_agent_session', { session_id: id, state: outcome === 'done' ? 'complete' : 'error' });
}
