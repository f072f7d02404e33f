// Writes the result of a policies run into docs/figures.md.

import { everybody } from '../test/policies/callers.ts';
import type { Cell } from '../test/policies/cells.ts';
import { conditions } from './conditions.ts';
import { csv, whole, writeFigures } from './page.ts';

export function writePolicies(cells: readonly Cell[]): void {
  const doors = [...new Set(cells.map(({ door }) => door))];
  const differing = cells.filter(({ due, came }) => due !== came);
  const row = (name: string, some: readonly Cell[]): string[] => {
    const right = some.filter(({ due, came }) => due === came).length;
    return [name, right === some.length ? whole(right) : `${whole(right)} of ${whole(some.length)}`];
  };
  writeFigures(
    'policies',
    `${conditions()}. **${whole(cells.length - differing.length)} of ${whole(cells.length)} cells are as they should be**, asked of ${everybody.join(', ')}: [each door](figures/policies.csv).
${differing.length === 0 ? '' : `\n${differing.map(({ door, who, what, due, came }) => `- ${door}, ${who}: ${what}: should be ${due}, was ${came.slice(0, 200).replaceAll('\n', ' ')}`).join('\n')}\n`}`,
    {
      files: {
        'policies.csv': csv(
          'door|cells as they should be',
          doors.map((name) =>
            row(
              name,
              cells.filter(({ door }) => door === name),
            ),
          ),
        ),
      },
    },
  );
}
