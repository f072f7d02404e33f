// POST /token?grant_type=id_token: an ID token that a client got from an issuer by itself (One Tap, mobile apps).

import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { clientInfoOf } from '../requests/client-info.ts';
import { readLimitedBody } from '../requests/limited-body.ts';
import { countRequest } from '../requests/rate-limits.ts';
import { requireSecondFactor, requireUser } from '../requests/require-user.ts';
import { getToken } from '../tokens/described.ts';
import { openSession, type TokenResponse, tokensOf } from '../tokens/session-tokens.ts';
import { reach } from './authorize.ts';
import { findProvider } from './custom-providers.ts';
import { mapClaims } from './map-claims.ts';
import { accountOf, linkTo, onceMoreIfTaken, readIdentity } from './outside-identities.ts';
import type { Provider } from './providers.ts';

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const clockSkewSeconds = 30;
const keySets = new WeakMap<Provider, ReturnType<typeof createRemoteJWKSet>>();

export async function signInWithIdToken(context: IdentityContext, request: FastifyRequest): Promise<TokenResponse> {
  const body = await readLimitedBody(context, request, 'signIn', getToken);
  const {
    provider: providerName = '',
    link_identity: linking = false,
    nonce = '',
    access_token: accessToken = '',
  } = body;
  const idToken = body.id_token || body.token || '';
  if (idToken === '') throw refuse('validation_failed', 'id_token required');
  if (providerName === '') throw refuse('validation_failed', 'provider or client_id and issuer required');
  await countRequest(context, request, 'signIn');
  const provider = await findProvider(context, providerName);
  if (!provider || provider.custom?.userinfoUrl) throw notOffered(providerName.slice(0, 100));
  if (linking && !context.settings.manualLinking) throw refuse('manual_linking_disabled', 'Manual linking is disabled');
  const caller = linking ? await requireUser(context, request) : null;
  if (caller !== null) requireSecondFactor(caller, 'AAL2 required to link an identity', 403);
  const claims = await verified(context, provider, idToken);
  checkParty(claims, provider);
  checkAccessToken(claims, accessToken);
  if (provider.custom?.usesNonce !== false) checkNonce(claims, nonce);
  const identity = readIdentity(provider, mapClaims(provider, claims));
  const clientInfo = clientInfoOf(request);
  const opened = await onceMoreIfTaken(() =>
    context.transact(async (db) => {
      const userId =
        caller === null
          ? await accountOf(context, db, identity, clientInfo)
          : await linkTo(context, db, caller.user.id, identity, clientInfo);
      return openSession(context, db, userId, 'oauth', clientInfo, { provider: provider.name });
    }),
  );
  return tokensOf(context, opened, 'oauth');
}

/** Issuers that apps name without knowing whether we offer them. */
const wellKnown: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  apple: 'https://appleid.apple.com',
  facebook: 'https://www.facebook.com',
  kakao: 'https://kauth.kakao.com',
};

function notOffered(name: string): Error {
  const issuer = Object.hasOwn(wellKnown, name) ? wellKnown[name] : undefined;
  return issuer === undefined
    ? refuse('validation_failed', `Custom OIDC provider "${name}" not allowed`)
    : refuse('provider_disabled', `Provider (issuer "${issuer}") is not enabled`);
}

async function verified(context: IdentityContext, provider: Provider, idToken: string): Promise<JWTPayload> {
  checkBeforeAsking(provider, idToken);
  const metadata = (await reach(context, provider)).serverMetadata();
  let keys = keySets.get(provider);
  if (keys === undefined) {
    const ask = provider.custom?.fetch;
    keys = createRemoteJWKSet(new URL(metadata.jwks_uri ?? ''), ask === undefined ? {} : { [customFetch]: ask });
    keySets.set(provider, keys);
  }
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: [metadata.issuer, metadata.issuer.replace(/^https:\/\//, '')],
      audience: [...provider.clientIds],
      algorithms,
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: clockSkewSeconds,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
      throw refuse('bad_jwt', `Bad ID token: ${error.message}`, { status: 400, cause: error });
    context.log.error({ err: error, provider: provider.name }, 'the keys of the identity provider cannot be read');
    throw refuse('unexpected_failure', `${provider.name} cannot be reached at the moment, please try again`, {
      status: 503,
      cause: error,
    });
  }
}

/** What shows without the issuer's keys: a token that is none, or another issuer's, is refused whether or not it answers. */
function checkBeforeAsking(provider: Provider, idToken: string): void {
  try {
    const { alg } = decodeProtectedHeader(idToken);
    const { iss, exp } = decodeJwt(idToken);
    if (alg === undefined || !algorithms.includes(alg)) throw new Error(`it is signed with ${alg ?? 'nothing'}`);
    if (typeof iss !== 'string' || bare(iss) !== bare(provider.issuer)) throw new Error('it is from another issuer');
    if (typeof exp !== 'number' || exp < Date.now() / 1000 - clockSkewSeconds) throw new Error('it has expired');
  } catch (error) {
    throw refuse('bad_jwt', `Bad ID token: ${(error as Error).message}`, { status: 400, cause: error });
  }
}

/** Google leaves out the scheme, others a slash at the end. */
function bare(issuer: string): string {
  return issuer.replace(/^https:\/\//, '').replace(/\/$/, '');
}

/** A token for several parties says which one asked for it: that has to be us. */
function checkParty({ aud, azp }: JWTPayload, { clientIds }: Provider): void {
  const several = Array.isArray(aud) && aud.length > 1;
  if (several && !(typeof azp === 'string' && clientIds.includes(azp)))
    throw refuse('bad_jwt', 'Bad ID token: it was made for another party', { status: 400 });
}

/** An access token that comes along has to be the one the ID token was made with. */
function checkAccessToken(claims: JWTPayload, accessToken: string): void {
  if (accessToken === '' || typeof claims.at_hash !== 'string') return;
  // The left half of its hash, by the algorithm that the signature uses.
  const fits = ['sha256', 'sha512'].some((algorithm) => {
    const digest = createHash(algorithm).update(accessToken).digest();
    return digest.subarray(0, digest.length / 2).toString('base64url') === claims.at_hash;
  });
  if (!fits)
    throw refuse('bad_jwt', 'Bad ID token: access token hash does not match value in ID token', { status: 400 });
}

/** The client sends its nonce as it is, the token carries its hash. */
function checkNonce(claims: JWTPayload, nonce: string): void {
  const expected = claims.nonce;
  if ((expected === undefined) !== (nonce === ''))
    throw refuse('validation_failed', 'Passed nonce and nonce in id_token should either both exist or not.');
  if (expected === undefined) return;
  if (createHash('sha256').update(nonce).digest('hex') !== expected)
    throw refuse('validation_failed', 'Nonces mismatch');
}
