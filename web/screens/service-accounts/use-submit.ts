// Form of a dialog that sends one request: busy until it is answered, and a refusal in words.

import { type FormEvent, useState } from 'react';
import { type Ask, sayRefusal, useAsk } from '../../commands.ts';

export interface Submit {
  readonly busy: boolean;
  readonly fault: string | null;
  readonly onSubmit: (event: FormEvent) => void;
}

export function useSubmit(send: (ask: Ask) => Promise<void>): Submit {
  const ask = useAsk();
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  async function submit(): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await send(ask);
    } catch (reason) {
      setFault(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }
  return {
    busy,
    fault,
    onSubmit(event) {
      event.preventDefault();
      if (!busy) void submit();
    },
  };
}
