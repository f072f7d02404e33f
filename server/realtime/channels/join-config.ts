// Reads the options of a client that joins a channel.

import { randomUUID } from 'node:crypto';

export interface Replay {
  readonly since: unknown;
  readonly limit: unknown;
}

export interface JoinConfig {
  readonly isPrivate: boolean;
  readonly self: boolean;
  readonly ack: boolean;
  /** Null: not asked for. */
  readonly replay: Replay | null;
  /** Wants to hear when messages from SQL are being followed. */
  readonly replicationReady: boolean;
  readonly presenceKey: string;
  readonly presenceEnabled: boolean;
  /** Bindings as they were sent: the answer repeats them. */
  readonly changes: readonly Readonly<Record<string, unknown>>[];
  /** Milliseconds that the join shall wait for its bindings; null: it does not wait. */
  readonly waitMs: number | null;
  readonly token: string | null;
}

const longestWaitMs = 60_000;
const usualWaitMs = 15_000;

export function readJoinConfig(payload: unknown): JoinConfig {
  const given = record(payload);
  const config = record(given.config);
  const broadcast = record(config.broadcast);
  const presence = record(config.presence);
  const options = record(config.postgres_changes_options);
  const replay = broadcast.replay;
  const key = presence.key;
  return {
    isPrivate: isTrue(config.private),
    self: isTrue(broadcast.self),
    ack: isTrue(broadcast.ack),
    replay: isRecord(replay) ? { since: replay.since, limit: replay.limit } : null,
    replicationReady: isTrue(broadcast.replication_ready),
    presenceKey: typeof key === 'string' && key !== '' ? key : typeof key === 'number' ? String(key) : randomUUID(),
    presenceEnabled: isTrue(presence.enabled),
    changes: (Array.isArray(config.postgres_changes) ? config.postgres_changes : []).filter(isRecord),
    waitMs: isTrue(options.wait) ? Math.min(longestWaitMs, positive(options.timeout) ?? usualWaitMs) : null,
    token: readTokenOf(given),
  };
}

/** Opaque keys are no tokens: the key of the socket counts then. */
function readTokenOf(given: Readonly<Record<string, unknown>>): string | null {
  for (const token of [given.user_token, given.access_token])
    if (typeof token === 'string' && token !== '') return token.startsWith('sb_') ? null : token;
  return null;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function positive(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
