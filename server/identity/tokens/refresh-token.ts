// A refresh token is its session's id and its place in the family, authenticated with the server's secret. The
// database keeps only the place, so a copy of it holds nothing that signs anybody in.

import { createHmac, timingSafeEqual } from 'node:crypto';

export interface RefreshToken {
  readonly sessionId: string;
  readonly counter: number;
}

const idBytes = 16;
const counterBytes = 6;
const sealBytes = 18;
const size = idBytes + counterBytes + sealBytes;

export function writeRefreshToken({ sessionId, counter }: RefreshToken, key: Buffer): string {
  const body = Buffer.alloc(idBytes + counterBytes);
  body.write(sessionId.replaceAll('-', ''), 0, 'hex');
  body.writeUIntBE(counter, idBytes, counterBytes);
  return Buffer.concat([body, sealOf(body, key)]).toString('base64url');
}

/** Null for anything that this server did not issue. */
export function readRefreshToken(token: string, key: Buffer): RefreshToken | null {
  if (!/^[\w-]{10,100}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  // Only the one spelling we issue: base64 has several for the same bytes.
  if (bytes.length !== size || bytes.toString('base64url') !== token) return null;
  const body = bytes.subarray(0, idBytes + counterBytes);
  if (!timingSafeEqual(bytes.subarray(body.length), sealOf(body, key))) return null;
  const hex = body.toString('hex', 0, idBytes);
  return {
    sessionId: [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-'),
    counter: body.readUIntBE(idBytes, counterBytes),
  };
}

function sealOf(body: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, sealBytes);
}
