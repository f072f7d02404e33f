// Helpers for tests of /realtime/v1: channels that are really subscribed, events as they come, and frames by hand.

import type { RealtimeChannel, RealtimePostgresChangesPayload, SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import type { TestApp, TestUser } from '../helpers/app.ts';

export type Row = Record<string, unknown>;
export type ChangeEvent = RealtimePostgresChangesPayload<Row>;

/** A list that one can wait at. */
export class Events<T> {
  readonly list: T[] = [];
  readonly #waiting = new Set<() => void>();

  add(event: T): void {
    this.list.push(event);
    for (const look of [...this.#waiting]) look();
  }

  /** The first event that fits, from the past or to come. */
  async first(fits: (event: T) => boolean, what = 'event', limitMs?: number): Promise<T> {
    return this.until(() => this.list.find(fits), what, limitMs);
  }

  async count(count: number, what = 'events'): Promise<readonly T[]> {
    return this.until(() => (this.list.length >= count ? this.list : undefined), `${count} ${what}`);
  }

  async until<R>(look: () => R | undefined, what: string, limitMs = 25_000): Promise<R> {
    const found = look();
    if (found !== undefined) return found;
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#waiting.delete(check);
        reject(new Error(`${what} did not come; there came: ${JSON.stringify(this.list).slice(0, 2000)}`));
      }, limitMs);
      const check = (): void => {
        const now = look();
        if (now === undefined) return;
        clearTimeout(limit);
        this.#waiting.delete(check);
        resolve(now);
      };
      this.#waiting.add(check);
    });
  }
}

/** Subscribes and waits until it stands; rejects with the reason when it is refused. */
export function subscribe(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel);
      else if (status === 'CHANNEL_ERROR' || status === 'TIMED_OUT') reject(error ?? new Error(status));
    });
  });
}

interface Followed {
  readonly channel: RealtimeChannel;
  readonly events: Events<ChangeEvent>;
  readonly system: Events<Row>;
}

/** Follows changes with these bindings (all of schema public by default) and waits until Postgres is followed. */
export async function follow(
  client: SupabaseClient,
  bindings: readonly Row[] = [{}],
  topic = 'changes',
): Promise<Followed> {
  await client.realtime.setAuth();
  const events = new Events<ChangeEvent>();
  const system = new Events<Row>();
  let channel = client.channel(topic);
  for (const binding of bindings)
    channel = channel.on(
      'postgres_changes',
      { event: '*', schema: 'public', ...binding } as { event: '*'; schema: string },
      (event: ChangeEvent) => events.add(event),
    );
  channel.on('system', {}, (message: Row) => system.add(message));
  await subscribe(channel);
  await system.first(({ extension }) => extension === 'postgres_changes', 'the system message');
  return { channel, events, system };
}

/** A socket spoken to by hand. */
export interface RawSocket {
  readonly frames: Events<[string | null, string | null, string, string, Row]>;
  /** Binary frames. */
  readonly bytes: Events<Buffer>;
  readonly closed: Promise<{ code: number; reason: string }>;
  send(...message: readonly unknown[]): void;
  sendBytes(bytes: Buffer | string): void;
  reply(ref: string): Promise<Row>;
  readonly ws: WebSocket;
  close(): void;
}

export async function openRaw(
  app: Pick<TestApp, 'url' | 'anonKey'>,
  query: Record<string, string> = {},
): Promise<RawSocket> {
  const address = new URL('/realtime/v1/websocket', app.url.replace(/^http/, 'ws'));
  for (const [name, value] of Object.entries({ apikey: app.anonKey, vsn: '2.0.0', ...query }))
    address.searchParams.set(name, value);
  const ws = new WebSocket(address);
  const frames: RawSocket['frames'] = new Events();
  const bytes = new Events<Buffer>();
  ws.on('message', (data, isBinary) => {
    if (isBinary) bytes.add(data as Buffer);
    else frames.add(JSON.parse(String(data)) as (typeof frames.list)[number]);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  return {
    frames,
    bytes,
    closed,
    ws,
    send: (...message) => ws.send(JSON.stringify(message)),
    sendBytes: (bytes) => ws.send(bytes),
    reply: async (ref) =>
      (await frames.first((frame) => frame[3] === 'phx_reply' && frame[1] === ref, `reply ${ref}`))[4],
    close: () => ws.close(),
  };
}

export async function project(user: Pick<TestUser, 'client'>, name = 'Ship'): Promise<{ id: string; column: string }> {
  const { data, error } = await user.client.rpc('create_project_with_defaults', { name });
  if (error) throw error;
  const { id } = data as { id: string };
  const { data: column } = await user.client
    .from('workflow_columns')
    .select('id')
    .eq('project_id', id)
    .order('position')
    .limit(1)
    .single();
  return { id, column: (column as { id: string }).id };
}

/** Closes sockets, so that the process may end. */
export async function hangUp(...clients: readonly SupabaseClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.removeAllChannels().then(() => client.realtime.disconnect())));
}
