// Sends an email from a sign-in page: checks the address, sends, and tells that it was sent.

import { useState } from 'react';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import { sayAuthError, wrongEmail } from './auth-errors.ts';
import { focusFirstFault } from './auth-frame.tsx';

interface Refused {
  readonly error: { readonly message: string; readonly code?: string | undefined; readonly status?: number } | null;
}

export interface SendEmail {
  readonly busy: boolean;
  readonly fault: string | null;
  /** The address it went to; null before. */
  readonly sentTo: string | null;
  ask(email: string, send: (email: string) => Promise<Refused>): Promise<void>;
}

export function useSendEmail(): SendEmail {
  const { settings } = useApp();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  return {
    busy,
    fault,
    sentTo,
    async ask(typed, send) {
      const email = typed.trim();
      const wrong = wrongEmail(email);
      setFault(wrong);
      if (wrong) return focusFirstFault();
      setBusy(true);
      const { error } = await send(email);
      setBusy(false);
      // Whether an address has an account is nobody's business: what only that could refuse looks like a success.
      if (error && error.status !== 422 && error.status !== 400) {
        // Without a mail server nothing was emailed moments ago.
        const tooSoon = error.code === 'over_email_send_rate_limit' && !settings.mail;
        setFault(tooSoon ? t('signIn.errors.tooMany') : sayAuthError(error, settings.passwordMin));
        focusFirstFault();
      } else setSentTo(email);
    },
  };
}
