// Subscriptions to changes, indexed by table and filter, so that a change finds its audience without looking at everybody else's.

import type { Caller } from '../../../database/types.ts';
import type { Frame } from '../../sockets/frame.ts';
import type { Version } from '../../sockets/messages.ts';
import type { Table } from '../tables.ts';
import type { Filter } from './filter.ts';
import type { BindingRequest } from './read-filter.ts';

/** A channel, as far as changes are concerned. */
export interface Subscriber {
  readonly topic: string;
  readonly version: Version;
  readonly caller: Caller;
  readonly callerKey: string;
  /** Whose channels are counted together: those of one socket, and those of one person. */
  readonly socket: object;
  readonly person: string | undefined;
  readonly isClosed: boolean;
  send(frame: Frame): void;
  system(extension: 'system' | 'postgres_changes', status: 'ok' | 'error', message: string): void;
  shutDown(reason: string): void;
}

/** As whom a subscriber asks: it may show the token of another later. */
export type Viewer = Pick<Subscriber, 'caller' | 'callerKey'>;

export interface Binding {
  readonly id: number;
  /** `*`, INSERT, UPDATE or DELETE. */
  readonly event: string;
  readonly schema: string;
  readonly table: string;
  /** By table; null: none. A table that is published later comes in before its first change. */
  readonly filters: ReadonlyMap<number, Filter> | null;
  readonly select: readonly string[] | null;
  /** What it was made of, for tables that come later. */
  readonly request: BindingRequest;
  readonly subscriber: Subscriber;
  /** Its subscriber has no other binding: what it gets is its own affair. */
  readonly isAlone: boolean;
  /** Bindings with the same text get the same bytes of a change, when they see the same columns of it. */
  readonly recipients: string;
}

export interface Group {
  readonly filter: Filter | null;
  readonly bindings: Set<Binding>;
}

export class Subscriptions {
  readonly #byTable = new Map<string, Map<string, Group>>();
  readonly #bySubscriber = new Map<Subscriber, readonly Binding[]>();

  get size(): number {
    return this.#bySubscriber.size;
  }

  subscribers(): Iterable<Subscriber> {
    return this.#bySubscriber.keys();
  }

  /** With a filter that is not yet made for this table. */
  lacking({ relation, schema, name }: Pick<Table, 'relation' | 'schema' | 'name'>): Binding[] {
    const found: Binding[] = [];
    for (const bindings of this.#bySubscriber.values())
      for (const binding of bindings)
        if (binding.filters?.has(relation) === false && fits(binding, schema, name)) found.push(binding);
    return found;
  }

  /** Puts bindings in the place of others of the same subscriber, if they are still there. */
  replace(old: Binding, fresh: Binding): void {
    const bindings = this.#bySubscriber.get(old.subscriber);
    if (bindings?.includes(old) !== true) return;
    this.set(
      old.subscriber,
      bindings.map((binding) => (binding === old ? fresh : binding)),
    );
  }

  set(subscriber: Subscriber, bindings: readonly Binding[]): void {
    this.remove(subscriber);
    if (bindings.length === 0) return;
    this.#bySubscriber.set(subscriber, bindings);
    for (const binding of bindings)
      for (const [place, filter] of placesOf(binding)) {
        const groups = this.#byTable.get(place) ?? new Map<string, Group>();
        this.#byTable.set(place, groups);
        const key = filter?.key ?? '';
        const group = groups.get(key) ?? { filter, bindings: new Set<Binding>() };
        groups.set(key, group);
        group.bindings.add(binding);
      }
  }

  remove(subscriber: Subscriber): void {
    for (const binding of this.#bySubscriber.get(subscriber) ?? [])
      for (const [place, filter] of placesOf(binding)) {
        const groups = this.#byTable.get(place);
        const group = groups?.get(filter?.key ?? '');
        group?.bindings.delete(binding);
        if (group?.bindings.size === 0) groups?.delete(filter?.key ?? '');
        if (groups?.size === 0) this.#byTable.delete(place);
      }
    this.#bySubscriber.delete(subscriber);
  }

  /** How many bindings with a filter that Postgres is asked about somebody has beside those of this channel. */
  slowBeside(subscriber: Subscriber): number {
    let count = 0;
    for (const [other, bindings] of this.#bySubscriber) {
      const isTheirs =
        other.socket === subscriber.socket || (other.person !== undefined && other.person === subscriber.person);
      if (isTheirs && other !== subscriber) count += bindings.filter(isSlow).length;
    }
    return count;
  }

  /** Those that may want to hear of this table. */
  groups({ relation, schema, name }: Pick<Table, 'relation' | 'schema' | 'name'>): Group[] {
    const places = [`#${relation}`, `${schema}.${name}`, `${schema}.*`, '*.*', `*.${name}`];
    return places.flatMap((place) => [...(this.#byTable.get(place)?.values() ?? [])]);
  }
}

/** Whether a binding to this schema and table, `*` for all, is to a table of that name. */
export function fits(binding: Pick<Binding, 'schema' | 'table'>, schema: string, name: string): boolean {
  return (binding.schema === '*' || binding.schema === schema) && (binding.table === '*' || binding.table === name);
}

export function isSlow({ filters }: Binding): boolean {
  return [...(filters?.values() ?? [])].some((filter) => filter.isSlow);
}

/** Bindings with a filter stand by the tables they were compiled for, all others by name. */
function placesOf({ schema, table, filters }: Binding): [string, Filter | null][] {
  if (filters === null) return [[`${schema}.${table}`, null]];
  return [...filters].map(([relation, filter]) => [`#${relation}`, filter]);
}
