// A port nobody listens on right now: this one if it is named, or any.

import { createServer } from 'node:net';

export function findFreePort(host: string, named = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(named, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
