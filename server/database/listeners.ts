// NOTIFY channels, all on one direct connection of their own that is made anew when it breaks.

import type { Logger } from 'pino';
import { Connection } from './wire/connection.ts';
import { Exchange } from './wire/exchange.ts';
import type { Target } from './wire/target.ts';

const firstPauseMs = 50;
const longestPauseMs = 2000;
/**
 * So often the database is asked whether it is still there, and so long it may take to say so: a network that swallows
 * everything closes no connection, and nobody would hear anything any more.
 */
const askEveryMs = 5000;

interface Listener {
  readonly onMessage: (payload: string) => void;
  readonly onReconnect: (() => void) | undefined;
}

/** What it says it says once. */
const unnamed = { named: false, preparedBytes: 0 };

export class Listeners {
  readonly #target: Target;
  readonly #log: Logger;
  readonly #channels = new Map<string, Set<Listener>>();
  #connection: Promise<Connection> | null = null;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | null = null;
  #heartbeat: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(target: Target, log: Logger) {
    this.#target = target;
    this.#log = log;
  }

  async listen(
    channel: string,
    onMessage: (payload: string) => void,
    onReconnect?: () => void,
  ): Promise<() => Promise<void>> {
    const listener: Listener = { onMessage, onReconnect };
    let listeners = this.#channels.get(channel);
    const first = listeners === undefined;
    if (listeners === undefined) {
      listeners = new Set();
      this.#channels.set(channel, listeners);
    }
    listeners.add(listener);
    try {
      const connection = await this.#connect();
      if (first) await execute(connection, `listen ${quote(channel)}`);
    } catch (error) {
      this.#drop(channel, listener);
      throw error;
    }
    return async () => {
      if (!this.#drop(channel, listener) || this.#connection === null || this.#closed) return;
      const connection = await this.#connection.catch(() => null);
      if (connection !== null && !connection.closed && !this.#channels.has(channel))
        await execute(connection, `unlisten ${quote(channel)}`).catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
    const connection = await this.#connection?.catch(() => null);
    connection?.close();
  }

  /** True when that was the last listener of the channel. */
  #drop(channel: string, listener: Listener): boolean {
    const listeners = this.#channels.get(channel);
    listeners?.delete(listener);
    if (listeners === undefined || listeners.size > 0) return false;
    return this.#channels.delete(channel);
  }

  #connect(): Promise<Connection> {
    if (this.#connection !== null) return this.#connection;
    const opening = this.#open();
    this.#connection = opening;
    opening.catch(() => {
      if (this.#connection === opening) this.#connection = null;
    });
    return opening;
  }

  async #open(): Promise<Connection> {
    const connection = await Connection.open(this.#target, unnamed, {
      onIdle: () => undefined,
      onProgress: () => undefined,
      onRetry: () => undefined,
      onClosed: (_connection, unanswered, error) => {
        for (const exchange of unanswered) exchange.reject(error);
        if (this.#heartbeat !== null) clearInterval(this.#heartbeat);
        this.#connection = null;
        if (!this.#closed) this.#reconnectLater(error);
      },
      onNotification: (channel, payload) => {
        for (const listener of this.#channels.get(channel) ?? [])
          try {
            listener.onMessage(payload);
          } catch (error) {
            this.#log.error({ err: error, channel }, 'A notification could not be dealt with');
          }
      },
    });
    connection.leased = true;
    this.#heartbeat = setInterval(() => {
      if (connection.inFlight > 0) connection.abandon('The database stopped answering');
      else void execute(connection, 'select').catch(() => undefined);
    }, askEveryMs);
    this.#heartbeat.unref();
    return connection;
  }

  #reconnectLater(error: unknown): void {
    if (this.#timer !== null || this.#channels.size === 0) return;
    this.#log.warn({ err: error }, 'The listening connection broke; it is being made anew');
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#reconnect();
    }, this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  async #reconnect(): Promise<void> {
    try {
      const connection = await this.#connect();
      try {
        for (const channel of this.#channels.keys()) await execute(connection, `listen ${quote(channel)}`);
      } catch (error) {
        // A replica, say, that the way to the primary still leads to: nobody listens there.
        connection.close();
        throw error;
      }
      this.#pauseMs = firstPauseMs;
      // Notifications sent meanwhile are lost: listeners have to read the state again.
      for (const listeners of this.#channels.values()) for (const listener of listeners) listener.onReconnect?.();
    } catch (error) {
      if (!this.#closed) this.#reconnectLater(error);
    }
  }
}

function execute(connection: Connection, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.submit(new Exchange([{ shape: null, statement: { text, values: [] } }], 0, false, resolve, reject));
    connection.flush();
  });
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
