// Network of an address, as the unit of counting: one IPv4 address, or the /64 of IPv6 that a household or a rented machine has to itself.
// Counting single IPv6 addresses would count nothing: there are 2^64 of them.

import { isIPv6 } from 'node:net';

export function networkOf(address: string): string {
  const plain = plainAddress(address);
  const groups = groupsOf(plain);
  return groups === null ? plain : `${groups.slice(0, 4).map(asHex).join(':')}::/64`;
}

/** Without a zone; an IPv4 address that came by a socket for both kinds (`::ffff:192.0.2.1`) under its own name. */
export function plainAddress(address: string): string {
  const [bare = ''] = address.split('%', 1);
  const groups = groupsOf(bare);
  if (groups === null || groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return bare;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight numbers of an IPv6 address however it is written; null for anything else. */
export function groupsOf(address: string): number[] | null {
  if (!isIPv6(address)) return null;
  const hexOnly = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_all, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${asHex(a * 256 + b)}:${asHex(c * 256 + d)}`;
  });
  const [front = [], back = []] = hexOnly.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const gap = Array<string>(8 - front.length - back.length).fill('0');
  return [...front, ...gap, ...back].map((group) => Number.parseInt(group, 16));
}

function asHex(group: number): string {
  return group.toString(16);
}
