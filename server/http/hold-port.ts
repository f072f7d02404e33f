// Holds a free port from the start of a process on, so that no other one gets it until the server listens. Who connects before that is turned away.

import { createServer, type Server } from 'node:net';

export interface HeldPort {
  readonly port: number;
  /** Has this server listen on the port, by `listen` with these options; nobody else can in between. */
  handOver(): HandedOver;
  /** Lets go of it, if it was not handed over. */
  close(): void;
}

/** Options of `listen` of a server: the open socket of another one. */
export interface HandedOver {
  readonly _handle: object;
  readonly host: string;
  readonly port: number;
}

export function holdPort(host: string): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    const holder: Server & { _handle?: object } = createServer((socket) => socket.destroy());
    holder.once('error', reject);
    holder.listen(0, host, () => {
      const { address, port } = holder.address() as { address: string; port: number };
      let isHeld = true;
      resolve({
        port,
        handOver: () => {
          isHeld = false;
          return { _handle: holder._handle ?? {}, host: address, port };
        },
        close: () => {
          if (isHeld) holder.close();
          isHeld = false;
        },
      });
    });
  });
}
