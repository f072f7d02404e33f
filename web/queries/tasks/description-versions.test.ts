// Versions of a description: joined by person and pause, the first text with them.

import { expect, test } from 'vitest';
import type { ActivityRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { descriptionVersionsOf } from './description-versions.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const line = (minute: number, actor: string, from: string, to: string, more = {}) =>
  ({
    id: `${minute}`,
    kind: 'updated',
    created_at: at(minute),
    actor_id: actor,
    change: { ...more, description: { from, to } },
  }) as unknown as ActivityRow;

function versions(...lines: ActivityRow[]) {
  const task = { id: 't', created_by: 'ada', created_at: at(0) } as TaskRow;
  const store = { where: () => [...lines], get: () => task } as unknown as Reader;
  return descriptionVersionsOf.read(store, 't').map(({ id, text, before, actorId }) => [id, text, before, actorId]);
}

test('newest first, the text that the task began with last', () => {
  expect(versions(line(30, 'bob', 'b', 'c'), line(10, 'ada', 'a', 'b'))).toEqual([
    ['30', 'c', 'b', 'bob'],
    ['10', 'b', 'a', 'ada'],
    ['', 'a', null, 'ada'],
  ]);
});

test('edits of one person within minutes are one version, unless the second undoes the first', () => {
  const quick = [line(1, 'ada', '', 'a'), line(5, 'ada', 'a', 'ab', { title: {} }), line(9, 'ada', 'ab', 'abc')];
  expect(versions(...quick)).toEqual([['9', 'abc', '', 'ada']]);
  expect(versions(...quick, line(10, 'bob', 'abc', 'x'))).toHaveLength(2);
  expect(versions(line(1, 'ada', 'a', 'b'), line(2, 'ada', 'b', 'a')).map(([, text]) => text)).toEqual(['a', 'b', 'a']);
});

test('a text that has never changed has no versions', () => {
  expect(versions({ ...line(1, 'ada', '', ''), change: { title: { from: 'a', to: 'b' } } })).toEqual([]);
});
