// `get_task`: one task as Markdown.

import { choice, list, object, text, whole } from '../../http/open-api.ts';
import { findTask } from '../names.ts';
import { sections, writeTask } from '../task-markdown.ts';
import { keyOf, waitsColumn } from '../tasks.ts';
import { declareTool } from '../tool.ts';

export const getTask = declareTool({
  name: 'get_task',
  title: 'Get a task',
  description: 'Reads a task as Markdown, with its version.',
  scope: 'read',
  hints: { readOnly: true, idempotent: true },
  input: object({
    task: text('Key, such as WEB-12'),
    'sections?': list(choice(sections), 'All but activity', { maxItems: sections.length }),
  }),
  output: object({ key: text(), version: whole(), markdown: text() }),
  async run({ task: named, sections: wanted }, { board }) {
    const task = await findTask(board, named, waitsColumn);
    const markdown = await writeTask(board, task, wanted);
    return { structured: { key: keyOf(task), version: task.version, markdown }, text: markdown };
  },
});
