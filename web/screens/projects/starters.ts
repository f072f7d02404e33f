// What a new project may begin with: a sample to try things on, or columns, labels and first tasks for a kind of work. Their words are
// messages; a line of tasks reads "column | title | label | priority | days until it is due | description".

import type { Starter } from '../../commands.ts';
import { daysAfter, localDay } from '../../queries/days.ts';
import type { Priority } from '../../queries.ts';
import { languageHere } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import { swatches } from '../../ui/palette.ts';

export const starterNames = ['sample', 'software', 'campaign', 'hiring'] as const;
export type StarterName = (typeof starterNames)[number];

const lines = (words: string): string[] => words.split('\n').map((line) => line.trim());
const isPriority = (word: string): word is Priority => /^p[012]$/.test(word);

/** Columns alone, in the reader's language; null where they are those that every project begins with. */
export function emptyStarter(): Starter | null {
  return languageHere() === 'en' ? null : { columns: lines(t('starters.columns')), labels: [], tasks: [] };
}

export function readStarter(name: StarterName, today = localDay(new Date())): Starter {
  const columns = lines(t(`starters.${name}.columns`));
  const labels = lines(t(`starters.${name}.labels`));
  return {
    columns,
    labels: labels.map((label, at) => ({ name: label, color: swatches[at % swatches.length]?.hex ?? '' })),
    tasks: lines(t(`starters.${name}.tasks`)).map((line) => {
      const [column = '', title = '', label = '', priority = '', due = '', description = ''] = line
        .split('|')
        .map((part) => part.trim());
      return {
        title,
        description,
        column: columns.indexOf(column),
        label: labels.indexOf(label),
        priority: isPriority(priority) ? priority : 'p2',
        dueDate: due === '' ? null : daysAfter(today, Number(due)),
      };
    }),
  };
}
