// Listener that follows the comments of a project and refetches them after every lost connection, as the app does.

import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask } from '../ask.ts';
import type { Door, Planted } from '../plant.ts';
import { type BenchClient, follow, openClient } from '../realtime-client.ts';

export interface Listener {
  /** Comments it knows, by text. */
  readonly seen: ReadonlySet<string>;
  /** How often one came twice on the same connection. */
  twice(): number;
  /** How often it had to connect again, which the client does by itself. */
  connections(): number;
  stop(): Promise<void>;
}

const followed = Buffer.from('"extension":"postgres_changes"');
const commentBody = /"body":"([0-9a-f-]{36})"/g;

/** Follows the comments of a project; reads them whenever the server says that from now on it has all changes. */
export function listen(door: Door, planted: Planted): Listener {
  const seen = new Set<string>();
  let [twice, connections, over] = [0, 0, false];
  let client: BenchClient | null = null;
  const reading = new Set<Promise<void>>();
  const readAgain = async (): Promise<void> => {
    const answer = await ask(door.agent, door.url, {
      method: 'GET',
      path: `/rest/v1/task_comments?select=body&project_id=eq.${planted.project}`,
      headers: asCaller(door.anonKey, planted.owner.token),
    }).catch(() => null);
    if (answer?.status !== 200) {
      if (over) return;
      await pause(50);
      return readAgain();
    }
    for (const [, body = ''] of answer.body.toString().matchAll(commentBody)) seen.add(body);
  };
  const run = (async () => {
    while (!over) {
      client = await openClient(door).catch(() => null);
      if (client === null) {
        await pause(30);
        continue;
      }
      connections++;
      const came = new Set<string>();
      client.onFrame = (bytes, start, end) => {
        const text = bytes.toString('utf8', start, end);
        if (text.includes(followed.toString()) && text.includes('"status":"ok"')) {
          const read = readAgain();
          reading.add(read);
          void read.then(() => reading.delete(read));
          return;
        }
        if (!text.includes('"INSERT"')) return;
        for (const body of new Set([...text.matchAll(commentBody)].map(([, found = '']) => found))) {
          if (came.has(body)) twice++;
          came.add(body);
          seen.add(body);
        }
      };
      const topic = planted.project;
      const filter = `project_id=eq.${topic}`;
      follow(client, planted.owner.token, { topic, tables: ['task_comments'], filter, event: 'INSERT' });
      await client.closed;
    }
  })();
  return {
    seen,
    twice: () => twice,
    connections: () => connections,
    stop: async () => {
      over = true;
      client?.socket.destroy();
      await run;
      await Promise.all(reading);
    },
  };
}
