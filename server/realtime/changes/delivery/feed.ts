// Delivery of changes: each is taken from the source, given an audience, checked against the policies of each caller in it, and sent. All
// changes that are there are delivered together, in commit order; while one lot is checked the next one gathers.

import { setTimeout as pause } from 'node:timers/promises';
import { type AccessTables, affectedBy, findAccessTables } from '../access/access-tables.ts';
import type { CurrentAccess } from '../access/current-access.ts';
import { EventDecider, type EventDeciderParts } from '../access/decide-event.ts';
import type { Question } from '../access/questions.ts';
import { RowQuestions, type ViewOf } from '../access/row-questions.ts';
import type { Snapshots } from '../access/snapshots.ts';
import { TableFingerprints } from '../access/table-fingerprints.ts';
import type { Change, ChangeKind, Values } from '../change.ts';
import { rowJson } from '../row-json.ts';
import type { RoleView, Table, Tables } from '../tables.ts';
import { ChangeFrames } from './change-frames.ts';
import type { Filter } from './filter.ts';
import { SlowFilters, type SlowFiltersParts } from './slow-filters.ts';
import type { Binding, Subscriber, Subscriptions, Viewer } from './subscriptions.ts';

export interface FeedParts extends SlowFiltersParts {
  readonly tables: Tables;
  readonly access: CurrentAccess;
  readonly snapshots: Snapshots;
  readonly subscriptions: Subscriptions;
  readonly maxRecordBytes: number;
  /** A table is new, or another than before: bindings to it may have to be made anew. */
  readonly onTableChanged: (relation: number) => Promise<void>;
}

/** Dealt with at once; more would keep other work waiting. So many changes, or messages to be sent of them. */
const lotSize = 250;
const lotMessages = 20_000;
/** Lots do not follow each other more quickly: what comes in between shares a round trip and a write. */
const shortestPauseMs = 8;
const longestPauseMs = 50;
/** After a lot that took long others get their turn, and more changes share the next. */
const pauseShare = 1;
/** Answers are good for so long, when every change that could make them others is heard of. */
const answersGoodForMs = 30_000;
/** And where it is not. */
const unsureAnswersGoodForMs = 500;
const snapshotEveryMs = 250;
const accessTablesGoodForMs = 60_000;
/** What is read from the log is visible to others a moment later; it is waited for so often. */
const snapshotAttempts = 20;

/** A change and those who bound to it, before anybody has asked whether they may see it. */
interface Audience {
  readonly table: Table;
  readonly change: Change;
  readonly bindings: readonly Binding[];
  /** Those whose filter only the old row passes: they get a DELETE when they no longer see the row. */
  readonly leaving: ReadonlySet<Binding>;
  /** Bindings whose filter Postgres has to evaluate, on rows that they may see. */
  readonly slow: ReadonlyMap<Binding, Filter>;
}

/** Changes that are dealt with together. */
interface Lot {
  readonly audiences: Audience[];
  /** As whom they are asked for from its beginning to its end. */
  readonly viewers: Map<Subscriber, Viewer>;
  readonly isWanted: () => boolean;
}

export class Feed {
  readonly #parts: FeedParts;
  readonly #fingerprints: TableFingerprints;
  readonly #filters: SlowFilters;
  #knownAccessTables: { readonly at: number; readonly tables: Promise<AccessTables | null> } | null = null;
  #unsureUntil = 0;
  /** Changes of who may see what, in their order, as long as some snapshot does not show them. */
  #recentAccessChanges: { readonly xid: number; readonly affected: ReadonlySet<number> }[] = [];
  /** By transaction: tables of which others may see rows since then. */
  #grants = new Map<number, Set<number>>();
  #nextLotAt = 0;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    this.#fingerprints = new TableFingerprints(parts.database);
    this.#filters = new SlowFilters(parts);
  }

  /** Before the first change. */
  async begin(): Promise<void> {
    await this.#fingerprints.begin();
    this.forget();
  }

  /** Deals with changes in order, as long as they are wanted. Not to be called again before it has resolved. */
  async deliver(changes: readonly Change[], isWanted: () => boolean): Promise<void> {
    if (this.#fingerprints.arePending)
      for (const relation of await this.#fingerprints.findChanged()) {
        this.forget(relation);
        await this.#parts.onTableChanged(relation);
      }
    await this.#noteGrants(changes);
    for (let start = 0; start < changes.length && isWanted(); ) {
      const wait = this.#nextLotAt - performance.now();
      if (wait > 0) await pause(wait);
      const began = performance.now();
      start += await this.#deliverLot(changes.slice(start, start + lotSize), isWanted);
      const took = performance.now() - began;
      this.#nextLotAt =
        performance.now() + Math.min(longestPauseMs, Math.max(shortestPauseMs - took, took * pauseShare));
    }
    await this.renewSnapshots();
  }

  async #noteGrants(changes: readonly Change[]): Promise<void> {
    const accessTables = await this.#accessTables();
    // A long transaction comes in several parts.
    const [first] = changes;
    const begun = first === undefined ? undefined : this.#grants.get(first.xid);
    this.#grants = new Map(first === undefined || begun === undefined ? [] : [[first.xid, begun]]);
    for (const change of changes) {
      const { xid } = change;
      const tables = this.#grants.get(xid) ?? new Set();
      for (const table of (accessTables && affectedBy(accessTables, change)) ?? [])
        this.#grants.set(xid, tables.add(table));
    }
  }

  /** Columns, grants or policies of a table may not be what they were. */
  recheckTable(relation: number): void {
    this.#fingerprints.recheck(relation);
  }

  /** They are not, or those of any table. */
  forget(relation?: number): void {
    this.#parts.tables.forget(relation);
    this.#parts.access.forget();
    this.#knownAccessTables = null;
  }

  /** Snapshots move on, also while nothing happens; with nobody there they end, for they hinder vacuum. */
  async renewSnapshots(): Promise<void> {
    const { snapshots, subscriptions } = this.#parts;
    if (subscriptions.size === 0) await snapshots.end();
    else if (performance.now() - snapshots.takenAt >= snapshotEveryMs) await this.#trySnapshot();
  }

  /** Asks anew, before they are too old, what changes are likely to want to know next. */
  async renewAnswers(): Promise<void> {
    const { access, log } = this.#parts;
    await access
      .renew(this.#goodForMs(await this.#accessTables()))
      .catch((error: unknown) => log.debug({ err: error }, 'answers of the policies could not be renewed'));
  }

  /** Takes a snapshot of the database as it is now: subscribers who lose access from here on are told of it. */
  async takeSnapshot(): Promise<void> {
    const { snapshots, access } = this.#parts;
    await snapshots.renew();
    access.forgetBefore(snapshots.since);
    this.#recentAccessChanges = this.#recentAccessChanges.filter(({ xid }) => snapshots.someBefore(xid));
  }

  /** Answers how many of them it has dealt with: as many as have no more listeners than a lot may have. */
  async #deliverLot(changes: readonly Change[], isWanted: () => boolean): Promise<number> {
    const { subscriptions } = this.#parts;
    if (subscriptions.size === 0) return changes.length;
    const lot: Lot = { audiences: [], viewers: new Map(), isWanted };
    let taken = 0;
    for (let messages = 0; taken < changes.length && messages < lotMessages; taken++) {
      const change = changes[taken] as Change;
      const table = await this.#parts.tables.table(change.relation);
      if (table === null) continue;
      const audience = await this.#audienceOf(table, change, lot.viewers);
      if (audience.bindings.length > 0) lot.audiences.push(audience);
      messages += audience.bindings.length;
    }
    const some = taken === changes.length ? changes : changes.slice(0, taken);
    const accessTables = await this.#accessTables();
    const accessChanges = this.#noteAccessChanges(some, accessTables);
    await this.#forgetAnswers(some, accessTables);
    if (lot.viewers.size > 0) {
      const isUnsure = ({ relation }: Change): boolean => accessTables === null || accessTables.unsure.has(relation);
      await this.#send(lot, this.#goodForMs(accessTables), {
        isUnsure,
        accessChanges: (change) => accessChanges.get(change) ?? [],
      });
    }
    return taken;
  }

  /** For each change the transactions before it that changed who may see rows of its table. */
  #noteAccessChanges(
    lot: readonly Change[],
    accessTables: AccessTables | null,
  ): ReadonlyMap<Change, readonly number[]> {
    const accessChanges = new Map<Change, readonly number[]>();
    for (const change of lot) {
      const { xid, relation } = change;
      const before = this.#recentAccessChanges.filter((one) => one.xid !== xid && one.affected.has(relation));
      if (before.length > 0)
        accessChanges.set(
          change,
          before.map((one) => one.xid),
        );
      const affected = accessTables === null ? undefined : affectedBy(accessTables, change);
      const known = this.#recentAccessChanges.some((one) => one.xid === xid && one.affected === affected);
      if (affected !== undefined && !known) this.#recentAccessChanges.push({ xid, affected });
    }
    return accessChanges;
  }

  #goodForMs(accessTables: AccessTables | null): (relation: number) => number {
    const unsure = accessTables === null || performance.now() < this.#unsureUntil;
    return (relation) => (unsure || accessTables.unsure.has(relation) ? unsureAnswersGoodForMs : answersGoodForMs);
  }

  /**
   * Asks ahead of time what can be told from a filter: whether somebody may see the rows of a project is the same for all
   * of them, and when a thousand begin to follow, the first change shall not have to ask for all.
   */
  async askAhead(bindings: readonly Binding[]): Promise<void> {
    const { tables, access } = this.#parts;
    const questions: Question[] = [];
    for (const { filters, subscriber } of bindings)
      for (const [relation, filter] of filters ?? []) {
        const table = await tables.table(relation);
        if (table === null) continue;
        const { caller, callerKey } = subscriber;
        const { condition } = await tables.view(table, caller.role);
        const row = filter.fixed;
        if (condition?.columns.every((name) => row[name] !== undefined) && condition.columns.length > 0)
          questions.push({ caller, callerKey, table, condition, row: rowJson(table, condition.columns, row) });
      }
    if (questions.length > 0) await access.ask(questions, this.#goodForMs(await this.#accessTables()));
  }

  /** Who may see what can be another after these changes. */
  async #forgetAnswers(changes: readonly Change[], accessTables: AccessTables | null): Promise<void> {
    const { access, snapshots } = this.#parts;
    const accessChanges = changes.filter(
      (change) => accessTables === null || affectedBy(accessTables, change) !== undefined,
    );
    // Answers must be given by a database that shows these changes. And there must be a view that shows them before
    // anybody hears of them: a client may read at once what a new membership shows, and if it were gone before the next
    // view was taken, nobody could tell any more who has to hear of that.
    for (let attempt = 1; !accessChanges.every(({ xid }) => snapshots.showsCommitted(xid)); attempt++) {
      if (attempt > snapshotAttempts || !(await this.#trySnapshot())) {
        this.#unsureUntil = performance.now() + answersGoodForMs;
        break;
      }
      if (attempt > 1) await pause(attempt);
    }
    // Not before: whoever asks meanwhile, for one who begins to follow, is answered as if nothing had changed.
    for (const change of accessChanges) {
      const affected = accessTables === null ? undefined : affectedBy(accessTables, change);
      if (affected === undefined) access.forget();
      else access.forgetTables(affected);
    }
  }

  async #trySnapshot(): Promise<boolean> {
    try {
      await this.takeSnapshot();
      return true;
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'snapshots could not be renewed');
      return false;
    }
  }

  /** Null when it cannot be found out. Looked up again now and then, without keeping anybody waiting. */
  #accessTables(): Promise<AccessTables | null> {
    const now = performance.now();
    const old = this.#knownAccessTables;
    if (old !== null && now - old.at < accessTablesGoodForMs) return old.tables;
    const tables = findAccessTables(this.#parts.database).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'which tables policies look into could not be found out');
      this.#knownAccessTables = null;
      return null;
    });
    this.#knownAccessTables = { at: now, tables };
    return old?.tables ?? tables;
  }

  /** Whether these changes may let others see rows of this table. */
  async decides(changes: readonly Change[], table: number): Promise<boolean> {
    const accessTables = await this.#accessTables();
    return accessTables === null || changes.some((change) => affectedBy(accessTables, change)?.has(table));
  }

  async #audienceOf(table: Table, change: Change, viewers: Map<Subscriber, Viewer>): Promise<Audience> {
    const found: Binding[] = [];
    const leaving = new Set<Binding>();
    const slow = new Map<Binding, Filter>();
    const main = change.kind === 'DELETE' ? change.old : change.new;
    for (const { filter, bindings } of this.#parts.subscriptions.groups(table)) {
      if (filter === null) {
        found.push(...bindings);
        continue;
      }
      if (main === null) continue;
      const rows = change.kind === 'UPDATE' && change.old !== null ? [main, change.old] : [main];
      const passes = rows.map((row) => filter.test(row));
      if (passes.includes(undefined)) for (const binding of bindings) slow.set(binding, filter);
      if (passes.includes(true) || passes.includes(undefined)) found.push(...bindings);
      if (passes[0] === false && passes[1] === true && !changesProject(change))
        for (const binding of bindings) leaving.add(binding);
    }
    for (const { subscriber } of found)
      if (!viewers.has(subscriber)) {
        const { caller, callerKey } = subscriber;
        viewers.set(subscriber, { caller, callerKey });
      }
    const roleOf = ({ subscriber }: Binding): string => viewerOf(viewers, subscriber).caller.role;
    const blind = await this.#rolesThatSeeNothing(table, new Set(found.map(roleOf)));
    const bindings = blind.size === 0 ? found : found.filter((binding) => !blind.has(roleOf(binding)));
    return { table, change, bindings, leaving, slow };
  }

  /** Strangers, mostly, and roles without any right: they hear nothing of its changes, not even that there were some. */
  async #rolesThatSeeNothing(table: Table, roles: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const blind = new Set<string>();
    for (const role of roles) {
      const { columns, condition } = await this.#parts.tables.view(table, role);
      if (columns.size === 0 || condition?.text === 'false') blind.add(role);
    }
    return blind;
  }

  /** Whoever has shown the token of another meanwhile reads again: what that one may see nobody has asked. */
  #findChanged(viewers: ReadonlyMap<Subscriber, Viewer>): ReadonlySet<Subscriber> {
    const changed = new Set<Subscriber>();
    for (const [subscriber, { callerKey }] of viewers) if (subscriber.callerKey !== callerKey) changed.add(subscriber);
    for (const subscriber of changed) this.#parts.onMissed(subscriber);
    return changed;
  }

  #sendIfPassed(
    filter: Filter,
    { viewers, isWanted }: Lot,
    subscriber: Subscriber,
    rows: readonly (Values | null)[],
    send: () => void,
  ): void {
    const { callerKey } = viewerOf(viewers, subscriber);
    const open = rows.filter((row) => row !== null && filter.test(row) !== false) as Values[];
    if (open.length > 0)
      this.#filters.add(filter, {
        subscriber,
        rows: open,
        send: () => {
          if (!isWanted()) return;
          if (subscriber.callerKey === callerKey) send();
          else this.#parts.onMissed(subscriber);
        },
      });
  }

  async #viewsOf({ audiences, viewers }: Lot): Promise<ViewOf> {
    const views = new Map<Table, Map<string, RoleView>>();
    for (const { table, bindings } of audiences) {
      const byRole = views.get(table) ?? new Map<string, RoleView>();
      views.set(table, byRole);
      for (const { subscriber } of bindings) {
        const { role } = viewerOf(viewers, subscriber).caller;
        if (!byRole.has(role)) byRole.set(role, await this.#parts.tables.view(table, role));
      }
    }
    return (table, role) => views.get(table)?.get(role) as RoleView;
  }

  async #send(
    lot: Lot,
    goodForMs: (relation: number) => number,
    rights: Pick<EventDeciderParts, 'isUnsure' | 'accessChanges'>,
  ): Promise<void> {
    const { audiences, viewers, isWanted } = lot;
    const viewOf = await this.#viewsOf(lot);
    const questions = new RowQuestions(viewOf);
    for (const { table, change, bindings } of audiences)
      for (const { subscriber } of bindings) {
        const viewer = viewerOf(viewers, subscriber);
        questions.add(viewer, table, change.new);
        questions.add(viewer, table, change.old);
      }
    const ask = await this.#parts.access.ask(questions.list, goodForMs);
    const decider = new EventDecider({
      ...this.#parts,
      questions,
      ...rights,
      now: ask,
      grants: ({ xid, relation }) => this.#grants.get(xid)?.has(relation) ?? false,
    });
    for (const { table, change, bindings } of audiences)
      for (const { subscriber } of bindings) decider.add(viewerOf(viewers, subscriber), table, change);
    await decider.settle();

    // From here on nobody is waited for.
    if (!isWanted()) return;
    const changed = this.#findChanged(viewers);
    for (const { table, change, bindings, leaving, slow } of audiences) {
      const frames = new ChangeFrames(table, change, this.#parts.maxRecordBytes);
      const kinds = new Map<string, ChangeKind | null>();
      for (const binding of bindings) {
        const { subscriber } = binding;
        if (changed.has(subscriber)) continue;
        const viewer = viewerOf(viewers, subscriber);
        let found = kinds.get(viewer.callerKey);
        if (found === undefined) {
          found = decider.kindFor(viewer, table, change);
          kinds.set(viewer.callerKey, found);
        }
        const kind = found;
        if (kind === null || (binding.event !== '*' && binding.event !== kind)) continue;
        const view = viewOf(table, viewer.caller.role);
        const filter = slow.get(binding);
        if (filter !== undefined) {
          const rows = kind === 'DELETE' ? [change.old] : [change.new];
          // Who follows a project that it left hears of it there.
          if (changesProject(change) && decider.sawOld(viewer, table, change)) rows.push(change.old);
          this.#sendIfPassed(filter, lot, subscriber, rows, () => {
            frames.add(binding, kind, view);
            frames.flush();
          });
        } else if (kind === 'DELETE' || !leaving.has(binding)) frames.add(binding, kind, view);
      }
      frames.flush();
    }
  }
}

/** Every subscriber of a lot is in there. */
function viewerOf(viewers: ReadonlyMap<Subscriber, Viewer>, subscriber: Subscriber): Viewer {
  return viewers.get(subscriber) ?? subscriber;
}

/** A row that went to another project: who follows the one it left hears where it is, if they may see it there. */
function changesProject({ old, new: fresh }: Change): boolean {
  return (
    typeof old?.project_id === 'string' && typeof fresh?.project_id === 'string' && old.project_id !== fresh.project_id
  );
}
