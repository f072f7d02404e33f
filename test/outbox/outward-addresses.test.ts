// Addresses that webhooks are not sent to, in every spelling: none gets through, by number or by name, at once or after the name has changed.

import type { LookupAddress } from 'node:dns';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { outwardTester } from '../../server/limits/outward-addresses.ts';
import { InwardAddress, openOutward } from '../../server/outbox/post-outward.ts';
import { openReceiver } from './receiver.ts';

/** Loopback, private, link-local with the metadata of clouds, carrier-grade NAT, multicast, reserved, documentation, and IPv6 that carries IPv4. */
const inward = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7f000001',
    '0x7f.0.0.1',
    '017700000001',
    '0177.0.0.1',
    '2130706433',
    '127.255.255.254',
  ],
  ...['0', '0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '0xa.0.0.1', '167772161', '012.0.0.1'],
  ...['172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255', '0xc0a80001', '3232235521', '0300.0250.0.1'],
  ...[
    '169.254.169.254',
    '169.254.0.1',
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '169.254.43518',
    '168.63.129.16',
  ],
  ...[
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
  ],
  ...['192.88.99.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[0:0:0:0:0:ffff:c0a8:1]',
  ],
  ...[
    '[::127.0.0.1]',
    '[::a9fe:a9fe]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::c0a8:1]',
    '[64:ff9b:1::a00:1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[2002:a9fe:a9fe::1]',
    '[2002:c0a8:1::]',
    '[2001::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[2001:db8::1]',
    '[3fff::1]',
  ],
  ...[
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fdff:ffff::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[ff05::2]',
    '[100::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
  ...['１２７.０.０.１', '①②⑦.0.0.1', '127。0。0。1'],
];
const outward = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '64:ff9b::808:808',
  '::ffff:8.8.8.8',
];

/** As the address of `host` would be asked for. */
const resolvesTo = (...found: readonly string[]) =>
  ((_host: string, _options: unknown, done: (error: null, found: LookupAddress[]) => void) =>
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never;

describe('outwardTester', () => {
  it('lets addresses of the internet through', () => {
    const isOutward = outwardTester([]);
    expect(outward.filter((address) => !isOutward(address))).toEqual([]);
  });

  it('lets networks through that are allowed, in every form that reaches them', () => {
    const isOutward = outwardTester(['10.1.0.0/16', 'fd12::/16']);
    expect(
      ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fd12::1'].filter((address) => !isOutward(address)),
    ).toEqual([]);
    expect(['10.2.0.1', '::ffff:10.2.0.1', 'fd13::1', '127.0.0.1'].filter(isOutward)).toEqual([]);
  });

  it('refuses what is no address', () => {
    expect(['', 'localhost', '127.1', '0x7f.1', '1.2.3', ':::', 'fe80::1%lo'].filter(outwardTester([]))).toEqual([]);
  });
});

describe('post', () => {
  it(`lets none of ${inward.length} spellings of inward addresses through`, async () => {
    const { post, close } = openOutward([]);
    const through: string[] = [];
    for (const host of inward)
      for (const url of [`http://${host}/`, `https://${host}:8443/x`])
        await post(url, {}, '{}').then(
          () => through.push(url),
          (error: unknown) => error instanceof InwardAddress || through.push(`${url}: ${String(error)}`),
        );
    close();
    expect(through).toEqual([]);
  });

  it('lets none through by a name, whichever of its addresses leads inward', async () => {
    const through: string[] = [];
    const plain = inward.map((host) => new URL(`http://${host}/`).hostname.replace(/^\[(.*)\]$/, '$1'));
    for (const address of plain)
      for (const found of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
        const { post, close } = openOutward([], { resolveName: resolvesTo(...found), timeoutMs: 2000 });
        await post('http://receiver.example/', {}, '{}').then(
          () => through.push(found.join()),
          (error: unknown) => error instanceof InwardAddress || through.push(`${found}: ${String(error)}`),
        );
        close();
      }
    expect(through).toEqual([]);
  });

  it('connects to the address that was checked, though the name means another the next time', async () => {
    const receiver = await openReceiver();
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    let asked = 0;
    const rebinding = ((...call: Parameters<ReturnType<typeof resolvesTo>>) => {
      const found = answers[Math.min(asked++, 1)] as string[];
      (resolvesTo(...found) as (...of: unknown[]) => void)(...(call as unknown[]));
    }) as never;
    const { post, close } = openOutward(['127.0.0.1'], { resolveName: rebinding });
    const url = receiver.url.replace('127.0.0.1', 'receiver.example');
    expect((await post(url, {}, '{}')).status).toBe(204);
    expect(asked).toBe(1);
    close();
    await expect(post(url, {}, '{}')).rejects.toThrow(InwardAddress);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  it('follows no redirect, reads no more than a part, and waits no longer than it may', async () => {
    const receiver = await openReceiver();
    const { post, close } = openOutward(['loopback'], { timeoutMs: 300 });
    receiver.answer = (_one, response) =>
      void response.writeHead(307, { location: `${receiver.url}/other` }).end('there');
    expect(await post(receiver.url, {}, '{}')).toMatchObject({ status: 307, body: 'there' });
    receiver.answer = (_one, response) => void response.writeHead(200).end('x'.repeat(5_000_000));
    expect((await post(receiver.url, {}, '{}')).body).toHaveLength(4000);
    receiver.answer = (_one, response) => void response.writeHead(200).write('drip');
    await expect(post(receiver.url, {}, '{}')).rejects.toThrow(/no answer within/);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/', '/']);
    close();
    await receiver.close();
  });

  it.each([
    ['101', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n', /101/],
    ['nothing', '', /ended|hang up|closed/],
    ['a part', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart', /aborted|closed/],
  ])('fails where the receiver answers %s and closes', async (_name, answer, said) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { post, close } = openOutward(['loopback'], { timeoutMs: 2000 });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(post(url, {}, '{}')).rejects.toThrow(said);
    close();
    server.close();
  });

  it('reads an answer that ends with its connection', async () => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nwhole'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { post, close } = openOutward(['loopback']);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await post(url, {}, '{}')).toMatchObject({ status: 200, body: 'whole' });
    close();
    server.close();
  });
});
