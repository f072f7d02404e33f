// `comment`: a comment on a task, or an answer to one.

import { object, text, whole } from '../../http/open-api.ts';
import { findTask } from '../names.ts';
import { keyOf } from '../tasks.ts';
import { declareTool } from '../tool.ts';

export const comment = declareTool({
  name: 'comment',
  title: 'Comment',
  description: 'Comments on a task; @Name mentions a member.',
  scope: 'comment',
  hints: {},
  input: object({ task: text(), body: text('Markdown'), 'reply_to?': text('Comment id'), 'fence?': whole() }),
  output: object({ id: text() }),
  async run({ task: named, body, reply_to: parent, fence }, { board: plain }) {
    const task = await findTask(plain, named);
    const board = (await plain.inSession(task.project_id)).withFence(fence);
    const [row] = await board.write<readonly { id: string }[]>(
      'POST',
      'task_comments',
      { task_id: task.id, project_id: task.project_id, body, ...(parent === undefined ? {} : { parent_id: parent }) },
      [['select', 'id']],
    );
    return { structured: { id: row?.id ?? '' }, text: `Commented on ${keyOf(task)} (id ${row?.id}).` };
  },
});
