// Reactions: any single emoji and nothing else, and up to twenty different ones for a comment, also from many people at once.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addRow, addTask } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();
const all = Object.keys(JSON.parse(readFileSync('web/screens/task/emoji/en.json', 'utf8')));

async function comment(): Promise<string> {
  const { project } = await shared('Said');
  const task = await addTask(app, owner, { project_id: project, title: 'Talk' });
  return addRow(app, owner, 'task_comments', { task_id: task, body: 'So?' });
}

test('every emoji of the picker is taken, and nothing that is not one', async () => {
  const [check] = await app.sql<{ said: string }>(
    "select pg_get_constraintdef(oid) as said from pg_constraint where conname = 'comment_reactions_emoji_single'",
  );
  const refused = (signs: readonly string[]) =>
    app.sql(`select emoji from unnest($1::text[]) as s (emoji) where not ${check?.said.replace(/^CHECK /, '')}`, [
      signs,
    ]);
  expect(all.length).toBeGreaterThan(1800);
  expect(await refused(all)).toEqual([]);
  const odd = [
    '',
    'a',
    '1',
    '#',
    ' ',
    '👍👍',
    '👍 ',
    ' 👍',
    '👍\n',
    ':+1:',
    '🇩',
    '🇩🇪🇫🇷',
    '\u200d',
    '👍\u200d',
    '\ufe0f',
    '🏻🏻',
    '👍'.repeat(9),
    '<b>',
  ];
  expect(await refused(odd)).toHaveLength(odd.length);
});

test('up to twenty different ones for a comment, from several people at once too', async () => {
  const on = await comment();
  const say = (who: typeof owner, emoji: string) =>
    who.client.from('comment_reactions').insert({ comment_id: on, emoji });
  for (const emoji of all.slice(0, 19)) expect((await say(owner, emoji)).error).toBeNull();
  const answers = await Promise.all([say(owner, '🦄'), say(editor, '🌮')]);
  expect(answers.map(({ error }) => error?.code ?? 'made').sort()).toEqual(['KB018', 'made']);
  expect((await say(editor, all[0] ?? '')).error).toBeNull();
  expect((await say(editor, 'no')).error?.code).toBe('23514');
});
