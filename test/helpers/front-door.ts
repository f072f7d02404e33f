// A fixed address in front of an app: it can be closed, so that nobody answers there, and led to another app.

import { connect, createServer, type Server, type Socket } from 'node:net';

export interface FrontDoor {
  readonly url: string;
  leadTo(port: number): void;
  /** Cuts every connection; new ones are refused. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

export async function frontDoor(port: number): Promise<FrontDoor> {
  const sockets = new Set<Socket>();
  let target = 0;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const listen = (): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((socket) => {
        const behind = connect(target, '127.0.0.1');
        keep(socket);
        keep(behind);
        socket.on('close', () => behind.destroy()).pipe(behind);
        behind.on('close', () => socket.destroy()).pipe(socket);
      }).listen(port, '127.0.0.1', () => resolve(server));
    });
  let server: Server | null = await listen();
  return {
    url: `http://127.0.0.1:${port}`,
    leadTo(next) {
      target = next;
      cut();
    },
    async shut() {
      const closing = server;
      server = null;
      if (closing === null) return;
      const closed = new Promise((resolve) => closing.close(resolve));
      cut();
      await closed;
    },
    async open() {
      server ??= await listen();
    },
  };
}
