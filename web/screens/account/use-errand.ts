// One thing asked of the identity door: at work, done, or refused in words.

import { useState } from 'react';
import { isAuthRefusal } from '../../session/account.ts';
import { useHouse } from '../../session/react.tsx';
import { sayAuthError } from '../sign-in/auth-errors.ts';

export interface Errand {
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

export function useErrand(): Errand {
  const { settings } = useHouse();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  return {
    busy,
    fault,
    done,
    async run(work, told = null, explain) {
      setBusy(true);
      setFault(null);
      setDone(null);
      try {
        await work();
        setDone(told);
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
