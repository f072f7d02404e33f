// Addresses that the server may send requests to when somebody else names them: those of the public internet, and the networks of a setting.
// What is decided on is an address, never its spelling or a name: names are resolved first (server/outbox/post-outward.ts).

import { isIPv4, isIPv6 } from 'node:net';
import { addressTester } from './address-tester.ts';
import { groupsOf } from './network-of.ts';

/** Special-purpose networks of IPv4 (IANA), and addresses by which clouds answer with secrets of a machine. */
const inward = addressTester([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '168.63.129.16',
]);
/** All that is given out of IPv6, and what of it is not the internet: protocols, documentation, 6to4. */
const global6 = addressTester(['2000::/3']);
const special6 = addressTester(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

export function outwardTester(allowed: readonly string[]): (address: string) => boolean {
  const isAllowed = addressTester(allowed);
  return (address) => {
    const plain = inIPv4(address);
    if (isAllowed(plain)) return true;
    if (isIPv4(plain)) return !inward(plain);
    return isIPv6(plain) && global6(plain) && !special6(plain);
  };
}

/** An IPv4 address that IPv6 carries (::ffff:192.0.2.1, and 64:ff9b::192.0.2.1 of NAT64) is reached as itself; any other is left as it is. */
function inIPv4(address: string): string {
  const groups = groupsOf(address);
  if (groups === null) return address;
  const [a, b, c, d, e, f, high = 0, low = 0] = groups;
  const isMapped = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0xffff;
  const isTranslated = a === 0x64 && b === 0xff9b && c === 0 && d === 0 && e === 0 && f === 0;
  return isMapped || isTranslated ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : address;
}
