// Policies at every door, into docs/figures.md, from one run.

import type { Cell } from '../test/policies/cells.ts';
import { everybody } from '../test/policies/ground.ts';
import { conditions } from './conditions.ts';
import { writeFigures } from './write-figures.ts';

export function writePolicies(cells: readonly Cell[]): void {
  const doors = [...new Set(cells.map(({ door }) => door))];
  const differing = cells.filter(({ due, came }) => due !== came);
  const words = (amount: number): string => amount.toLocaleString('en-US');
  const row = (name: string, some: readonly Cell[]): string => {
    const right = some.filter(({ due, came }) => due === came).length;
    return `| ${name} | ${right === some.length ? words(right) : `**${words(right)} of ${words(some.length)}**`} |`;
  };
  writeFigures(
    'policies',
    `Taken on ${conditions()}. **${words(cells.length - differing.length)} of ${words(cells.length)} cells are as they should be.**

| door | asked of ${everybody.join(', ')} |
|---|---:|
${doors
  .map((door) =>
    row(
      door,
      cells.filter((cell) => cell.door === door),
    ),
  )
  .join('\n')}
${row('**all**', cells)}
${differing.length === 0 ? '' : `\n${differing.map(({ door, who, what, due, came }) => `- ${door}, ${who}: ${what}: should be ${due}, was ${came.slice(0, 200).replaceAll('\n', ' ')}`).join('\n')}\n`}`,
  );
}
