// A connection of the owner of the tables for one piece of work.

import pg from 'pg';
import { connectionOptions } from '../database/connection-options.ts';

export async function withOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionOptions(url));
  // A connection that breaks is told by the statement under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
