// The service's own asymmetric keys, given as a JSON Web Key Set with private keys. Public halves are published;
// the first key with a private half signs new tokens, the others only verify, which is how keys are rotated.

import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';

export interface KeySet {
  find(kid: string | undefined, alg: string | undefined): CryptoKey | undefined;
  readonly signing: { readonly key: CryptoKey; readonly alg: string; readonly kid: string } | null;
  readonly publicKeys: readonly JWK[];
}

const publicFields = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

/** Text is `{"keys":[…]}` or a bare array; throws an Error that says what is wrong with it. */
export async function readKeySet(text: string): Promise<KeySet> {
  const keys = parse(text);
  const byKid = new Map<string, { alg: string; key: CryptoKey }>();
  const publicKeys: JWK[] = [];
  let signing: KeySet['signing'] = null;
  for (const jwk of keys) {
    const alg = algorithmOf(jwk);
    const open = publicHalf(jwk);
    const kid = jwk.kid ?? (await calculateJwkThumbprint(open));
    byKid.set(kid, { alg, key: (await importJWK(open, alg)) as CryptoKey });
    publicKeys.push({ ...open, kid, alg, use: 'sig', key_ops: ['verify'] });
    if (signing === null && jwk.d !== undefined) {
      const { key_ops: _ops, use: _use, ...closed } = jwk;
      signing = { key: (await importJWK(closed, alg)) as CryptoKey, alg, kid };
    }
  }
  return {
    signing,
    publicKeys,
    find(kid, alg) {
      if (kid !== undefined) {
        const found = byKid.get(kid);
        return found?.alg === alg ? found?.key : undefined;
      }
      for (const found of byKid.values()) if (found.alg === alg) return found.key;
      return undefined;
    },
  };
}

function parse(text: string): JWK[] {
  const parsed: unknown = JSON.parse(text);
  const keys = Array.isArray(parsed) ? parsed : (parsed as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys)) throw new Error('it holds no "keys" array');
  return keys as JWK[];
}

function algorithmOf(jwk: JWK): string {
  if (jwk.kty === 'EC' && jwk.crv === 'P-256') return 'ES256';
  if (jwk.kty === 'RSA') return 'RS256';
  throw new Error(`a key of type ${jwk.kty ?? 'none'}${jwk.crv ? ` (${jwk.crv})` : ''} is neither EC P-256 nor RSA`);
}

function publicHalf(jwk: JWK): JWK {
  return Object.fromEntries(
    publicFields.filter((name) => jwk[name] !== undefined).map((name) => [name, jwk[name]]),
  ) as JWK;
}
