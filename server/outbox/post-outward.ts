// One POST to an address that somebody named: connected to an address that was checked after the name was resolved, over a connection that stays with
// it; no redirect is followed, since what it led to would have to be checked anew, and a receiver of webhooks can say its address. Time and the part
// of the answer that is read are limited.

import type { lookup as resolve } from 'node:dns';
import { Agent as HttpAgent, type RequestOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { outwardTester } from '../limits/outward-addresses.ts';
import { outwardLookup } from '../limits/outward-lookup.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | null;
}

export interface Outward {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Answer>;
  close(): void;
}

const defaultTimeoutMs = 15_000;
const mostRead = 4000;

/** The address is not one of the internet, nor of the networks that are allowed. */
export class InwardAddress extends Error {}

export function openOutward(
  allowed: readonly string[],
  { resolveName, timeoutMs = defaultTimeoutMs }: { resolveName?: typeof resolve; timeoutMs?: number } = {},
): Outward {
  const isOutward = outwardTester(allowed);
  const { checkHost, lookup } = outwardLookup((address) => {
    if (!isOutward(address))
      throw new InwardAddress(`${address} is not an address of the public internet, nor in WEBHOOKS_ALLOWED_NETWORKS`);
  }, resolveName);
  const connections = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 64, timeout: 30_000 };
  const agents = { 'http:': new HttpAgent(connections), 'https:': new HttpsAgent(connections) };

  return {
    async post(url, headers, body) {
      const at = new URL(url);
      if (at.protocol !== 'http:' && at.protocol !== 'https:')
        throw new InwardAddress('only http and https are sent to');
      checkHost(at);
      return send(at, { agent: agents[at.protocol], lookup, headers, body, timeoutMs });
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type Sent = Pick<RequestOptions, 'agent' | 'lookup'> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
};

function send(at: URL, sent: Sent, isAgain = false): Promise<Answer> {
  const { body, headers, timeoutMs, ...options } = sent;
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const request = (at.protocol === 'https:' ? requestHttps : requestHttp)(at, {
      ...options,
      method: 'POST',
      headers: { ...headers, 'content-length': String(bytes.length) },
    });
    let isSettled = false;
    /** Once: what the request says afterwards counts no more. */
    const settle = (how: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(late);
      how();
    };
    const fail = (error: Error): void =>
      settle(() => {
        reject(error);
        request.destroy();
      });
    // Rejects by itself: a request whose connection is gone says nothing when it is destroyed.
    const late = setTimeout(
      () => fail(new Error(`no answer within ${Math.round(timeoutMs / 1000)} seconds`)),
      timeoutMs,
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The receiver closed a connection that was at rest just then: that says nothing against it.
      if (request.reusedSocket && error.code === 'ECONNRESET' && !isAgain) settle(() => resolve(send(at, sent, true)));
      else fail(error);
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      fail(new Error('answered 101: the connection is to speak another protocol'));
    });
    let hasAnswer = false;
    request.on('close', () => {
      if (!hasAnswer) fail(new Error('closed without an answer'));
    });
    request.on('response', (response) => {
      hasAnswer = true;
      const parts: Buffer[] = [];
      let size = 0;
      const finish = (): void =>
        settle(() =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(parts).toString('utf8').replaceAll('\0', '').slice(0, mostRead),
            retryAfter: response.headers['retry-after'] ?? null,
          }),
        );
      response.on('data', (part: Buffer) => {
        if (size < mostRead) parts.push(part.subarray(0, mostRead));
        size += part.length;
        // Whoever sends more than a connection is worth loses it.
        if (size > 16 * mostRead) {
          finish();
          request.destroy();
        }
      });
      response.on('end', finish);
      response.on('error', fail);
      response.on('close', () => fail(new Error('closed within its answer')));
    });
    request.end(bytes);
  });
}
