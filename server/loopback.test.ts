import { expect, test } from 'vitest';
import { isLoopbackAddress, isLoopbackHost } from './loopback.ts';

test.each(['127.0.0.1', '127.255.0.3', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is an address of this machine',
  (address) => expect(isLoopbackAddress(address)).toBe(true),
);

test.each(['127.evil.example', '128.0.0.1', '1.127.0.0', '::2', '::ffff:128.0.0.1', 'localhost', '', '127.1'])(
  '%s is no address of this machine',
  (address) => expect(isLoopbackAddress(address)).toBe(false),
);

test('hosts are addresses or localhost itself', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]', '::1']) expect(isLoopbackHost(host)).toBe(true);
  for (const host of ['127.evil.example', 'localhost.example', '127.0.0.1.nip.io', '[::2]', ''])
    expect(isLoopbackHost(host)).toBe(false);
});
