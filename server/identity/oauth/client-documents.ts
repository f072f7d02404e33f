// Clients that are registered nowhere: their id is the address of a document about them.

import type { IdentityContext } from '../identity-context.ts';
import type { OAuthClient } from './oauth-client.ts';

export async function findDocumentClient(_context: IdentityContext, _id: string): Promise<OAuthClient | null> {
  return null;
}
