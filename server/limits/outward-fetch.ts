// fetch for addresses that somebody else named: of the public internet, and of the networks of a setting. No redirect is followed; time and size of an
// answer are limited.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { outwardTester } from './outward-addresses.ts';
import { outwardLookup } from './outward-lookup.ts';

const timeoutMs = 10_000;
const mostBytes = 256 * 1024;

export class OutwardFault extends Error {}

export type OutwardFetch = (url: string, init?: RequestInit) => Promise<Response>;

export function openOutwardFetch(allowed: readonly string[]): OutwardFetch {
  const isOutward = outwardTester(allowed);
  const { checkHost, lookup } = outwardLookup((address) => {
    if (!isOutward(address)) throw new OutwardFault(`${address} is no address of the public internet`);
  });

  return async (address, init = {}) => {
    const url = new URL(address);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutwardFault('Only http and https are asked');
    checkHost(url);
    const asked = new Request(url, init);
    const body = Buffer.from(await asked.arrayBuffer());
    const headers: Record<string, string> = { ...Object.fromEntries(asked.headers) };
    if (body.length > 0) headers['content-length'] = String(body.length);
    return new Promise((resolve, reject) => {
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
        ...{ lookup, agent: false, method: asked.method, headers },
      });
      const late = setTimeout(() => fail(new OutwardFault('No answer in time')), timeoutMs);
      const fail = (error: Error): void => {
        clearTimeout(late);
        reject(error);
        request.destroy();
      };
      request.on('error', fail);
      request.on('response', (response) => {
        const parts: Buffer[] = [];
        let size = 0;
        response.on('data', (part: Buffer) => {
          size += part.length;
          parts.push(part);
          if (size > mostBytes) fail(new OutwardFault(`The answer has more than ${mostBytes} bytes`));
        });
        response.on('error', fail);
        response.on('end', () => {
          clearTimeout(late);
          const status = response.statusCode ?? 0;
          const received = new Headers();
          for (const [name, value] of Object.entries(response.headersDistinct))
            for (const one of value ?? []) received.append(name, one);
          const isBare = status === 204 || status === 304;
          if (status < 200 || status > 599) fail(new OutwardFault(`Answered ${status}`));
          else resolve(new Response(isBare ? null : Buffer.concat(parts), { status, headers: received }));
        });
      });
      request.end(body);
    });
  };
}
