// `report`: keeps a claim, and tells people how far the work is: as a comment on the claimed task, or in the session; with a plan, links, cost, and
// a question that the session then waits for.

import { choice, list, object, text, whole } from '../../http/open-api.ts';
import type { Board } from '../board.ts';
import { type Claim, findClaim, firstOf, until } from '../claims.ts';
import { readInbox, sayPrompts } from '../inbox.ts';
import { figure } from '../task-changes.ts';
import { declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';
import type { WorkSession } from '../work.ts';

export const report = declareTool({
  name: 'report',
  title: 'Report progress',
  description:
    'Tells people how far you are, and you what they said. Extends your claim, whose task gets `note` as a comment.',
  scope: 'write',
  hints: {},
  input: object({
    'claim?': text('Claim id from claim_next_task or whoami'),
    'note?': text('Markdown'),
    'ask?': text('Question to people; then wait'),
    'plan?': list(object({ title: text(), 'state?': choice(['pending', 'active', 'complete', 'canceled']) })),
    'links?': list(object({ title: text(), url: text() })),
    'cost?': figure,
    'seconds?': whole('Seconds from now; default 900'),
  }),
  output: object({ 'until?': text(), 'session?': text() }),
  async run({ claim: id, note = '', ask = '', plan, links, cost, seconds = 900 }, { board: plain }) {
    const claim = id === undefined ? null : await findClaim(plain, id);
    const board = claim === null ? plain : await plain.inSession(claim.project_id);
    const session = await board.session();
    if (claim === null && session === null)
      throw new ToolFault(
        'There is nothing to report on. Claim a task with claim_next_task, or take up a session with whoami.',
        'PT404',
      );
    const said = session === null ? '' : await unanswered(board, session);
    const kept = claim === null ? null : await keepClaim(board, claim.id, seconds, note.trim());
    if (session !== null) {
      const tell = (kind: string, body: string) =>
        board.call('add_agent_activity', { session_id: session.id, kind, body });
      if (claim === null && note.trim() !== '') await tell('thought', note);
      await board.call('report_agent_session', {
        session_id: session.id,
        ...{ ...(plan === undefined ? {} : { plan }), ...(links === undefined ? {} : { links }) },
        ...(cost === undefined ? {} : { cost }),
      });
      if (ask.trim() !== '') await tell('elicitation', ask);
    }
    const lines = [
      ...(kept === null ? ['Reported.'] : [`Claimed until ${until(kept)}.`]),
      ...(ask.trim() === '' ? [] : ['People see your question; report again later to read their answer.']),
      ...(said === '' ? [] : [said]),
    ];
    return {
      structured: {
        ...(kept === null ? {} : { until: kept.expires_at }),
        ...(session === null ? {} : { session: session.id }),
      },
      text: lines.join('\n'),
    };
  },
});

/** What people said since the agent last answered; read before it does. */
async function unanswered(board: Board, { id, agent_id: agent }: WorkSession): Promise<string> {
  if (agent === null) return '';
  return sayPrompts((await readInbox(board)).sessions.find((one) => one.id === id)?.prompts ?? []);
}

async function keepClaim(board: Board, id: string, seconds: number, note: string): Promise<Claim> {
  const kept = firstOf(await board.call<Claim | readonly Claim[]>('keep_claim', { claim: id, seconds }));
  if (kept === null) throw new ToolFault('The claim has ended. Claim a task with claim_next_task.', 'PT404');
  if (note === '') return kept;
  const { fence, task_id, project_id } = kept;
  await board
    .withFence(fence)
    .write('POST', 'task_comments', { task_id, project_id, body: note }, [['select', 'id']])
    .catch((error: unknown) => {
      if (!(error instanceof ToolFault)) throw error;
      throw new ToolFault(`Claimed until ${until(kept)}, but the note wasn’t saved. ${error.message}`, error.code);
    });
  return kept;
}
