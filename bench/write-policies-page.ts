// docs/policies.md, from one run.

import { writeFileSync } from 'node:fs';
import type { Cell } from '../test/policies/cells.ts';
import { everybody } from '../test/policies/ground.ts';
import { conditions } from './conditions.ts';

export function writePolicies(cells: readonly Cell[]): void {
  const doors = [...new Set(cells.map(({ door }) => door))];
  const differing = cells.filter(({ due, came }) => due !== came);
  const words = (amount: number): string => amount.toLocaleString('en-US');
  const inTable = (some: readonly Cell[]): string => {
    if (some.length === 0) return '';
    const right = some.filter(({ due, came }) => due === came).length;
    return right === some.length ? words(right) : `**${words(right)} of ${words(some.length)}**`;
  };
  const row = (name: string, some: readonly Cell[]): string =>
    `| ${name} | ${everybody.map((who) => inTable(some.filter((cell) => cell.who === who))).join(' | ')} | ${inTable(some)} |`;
  writeFileSync(
    'docs/policies.md',
    `# Who may do what, at every door

Written by \`npm run bench -- --policies\`, ${conditions()}.

**${words(cells.length - differing.length)} of ${words(cells.length)} cells are as they should be.** A cell is one question of one person at one door of a running server, and the answer that is due to them: its status and
code, and how many rows or whether any, not merely that it was refused. A number in the table is how many were asked and answered so; where some were not, it says *of* how many, the command names them and ends with 1.

| door | ${everybody.join(' | ')} | all |
|---|${everybody.map(() => '---:|').join('')}---:|
${doors
  .map((door) =>
    row(
      door,
      cells.filter((cell) => cell.door === door),
    ),
  )
  .join('\n')}
${row('**all**', cells)}
${differing.length === 0 ? '' : `\n${differing.map(({ door, who, what, due, came }) => `- ${door}, ${who}: ${what}: should be ${due}, was ${came.slice(0, 200).replaceAll('\n', ' ')}`).join('\n')}\n`}
**Who.** Owner, editor and viewer of a project with a row in every table; an editor who was removed from it; an outsider with a project of their own; anonymous is the public key alone; signed out is an editor whose session has
ended, with its token. All signed up by \`/auth/v1\`. Rows, procedures and texts are asked over HTTP; files, live changes and topics by a client of \`@supabase/supabase-js\` each.

**What.** Tables, procedures and keys between tables are read from the catalog, so that a new one is asked or the run fails. *Rows*: every table by every verb; counted by \`HEAD\` and \`count=exact\`; embedded both ways along every
key to a project, a task or a person; filtered and put in order by what stands in others' rows; upserted over rows that are there. *Procedures*: every one. *Files*: every verb of the client on a file of a task, and the file looked at afterwards.
*Live changes*: everybody follows everything, a row of each published table is written, then the project ends. *Private topics*: listening, speaking, and what a public topic of the same name lets hear, presence included.
*Texts*: whatever takes an id is asked once with theirs and once with one that nobody has, and both answers are compared to the letter; and no answer that shows everything has a word of the project.

What is written is rolled back (\`Prefer: tx=rollback\`), so that all meet the same rows. Not asked here: the operator's desk beyond its first line (\`test/admin/\`), billing, and what the clock tells.
`,
  );
}
