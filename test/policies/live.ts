// Live changes of a row in every published table, and their recipients. A row visible to everybody is written last: once it has arrived, earlier
// changes have too.

import type { SupabaseClient } from '@supabase/supabase-js';
import type { TestApp } from '../helpers/app.ts';
import { follow, hangUp } from '../realtime/subscribe.ts';
import type { Board } from '../sql/board.ts';
import { matrix } from '../sql/matrix-cells.ts';

type Service = Pick<TestApp, 'sql'>;

export async function publishedTables(app: Service): Promise<string[]> {
  const published = await app.sql<{ name: string }>(
    `select tablename as name from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public' order by 1`,
  );
  return published.map(({ name }) => name);
}

/** Before anybody listens; it is published and in nobody's matrix. */
export async function makeMarks(app: Service): Promise<void> {
  await app.sql(`create table public.marks (id int primary key)`);
  await app.sql(`grant select on public.marks to anon, authenticated`);
  await app.sql(`alter publication supabase_realtime add table public.marks`);
}

export interface Listeners<Name extends string> {
  /** What came to each while something is done, as `UPDATE tasks`, in the order of the alphabet; null: not let in. */
  during(act: () => Promise<void>, of?: readonly Name[]): Promise<Record<Name, string[] | null>>;
  close(): Promise<void>;
}

/** Each follows every table. */
export async function listen<Name extends string>(
  app: Service,
  clients: Readonly<Record<Name, SupabaseClient>>,
): Promise<Listeners<Name>> {
  const names: readonly Name[] = Object.keys(clients) as Name[];
  const each = async <T>(make: (name: Name) => Promise<T>, of = names): Promise<Record<Name, T>> =>
    Object.fromEntries(await Promise.all(of.map(async (name) => [name, await make(name)]))) as Record<Name, T>;
  const followed = await each((name) => follow(clients[name], [{}], 'every table').catch(() => null));
  let mark = 0;
  return {
    async during(act, of = names) {
      const before = await each(async (name) => followed[name]?.events.list.length ?? 0);
      await act();
      const id = ++mark;
      await app.sql('insert into public.marks (id) values ($1)', [id]);
      return each(async (name) => {
        const events = followed[name]?.events;
        if (events === undefined) return null;
        await events.first((one) => one.table === 'marks' && (one.new as { id?: unknown }).id === id, `mark ${id}`);
        const heard = events.list.slice(before[name]).filter(({ table }) => table !== 'marks');
        return [...new Set(heard.map(({ eventType, table }) => `${eventType} ${table}`))].sort();
      }, of);
    },
    close: () => hangUp(...names.map((name) => clients[name])),
  };
}

/** One row of each table is written as it is: who sees it hears of an update. */
export async function rewriteRows(app: Service, board: Board): Promise<void> {
  for (const [table, { row }] of Object.entries(matrix)) {
    const conditions = row(board)
      .split('&')
      .flatMap((part) => (part.includes('=eq.') ? [part.split('=eq.') as [string, string]] : []));
    const written = await app.sql(
      `update public.${table} set created_at = created_at
       where ${conditions.map(([column], index) => `${column}::text = $${index + 1}`).join(' and ')} returning 1`,
      conditions.map(([, value]) => value),
    );
    if (written.length === 0) throw new Error(`There is no row to write in ${table}`);
  }
}
