// Mapping of an issuer's groups as a setting: pairs and JSON say the same.

import { expect, test } from 'vitest';
import { readGroupPairs, splitGroupPair } from './group-pairs.ts';

const pairsIn = (text: string) => readGroupPairs(text).map(splitGroupPair);

test('pairs are separated by commas, and the last equals sign divides one', () => {
  expect(pairsIn('dock/crew = Dock workers, cn=cooks=Cooks')).toEqual([
    ['dock/crew', 'Dock workers'],
    ['cn=cooks', 'Cooks'],
  ]);
});

test('a JSON object has values with commas', () => {
  expect(pairsIn('{"cn=cooks,ou=kitchen": "Cooks", "__proto__": "Odd"}')).toEqual([
    ['cn=cooks,ou=kitchen', 'Cooks'],
    ['__proto__', 'Odd'],
  ]);
});

test.each(['crew', '=Crew', 'crew=', '{"a": 1}', '{"a": ""}', '{"a": "b=c"}', '{"a"', '{"": "Crew"}'])(
  '%s is refused',
  (text) => {
    expect(() => readGroupPairs(text)).toThrow('value=name');
  },
);
