// Live changes of what a client subscribed to: a socket of /realtime/v1 under the caller's token, so policies decide which changes are sent. Many
// changes of one resource within a moment are sent once.

import type { Server } from 'node:http';
import { WebSocket } from 'ws';

export interface Binding {
  readonly uri: string;
  readonly table: string;
  /** As realtime has it: `project_id=eq.…`; none: all rows that the caller sees. */
  readonly filter?: string;
}

export interface Following {
  readonly server: Pick<Server, 'address'>;
  readonly token: string;
  readonly apiKey: string;
  readonly bindings: readonly Binding[];
  readonly onChanged: (uri: string) => void;
  /** From now on no change is missed. */
  readonly onReady?: () => void;
  /** The token has ended, or the socket is gone. */
  readonly onEnd: () => void;
}

const heartbeatMs = 25_000;
const gatherMs = 250;
const topic = 'realtime:mcp';

interface Frame {
  readonly event?: string;
  readonly payload?: {
    readonly status?: string;
    readonly response?: { readonly postgres_changes?: readonly { readonly id?: number }[] };
    readonly ids?: readonly number[];
    readonly message?: string;
  };
}

export function followChanges({ server, token, apiKey, bindings, onChanged, onReady, onEnd }: Following): () => void {
  const socket = new WebSocket(
    `${addressOf(server)}/realtime/v1/websocket?vsn=1.0.0&apikey=${encodeURIComponent(apiKey)}`,
  );
  const uris = new Map<number, string>();
  const changed = new Set<string>();
  let gathering: NodeJS.Timeout | null = null;
  let ref = 1;
  let stopped = false;
  const send = (event: string, payload: unknown, to = topic): void =>
    socket.send(JSON.stringify({ topic: to, event, payload, ref: String(ref++), join_ref: '1' }));
  const beat = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) send('heartbeat', {}, 'phoenix');
  }, heartbeatMs);
  const tell = (uri: string): void => {
    changed.add(uri);
    gathering ??= setTimeout(() => {
      gathering = null;
      const uris = [...changed];
      changed.clear();
      for (const uri of uris) onChanged(uri);
    }, gatherMs);
  };
  const stop = (): void => {
    stopped = true;
    clearInterval(beat);
    if (gathering !== null) clearTimeout(gathering);
    socket.close();
  };
  const end = (): void => {
    if (stopped) return;
    stop();
    onEnd();
  };
  socket.on('open', () =>
    send('phx_join', {
      access_token: token,
      config: {
        postgres_changes: bindings.map(({ table, filter }) => ({
          ...{ event: '*', schema: 'public', table },
          ...(filter === undefined ? {} : { filter }),
        })),
      },
    }),
  );
  socket.on('message', (data) => {
    const { event, payload = {} } = JSON.parse(String(data)) as Frame;
    if (event === 'phx_reply' && payload.status === 'error') return end();
    for (const [at, { id }] of (payload.response?.postgres_changes ?? []).entries())
      if (id !== undefined) uris.set(id, bindings[at]?.uri ?? '');
    if (event === 'system' && payload.message === 'Subscribed to PostgreSQL') onReady?.();
    if (event === 'postgres_changes') for (const id of payload.ids ?? []) if (uris.has(id)) tell(uris.get(id) ?? '');
    // Any resource may have missed changes.
    if (event === 'system' && (payload.message ?? '').startsWith('ChangesMissed'))
      for (const { uri } of bindings) tell(uri);
    if (event === 'phx_close' || event === 'phx_error') end();
  });
  socket.on('error', end);
  socket.on('close', end);
  return stop;
}

function addressOf(server: Pick<Server, 'address'>): string {
  const at = server.address();
  if (at === null) throw new Error('The server does not listen yet');
  if (typeof at === 'string') return `ws+unix://${at}:`;
  const host = at.address === '::' || at.address === '0.0.0.0' ? '127.0.0.1' : at.address;
  return `ws://${host.includes(':') ? `[${host}]` : host}:${at.port}`;
}
