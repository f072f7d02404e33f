// A request about a session: busy meanwhile, refusals in words, and what is shown asked for again afterwards.

import { useState } from 'react';
import { type Ask, sayRefusal, useAsk } from '../../commands.ts';
import { showMessage } from '../../ui/overlays/toaster.tsx';

export interface SessionRequest {
  readonly busy: boolean;
  /** Whether it worked. */
  readonly run: (work: (ask: Ask) => Promise<unknown>) => Promise<boolean>;
}

/** `again` asks for what is shown. */
export function useSessionRequest(again: () => void): SessionRequest {
  const ask = useAsk();
  const [busy, setBusy] = useState(false);
  async function run(work: (ask: Ask) => Promise<unknown>): Promise<boolean> {
    setBusy(true);
    try {
      await work(ask);
      again();
      return true;
    } catch (reason) {
      showMessage(sayRefusal(reason));
      again();
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { busy, run };
}
