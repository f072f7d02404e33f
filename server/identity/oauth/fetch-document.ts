// Fetches the document of a client that is registered nowhere. Anybody can name its address, so it is asked for only at port 443 of addresses of the public
// internet, and at those of a setting: each is checked after its name was resolved, and the connection goes to what was checked. No redirect is followed.

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { addressTester } from '../../limits/address-tester.ts';
import { outwardTester } from '../../limits/outward-addresses.ts';
import { outwardLookup } from '../../limits/outward-lookup.ts';

const timeoutMs = 5000;
const mostBytes = 32 * 1024;

/** Words for whoever runs the service; clients are told that the client is unknown. */
export class DocumentFault extends Error {}

export async function fetchDocument(url: URL, allowed: readonly string[]): Promise<unknown> {
  const isOutward = outwardTester(allowed);
  const isAllowed = addressTester(allowed);
  const check = (address: string): void => {
    if (!isOutward(address)) throw new DocumentFault(`${address} is no address of the public internet`);
    // Other services listen at other ports.
    if (url.port !== '' && !isAllowed(address)) throw new DocumentFault(`The port ${url.port} is not 443`);
  };
  const { checkHost, lookup } = outwardLookup(check);
  checkHost(url);
  const text = await ask(url, lookup);
  try {
    return JSON.parse(text);
  } catch {
    throw new DocumentFault('The document is no JSON');
  }
}

function ask(url: URL, lookup: LookupFunction): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      ...{ lookup, agent: false, headers: { accept: 'application/json' } },
    });
    const late = setTimeout(() => request.destroy(new DocumentFault('No answer in time')), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(late);
      reject(error);
    };
    request.on('error', fail);
    request.on('response', (response) => {
      const type = response.headers['content-type'] ?? '';
      if (response.statusCode !== 200 || !/^application\/(?:[\w.-]{1,60}\+)?json\b/i.test(type)) {
        request.destroy();
        return fail(new DocumentFault(`Answered with ${response.statusCode} ${type}`));
      }
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size > mostBytes) request.destroy(new DocumentFault(`The document has more than ${mostBytes} bytes`));
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(late);
        resolve(Buffer.concat(parts).toString('utf8'));
      });
    });
    request.end();
  });
}
