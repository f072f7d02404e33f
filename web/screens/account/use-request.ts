// One request to the identity API from a form: busy, done, or refused with a sentence that says why.

import { useState } from 'react';
import { isAuthRefusal } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { sayAuthError } from '../sign-in/auth-errors.ts';

export interface RequestState {
  readonly busy: boolean;
  readonly fault: string | null;
  readonly done: string | null;
  /** Resolves to whether it worked. `explain` may put a refusal in words of its own. */
  run(
    work: () => Promise<unknown>,
    done?: string | null,
    explain?: (code: string | undefined) => string | null,
  ): Promise<boolean>;
  say(fault: string | null): void;
  tell(done: string): void;
}

export function useRequest(): RequestState {
  const { settings } = useApp();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  return {
    busy,
    fault,
    done,
    async run(work, message = null, explain) {
      setBusy(true);
      setFault(null);
      setDone(null);
      try {
        await work();
        setDone(message);
        return true;
      } catch (thrown) {
        const refusal = isAuthRefusal(thrown) ? thrown : { message: String(thrown) };
        setFault(explain?.(refusal.code) ?? sayAuthError(refusal, settings.passwordMin));
        return false;
      } finally {
        setBusy(false);
      }
    },
    say: setFault,
    tell: setDone,
  };
}
