// Keys that sign ID tokens: ES256, made here when there is none, and kept in the database, so that all nodes have the same. They sign nothing
// else, and no door takes a token of theirs: whoever is shown an ID token cannot act with it.

import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { sql } from '../../database/sql.ts';
import { seal, unseal } from '../../session/seal.ts';
import type { IdentityContext } from '../identity-context.ts';
import { isObject } from '../requests/read-body.ts';

interface Context extends Pick<IdentityContext, 'query'> {
  readonly keys: Pick<IdentityContext['keys'], 'seal'>;
}

interface KeyRow {
  readonly kid: string;
  readonly public_jwk: JWK;
  readonly sealed: string;
  readonly retired: boolean;
}

/** The newest that is not retired, and that can still be opened, comes first. */
async function readKeys(context: Context): Promise<readonly KeyRow[]> {
  return context.query<KeyRow>(sql`
    select kid, public_jwk, sealed, retired_at is not null as retired from auth.signing_keys order by retired_at is null desc, created_at desc, kid`);
}

async function currentKey(context: Context): Promise<{ readonly kid: string; readonly jwk: JWK }> {
  for (const { kid, sealed, retired } of await readKeys(context)) {
    const jwk = retired ? undefined : unseal(sealed, context.keys.seal);
    if (isObject(jwk)) return { kid, jwk };
  }
  return makeSigningKey(context);
}

/** Signs from now on; the keys before it stay published for tokens that they signed. */
export async function makeSigningKey(context: Context): Promise<{ readonly kid: string; readonly jwk: JWK }> {
  const pair = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const open: JWK = { ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig', key_ops: ['verify'] };
  await context.query(sql`
    with retired as (update auth.signing_keys set retired_at = now() where retired_at is null)
    insert into auth.signing_keys (kid, public_jwk, sealed) values (${kid}, ${open}::jsonb, ${seal(jwk, context.keys.seal)})`);
  return { kid, jwk };
}

export async function publicSigningKeys(context: Context): Promise<readonly JWK[]> {
  const { kid } = await currentKey(context);
  const keys = await readKeys(context);
  return [...keys].sort((a, b) => Number(b.kid === kid) - Number(a.kid === kid)).map((key) => key.public_jwk);
}

export async function signIdToken(
  context: Context,
  claims: Readonly<Record<string, unknown>>,
  lifetimeSeconds: number,
): Promise<string> {
  const { kid, jwk } = await currentKey(context);
  const key = (await importJWK(jwk, 'ES256')) as CryptoKey;
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(key);
}
