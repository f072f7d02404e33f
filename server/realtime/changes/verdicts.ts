// Decides which event each caller gets for a change, from the policies as of now and of snapshots of the past. A row is sent to those who
// may see it now and could see it when it was written: someone who joined the project since reads it anew and gets no earlier version,
// except for changes of the transaction that made them a member. Where rights changed between snapshot and change, the row is sent to those
// whom a SELECT shows that very version. An old row is reported as deleted to those who could see it just before, and to those who had it,
// may have seen the new one since, and no longer find it.

import type { Database } from '../../database/types.ts';
import type { Change, ChangeKind, Values } from './change.ts';
import type { PastSight } from './past-sight.ts';
import type { PastViews } from './past-views.ts';
import type { Question } from './questions.ts';
import type { RowQuestions } from './row-questions.ts';
import { shownRows } from './shown-rows.ts';
import type { Sight } from './sight.ts';
import type { Asker } from './subscriptions.ts';
import type { Table } from './tables.ts';
import type { Visibility } from './visibility.ts';

export interface VerdictParts {
  readonly database: Pick<Database, 'objectsAs'>;
  readonly sight: Sight;
  readonly past: PastViews;
  readonly questions: RowQuestions;
  readonly now: (question: Question) => Visibility;
  /** Whether the change's transaction itself changed who may see rows of its table. */
  readonly grants: (change: Change) => boolean;
  /** Earlier transactions that changed who may see rows of its table, and that some view of the past does not know of. */
  readonly deciders: (change: Change) => readonly number[];
}

type Ask = (question: Question) => boolean;

/** A caller, and rows of one table that were changed. */
interface Changed {
  readonly asker: Asker;
  readonly table: Table;
  readonly changes: Set<Change>;
}

export class Verdicts {
  readonly #parts: VerdictParts;
  readonly #views = new Map<Change, PastSight | null>();
  readonly #open = new Map<PastSight, Set<Question>>();
  readonly #asked = new Map<PastSight, Ask>();
  /** By caller and table: who sees the new row now, and did perhaps not when it was written. */
  readonly #doubtful = new Map<string, Changed>();
  /** By caller and table: who sees the new row now and did some time before it was written, but perhaps not in between. */
  readonly #unproven = new Map<string, Changed>();
  /** By caller: new rows of those that a SELECT does not show them. */
  readonly #hidden = new Map<string, Set<Values>>();
  /** By caller: old rows that they had and find no more. */
  readonly #lost = new Map<string, Set<Values>>();

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  /** Notes what has to be asked of the past. */
  add(asker: Asker, table: Table, change: Change): void {
    const view = this.#viewOf(change);
    if (view === null) return;
    for (const row of [change.new, change.old]) {
      const question = row === null ? null : this.#parts.questions.question(asker, table, row);
      if (question === null || !this.#isNewer(question, view)) continue;
      // One who does not see the new row now does not get it, whatever they saw.
      if (row === change.new && (!this.#parts.now(question).seen || this.#parts.grants(change))) continue;
      const open = this.#open.get(view) ?? new Set();
      this.#open.set(view, open.add(question));
      if (row !== change.new) continue;
      if (!this.#isCurrent(view, change)) noteChanged(this.#unproven, asker, table, change);
      if (change.kind === 'UPDATE') noteChanged(this.#doubtful, asker, table, change);
    }
  }

  async settle(): Promise<void> {
    for (const [view, questions] of this.#open) this.#asked.set(view, await view.ask([...questions]));
    await this.#findHidden();
    await this.#findLost();
  }

  async #findHidden(): Promise<void> {
    const { database, questions } = this.#parts;
    for (const { asker, table, changes } of this.#unproven.values()) {
      const rows = [...changes]
        .filter((change) => this.#sawNew(asker, table, change))
        .map((change) => change.new as Values);
      if (rows.length === 0) continue;
      const columns = questions.columns(asker, table);
      const shown = await shownRows(database, asker.caller, table, rows, columns);
      addRows(
        this.#hidden,
        asker,
        rows.filter((row) => !shown?.has(row)),
      );
    }
  }

  async #findLost(): Promise<void> {
    for (const { asker, table, changes } of this.#doubtful.values()) {
      const had: Values[] = [];
      for (const change of changes)
        if (
          change.old !== null &&
          !this.#sees(asker, table, change, change.new) &&
          this.#saw(asker, table, change, change.old)
        )
          had.push(change.old);
      if (had.length === 0) continue;
      const shown = await shownRows(this.#parts.database, asker.caller, table, had);
      // Of what cannot be asked about nothing new is said.
      const lost = shown === null ? [] : had.filter((row) => !shown.has(row));
      addRows(this.#lost, asker, lost);
    }
  }

  /** INSERT, UPDATE, DELETE, or nothing at all. */
  kindFor(asker: Asker, table: Table, change: Change): ChangeKind | null {
    if (change.kind === 'DELETE') return this.#saw(asker, table, change, change.old) ? 'DELETE' : null;
    if (this.#sees(asker, table, change, change.new)) return change.kind;
    // Who has come to see the new row since then reads it anew: for them it is not gone, unless it is by now.
    if (this.#seesNow(asker, table, change.new))
      return change.old !== null && this.#lost.get(asker.callerKey)?.has(change.old) ? 'DELETE' : null;
    return change.kind === 'UPDATE' && this.#saw(asker, table, change, change.old) ? 'DELETE' : null;
  }

  /** Whether the old row was there for them to see. */
  sawOld(asker: Asker, table: Table, change: Change): boolean {
    return this.#saw(asker, table, change, change.old);
  }

  #seesNow(asker: Asker, table: Table, row: Values | null): boolean {
    const question = row === null ? null : this.#parts.questions.question(asker, table, row);
    return question !== null && this.#parts.now(question).seen;
  }

  #sees(asker: Asker, table: Table, change: Change, row: Values | null): boolean {
    const { questions, now, sight } = this.#parts;
    if (row === null || questions.isFree(asker, table)) return row !== null;
    const question = questions.question(asker, table, row);
    if (question === null || !now(question).seen) return false;
    const view = this.#viewOf(change);
    if (view !== null && !this.#isNewer(question, view)) return true;
    if (view !== null && !this.#parts.grants(change) && !this.#before(question, view)) return false;
    if (this.#hidden.get(asker.callerKey)?.has(row)) return false;
    sight.remember(asker.callerKey, table, row);
    return true;
  }

  #saw(asker: Asker, table: Table, change: Change, row: Values | null): boolean {
    const { questions, now, sight, grants } = this.#parts;
    if (row === null || questions.isFree(asker, table)) return row !== null;
    const question = questions.question(asker, table, row);
    if (question === null) return false;
    const view = this.#viewOf(change);
    let seen = now(question).seen;
    // Where others may see it since the view was taken, only those are told who might then and may now.
    if (view !== null && this.#isNewer(question, view))
      seen = this.#before(question, view) && (seen || this.#isCurrent(view, change));
    // Who came and goes with this transaction, between two views, was shown it in the meantime.
    return seen || (grants(change) && sight.saw(asker.callerKey, table, row));
  }

  /** Whether it shows who could see what just before the change, and not some time before. */
  #isCurrent(view: PastSight, change: Change): boolean {
    return !this.#parts.deciders(change).some((xid) => view.isBefore(xid));
  }

  /** Whether the view says that they might see the new row. */
  #sawNew(asker: Asker, table: Table, change: Change): boolean {
    const view = this.#viewOf(change);
    const question = change.new === null ? null : this.#parts.questions.question(asker, table, change.new);
    return view !== null && question !== null && this.#before(question, view);
  }

  #before(question: Question, view: PastSight): boolean {
    return this.#asked.get(view)?.(question) ?? false;
  }

  /** An answer that is older than the view and has not been forgotten since is the view's, too. */
  #isNewer(question: Question, view: PastSight): boolean {
    return this.#parts.now(question).askedAt > view.moment.at;
  }

  #viewOf(change: Change): PastSight | null {
    let view = this.#views.get(change);
    if (view === undefined) {
      view = this.#parts.past.before(change.xid);
      this.#views.set(change, view);
    }
    return view;
  }
}

function noteChanged(of: Map<string, Changed>, asker: Asker, table: Table, change: Change): void {
  const key = `${table.relation} ${asker.callerKey}`;
  const changed = of.get(key) ?? { asker, table, changes: new Set() };
  changed.changes.add(change);
  of.set(key, changed);
}

function addRows(to: Map<string, Set<Values>>, { callerKey }: Asker, rows: readonly Values[]): void {
  const known = to.get(callerKey) ?? new Set();
  to.set(callerKey, known);
  for (const row of rows) known.add(row);
}
