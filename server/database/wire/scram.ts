// SCRAM-SHA-256 (RFC 5802 and 7677) as Postgres asks for it, and the older md5 answer. Pure: bytes in, bytes out.

import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(pbkdf2);

export interface ScramStep {
  readonly clientNonce: string;
  readonly firstBare: string;
  readonly first: string;
}

export function scramFirst(clientNonce = randomBytes(18).toString('base64')): ScramStep {
  const firstBare = `n=*,r=${clientNonce}`;
  // "n": no channel binding is offered. The certificate is what proves the server, where the mode asks for proof.
  return { clientNonce, firstBare, first: `n,,${firstBare}` };
}

export async function scramFinal(
  step: ScramStep,
  password: string,
  serverFirst: string,
): Promise<{ message: string; serverSignature: Buffer }> {
  const attributes = readAttributes(serverFirst);
  const nonce = attributes.get('r') ?? '';
  const salt = Buffer.from(attributes.get('s') ?? '', 'base64');
  const iterations = Number(attributes.get('i'));
  if (!nonce.startsWith(step.clientNonce) || nonce.length === step.clientNonce.length)
    throw new Error('The database answered the password exchange with a nonce that is not ours');
  if (salt.length === 0 || !Number.isInteger(iterations) || iterations < 1 || iterations > 10_000_000)
    throw new Error('The database answered the password exchange with unusable parameters');
  const salted = await derive(password.normalize('NFKC'), salt, iterations, 32, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  const storedKey = createHash('sha256').update(clientKey).digest();
  const finalBare = `c=biws,r=${nonce}`;
  const authMessage = `${step.firstBare},${serverFirst},${finalBare}`;
  const signature = hmac(storedKey, authMessage);
  const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
  return {
    message: `${finalBare},p=${proof.toString('base64')}`,
    serverSignature: hmac(hmac(salted, 'Server Key'), authMessage),
  };
}

/** The server proves that it knows the password too. */
export function scramVerify(serverFinal: string, expected: Buffer): void {
  const given = Buffer.from(readAttributes(serverFinal).get('v') ?? '', 'base64');
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new Error('The database could not prove that it knows the password');
}

export function md5Answer(user: string, password: string, salt: Buffer): string {
  const inner = createHash('md5')
    .update(password + user)
    .digest('hex');
  return `md5${createHash('md5').update(inner).update(salt).digest('hex')}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function readAttributes(text: string): Map<string, string> {
  return new Map(text.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}
