// Subscriptions to changes, indexed by table and filter, so that a change finds its audience without looking at everybody else's.

import type { Caller } from '../../database/types.ts';
import type { Frame } from '../sockets/frame.ts';
import type { Version } from '../sockets/messages.ts';
import type { Filter } from './filter.ts';
import type { Table } from './tables.ts';

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
export type Asker = Pick<Subscriber, 'caller' | 'callerKey'>;

export interface Binding {
  readonly id: number;
  /** `*`, INSERT, UPDATE or DELETE. */
  readonly event: string;
  readonly schema: string;
  readonly table: string;
  /** By table; null: none. Tables that were published after the binding was made have no filter and are not in here. */
  readonly filters: ReadonlyMap<number, Filter> | null;
  readonly select: readonly string[] | null;
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
  askedBeside(subscriber: Subscriber): number {
    let count = 0;
    for (const [other, bindings] of this.#bySubscriber) {
      const isTheirs =
        other.socket === subscriber.socket || (other.person !== undefined && other.person === subscriber.person);
      if (isTheirs && other !== subscriber) count += bindings.filter(isAsked).length;
    }
    return count;
  }

  /** Those that may want to hear of this table. */
  groups({ relation, schema, name }: Pick<Table, 'relation' | 'schema' | 'name'>): Group[] {
    const places = [`#${relation}`, `${schema}.${name}`, `${schema}.*`, '*.*', `*.${name}`];
    return places.flatMap((place) => [...(this.#byTable.get(place)?.values() ?? [])]);
  }
}

export function isAsked({ filters }: Binding): boolean {
  return [...(filters?.values() ?? [])].some((filter) => filter.isAsked);
}

/** Bindings with a filter stand by the tables they were compiled for, all others by name. */
function placesOf({ schema, table, filters }: Binding): [string, Filter | null][] {
  if (filters === null) return [[`${schema}.${table}`, null]];
  return [...filters].map(([relation, filter]) => [`#${relation}`, filter]);
}
