// Two-factor form: asks for the code of the authenticator app after the password was right, or for a recovery code.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { answerFactor, isAuthRefusal } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { isLocked, spendRecoveryCode } from '../../session/recovery-codes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { sayAuthError } from './auth-errors.ts';
import { focusFirstFault } from './auth-frame.tsx';

/** Once the code is right the session says so, and the door opens by itself. */
export default function TwoFactorForm() {
  const { door, settings, holder } = useApp();
  const [code, setCode] = useState('');
  const [recovers, setRecovers] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  function sayFault(refusal: unknown): string {
    if (isLocked(refusal)) return t('recovery.locked');
    if (!isAuthRefusal(refusal)) return String(refusal);
    if (recovers && refusal.code === 'mfa_verification_failed') return t('recovery.wrong');
    return sayAuthError(refusal, settings.passwordMin);
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      await (recovers ? spendRecoveryCode(door, code) : answerFactor(door, code));
    } catch (refusal) {
      setFault(sayFault(refusal));
      focusFirstFault();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={shapes.stackS5} onSubmit={submit} noValidate>
      <TextField
        key={recovers ? 'recovery' : 'app'}
        label={recovers ? t('recovery.code') : t('signIn.code')}
        hint={recovers ? t('recovery.codeHint') : t('signIn.codeHint')}
        name="code"
        autoFocus
        {...(recovers
          ? { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false }
          : { autoComplete: 'one-time-code', inputMode: 'numeric' as const })}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={fault}
      />
      <Button look="main" type="submit" busy={busy}>
        {t('common.continue')}
      </Button>
      <Button
        look="quiet"
        onClick={() => {
          setRecovers(!recovers);
          setCode('');
          setFault(null);
        }}
      >
        {recovers ? t('recovery.useApp') : t('recovery.use')}
      </Button>
      <Button look="quiet" onClick={() => void holder.signOut()}>
        {t('signIn.invitation.other')}
      </Button>
    </form>
  );
}
