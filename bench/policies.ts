// `npm run bench -- --policies`: who may do what at every door of a running server, everybody asked everything. The questions are those of the tests
// (test/policies), here on a server of its own: its process, its Postgres, HTTP and web sockets. Into docs/figures.md; ends with 1 where a cell differs.

import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import { makeGround, type Server } from '../test/policies/callers-and-board.ts';
import type { Cell } from '../test/policies/cells.ts';
import { askEveryDoor } from '../test/policies/doors.ts';
import { openStage, type Stage } from './stage.ts';
import { writePolicies } from './write-policies-page.ts';

export async function benchPolicies(say: (line: string) => void): Promise<void> {
  // The board's browser is at an address that leads nowhere; were it none of these services, its row would be taken away.
  const settings = { DATA_TX_OVERRIDE: 'true', PUSH_SERVICES: 'push.test' };
  const stage = await openStage(say, { filled: false, settings });
  const [owner, pool] = [stage.ownerUrl, stage.databaseUrl].map(
    (url) => new pg.Pool({ ...connectionOptions(url), max: 2 }),
  ) as [pg.Pool, pg.Pool];
  try {
    const cells: Cell[] = [];
    const ground = await makeGround(serverOf(stage, owner, pool));
    await askEveryDoor(ground, (cell) => {
      cells.push(cell);
      if (cell.due !== cell.came)
        say(`${cell.door}, ${cell.who}: ${cell.what}\n    should be ${cell.due}, was ${cell.came.slice(0, 400)}`);
    });
    const differing = cells.filter(({ due, came }) => due !== came);
    say(`${cells.length} cells, ${differing.length} not as they should be`);
    writePolicies(cells);
    if (differing.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all([owner.end(), pool.end()]);
    await stage.close();
  }
}

/** What people would do before: rows that are laid out for them, as themselves and past every policy. */
function serverOf({ url, anonKey, serviceKey }: Stage, owner: pg.Pool, pool: pg.Pool): Server {
  return {
    url,
    anonKey,
    serviceKey,
    async sql<T>(text: string, values: unknown[] = []) {
      return (await owner.query(text, values)).rows as T[];
    },
    async asUser<T>(who: string | Record<string, unknown>, text: string, values: (string | null)[] = []) {
      const claims = JSON.stringify(typeof who === 'string' ? { sub: who, role: 'authenticated' } : who);
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(
          `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
          [claims],
        );
        const { rows } = await client.query(text, values);
        await client.query('commit');
        return rows as T[];
      } finally {
        // Whatever it was left in ends with it.
        client.release(true);
      }
    },
  };
}
