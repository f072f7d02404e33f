// Topics joined on this node: their members, and the way of broadcasts and presence to all members, here and on other nodes.

import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../database/types.ts';
import { isRecord } from '../channels/join-config.ts';
import { type Frame, frameOf } from '../sockets/frame.ts';
import { type Broadcast, type Sent, type Version, writeBroadcast, writeRaw } from '../sockets/messages.ts';
import { NodeRelay } from './node-relay.ts';
import { grouped, type Meta, Presence, type PresenceDiff } from './presence.ts';

/** A channel, as far as its topic is concerned. */
export interface Member {
  readonly id: string;
  /** With the prefix, as it was joined. */
  readonly topic: string;
  readonly version: Version;
  readonly hearsBroadcasts: boolean;
  readonly hearsPresence: boolean;
  /** Messages that the channel got as it joined, by id. */
  readonly replayed: ReadonlySet<string>;
  send(frame: Frame): void;
}

interface Topic {
  readonly members: Set<Member>;
  readonly presence: Presence;
}

/** Public and private channels of one name have nothing to do with each other. */
export function topicKey(name: string, isPrivate: boolean): string {
  return `${isPrivate ? 'private' : 'public'}:${name}`;
}

export class Topics {
  readonly #topics = new Map<string, Topic>();
  readonly carrier: NodeRelay;
  #references = 0;

  constructor(database: Database, log: Logger) {
    this.carrier = new NodeRelay(
      database,
      {
        onMessage: (node, message) => this.#receive(node, message),
        onAsked: () => this.#tellAll(),
        onGone: (node) => this.#forgetNode(node),
      },
      log,
    );
  }

  get size(): number {
    return this.#topics.size;
  }

  join(key: string, member: Member): void {
    this.#topic(key).members.add(member);
  }

  leave(key: string, member: Member): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    topic.members.delete(member);
    this.untrack(key, member.id);
    this.#drop(key, topic);
  }

  /** To everybody on the topic but the sender, here and elsewhere. */
  broadcast(key: string, sent: Sent, except: Member | null = null): void {
    this.deliver(key, sent, except);
    this.carrier.tell({ t: 'broadcast', key, sent: packed(sent) });
  }

  /** To those on this node. */
  deliver(key: string, sent: Sent, except: Member | null = null, id: string | null = null): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    const frames = new Map<Version, Frame | null>();
    for (const member of topic.members) {
      if (member === except || !member.hearsBroadcasts || (id !== null && member.replayed.has(id))) continue;
      let frame = frames.get(member.version);
      if (frame === undefined) {
        const written = writeBroadcast(member.version, member.topic, sent);
        frame = written === null ? null : frameOf(written);
        frames.set(member.version, frame);
      }
      if (frame !== null) member.send(frame);
    }
  }

  track(key: string, id: string, presenceKey: string, payload: Readonly<Record<string, unknown>>): void {
    const old = this.#topics.get(key)?.presence.of(this.carrier.node).get(id);
    const meta: Meta = {
      key: presenceKey,
      meta: {
        ...payload,
        phx_ref: this.#reference(),
        ...(old === undefined ? {} : { phx_ref_prev: old.meta.phx_ref }),
      },
    };
    this.#announce(key, this.#topic(key).presence.track(this.carrier.node, id, meta));
    this.carrier.tell({ t: 'track', key, id, meta });
  }

  untrack(key: string, id: string): void {
    const topic = this.#topics.get(key);
    const diff = topic?.presence.untrack(this.carrier.node, id) ?? null;
    if (topic === undefined || diff === null) return;
    this.#announce(key, diff);
    this.carrier.tell({ t: 'untrack', key, id });
    this.#drop(key, topic);
  }

  presenceState(key: string): Record<string, { metas: Meta['meta'][] }> {
    return this.#topics.get(key)?.presence.state() ?? {};
  }

  #reference(): string {
    return `${randomBytes(6).toString('base64url')}${(++this.#references).toString(36)}`;
  }

  #topic(key: string): Topic {
    let topic = this.#topics.get(key);
    if (topic === undefined) {
      topic = { members: new Set(), presence: new Presence() };
      this.#topics.set(key, topic);
    }
    return topic;
  }

  #drop(key: string, topic: Topic): void {
    if (topic.members.size === 0 && topic.presence.isEmpty) this.#topics.delete(key);
  }

  #announce(key: string, { joins, leaves }: PresenceDiff): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    const payload = JSON.stringify({ joins: grouped(joins), leaves: grouped(leaves) });
    const frames = new Map<Version, Frame>();
    for (const member of topic.members) {
      if (!member.hearsPresence) continue;
      const frame =
        frames.get(member.version) ?? frameOf(writeRaw(member.version, member.topic, 'presence_diff', payload));
      frames.set(member.version, frame);
      member.send(frame);
    }
  }

  #receive(node: string, message: Readonly<Record<string, unknown>>): void {
    const { t, key, id, meta, sent, all } = message;
    if (t === 'all' && isRecord(all)) {
      this.#takeAll(node, all as Readonly<Record<string, Readonly<Record<string, Meta>>>>);
      return;
    }
    if (typeof key !== 'string') return;
    if (t === 'broadcast') {
      const unpacked_ = unpacked(sent);
      if (unpacked_ !== null) this.deliver(key, unpacked_);
    } else if (t === 'track' && typeof id === 'string')
      this.#announce(key, this.#topic(key).presence.track(node, id, meta as Meta));
    else if (t === 'untrack' && typeof id === 'string') {
      const topic = this.#topics.get(key);
      const diff = topic?.presence.untrack(node, id) ?? null;
      if (topic === undefined || diff === null) return;
      this.#announce(key, diff);
      this.#drop(key, topic);
    }
  }

  /** For a node that does not know yet who is here. */
  #tellAll(): void {
    const all: Record<string, Record<string, Meta>> = {};
    for (const [key, { presence }] of this.#topics) {
      const own = presence.of(this.carrier.node);
      if (own.size > 0) all[key] = Object.fromEntries(own);
    }
    this.carrier.tell({ t: 'all', all });
  }

  #takeAll(node: string, all: Readonly<Record<string, Readonly<Record<string, Meta>>>>): void {
    for (const key of new Set([...this.#topics.keys(), ...Object.keys(all)])) {
      const metas = new Map(Object.entries(all[key] ?? {}));
      const topic = metas.size > 0 ? this.#topic(key) : this.#topics.get(key);
      if (topic === undefined) continue;
      const diff = topic.presence.replace(node, metas);
      if (diff !== null) this.#announce(key, diff);
      this.#drop(key, topic);
    }
  }

  #forgetNode(node: string): void {
    this.#takeAll(node, {});
  }
}

/** Bytes do not go through JSON: they travel as base64. */
function packed(sent: Sent): unknown {
  if (typeof sent === 'string') return sent;
  const { payload, encoding, ...rest } = sent;
  return { ...rest, encoding, payload: payload.toString(encoding === 'json' ? 'utf8' : 'base64') };
}

function unpacked(sent: unknown): Sent | null {
  if (typeof sent === 'string') return sent;
  if (!isRecord(sent) || typeof sent.payload !== 'string' || typeof sent.event !== 'string') return null;
  const encoding: Broadcast['encoding'] = sent.encoding === 'json' ? 'json' : 'binary';
  return {
    event: sent.event,
    encoding,
    payload: Buffer.from(sent.payload, encoding === 'json' ? 'utf8' : 'base64'),
    meta: isRecord(sent.meta) ? sent.meta : null,
  };
}
