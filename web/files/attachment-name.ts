// Names of a file, for people and in the bucket, and its Markdown in a task.

import { type NewAttachment, newId } from '../commands.ts';

const longestName = 200;

/** The row a file will have, and with it the place of its bytes: a folder of its own, so that equal names are no trouble. */
export function describeFile(file: File, task: { readonly id: string; readonly project_id: string }): NewAttachment {
  const id = newId();
  const name = nameOfFile(file);
  return {
    id,
    project_id: task.project_id,
    task_id: task.id,
    name,
    content_type: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(file.type) ? file.type : 'application/octet-stream',
    size_bytes: file.size,
    object_path: `${task.project_id}/${task.id}/${id}/${keyOf(name)}`,
  };
}

function nameOfFile(file: File): string {
  const name = file.name.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').trim();
  const letters = [...(name === '' ? 'file' : name)];
  if (letters.length <= longestName) return letters.join('');
  const ending = [...(/\.[^.]{1,12}$/.exec(name)?.[0] ?? '')];
  return [...letters.slice(0, longestName - ending.length), ...ending].join('');
}

/** Of the characters that names of objects may have, and short enough when they are counted in bytes. */
function keyOf(name: string): string {
  const key = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{M}\p{N}_!.*'() &$@=;:+,-]/gu, '_')
    .replace(/^[. ]+/, '_')
    .replace(/(?<![. ])[. ]+$/, '_');
  const bytes = new TextEncoder().encode(key);
  return bytes.length <= 600 ? key || 'file' : `file${/\.\w{1,12}$/.exec(key)?.[0] ?? ''}`;
}

/** The address of an attachment in Markdown: it stays good wherever its bytes are, and is worth nothing to whoever may not see them. */
export function addressInText(id: string): string {
  return `attachment:${id}`;
}

/** How it is written into a text: a picture as a picture, any other file as a link. */
export function markdownOf({ id, name, content_type }: Pick<NewAttachment, 'id' | 'name' | 'content_type'>): string {
  const label = name.replaceAll(/[\\[\]`*_<>]/g, '\\$&');
  return `${content_type.startsWith('image/') ? '!' : ''}[${label}](${addressInText(id)})`;
}
