// Reads a setting that lists addresses and networks.

import { isIP } from 'node:net';

export function networks(value: string): readonly string[] {
  const parts = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const part of parts) {
    const [address = '', bits] = part.split('/');
    const known = /^(loopback|linklocal|uniquelocal)$/.test(part);
    const network =
      isIP(address) !== 0 &&
      (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)));
    if (!known && !network)
      throw new Error('addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal');
  }
  return parts;
}
