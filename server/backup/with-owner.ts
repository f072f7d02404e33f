// A connection of the owner of the tables for one piece of work.

import { Socket } from 'node:net';
import pg from 'pg';
import { connectionOptions } from '../database/connection-options.ts';

/** Once `signal` says so the connection is broken off, whatever it is at. */
export async function withOwner<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const socket = new Socket();
  const client = new pg.Client({ ...connectionOptions(url), stream: () => socket });
  // A connection that breaks is told by the statement under way.
  client.on('error', () => undefined);
  const breakOff = (): void => void socket.destroy();
  signal?.addEventListener('abort', breakOff);
  try {
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } finally {
    signal?.removeEventListener('abort', breakOff);
  }
}
