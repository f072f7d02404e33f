// Hostile bodies, frames and questions: JSON of very many values, socket frames before a join, patterns, long searches, answers that
// nobody reads.

import { connect } from 'node:net';
import type { HostileCase } from './attack.ts';

/** `[[],[],…]` of so many bytes. */
const openings = (bytes: number): string => `[${'[],'.repeat(Math.floor((bytes - 4) / 3))}[]]`;
const nothing = '00000000-0000-4000-8000-000000000000';

export const bodyCases: readonly HostileCase[] = [
  {
    name: 'three bodies of 9.9 MB of [] to /auth/v1/token, with the public key',
    run: (attack) =>
      attack.repeat(3, 3, () =>
        attack.send('POST', '/auth/v1/token?grant_type=password', openings(9_900_000), {
          authorization: `Bearer ${attack.stage.anonKey}`,
        }),
      ),
  },
  {
    name: 'a body of 20 MB of [] to /api/imports/:id/start, signed in',
    run: (attack) =>
      attack.repeat(2, 2, () => attack.send('POST', `/api/imports/${nothing}/start`, openings(20_000_000))),
  },
  {
    name: 'bodies of 9.9 MB of {} to /rest/v1/tasks',
    run: (attack) => attack.repeat(2, 6, () => attack.send('POST', '/rest/v1/tasks', `[${'{},'.repeat(3_300_000)}{}]`)),
  },
  {
    name: 'changes_since with 10^6 buckets',
    run: (attack) => {
      const known = { tasks: Array<number>(1_000_000).fill(0) };
      const body = JSON.stringify({ project_id: attack.large, known });
      return attack.repeat(2, 10, () => attack.send('POST', '/rest/v1/rpc/changes_since', body));
    },
  },
  {
    name: 'five socket frames of 5.5 MB of [] before a join',
    run: async (attack) => {
      const frame = openings(5_500_000);
      const socket = await attack.socket();
      for (let sent = 0; sent < 5; sent++) socket?.send(frame);
      await attack.repeat(1, 50, () => attack.send('GET', '/health'));
    },
  },
  {
    name: '200 joins with 20 filters each, on one socket',
    run: async (attack) => {
      const socket = await attack.socket();
      const changes = Array.from({ length: 20 }, (_, index) => ({
        event: '*',
        schema: 'public',
        table: 'tasks',
        filter: `title=eq.${index}`,
      }));
      for (let index = 0; index < 200; index++)
        socket?.send(
          JSON.stringify({
            topic: `realtime:t${index}`,
            event: 'phx_join',
            ref: String(index),
            payload: { access_token: attack.token, config: { postgres_changes: changes } },
          }),
        );
      await attack.repeat(1, 50, () => attack.send('GET', '/health'));
    },
  },
  {
    name: 'a search of 10 kB of words, four at all times',
    run: (attack) => {
      const words = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' ');
      const body = JSON.stringify({ query: words, project_id: attack.large });
      return attack.repeat(4, 10_000, () => attack.send('POST', '/rest/v1/rpc/search_tasks', body));
    },
  },
  {
    name: 'patterns that branch, four at all times',
    run: (attack) => {
      const pattern = encodeURIComponent('^(([a-z])+.)+[A-Z]([a-z])+$');
      const like = encodeURIComponent(`*${'a*'.repeat(60)}`);
      return attack.repeat(4, 10_000, (index) =>
        attack.send(
          'GET',
          `/rest/v1/tasks?select=id&limit=10&${index % 2 === 0 ? `description=imatch.${pattern}` : `description=ilike.${like}`}`,
        ),
      );
    },
  },
  {
    name: 'answers of 40 MB that nobody reads, ten connections',
    run: async (attack) => {
      const { hostname, port } = new URL(attack.stage.url);
      const sockets = Array.from({ length: 10 }, () => {
        const socket = connect(Number(port), hostname).on('error', () => undefined);
        socket.pause();
        socket.write(
          `GET /rest/v1/tasks?select=*,history:task_activity(*) HTTP/1.1\r\nhost: ${hostname}\r\napikey: ${attack.stage.anonKey}\r\nauthorization: Bearer ${attack.token}\r\n\r\n`,
        );
        return socket;
      });
      while (!attack.isOver()) await new Promise((resolve) => setTimeout(resolve, 100));
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: '300 wrong passwords at once',
    run: (attack) =>
      attack.repeat(50, 300, (index) =>
        attack.send(
          'POST',
          '/auth/v1/token?grant_type=password',
          JSON.stringify({ email: `nobody${index}@bench.test`, password: 'not the one' }),
          { authorization: `Bearer ${attack.stage.anonKey}` },
        ),
      ),
  },
];
