// Store of realtime.messages: delivers messages sent from SQL to the channels, and replays stored ones on request.

import { roomRoles } from '../../database/room-roles.ts';
import { ident, sql, statement } from '../../database/sql.ts';
import type { Caller, Database } from '../../database/types.ts';
import type { Services } from '../../services.ts';
import type { Change } from '../changes/change.ts';
import { RealtimeError } from '../errors.ts';
import type { Broadcast } from '../sockets/messages.ts';
import { type Topics, topicKey } from './topics.ts';

export interface StoredMessage {
  readonly id: string;
  readonly broadcast: Broadcast;
}

const replayLimit = 25;
const sweepEveryMs = 6 * 3600_000;

interface Row {
  readonly id: string;
  readonly event: string | null;
  readonly payload: string | null;
  readonly binary: string | null;
}

export class MessageStore {
  readonly #database: Database;
  readonly #days: number;

  constructor(database: Database, days: number) {
    this.#database = database;
    this.#days = days;
  }

  /** Makes the partitions of the days to come and drops old ones, at the start and several times a day. */
  async sweepRegularly(jobs: Services['jobs']): Promise<void> {
    await jobs.every({
      name: 'sweep_messages',
      everyMs: sweepEveryMs,
      firstAfterMs: 0,
      run: async () => {
        const keepPartitions = sql`select private.keep_message_partitions(${this.#days}::int)`;
        await this.#database.runAs(roomRoles.realtime, statement(keepPartitions));
      },
    });
  }

  /** The latest messages of a private topic, the oldest of them first. */
  async replay(topic: string, since: unknown, limit: unknown): Promise<StoredMessage[]> {
    const from = since;
    const count = limit ?? replayLimit;
    if (!Number.isInteger(from) || !Number.isInteger(count))
      throw new RealtimeError('UnableToReplayMessages', 'Replay params are not valid');
    const most = Math.max(1, Math.min(replayLimit, Number(count)));
    try {
      const rows = await this.#database.objectsAs<Row>(
        roomRoles.realtime,
        statement(sql`
          select id::text as id, event, payload::text as payload, encode(binary_payload, 'base64') as binary
          from realtime.messages
          where topic = ${topic} and private and extension = 'broadcast'
            and inserted_at >= to_timestamp(${String(from)}::float8 / 1000) at time zone 'utc'
            and (expires_at is null or expires_at > now() at time zone 'utc')
          order by inserted_at desc, id desc limit ${most}::int`),
        { readOnly: true },
      );
      return rows.reverse().map((row) => ({ id: row.id, broadcast: broadcastOf(row, { replayed: true, id: row.id }) }));
    } catch (error) {
      throw new RealtimeError('UnableToReplayMessages', `Realtime was unable to replay messages${causeOf(error)}`);
    }
  }

  /** The longest that a sender may have a message kept. */
  get longestSeconds(): number {
    return this.#days * 86_400;
  }

  /** Keeps a broadcast of a caller who may, for so long. It has been sent already, and is not sent again. */
  async keep(caller: Caller, topic: string, broadcast: Broadcast, seconds: number): Promise<string> {
    const isJson = broadcast.encoding === 'json';
    const column = ident(isJson ? 'payload' : 'binary_payload');
    const value = isJson ? sql`${broadcast.payload.toString('utf8')}::jsonb` : sql`${broadcast.payload}::bytea`;
    const [row] = await this.#database.objectsAs<{ id: string }>(
      caller.role === 'service_role' ? caller : roomRoles.realtime,
      statement(sql`
        insert into realtime.messages (topic, event, extension, private, skip_broadcast, expires_at, ${column})
        values (${topic}, ${broadcast.event}, 'broadcast', true, true,
          now() at time zone 'utc' + make_interval(secs => ${seconds}::float8), ${value})
        returning id::text as id`),
    );
    return row?.id ?? '';
  }

  /** A row that was inserted, to whoever has joined its topic on this node. */
  deliver({ new: row }: Change, topics: Topics): void {
    if (row === null || row.extension !== 'broadcast' || typeof row.topic !== 'string') return;
    if (isTrue(row.skip_broadcast)) return;
    const binary = row.binary_payload;
    const broadcast = broadcastOf(
      {
        id: row.id ?? '',
        event: row.event ?? null,
        payload: row.payload ?? null,
        binary: binary == null ? null : Buffer.from(binary.slice(2), 'hex').toString('base64'),
      },
      { id: row.id ?? '' },
    );
    topics.deliver(topicKey(row.topic, isTrue(row.private)), broadcast, null, row.id ?? null);
  }
}

function broadcastOf({ event, payload, binary }: Row, meta: Record<string, unknown>): Broadcast {
  const bytes = binary === null ? Buffer.from(payload ?? '{}') : Buffer.from(binary, 'base64');
  return { event: event ?? '', encoding: binary === null ? 'json' : 'binary', payload: bytes, meta };
}

/** As the log writes it, and as triggers do. */
function isTrue(value: string | null | undefined): boolean {
  return value === 't' || value === 'true';
}

function causeOf(error: unknown): string {
  return error instanceof RealtimeError ? `: ${error.message}` : '';
}
