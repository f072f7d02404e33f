// A key set for JWT_KEYS: one new private key in front, the keys that were there before behind it, so that tokens
// signed with them stay good until they expire.

import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

export async function generateKeySet(before: string | null): Promise<{ keys: JWK[] }> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  const fresh: JWK = { ...jwk, alg: 'ES256', use: 'sig', kid: await calculateJwkThumbprint(jwk) };
  const parsed = before === null ? { keys: [] } : (JSON.parse(before) as { keys: JWK[] } | JWK[]);
  return { keys: [fresh, ...(Array.isArray(parsed) ? parsed : parsed.keys)] };
}
