// WebAuthn ceremonies, in our terms: options for a new credential or for a known one, and what comes back verified.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isLoopbackHost } from '../../loopback.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext } from '../identity-context.ts';
import { isObject } from '../requests/read-body.ts';

/** A credential as the database keeps it. */
export interface Credential {
  readonly id: string;
  /** base64url */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface NewCredential extends Credential {
  readonly aaguid: string;
  readonly backedUp: boolean;
}

export interface Owner {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
}

/** How long a person may take. */
export const ceremonySeconds = 300;

/** What is set, or the host of the site; on a developer's machine any name of that machine. */
export function relyingPartyId(context: IdentityContext, asked = ''): string {
  if (context.settings.relyingPartyId !== null) return context.settings.relyingPartyId;
  const host = new URL(context.siteUrl).hostname;
  return asked !== '' && isLoopbackHost(host) && isLoopbackHost(asked) ? asked : host;
}

export async function creationOptions(
  context: IdentityContext,
  rpId: string,
  owner: Owner,
  known: readonly Credential[],
  resident: boolean,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: context.settings.relyingPartyName,
    rpID: rpId,
    userID: new Uint8Array(Buffer.from(owner.id.replaceAll('-', ''), 'hex')),
    userName: owner.name,
    userDisplayName: owner.displayName,
    timeout: ceremonySeconds * 1000,
    attestationType: 'none',
    excludeCredentials: known.map((one) => ({ id: one.id, transports: [...one.transports] })),
    authenticatorSelection: resident
      ? { residentKey: 'required', userVerification: 'required' }
      : { residentKey: 'discouraged', userVerification: 'preferred' },
  });
}

export async function requestOptions(
  rpId: string,
  known: readonly Credential[],
  userVerification: 'required' | 'preferred',
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: rpId,
    timeout: ceremonySeconds * 1000,
    userVerification,
    ...(known.length === 0
      ? {}
      : { allowCredentials: known.map((one) => ({ id: one.id, transports: [...one.transports] })) }),
  });
}

export async function verifyCreation(
  context: IdentityContext,
  response: unknown,
  expected: { readonly challenge: string; readonly rpId: string },
  requireUserVerification: boolean,
): Promise<NewCredential> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const sent = asResponse<RegistrationResponseJSON>(response);
  const { verified, registrationInfo } = await verifiedOrRefused(() =>
    verifyRegistrationResponse({
      response: sent,
      expectedChallenge: expected.challenge,
      expectedOrigin: originsOf(context, sent.response.clientDataJSON),
      expectedRPID: expected.rpId,
      requireUserVerification,
    }),
  );
  if (!verified || !registrationInfo) throw refuse('webauthn_verification_failed', 'The passkey could not be verified');
  const { credential, aaguid, credentialBackedUp } = registrationInfo;
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: credential.transports ?? [],
    aaguid,
    backedUp: credentialBackedUp,
  };
}

/** Resolves with the new signature counter, which never goes back. */
export async function verifyRequest(
  context: IdentityContext,
  response: unknown,
  expected: { readonly challenge: string; readonly rpId: string },
  credential: Credential,
  requireUserVerification: boolean,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const sent = asResponse<AuthenticationResponseJSON>(response);
  const { verified, authenticationInfo } = await verifiedOrRefused(() =>
    verifyAuthenticationResponse({
      response: sent,
      expectedChallenge: expected.challenge,
      expectedOrigin: originsOf(context, sent.response.clientDataJSON),
      expectedRPID: expected.rpId,
      requireUserVerification,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(Buffer.from(credential.publicKey, 'base64url')),
        counter: credential.counter,
      },
    }),
  );
  if (!verified) throw refuse('webauthn_verification_failed', 'The passkey could not be verified');
  return authenticationInfo.newCounter;
}

export function credentialIdIn(response: unknown): string {
  return asResponse<{ id: string; response: { clientDataJSON: string } }>(response).id;
}

/** The library throws plain errors for whatever does not fit. */
async function verifiedOrRefused<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    throw refuse('webauthn_verification_failed', `The passkey could not be verified: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function asResponse<T extends { id: string; response: { clientDataJSON: string } }>(value: unknown): T {
  if (
    isObject(value) &&
    typeof value.id === 'string' &&
    isObject(value.response) &&
    typeof value.response.clientDataJSON === 'string'
  )
    return value as unknown as T;
  throw refuse('validation_failed', 'The credential of the passkey is missing or malformed');
}

function originsOf(context: IdentityContext, clientData: string): string[] {
  const { relyingPartyOrigins } = context.settings;
  if (relyingPartyOrigins.length > 0) return [...relyingPartyOrigins];
  const site = new URL(context.siteUrl);
  const claimed = originIn(clientData);
  // A page of a developer's machine may have another port.
  return claimed !== null && isLoopbackHost(site.hostname) && isLoopbackHost(claimed.hostname)
    ? [site.origin, claimed.origin]
    : [site.origin];
}

function originIn(clientData: string): URL | null {
  try {
    const { origin } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as { origin?: unknown };
    return new URL(String(origin));
  } catch {
    return null;
  }
}
