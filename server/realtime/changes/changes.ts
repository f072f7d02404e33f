// Live changes of Postgres: opens the source with the first channel that wants changes, closes it some time after the last, turns the bindings of
// clients into subscriptions, and tells them when changes may have been missed.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { roomRoles } from '../../database/room-roles.ts';
import { sql, statement } from '../../database/sql.ts';
import { type Database, PostgresError } from '../../database/types.ts';
import type { JoinConfig } from '../channels/join-config.ts';
import { RealtimeError } from '../errors.ts';
import { CurrentAccess } from './access/current-access.ts';
import { Snapshots } from './access/snapshots.ts';
import { type Change, type ChangeSource, readPosition, type SourceEvents } from './change.ts';
import { Feed } from './delivery/feed.ts';
import { compileFilter, type Filter } from './delivery/filter.ts';
import { BindingFault, type BindingRequest, bindingId, describeBinding, readBinding } from './delivery/read-filter.ts';
import { type Binding, fits, isSlow, type Subscriber, Subscriptions } from './delivery/subscriptions.ts';
import { followLog } from './sources/log-source.ts';
import { followTriggers } from './sources/trigger-source.ts';
import type { Tables } from './tables.ts';

export interface ChangesParts {
  readonly database: Database;
  readonly tables: Tables;
  readonly config: Pick<Config, 'realtime' | 'database'>;
  /** Rows of realtime.messages go another way than all others. */
  readonly messages: () => Promise<number>;
  readonly onMessages: (changes: readonly Change[]) => void;
  /** Who may see what can be another than before: memberships were changed, for one. */
  readonly onDecided: () => void;
  readonly log: Logger;
}

const publications = ['supabase_realtime', 'supabase_realtime_messages_publication'];
const snapshotEveryMs = 500;
const retryMs = 1000;
const firstReadyMs = 15_000;
/** More of one channel are a mistake, or meant to hurt. */
const mostBindings = 100;
/** Those whose filter Postgres is asked about, of one socket and of one person. */
const mostSlow = 30;
const missed = 'ChangesMissed: changes may have been missed; read again what you show';
/** What hinders reading the log for good: wal_level, rights, pg_hba.conf, or no slot to be had. */
const hindrances = ['55000', '42501', '28000', '53400', '0A000'];

/** But not where the way to the primary leads to a replica for a moment, whose log Postgres 15 cannot be asked for. */
const isHindrance = ({ sqlstate, fields }: PostgresError): boolean =>
  hindrances.includes(sqlstate) && !(sqlstate === '0A000' && fields.routine === 'CheckLogicalDecodingRequirements');

export class Changes {
  readonly #parts: ChangesParts;
  readonly #feed: Feed;
  readonly #access: CurrentAccess;
  readonly #snapshots: Snapshots;
  readonly #subscriptions = new Subscriptions();
  /** Channels that were told of a gap. */
  readonly #gapped = new Set<Subscriber>();
  readonly #channels = new Set<Subscriber>();
  #opening: Promise<void> | null = null;
  #source: ChangeSource | null = null;
  #ready = false;
  #gaps = 0;
  #whenReady: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(parts: ChangesParts) {
    this.#parts = parts;
    const { database, config, tables, log } = parts;
    this.#access = new CurrentAccess({ database, config: config.database });
    this.#snapshots = new Snapshots(
      { database, config: config.database },
      (moment) => this.#source?.isPast(moment) ?? false,
    );
    this.#feed = new Feed({
      database,
      tables,
      access: this.#access,
      snapshots: this.#snapshots,
      subscriptions: this.#subscriptions,
      maxRecordBytes: config.realtime.maxRecordKb * 1024,
      onTableChanged: (relation) => this.#bindToNew(relation),
      onMissed: (channel) => {
        if (!this.#channels.has(channel)) return;
        this.#tellGap(channel);
        void this.#endGap();
      },
      log,
    });
  }

  /** For /metrics: bytes of WAL that wait, and which source is in use. */
  get lag(): number {
    return this.#source?.lag() ?? 0;
  }

  /** For /metrics: of how many callers answers of the policies are kept, counted for each table. */
  get known(): number {
    return this.#access.size;
  }

  get source(): ChangeSource['kind'] | null {
    return this.#source?.kind ?? null;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Somebody is there: messages from SQL and changes are followed from now on. */
  start(): void {
    if (this.#closed || this.#parts.config.realtime.source === 'off') return;
    this.#opening ??= this.#open();
  }

  async subscribe(channel: Subscriber, config: JoinConfig): Promise<void> {
    try {
      const bindings = await this.#bind(channel, config);
      if (!(await this.#untilReady(null)) || channel.isClosed) return;
      await this.#add(channel, bindings);
      // When something was missed meanwhile, it hears so, and the end of that.
      if (!this.#gapped.has(channel)) channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL');
    } catch (error) {
      if (error instanceof BindingFault) channel.system('postgres_changes', 'error', error.message);
      else {
        this.#parts.log.warn({ err: error }, 'a channel could not be subscribed to changes; trying again');
        channel.system('postgres_changes', 'error', 'Realtime was unable to connect to the project database');
        await pause(retryMs, undefined, { ref: false });
        if (!channel.isClosed && !this.#closed) await this.subscribe(channel, config);
      }
    }
  }

  /** For a join that waits for it. */
  async subscribeNow(channel: Subscriber, config: JoinConfig): Promise<void> {
    const waitMs = config.waitMs ?? 0;
    try {
      const bindings = await this.#bind(channel, config);
      this.start();
      if (!(await this.#untilReady(waitMs)))
        throw new RealtimeError(
          'PostgresChangesSubscribeTimeout',
          `Timed out after ${waitMs}ms waiting for the postgres_changes subscription`,
        );
      await this.#add(channel, bindings);
    } catch (error) {
      this.unsubscribe(channel);
      if (error instanceof BindingFault) throw new RealtimeError('RealtimeDisabledForConfiguration', error.message);
      throw error;
    }
  }

  unsubscribe(channel: Subscriber): void {
    this.#channels.delete(channel);
    this.#gapped.delete(channel);
    this.#subscriptions.remove(channel);
  }

  async sayWhenReady(channel: Subscriber): Promise<void> {
    if (await this.#untilReady(firstReadyMs)) channel.system('system', 'ok', 'Replication connection established');
    else channel.shutDown('Replication connection was not established in time');
  }

  /** Policies, grants and tables are read anew: someone says that the schema has changed. */
  forgetSchema(): void {
    this.#feed.forget();
    this.#source?.onSchemaChanged();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    for (const done of this.#whenReady.splice(0)) done();
    await this.#opening?.catch(() => undefined);
    await this.#source?.close();
    await Promise.all([this.#access.close(), this.#snapshots.close()]);
  }

  /** From when it has resolved nothing is missed, also not that something goes out of sight. */
  async #add(channel: Subscriber, bindings: readonly Binding[]): Promise<void> {
    const slow = bindings.filter(isSlow).length;
    if (slow > 0 && slow + this.#subscriptions.slowBeside(channel) > mostSlow)
      throw new BindingFault(
        `No more than ${mostSlow} filters that Postgres has to be asked about (patterns, keys of JSON, comparisons of other than whole numbers) at a time: compare by eq or in, or filter what arrives`,
      );
    this.#channels.add(channel);
    this.#subscriptions.set(channel, bindings);
    await Promise.all([this.#feed.takeSnapshot(), this.#feed.askAhead(bindings)]);
  }

  async #untilReady(limitMs: number | null): Promise<boolean> {
    this.start();
    if (this.#ready) return true;
    if (this.#parts.config.realtime.source === 'off') return false;
    await new Promise<void>((resolve) => {
      this.#whenReady.push(resolve);
      if (limitMs !== null) setTimeout(resolve, limitMs).unref();
    });
    return this.#ready;
  }

  async #bind(channel: Subscriber, { changes }: JoinConfig): Promise<Binding[]> {
    if (changes.length > mostBindings)
      throw new BindingFault(
        `No more than ${mostBindings} bindings of one channel: bind to fewer, or join several channels`,
      );
    const bindings: Binding[] = [];
    for (const request of changes) {
      const binding = readBinding(request);
      const filters = await this.#compile(channel, binding);
      const id = bindingId(request);
      bindings.push({
        id,
        event: binding.event,
        schema: binding.schema,
        table: binding.table,
        filters,
        select: binding.select,
        request: binding,
        subscriber: channel,
        isAlone: changes.length === 1,
        recipients: `${channel.version} ${id} ${channel.topic}`,
      });
    }
    return bindings;
  }

  async #compile(channel: Subscriber, binding: BindingRequest): Promise<ReadonlyMap<number, Filter> | null> {
    const { database, tables } = this.#parts;
    const matches = ({ schema, name }: { schema: string; name: string }): boolean => fits(binding, schema, name);
    let published = (await tables.published()).filter(matches);
    if (published.length === 0) published = (await tables.published(true)).filter(matches);
    if (published.length === 0)
      throw new BindingFault(
        `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: ${describeBinding(binding)}`,
      );
    if (binding.filters.length === 0 && binding.select === null) return null;
    const filters = new Map<number, Filter>();
    for (const { relation } of published) {
      const table = await tables.table(relation);
      if (table === null) continue;
      const view = await tables.view(table, channel.caller.role);
      const filter = await compileFilter(database, table, view, channel.caller.role, binding);
      if (filter !== null) filters.set(relation, filter);
    }
    return binding.filters.length === 0 ? null : filters;
  }

  /** A table was made anew, or published later: filters that were bound to its name are made for it. */
  async #bindToNew(relation: number): Promise<void> {
    const { database, tables, log } = this.#parts;
    const table = await tables.table(relation);
    if (table === null || !(await tables.published()).some((one) => one.relation === relation)) return;
    for (const binding of this.#subscriptions.lacking(table)) {
      const { subscriber, request, filters } = binding;
      try {
        const { role } = subscriber.caller;
        const filter = await compileFilter(database, table, await tables.view(table, role), role, request);
        if (filter === null) continue;
        const made = new Map([...(filters ?? []), [relation, filter]]);
        this.#subscriptions.replace(binding, { ...binding, filters: made });
      } catch (error) {
        if (error instanceof BindingFault) subscriber.system('postgres_changes', 'error', error.message);
        else {
          log.warn({ err: error }, 'a filter could not be made for a new table; trying again');
          this.#feed.recheckTable(relation);
          this.#tellGap(subscriber);
          void this.#endGap();
        }
      }
    }
  }

  async #open(): Promise<void> {
    const { log } = this.#parts;
    for (;;) {
      try {
        this.#source = await this.#choose();
        break;
      } catch (error) {
        log.warn({ err: error }, 'changes cannot be followed yet; trying again');
        await pause(retryMs, undefined, { ref: false });
      }
      if (this.#closed) return;
    }
    log.debug({ source: this.#source.kind }, 'changes are followed');
    this.#timer = setInterval(() => {
      void this.#feed.renewSnapshots();
      void this.#feed.renewAnswers();
    }, snapshotEveryMs);
    this.#timer.unref();
  }

  async #choose(): Promise<ChangeSource> {
    const { database, tables, config, log } = this.#parts;
    const { source, walLimitMb, walLimitAction } = config.realtime;
    const events = await this.#events();
    await this.#feed.begin();
    if (source !== 'triggers')
      try {
        return await followLog({
          target: database.targets.direct,
          publications,
          walLimitBytes: walLimitMb * 2 ** 20,
          walLimitAction,
          position: () => this.#position(),
          events,
          log,
        });
      } catch (error) {
        const hindered = error instanceof PostgresError && isHindrance(error);
        if (source === 'log' || !hindered) throw error;
        log.warn(
          { err: error },
          "Postgres' log cannot be followed: triggers take its place; npx kanbase doctor says why",
        );
      }
    return followTriggers({ database, tables, events, log });
  }

  async #position(): Promise<bigint> {
    const [row] = await this.#parts.database.objectsAs<{ position: string }>(
      roomRoles.realtime,
      statement(sql`select pg_current_wal_lsn()::text as position`),
    );
    return readPosition(row?.position ?? '0/0');
  }

  #tellGap(channel: Subscriber): void {
    this.#gapped.add(channel);
    channel.system('postgres_changes', 'error', missed);
  }

  /** Those who were told of a gap hear that nothing is missed from now on. */
  async #endGap(): Promise<void> {
    while (this.#gapped.size > 0 && this.#ready && !this.#closed)
      try {
        await this.#feed.takeSnapshot();
        if (!this.#ready) return;
        for (const channel of this.#gapped) channel.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL');
        this.#gapped.clear();
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'changes cannot be checked yet; trying again');
        await pause(retryMs, undefined, { ref: false });
      }
  }

  async #events(): Promise<SourceEvents> {
    const messages = await this.#parts.messages();
    return {
      onChanges: async (changes) => {
        const gaps = this.#gaps;
        const sent = changes.filter(({ relation }) => relation === messages);
        if (sent.length > 0) this.#parts.onMessages(sent);
        if (await this.#feed.decides(changes, messages)) this.#parts.onDecided();
        const others = sent.length === 0 ? changes : changes.filter(({ relation }) => relation !== messages);
        // Whoever was told of a gap reads anew: what came before it would be older than that.
        await this.#feed.deliver(others, () => gaps === this.#gaps);
      },
      onTableChanged: (relation) => this.#feed.recheckTable(relation),
      onReady: () => {
        this.#ready = true;
        this.#access.forget();
        // Nobody has told of what was decided until now.
        this.#parts.onDecided();
        for (const done of this.#whenReady.splice(0)) done();
        void this.#endGap();
      },
      onGap: () => {
        this.#ready = false;
        this.#gaps++;
        for (const channel of this.#channels) this.#tellGap(channel);
      },
    };
  }
}
