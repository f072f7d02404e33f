// `report`: keeps a claim, and tells people how far its work is, as a comment on the task.

import { object, text, whole } from '../../http/open-api.ts';
import { type Claim, firstOf, until } from '../claims.ts';
import { declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

export const report = declareTool({
  name: 'report',
  title: 'Report progress',
  description: 'Extends your claim; `note` is posted as a comment.',
  scope: 'write',
  hints: {},
  input: object({
    claim: text('Claim id from claim_next_task or whoami'),
    'note?': text('Markdown'),
    'seconds?': whole('Seconds from now; default 900'),
  }),
  output: object({ until: text() }),
  async run({ claim: id, note, seconds = 900 }, { board: plain }) {
    const kept = firstOf(await plain.call<Claim | readonly Claim[]>('keep_claim', { claim: id, seconds }));
    if (kept === null) throw new ToolFault('The claim has ended. Claim a task with claim_next_task.', 'PT404');
    if (note !== undefined && note.trim() !== '') {
      const { fence, task_id, project_id } = kept;
      const comment = { task_id, project_id, body: note };
      await plain
        .withFence(fence)
        .write('POST', 'task_comments', comment, [['select', 'id']])
        .catch((error: unknown) => {
          if (!(error instanceof ToolFault)) throw error;
          throw new ToolFault(`Claimed until ${until(kept)}, but the note wasn’t saved. ${error.message}`, error.code);
        });
    }
    return { structured: { until: kept.expires_at }, text: `Claimed until ${until(kept)}.` };
  },
});
