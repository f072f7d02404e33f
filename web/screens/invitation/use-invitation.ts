// Details of an invitation or a join link, for whoever holds it; also at sign-in and sign-up on the way to it.

import { useEffect, useState } from 'react';
import { readInvitation, readJoinLink } from '../../commands.ts';
import { useApp } from '../../session/react.tsx';

/** The token of an invitation that an address leads to. */
export function tokenIn(address: string): string | null {
  const [, token] = /^\/invitation[/#]([\w-]+)$/.exec(address) ?? [];
  return token ?? null;
}

export function joinTokenIn(address: string): string | null {
  const [, token] = /^\/join#([\w-]+)$/.exec(address) ?? [];
  return token ?? null;
}

interface Read<Details> {
  readonly of: string;
  readonly details: Details | null;
  /** Why there is none. */
  readonly reason: unknown;
}

type Ask<Details> = (door: ReturnType<typeof useApp>['door'], token: string) => Promise<Details>;

/** `who`: asked again when somebody else signs in. */
function useDetails<Details>(ask: Ask<Details>, token: string | null, who = '') {
  const { door } = useApp();
  const [read, setRead] = useState<Read<Details> | null>(null);
  const of = `${token} ${who}`;
  useEffect(() => {
    if (token === null) return;
    let wanted = true;
    ask(door, token).then(
      (details) => wanted && setRead({ of, details, reason: null }),
      (reason: unknown) => wanted && setRead({ of, details: null, reason }),
    );
    return () => {
      wanted = false;
    };
  }, [ask, door, token, of]);
  const known = read?.of === of ? read : null;
  return { details: known?.details ?? null, reason: known?.reason ?? null, waiting: token !== null && known === null };
}

export const useInvitation = (token: string | null) => useDetails(readInvitation, token);

/** A member is answered otherwise than a stranger. */
export const useJoinLink = (token: string | null, userId = '') => useDetails(readJoinLink, token, userId);
