// An SMTP server that takes a mail to its end and then says nothing, until it is told to.

import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SilentMailServer {
  readonly url: string;
  /** A whole mail has come, and its sender waits for an answer. */
  readonly arrived: Promise<void>;
  /** The sender waits no longer. */
  readonly hungUp: Promise<void>;
  /** The mail is taken after all. */
  answer(): void;
  close(): Promise<void>;
}

export async function startSilentMailServer(): Promise<SilentMailServer> {
  const [arrived, hungUp] = [happening(), happening()];
  const sockets = new Set<Socket>();
  let waiting: Socket | null = null;
  const server = createServer((socket) => {
    sockets.add(socket);
    let [inMail, mail] = [false, ''];
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (socket === waiting) hungUp.happens();
    });
    socket.setEncoding('utf8').on('data', (text: string) => {
      if (!inMail) {
        inMail = /^DATA/i.test(text);
        socket.write(inMail ? '354 go on\r\n' : '250 ok\r\n');
        return;
      }
      mail += text;
      if (!mail.endsWith('\r\n.\r\n')) return;
      waiting = socket;
      inMail = false;
      arrived.happens();
    });
    socket.write('220 silent ESMTP\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: arrived.promise,
    hungUp: hungUp.promise,
    answer: () => void waiting?.write('250 taken\r\n'),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function happening(): { readonly promise: Promise<void>; readonly happens: () => void } {
  let happens = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    happens = resolve;
  });
  return { promise, happens };
}
