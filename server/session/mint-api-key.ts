// The API keys of a service: long-lived HS256 tokens that name a role and nobody.
// The same secret always gives the same keys, so that nodes agree and restarts change nothing.

import { SignJWT } from 'jose';

const issuedAt = Date.UTC(2025, 0, 1) / 1000;
const expiresAt = Date.UTC(2100, 0, 1) / 1000;

export function mintApiKey(role: 'anon' | 'service_role', jwtSecret: string): Promise<string> {
  return new SignJWT({ iss: 'kanbase', role })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(jwtSecret));
}
