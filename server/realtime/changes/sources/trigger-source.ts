// Changes as triggers note them (private.changes), where Postgres' log cannot be had. A look takes what has become
// visible since the last one: exactly the transactions that were committed between the two. Within a look the order is
// that of the notes, so that changes of one row keep theirs.

import type { Logger } from 'pino';
import { roomRoles } from '../../../database/room-roles.ts';
import { ident, sql, statement } from '../../../database/sql.ts';
import type { Database } from '../../../database/types.ts';
import { openScript } from '../../../database/wire/run-script.ts';
import { isPolicyError } from '../access/policy-error.ts';
import type { Change, ChangeKind, ChangeSource, Moment, SourceEvents, Values } from '../change.ts';
import type { Tables } from '../tables.ts';

export interface TriggerSourceOptions {
  readonly database: Database;
  readonly tables: Tables;
  readonly events: SourceEvents;
  readonly log: Logger;
}

const lookEveryMs = 1000;
const sweepEveryMs = 30_000;
/** Notes are kept at least so long; whoever has not looked for half of it begins anew. */
const notesLifetimeMs = 120_000;

export async function followTriggers(options: TriggerSourceOptions): Promise<ChangeSource> {
  const source = new TriggerSource(options);
  await source.open();
  return source;
}

interface Note {
  readonly snapshot: string;
  readonly started: string;
  readonly id: number | null;
  readonly xid: string;
  readonly at: string;
  readonly relation: number;
  readonly kind: ChangeKind;
  readonly old: string | null;
  readonly new: string | null;
}

class TriggerSource implements ChangeSource {
  readonly kind = 'triggers';
  readonly #options: TriggerSourceOptions;
  #seen = '';
  #seenAt = 0;
  /** When Postgres was started. */
  #started = '';
  #sweptAt = 0;
  /** What was visible when the notes were swept, the oldest first. */
  #visited: { readonly at: number; readonly snapshot: string }[] = [];
  /** All that was visible by then has been delivered, by our clock. */
  #handledUntil = 0;
  /** Subscribers were told that something may be missed. */
  #broken = false;
  #published = '';
  /** Tables that a change came of. */
  readonly #met = new Set<number>();
  #looking = false;
  #again = false;
  #closed = false;
  #timer: NodeJS.Timeout | null = null;
  #stopListening: () => Promise<void> = async () => undefined;

  constructor(options: TriggerSourceOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { database } = this.#options;
    await this.#putTriggers();
    await this.#beginHere();
    const look = (): void => void this.#look();
    this.#stopListening = await database.listen('kanbase_changes', look, look);
    this.#timer = setInterval(look, lookEveryMs);
    this.#timer.unref();
    this.#options.events.onReady();
  }

  lag(): number {
    return 0;
  }

  onSchemaChanged(): void {
    this.#putTriggers().catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'new tables cannot be followed yet; trying again'),
    );
  }

  isPast({ at }: Moment): boolean {
    if (this.#handledUntil >= at) return true;
    void this.#look();
    return false;
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#stopListening();
  }

  /** On tables that were published since, too. */
  async #putTriggers(): Promise<void> {
    const published = JSON.stringify(await this.#options.tables.published(true));
    if (published === this.#published) return;
    const script = await openScript(this.#options.database.targets.direct);
    try {
      await script.run('select private.follow_with_triggers(true)');
    } finally {
      script.close();
    }
    this.#published = published;
  }

  async #beginHere(): Promise<void> {
    const now = performance.now();
    const [row] = await this.#options.database.objectsAs<{ snapshot: string; started: string }>(
      roomRoles.realtime,
      statement(sql`select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as started`),
    );
    this.#seen = row?.snapshot ?? '';
    this.#started = row?.started ?? '';
    this.#seenAt = performance.now();
    this.#handledUntil = now;
  }

  async #look(): Promise<void> {
    if (this.#looking) {
      this.#again = true;
      return;
    }
    this.#looking = true;
    try {
      do {
        this.#again = false;
        await this.#lookOnce();
      } while (this.#again && !this.#closed);
    } catch (error) {
      if (this.#closed) return;
      this.#options.log.warn({ err: error }, 'noted changes could not be read; trying again');
      // Postgres may have lost notes meanwhile, or they could not be delivered.
      if (!this.#broken) this.#options.events.onGap();
      this.#broken = true;
    } finally {
      this.#looking = false;
    }
  }

  async #lookOnce(): Promise<void> {
    const { database, events } = this.#options;
    const now = performance.now();
    if (this.#broken || now - this.#seenAt > notesLifetimeMs / 2) {
      if (!this.#broken) events.onGap();
      this.#broken = true;
      await this.#beginHere();
      this.#broken = false;
      events.onReady();
      return;
    }
    if (now - this.#sweptAt > sweepEveryMs) await this.#sweep(now);
    const notes = await database.objectsAs<Note>(
      roomRoles.realtime,
      statement(sql`
        select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as started, c.id, c.xid::text as xid, c.at, c.relation::int8 as relation, c.kind,
          c.old::text as old, c.new::text as new
        from (select) as one left join private.changes c on not pg_visible_in_snapshot(c.xid, ${this.#seen}::pg_snapshot)
        order by c.id`),
    );
    const [first] = notes;
    if (first === undefined) return;
    // Notes are not kept over a crash.
    if (first.started !== this.#started) throw new Error('Postgres was started anew');
    const changes = first.id === null ? [] : await this.#changesOf(notes);
    if (changes.length > 0) await events.onChanges(changes);
    this.#seen = first.snapshot;
    this.#seenAt = performance.now();
    this.#handledUntil = now;
  }

  /**
   * Notes are swept that were visible long ago. By their own time they could be old when they become visible: a long
   * transaction wrote them.
   */
  async #sweep(now: number): Promise<void> {
    this.#sweptAt = now;
    const old = this.#visited.findLast(({ at }) => now - at > notesLifetimeMs);
    if (old !== undefined)
      await this.#options.database.runAs(
        roomRoles.realtime,
        statement(sql`delete from private.changes where pg_visible_in_snapshot(xid, ${old.snapshot}::pg_snapshot)`),
      );
    this.#visited = this.#visited.filter(({ at }) => now - at <= notesLifetimeMs);
    this.#visited.push({ at: now, snapshot: this.#seen });
    await this.#putTriggers();
  }

  async #changesOf(notes: readonly Note[]): Promise<Change[]> {
    const byRelation = new Map<number, Note[]>();
    for (const note of notes) byRelation.set(note.relation, [...(byRelation.get(note.relation) ?? []), note]);
    const rows = new Map<Note, { old: Values | null; new: Values | null }>();
    for (const [relation, group] of byRelation) {
      if (!this.#met.has(relation)) this.#options.events.onTableChanged(relation);
      this.#met.add(relation);
      const table = await this.#options.tables.table(relation);
      if (table === null) continue;
      const texts = group.flatMap((note) => [note.old, note.new]).filter((text) => text !== null);
      const values = await this.#readBack(table.schema, table.name, texts);
      if (values === null) continue;
      let at = 0;
      for (const note of group)
        rows.set(note, {
          old: note.old === null ? null : (values[at++] ?? null),
          new: note.new === null ? null : (values[at++] ?? null),
        });
    }
    return notes.flatMap((note) => {
      const row = rows.get(note);
      if (row === undefined) return [];
      const xid = Number(BigInt(note.xid) & 0xffff_ffffn);
      return [{ relation: note.relation, kind: note.kind, ...row, xid, committedAt: Date.parse(note.at) }];
    });
  }

  /** JSON rows as Postgres writes them as text; null where the table is not what they were written for any more. */
  async #readBack(schema: string, name: string, texts: readonly string[]): Promise<Values[] | null> {
    const read = this.#options.database.runAs(
      roomRoles.realtime,
      statement(sql`
        select (jsonb_populate_record(null::${ident(schema, name)}, e.v)).*
        from jsonb_array_elements(${`[${texts.join(',')}]`}::jsonb) with ordinality as e(v, place) order by e.place`),
    );
    const result = await read.catch((error: unknown) => {
      if (isPolicyError(error)) return null;
      throw error;
    });
    if (result === null) return null;
    return result.rows.map((cells) => {
      const row: Record<string, string | null> = {};
      result.fields.forEach(({ name: column }, index) => {
        row[column] = cells[index]?.toString('utf8') ?? null;
      });
      return row;
    });
  }
}
