// Secrets and signatures of webhooks, as Standard Webhooks says: HMAC-SHA256 (v1) with a secret that both sides have, and ed25519 (v1a), which a
// receiver verifies with a public key. Here secrets are made and opened; they rest sealed in private.webhook_secrets.

import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { seal, unseal } from '../../session/seal.ts';
import type { Sessions } from '../../session/types.ts';

const mostSigners = 1000;

/** Secrets are sealed with it. */
export function webhookKeyOf(sessions: Sessions): Buffer {
  return sessions.deriveKey('webhook secrets');
}

interface Keys {
  /** Base64, after whsec_. */
  readonly secret: string;
  /** PKCS #8, base64. */
  readonly privateKey: string;
}

export interface DrawnKeys {
  readonly secret: string;
  readonly publicKey: string;
  readonly sealed: string;
}

/** `secret` is told once; what is kept is `sealed`. */
export function drawKeys(key: Buffer): DrawnKeys {
  const secret = randomBytes(32).toString('base64');
  const pair = generateKeyPairSync('ed25519');
  const keys: Keys = {
    secret,
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
  // The last 32 bytes of what wraps it are the key itself.
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  return { secret: `whsec_${secret}`, publicKey: `whpk_${publicKey}`, sealed: seal(keys, key) };
}

export type Sign = (id: string, seconds: number, body: string) => string;

/** Signers of the latest secrets: reading a private key takes longer than all the rest of a delivery. */
export class Signers {
  readonly #known = new Map<string, Sign | null>();

  constructor(readonly key: Buffer) {}

  /** Null where it was sealed with another key than this server has. */
  of(sealed: string): Sign | null {
    const before = this.#known.get(sealed);
    const signer = before === undefined ? openSigner(sealed, this.key) : before;
    // The one that was used last is the last to go.
    this.#known.delete(sealed);
    this.#known.set(sealed, signer);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostSigners && oldest !== undefined) this.#known.delete(oldest);
    return signer;
  }
}

function openSigner(sealed: string, key: Buffer): Sign | null {
  const keys = unseal(sealed, key) as Keys | undefined;
  if (keys === undefined) return null;
  const secret = Buffer.from(keys.secret, 'base64');
  const privateKey = createPrivateKey({ key: Buffer.from(keys.privateKey, 'base64'), type: 'pkcs8', format: 'der' });
  return (id, seconds, body) => {
    const content = `${id}.${seconds}.${body}`;
    const shared = createHmac('sha256', secret).update(content).digest('base64');
    return `v1,${shared} v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`;
  };
}
