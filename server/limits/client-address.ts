// The address a request comes from, for doors that stand in front of Fastify: the other end of the connection, or what trusted
// proxies say, read from the right until one is not trusted.

import type { IncomingMessage } from 'node:http';
import { addressTester } from './address-tester.ts';
import { addressesIn } from './forwarded-for.ts';
import { plainAddress } from './network-of.ts';

type Arrived = Pick<IncomingMessage, 'headers' | 'socket'>;

export function clientAddresses(trustProxy: readonly string[]): (request: Arrived) => string {
  const trusts = addressTester(trustProxy);
  return ({ headers, socket }) => {
    let address = socket.remoteAddress ?? '';
    if (trustProxy.length === 0) return plainAddress(address);
    const said = addressesIn(String(headers['x-forwarded-for'] ?? '')).split(', ');
    while (said.length > 0 && trusts(plainAddress(address))) {
      const before = said.pop();
      if (!before) break;
      address = before;
    }
    return plainAddress(address);
  };
}
