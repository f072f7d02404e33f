// A row held by another transaction while something is asked that has to wait for it.

import { Client } from 'pg';

interface Held<T> {
  readonly app: { readonly ownerUrl: string; sql(text: string): Promise<readonly unknown[]> };
  /** Selects the row. */
  readonly row: string;
  readonly id: string | undefined;
  readonly ask: () => Promise<T>;
  /** Done by who holds it, once the question waits or is answered. */
  readonly meanwhile: (held: Client) => Promise<unknown>;
}

/** What comes of the question once the row is free. */
export async function whileHeld<T>({ app, row, id, ask, meanwhile }: Held<T>): Promise<T> {
  const held = new Client(app.ownerUrl);
  await held.connect();
  try {
    await held.query('begin');
    await held.query(`${row} for update`, [id]);
    let answered = false;
    const answer = ask().finally(() => (answered = true));
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    while (!answered && (await app.sql(waiting)).length === 0);
    await meanwhile(held);
    await held.query('commit');
    return await answer;
  } finally {
    await held.end();
  }
}
