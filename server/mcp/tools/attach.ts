// `attach`: a small file, through the storage door.

import { randomUUID } from 'node:crypto';
import { object, text, whole } from '../../http/open-api.ts';
import { findTask } from '../names.ts';
import { plainLine } from '../plain-text.ts';
import { keyOf } from '../tasks.ts';
import { declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

const mostBytes = 1024 * 1024;

export const attach = declareTool({
  name: 'attach',
  title: 'Attach a file',
  description: 'Attaches text, or a file as base64, up to 1 MB.',
  scope: 'write',
  hints: {},
  input: object({
    task: text(),
    name: text('Such as report.md'),
    'text?': text(),
    'base64?': text(),
    'type?': text('Media type'),
    'fence?': whole(),
  }),
  output: object({ id: text(), markdown: text() }),
  async run({ task: named, name: called, text: words, base64, type, fence }, { board: plain, progress }) {
    if ((words === undefined) === (base64 === undefined)) throw new ToolFault('Give either text or base64.', 'KB884');
    const bytes = words === undefined ? decode(base64 ?? '') : new TextEncoder().encode(words);
    if (bytes.length > mostBytes)
      throw new ToolFault(
        `The file has ${bytes.length} bytes; attach at most ${mostBytes}. Link to larger ones in a comment.`,
        'KB884',
      );
    const name = plainLine(called, 200).replaceAll(/[/\\]/g, '_');
    if (name === '') throw new ToolFault('The name is empty. Give one such as report.md.', 'KB884');
    const contentType = type ?? (words === undefined ? 'application/octet-stream' : 'text/plain');
    if (!/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/.test(contentType))
      throw new ToolFault('type must be a media type such as text/markdown.', 'KB884');
    const task = await findTask(plain, named);
    const working = await plain.inSession(task.project_id);
    const board = working.withFence(fence);
    const id = randomUUID();
    const path = `${task.project_id}/${task.id}/${id}/${name.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_')}`;
    await progress(0, 2, 'Uploading');
    await board.upload(path, bytes, contentType);
    await progress(1, 2, 'Attaching');
    try {
      await board.write(
        'POST',
        'task_attachments',
        {
          id,
          task_id: task.id,
          project_id: task.project_id,
          name,
          content_type: contentType,
          size_bytes: bytes.length,
          object_path: path,
        },
        [['select', 'id']],
      );
    } catch (error) {
      // Without the claim, which may have ended; what went wrong first is what counts.
      await working.removeUpload(path).catch(() => undefined);
      throw error;
    }
    const markdown = `[${name.replaceAll(/[[\]]/g, '')}](attachment:${id})`;
    return { structured: { id, markdown }, text: `Attached to ${keyOf(task)}. In Markdown: ${markdown}` };
  },
});

function decode(base64: string): Uint8Array {
  const packed = base64.replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(packed))
    throw new ToolFault('base64 has characters that are not base64.', 'KB884');
  return Buffer.from(packed, 'base64');
}
