// Each list of properties that a screen offers has a name for all of them.

import '../helpers/english.ts';
import { expect, test } from 'vitest';
import { sortable } from '../../contract/views.ts';
import { ownColumns, ownNames } from '../../web/properties/own.ts';
import { cardParts } from '../../web/screens/board/card-shown.ts';
import { nameProperty } from '../../web/strings/name-property.ts';

test.each([
  ['list.groups', ['project', 'kind', 'column', 'assignee', 'priority', 'label', 'parent']],
  ['list.sorts', sortable],
  ['table.columns', ownColumns],
  ['views.properties', ownNames],
  ['views.display.parts', cardParts],
] as const)('%s has a name for each', (screen, ids) => {
  expect(ids.length).toBeGreaterThan(5);
  for (const id of ids) expect(nameProperty(`${screen}.${id}`, id)).not.toBe('');
});

test('the name that a screen has for a property wins', () => {
  expect(nameProperty('list.sorts.column', 'column')).toBe('Same as board');
  expect(nameProperty('list.groups.column', 'column')).toBe('Column');
});
