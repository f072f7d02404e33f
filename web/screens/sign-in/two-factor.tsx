// Two-factor form: asks for the code of the authenticator app after the password was right.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { answerFactor, isAuthRefusal } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { sayAuthError } from './auth-errors.ts';
import { focusFirstFault } from './auth-frame.tsx';

/** Once the code is right the session says so, and the door opens by itself. */
export function TwoFactorForm() {
  const { door, settings, holder } = useApp();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await answerFactor(door, code);
    } catch (refusal) {
      setFault(isAuthRefusal(refusal) ? sayAuthError(refusal, settings.passwordMin) : String(refusal));
      focusFirstFault();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={shapes.stackS5} onSubmit={submit} noValidate>
      <TextField
        label={t('signIn.code')}
        hint={t('signIn.codeHint')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={fault}
      />
      <Button look="main" type="submit" busy={busy}>
        {t('common.continue')}
      </Button>
      <Button look="quiet" onClick={() => void holder.signOut()}>
        {t('signIn.invitation.other')}
      </Button>
    </form>
  );
}
