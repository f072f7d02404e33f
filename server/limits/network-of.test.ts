import { expect, test } from 'vitest';
import { networkOf, plainAddress } from './network-of.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['nonsense', 'nonsense'],
])('%s counts as %s', (address, network) => expect(networkOf(address)).toBe(network));

test('neighbours in a /64 are one caller, neighbours of it are others', () => {
  const far = ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1:0:0:0:2'].map(networkOf);
  expect(new Set(far).size).toBe(1);
  expect(networkOf('2001:db8:0:2::1')).not.toBe(far[0]);
  expect(plainAddress('2001:db8:0:1::1')).toBe('2001:db8:0:1::1');
});
