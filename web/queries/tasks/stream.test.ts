// Order, filter and runs of the stream of a task.

import { expect, test } from 'vitest';
import type { ActivityRow, CommentRow } from '../../sync/rows/rows.ts';
import { newestOf, type StreamFilter, type StreamItem, streamOf } from './stream.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const line = (id: string, minute: number, actor: string, kind = 'updated') =>
  ({ id, created_at: at(minute), actor_id: actor, kind }) as unknown as ActivityRow;
const thread = (id: string, minute: number) => ({
  first: { id, created_at: at(minute) } as CommentRow,
  replies: [],
});
const say = (stream: readonly StreamItem[]): string[] =>
  stream.map((item) => (item.kind === 'thread' ? item.thread.first.id : item.lines.map(({ id }) => id).join('+')));

const threads = [thread('Q', 10), thread('A', 12)];
/** As the store has them, newest first. */
const lines = [
  line('6', 40, 'bob'),
  line('5', 12, 'bob', 'commented'),
  line('4', 11, 'ada'),
  line('3', 10, 'ada', 'commented'),
  line('2', 4, 'ada'),
  line('1', 0, 'ada', 'created'),
];

test.each<[StreamFilter, string[]]>([
  ['all', ['1+2', 'Q', '4', 'A', '6']],
  ['comments', ['Q', 'A']],
  ['history', ['1+2', '3+4', '5', '6']],
])('%s: oldest first, and a run ends with a comment, a pause or another person', (filter, expected) => {
  expect(say(streamOf(threads, lines, filter))).toEqual(expected);
});

test('the oldest runs are left out, and no comments', () => {
  const stream = streamOf(threads, lines, 'all');
  expect(say(newestOf(stream, 1))).toEqual(['Q', 'A', '6']);
  expect(newestOf(stream, 3)).toEqual(stream);
});

test('a description that is saved again within minutes is one line, what undoes it another', () => {
  const described = (id: string, minute: number, from: string, to: string) => ({
    ...line(id, minute, 'ada'),
    change: { description: { from, to } },
  });
  const saved = [described('3', 6, 'ab', ''), described('2', 3, 'a', 'ab'), described('1', 0, '', 'a')];
  const [run] = streamOf([], saved, 'all');
  const texts = run?.kind === 'run' ? run.lines.map(({ id, change }) => [id, change]) : [];
  expect(texts).toEqual([
    ['2', { description: { from: '', to: 'ab' } }],
    ['3', { description: { from: 'ab', to: '' } }],
  ]);
});
