// A column with an optional path into its JSON: `data->items->0->>name`.

import type { Field, JsonStep } from './api-request.ts';
import type { Scanner } from './scanner.ts';

/** Postgres would take some thousands; each is a call inside a call. */
const LONGEST = 100;
const NO_PATH: readonly JsonStep[] = [];
const JSON_KEY = 'any non reserved character different from: .,>()';
/** An index ends where a path can go on or end; `1x` is a key. */
const INDEX = /-?[0-9]+(?=->|::|\.|,|$)/y;

export function parseField(scanner: Scanner): Field | null {
  scanner.spaces();
  const name = scanner.name();
  if (name === null) return null;
  const path = parseJsonPath(scanner);
  if (path === null) return null;
  scanner.spaces();
  return { name, path };
}

export function parseJsonPath(scanner: Scanner): readonly JsonStep[] | null {
  if (scanner.peek() !== '-') return NO_PATH;
  const steps: JsonStep[] = [];
  for (;;) {
    const arrow = scanner.take('->>') ? '->>' : scanner.take('->') ? '->' : null;
    if (arrow === null) return steps;
    if (steps.length >= LONGEST) return scanner.expected('fewer steps into the json');
    INDEX.lastIndex = scanner.position;
    const index = INDEX.exec(scanner.text);
    if (index !== null) {
      scanner.position = INDEX.lastIndex;
      steps.push({ arrow, key: index[0], isIndex: true });
      continue;
    }
    if (scanner.peek() === '-') return scanner.expectedAt(scanner.position + 1, null, 'digit');
    const start = scanner.position;
    const key = scanner.jsonKey();
    if (key === null) return scanner.insteadAt(start, null, '"-"', 'digit', JSON_KEY);
    steps.push({ arrow, key, isIndex: false });
  }
}
