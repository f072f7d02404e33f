// Decides which event each subscriber gets for a change: INSERT, UPDATE, DELETE or none. A row is sent only if the policies allow it both now
// and in the snapshot taken just before the commit: someone who joined in between refetches instead, except for changes of the transaction
// that made them a member. Where rights changed between snapshot and change, the row is sent to those whom a SELECT shows that very version.
// An old row is reported as deleted to those who could see it just before, and to those who had it, may have seen the new one since, and no
// longer find it.

import type { Database } from '../../../database/types.ts';
import type { Change, ChangeKind, Values } from '../change.ts';
import type { Viewer } from '../delivery/subscriptions.ts';
import type { Table } from '../tables.ts';
import type { CurrentAccess } from './current-access.ts';
import type { Question } from './questions.ts';
import type { RowQuestions } from './row-questions.ts';
import type { SnapshotAccess } from './snapshot-access.ts';
import type { Snapshots } from './snapshots.ts';
import type { Visibility } from './visibility.ts';
import { visibleRows } from './visible-rows.ts';

export interface EventDeciderParts {
  readonly database: Pick<Database, 'objectsAs'>;
  readonly access: CurrentAccess;
  readonly snapshots: Snapshots;
  readonly questions: RowQuestions;
  readonly now: (question: Question) => Visibility;
  /** Whether the change's transaction itself changed who may see rows of its table. */
  readonly grants: (change: Change) => boolean;
  /** Rights to rows of its table may come without our hearing of it: they hang on a table that is not published, for one. */
  readonly isUnsure: (change: Change) => boolean;
  /** Earlier transactions that changed who may see rows of its table, and that some snapshot does not show. */
  readonly accessChanges: (change: Change) => readonly number[];
}

type Ask = (question: Question) => boolean;

/** A caller, and rows of one table that were changed. */
interface Changed {
  readonly viewer: Viewer;
  readonly table: Table;
  readonly changes: Set<Change>;
}

export class EventDecider {
  readonly #parts: EventDeciderParts;
  readonly #views = new Map<Change, SnapshotAccess | null>();
  readonly #open = new Map<SnapshotAccess, Set<Question>>();
  readonly #asked = new Map<SnapshotAccess, Ask>();
  /** By caller and table: who sees the new row now, and did perhaps not when it was written. */
  readonly #uncertain = new Map<string, Changed>();
  /** By caller and table: who sees the new row now and did some time before it was written, but perhaps not in between. */
  readonly #unproven = new Map<string, Changed>();
  /** By caller and table: who sees the new row now and did not before, where a right may have come unheard. */
  readonly #unheard = new Map<string, Changed>();
  /** By caller: new rows of those that a SELECT shows them. */
  readonly #granted = new Map<string, Set<Values>>();
  /** By caller: new rows of those that a SELECT does not show them. */
  readonly #hidden = new Map<string, Set<Values>>();
  /** By caller: old rows that they had and find no more. */
  readonly #lost = new Map<string, Set<Values>>();

  constructor(parts: EventDeciderParts) {
    this.#parts = parts;
  }

  /** Notes what has to be asked of snapshots. */
  add(viewer: Viewer, table: Table, change: Change): void {
    const view = this.#viewOf(change);
    if (view === null) return;
    for (const row of [change.new, change.old]) {
      const question = row === null ? null : this.#parts.questions.question(viewer, table, row);
      if (question === null || !this.#isNewer(question, view)) continue;
      // One who does not see the new row now does not get it, whatever they saw.
      if (row === change.new && (!this.#parts.now(question).seen || this.#parts.grants(change))) continue;
      const open = this.#open.get(view) ?? new Set();
      this.#open.set(view, open.add(question));
      if (row !== change.new) continue;
      if (!this.#isCurrent(view, change)) noteChanged(this.#unproven, viewer, table, change);
      if (this.#parts.isUnsure(change)) noteChanged(this.#unheard, viewer, table, change);
      if (change.kind === 'UPDATE') noteChanged(this.#uncertain, viewer, table, change);
    }
  }

  async settle(): Promise<void> {
    for (const [view, questions] of this.#open) this.#asked.set(view, await view.ask([...questions]));
    await this.#findHidden();
    await this.#findGranted();
    await this.#findLost();
  }

  async #findHidden(): Promise<void> {
    const { database, questions } = this.#parts;
    for (const { viewer, table, changes } of this.#unproven.values()) {
      const rows = [...changes]
        .filter((change) => this.#sawNew(viewer, table, change))
        .map((change) => change.new as Values);
      if (rows.length === 0) continue;
      const columns = questions.columns(viewer, table);
      const shown = await visibleRows(database, viewer.caller, table, rows, columns);
      addRows(
        this.#hidden,
        viewer,
        rows.filter((row) => !shown?.has(row)),
      );
    }
  }

  /** Rights that came with the change cannot be told from later ones: who is shown this very version by now is told of it. */
  async #findGranted(): Promise<void> {
    const { database, questions } = this.#parts;
    for (const { viewer, table, changes } of this.#unheard.values()) {
      const rows = [...changes]
        .filter((change) => !this.#sawNew(viewer, table, change))
        .map((change) => change.new as Values);
      if (rows.length === 0) continue;
      const shown = await visibleRows(database, viewer.caller, table, rows, questions.columns(viewer, table));
      addRows(this.#granted, viewer, [...(shown ?? [])]);
    }
  }

  async #findLost(): Promise<void> {
    for (const { viewer, table, changes } of this.#uncertain.values()) {
      const had: Values[] = [];
      for (const change of changes)
        if (
          change.old !== null &&
          !this.#sees(viewer, table, change, change.new) &&
          this.#saw(viewer, table, change, change.old)
        )
          had.push(change.old);
      if (had.length === 0) continue;
      const shown = await visibleRows(this.#parts.database, viewer.caller, table, had);
      // Of what cannot be asked about nothing new is said.
      const lost = shown === null ? [] : had.filter((row) => !shown.has(row));
      addRows(this.#lost, viewer, lost);
    }
  }

  /** INSERT, UPDATE, DELETE, or nothing at all. */
  kindFor(viewer: Viewer, table: Table, change: Change): ChangeKind | null {
    if (change.kind === 'DELETE') return this.#saw(viewer, table, change, change.old) ? 'DELETE' : null;
    if (this.#sees(viewer, table, change, change.new)) return change.kind;
    // Who has come to see the new row since then reads it anew: for them it is not gone, unless it is by now.
    if (this.#seesNow(viewer, table, change.new))
      return change.old !== null && this.#lost.get(viewer.callerKey)?.has(change.old) ? 'DELETE' : null;
    return change.kind === 'UPDATE' && this.#saw(viewer, table, change, change.old) ? 'DELETE' : null;
  }

  /** Whether the old row was there for them to see. */
  sawOld(viewer: Viewer, table: Table, change: Change): boolean {
    return this.#saw(viewer, table, change, change.old);
  }

  #seesNow(viewer: Viewer, table: Table, row: Values | null): boolean {
    const question = row === null ? null : this.#parts.questions.question(viewer, table, row);
    return question !== null && this.#parts.now(question).seen;
  }

  #sees(viewer: Viewer, table: Table, change: Change, row: Values | null): boolean {
    const { questions, now, access } = this.#parts;
    if (row === null || questions.isFree(viewer, table)) return row !== null;
    const question = questions.question(viewer, table, row);
    if (question === null || !now(question).seen) return false;
    const view = this.#viewOf(change);
    if (view !== null && !this.#isNewer(question, view)) return true;
    if (view !== null && !this.#parts.grants(change) && !this.#before(question, view))
      if (!this.#granted.get(viewer.callerKey)?.has(row)) return false;
    if (this.#hidden.get(viewer.callerKey)?.has(row)) return false;
    access.remember(viewer.callerKey, table, row);
    return true;
  }

  #saw(viewer: Viewer, table: Table, change: Change, row: Values | null): boolean {
    const { questions, now, access, grants } = this.#parts;
    if (row === null || questions.isFree(viewer, table)) return row !== null;
    const question = questions.question(viewer, table, row);
    if (question === null) return false;
    const view = this.#viewOf(change);
    let seen = now(question).seen;
    // Where others may see it since the view was taken, only those are told who might then and may now.
    if (view !== null && this.#isNewer(question, view))
      seen = this.#before(question, view) && (seen || this.#isCurrent(view, change));
    // Who came and goes with this transaction, between two views, was shown it in the meantime.
    return seen || (grants(change) && access.saw(viewer.callerKey, table, row));
  }

  /** Whether it shows who could see what just before the change, and not some time before. */
  #isCurrent(view: SnapshotAccess, change: Change): boolean {
    return !this.#parts.accessChanges(change).some((xid) => view.isBefore(xid));
  }

  /** Whether the view says that they might see the new row. */
  #sawNew(viewer: Viewer, table: Table, change: Change): boolean {
    const view = this.#viewOf(change);
    const question = change.new === null ? null : this.#parts.questions.question(viewer, table, change.new);
    return view !== null && question !== null && this.#before(question, view);
  }

  #before(question: Question, view: SnapshotAccess): boolean {
    return this.#asked.get(view)?.(question) ?? false;
  }

  /** An answer that is older than the view and has not been forgotten since is the view's, too. */
  #isNewer(question: Question, view: SnapshotAccess): boolean {
    return this.#parts.now(question).askedAt > view.moment.at;
  }

  #viewOf(change: Change): SnapshotAccess | null {
    let view = this.#views.get(change);
    if (view === undefined) {
      view = this.#parts.snapshots.before(change.xid);
      this.#views.set(change, view);
    }
    return view;
  }
}

function noteChanged(of: Map<string, Changed>, viewer: Viewer, table: Table, change: Change): void {
  const key = `${table.relation} ${viewer.callerKey}`;
  const changed = of.get(key) ?? { viewer, table, changes: new Set() };
  changed.changes.add(change);
  of.set(key, changed);
}

function addRows(to: Map<string, Set<Values>>, { callerKey }: Viewer, rows: readonly Values[]): void {
  const known = to.get(callerKey) ?? new Set();
  to.set(callerKey, known);
  for (const row of rows) known.add(row);
}
