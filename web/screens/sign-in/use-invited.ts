// Signs in a person to whom an operator gave an account, by their link, so that they can choose a password: a token of a handed-on link, or
// the session that an email's link has opened. Both stand after #, which no server sees.

import { useEffect, useState } from 'react';
import { useApp } from '../../session/react.tsx';

/** Whether it is being looked at: until then nobody is told that they have no session. */
export function useInvited(wanted: boolean): boolean {
  const { door } = useApp();
  const [hash] = useState(() => new URLSearchParams(window.location.hash.slice(1)));
  const token_hash = hash.get('invited');
  const access_token = hash.get('access_token');
  const refresh_token = hash.get('refresh_token');
  const comes = wanted && (token_hash !== null || (access_token !== null && refresh_token !== null));
  const [waiting, setWaiting] = useState(comes);
  useEffect(() => {
    if (!comes) return;
    // It works once: going back must not try it again.
    window.history.replaceState(null, '', window.location.pathname);
    const opened =
      token_hash === null
        ? door.auth.setSession({ access_token: access_token ?? '', refresh_token: refresh_token ?? '' })
        : door.auth.verifyOtp({ token_hash, type: 'invite' });
    void opened.catch(() => undefined).then(() => setWaiting(false));
  }, [comes, door, token_hash, access_token, refresh_token]);
  return waiting;
}
