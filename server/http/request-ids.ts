// A name for each request: the one a proxy gave it, if it looks like one, or else a cheap one of our own -
// a random prefix per process and a counter.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const wellFormed = /^[\w.:-]{1,128}$/;

export function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomBytes(6).toString('base64url');
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && wellFormed.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
