// Passwords of tools: those of the address, and no other.

import { createServer } from 'node:net';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { connectionOptions } from './connection-options.ts';

afterEach(() => vi.unstubAllEnvs());

test('a password that the address lacks is read from no variable and no file', async () => {
  vi.stubEnv('PGPASSWORD', 'from the environment');
  const heard: string[] = [];
  // Asks for a password in clear text, as Postgres does with `password` in pg_hba.conf.
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      socket.on('data', (bytes) => heard.push(bytes.toString('latin1')));
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  const client = new pg.Client(connectionOptions(`postgres://ada@127.0.0.1:${port}/boats?sslmode=disable`));
  client.on('error', () => undefined);
  await expect(client.connect()).rejects.toThrow('asks ada for a password and the address has none');
  await client.end();
  expect(heard.join('')).not.toContain('from the environment');
  await new Promise((done) => server.close(done));
});
