// Balancer in front of several nodes, for a measurement or a test: each connection goes to the next node of its list, by turns. A node that
// is taken out of the list gets no new ones; those it has stay.

import { connect, createServer, type Socket } from 'node:net';

export interface Balance {
  readonly url: string;
  /** Addresses of the nodes. */
  readonly nodes: string[];
  close(): void;
}

export async function balance(): Promise<Balance> {
  const nodes: string[] = [];
  let turn = 0;
  const server = createServer((socket) => {
    const node = nodes[turn++ % nodes.length];
    if (node === undefined) return socket.destroy();
    const upstream: Socket = connect(Number(new URL(node).port), '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const)
      one
        .on('error', () => other.destroy())
        .on('close', () => other.destroy())
        .pipe(other);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, nodes, close: () => void server.close() };
}
