// Grant behind a token: the key, the sign-in or the client that it comes from. What is bound to it ends with it.

import type { Session } from './types.ts';

export const grantOf = ({ claims }: Pick<Session, 'claims'>): string =>
  claims.key_id ?? claims.session_id ?? claims.client_id ?? '';
