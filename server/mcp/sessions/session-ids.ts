// Ids of sessions of revision 2025-11-25: signed for whoever began them, so that every process recognises an id without having heard of it, and an id
// gives no rights: each request brings its token.

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { grantOf } from '../../session/grant-of.ts';
import type { Session } from '../../session/types.ts';

export interface Holder {
  readonly person: string;
  /** The key or the sign-in that the token comes from: with its end the session ends. */
  readonly grant: string;
}

const randomLength = 12;
const headLength = randomLength + 4;
const sealLength = 16;

export const holderOf = (session: Session): Holder => ({
  person: session.claims.sub ?? '',
  grant: grantOf(session),
});

export function makeSessionId(key: Buffer, holder: Holder, begunAt = Date.now()): string {
  const head = Buffer.alloc(headLength);
  randomBytes(randomLength).copy(head);
  head.writeUInt32BE(Math.floor(begunAt / 1000), randomLength);
  return Buffer.concat([head, sealOf(key, head, holder)]).toString('base64url');
}

/** When it was begun, in milliseconds since 1970; null: it is of somebody else, or none. */
export function readSessionId(key: Buffer, id: string, holder: Holder): number | null {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== headLength + sealLength || bytes.toString('base64url') !== id) return null;
  const head = bytes.subarray(0, headLength);
  if (!timingSafeEqual(bytes.subarray(headLength), sealOf(key, head, holder))) return null;
  return head.readUInt32BE(randomLength) * 1000;
}

/** Names it between processes and in memory. */
export const nameOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 22);

const sealOf = (key: Buffer, head: Buffer, { person, grant }: Holder): Buffer =>
  createHmac('sha256', key).update(head).update(`${person} ${grant}`).digest().subarray(0, sealLength);
