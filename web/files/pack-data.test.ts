// Tests for the zip of one's own data: its content, and links from its texts to its files.

import { expect, test } from 'vitest';
import type { MyData } from '../commands.ts';
import { Refusal } from '../sync/door.ts';
import { entriesOf } from './pack-data.ts';

const ids = [1, 2, 3].map((n) => `0198c1de-0000-7000-8000-00000000000${n}`) as [string, string, string];
const file = (at: 0 | 1 | 2, task_key: string, name: string) => ({
  id: ids[at],
  task_key,
  name,
  object_path: `p/t/${at}/${name}`,
  created_at: '2026-11-22T08:00:00Z',
});
const held: MyData = {
  profile: { avatar_url: '/storage/v1/object/public/avatars/me/face.webp' },
  tasks: [
    { description: `See ![a](attachment:${ids[0]}) and [gone](attachment:${ids[2]})` },
    { description: 'attachment: none' },
  ],
  comments: [{ body: `![b](attachment:${ids[1].toUpperCase()})` }],
  attachments: [
    file(0, 'HAR-1', 'plan (old).pdf'),
    file(1, 'HAR-1', 'Plan (old).pdf'),
    file(2, 'HAR-2', '../../gone.txt'),
  ],
};

async function pack(fetchAttachment: (path: string) => Promise<Response>) {
  const found: { name: string; input: Response | string }[] = [];
  for await (const entry of entriesOf(held, fetchAttachment, async () => new Response('face'))) found.push(entry);
  return found;
}

test('every file has its place, and texts name it there', async () => {
  const entries = await pack(async (path) => {
    if (path.includes('gone')) throw new Refusal('Object not found', 'NoSuchKey', 404);
    return new Response(path);
  });
  expect(entries.map(({ name }) => name)).toEqual([
    'files/HAR-1/plan (old).pdf',
    'files/HAR-1/Plan (old) (2).pdf',
    'picture.webp',
    'data.json',
  ]);
  const data = JSON.parse(String(entries.at(-1)?.input));
  expect(data.tasks.map((task: { description: string }) => task.description)).toEqual([
    `See ![a](files/HAR-1/plan%20%28old%29.pdf) and [gone](attachment:${ids[2]})`,
    'attachment: none',
  ]);
  expect(data.comments[0].body).toBe('![b](files/HAR-1/Plan%20%28old%29%20%282%29.pdf)');
  expect(data.attachments.map((one: { file: string | null }) => one.file)).toEqual([
    'files/HAR-1/plan (old).pdf',
    'files/HAR-1/Plan (old) (2).pdf',
    null,
  ]);
  expect(data.profile.file).toBe('picture.webp');
});

test('a server that does not answer is no file that is gone', async () => {
  await expect(pack(async () => Promise.reject(new TypeError('Failed to fetch')))).rejects.toThrow('Failed to fetch');
  await expect(pack(async () => Promise.reject(new Refusal('down', '', 503)))).rejects.toThrow('down');
});
