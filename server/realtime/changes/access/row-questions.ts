// Groups the rows of a batch into distinct questions for each caller. Rows with the same values in the columns that a policy reads are one
// question: a hundred tasks of one project are one to each caller.

import type { Values } from '../change.ts';
import type { Viewer } from '../delivery/subscriptions.ts';
import { rowJson } from '../row-json.ts';
import type { Condition, RoleView, Table } from '../tables.ts';
import type { Question } from './questions.ts';

export type ViewOf = (table: Table, role: string) => RoleView;

/** Rows that are the same to a policy, and who is asked about them. */
interface Alike {
  readonly text: string;
  readonly byCaller: Map<string, Question>;
}

export class RowQuestions {
  readonly #viewOf: ViewOf;
  readonly #rows = new Map<Values, Map<Condition, Alike>>();
  readonly #alike = new Map<Condition, Map<string, Alike>>();
  readonly list: Question[] = [];

  constructor(viewOf: ViewOf) {
    this.#viewOf = viewOf;
  }

  add({ caller, callerKey }: Viewer, table: Table, row: Values | null): void {
    const { condition } = this.#viewOf(table, caller.role);
    if (row === null || condition === null || condition.text === 'false') return;
    const { text, byCaller } = this.#alikeOf(row, condition, table);
    if (byCaller.has(callerKey)) return;
    const question: Question = { caller, callerKey, table, condition, row: text };
    byCaller.set(callerKey, question);
    this.list.push(question);
  }

  /** Null where nobody is to be asked: `isFree` says whether all may see it, or nobody. */
  question({ caller, callerKey }: Viewer, table: Table, row: Values): Question | null {
    const { condition } = this.#viewOf(table, caller.role);
    return condition === null ? null : (this.#rows.get(row)?.get(condition)?.byCaller.get(callerKey) ?? null);
  }

  /** What they may read of the table's rows. */
  columns({ caller }: Viewer, table: Table): readonly string[] {
    const { columns } = this.#viewOf(table, caller.role);
    return table.columns.filter(({ name }) => columns.has(name)).map(({ name }) => name);
  }

  isFree({ caller }: Viewer, table: Table): boolean {
    return this.#viewOf(table, caller.role).condition === null;
  }

  #alikeOf(row: Values, condition: Condition, table: Table): Alike {
    let byCondition = this.#rows.get(row);
    if (byCondition === undefined) {
      byCondition = new Map();
      this.#rows.set(row, byCondition);
    }
    let alike = byCondition.get(condition);
    if (alike === undefined) {
      const text = rowJson(table, condition.columns, row);
      const known = this.#alike.get(condition) ?? new Map<string, Alike>();
      this.#alike.set(condition, known);
      alike = known.get(text) ?? { text, byCaller: new Map() };
      known.set(text, alike);
      byCondition.set(condition, alike);
    }
    return alike;
  }
}
