import { afterAll, expect, test } from 'vitest';
import { taskRow } from '../../test/helpers/task-row.ts';
import { orderBy } from '../queries/views/filtering.ts';
import { Store } from '../sync/rows/store.ts';
import { setCatalog } from './messages.ts';

afterAll(() => setCatalog({}, 'en'));

test.each([
  ['de', ['Ofen', 'Öl', 'Zeh']],
  ['sv', ['Ofen', 'Zeh', 'Öl']],
])('in %s titles are sorted as %j', (language, sorted) => {
  setCatalog({}, language);
  const order = orderBy(new Store(), [{ by: 'title', descending: false }]);
  const tasks = ['Zeh', 'Öl', 'Ofen'].map((title) => taskRow(title, { title }));
  expect(tasks.sort(order).map(({ title }) => title)).toEqual(sorted);
});
