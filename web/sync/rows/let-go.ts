// Lets go of what nobody looks at: sources that were left long ago, and rows that no source and no screen holds. A tab that is open for a
// month holds what it shows.

import type { Refetch } from './refetch.ts';
import type { AnyRow, TableName } from './rows.ts';
import { type Question, questionsOf } from './scopes.ts';
import type { Store } from './store.ts';

/** Whether a screen shows the row, which no scope may have asked for. */
export type Hold = (table: TableName, row: AnyRow) => boolean;

export function letGo(refetch: Pick<Refetch, 'letGo' | 'sources'>, store: Store, holds: Iterable<Hold>): void {
  if (!refetch.letGo()) return;
  const questions = new Map<TableName, Question[]>();
  for (const { about } of refetch.sources())
    for (const question of about === undefined || about.kind === 'figures' ? [] : questionsOf(about))
      questions.set(question.table, [...(questions.get(question.table) ?? []), question]);
  store.sweep(
    (table, row) =>
      questions.get(table)?.some(({ part, kept }) => part(row) || kept?.(row, store)) ||
      [...holds].some((hold) => hold(table, row)),
  );
}
