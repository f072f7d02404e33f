// Details of an invitation, for the holder of its link; also at sign-in and sign-up on the way to it.

import { useEffect, useState } from 'react';
import { type InvitationDetails, readInvitation } from '../../commands.ts';
import { paths } from '../../routes.ts';
import { useApp } from '../../session/react.tsx';

/** The token of an invitation that an address leads to. */
export function tokenIn(address: string): string | null {
  const [, token] = /^\/invitation\/([^/?#]+)$/.exec(address) ?? [];
  return token === undefined || paths.invitation(decodeURIComponent(token)) !== address
    ? null
    : decodeURIComponent(token);
}

interface Read {
  readonly token: string;
  readonly details: InvitationDetails | null;
  /** Why there is none. */
  readonly reason: unknown;
}

export function useInvitation(token: string | null) {
  const { door } = useApp();
  const [read, setRead] = useState<Read | null>(null);
  useEffect(() => {
    if (token === null) return;
    let wanted = true;
    readInvitation(door, token).then(
      (details) => wanted && setRead({ token, details, reason: null }),
      (reason: unknown) => wanted && setRead({ token, details: null, reason }),
    );
    return () => {
      wanted = false;
    };
  }, [door, token]);
  const known = read?.token === token ? read : null;
  return { details: known?.details ?? null, reason: known?.reason ?? null, waiting: token !== null && known === null };
}
