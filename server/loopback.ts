// Recognises addresses and host names of this machine. Addresses are compared as addresses: `127.evil.example` begins like one of ours and
// belongs to somebody else.

import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/** 127.0.0.0/8 and ::1, also when an IPv4 address is written as IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

/** The host of an address on the web, with the brackets that IPv6 has there. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[(.*)\]$/, '$1'));
}
