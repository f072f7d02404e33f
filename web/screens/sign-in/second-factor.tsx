// The second factor: a code from the authenticator app, asked for after the first was right.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { sayAuthError } from './auth-errors.ts';
import { focusFirstFault } from './sign-in-forms.tsx';

const say = words.signIn;

export function SecondFactor({ onDone }: { onDone: () => void }) {
  const { door, settings, holder } = useHouse();
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const { data, error } = await door.auth.mfa.listFactors();
    const factor = data?.totp[0];
    const outcome =
      error === null && factor
        ? await door.auth.mfa.challengeAndVerify({ factorId: factor.id, code: code.replace(/\s/g, '') })
        : { error: error ?? { message: say.errors.codeWrong, code: 'mfa_verification_failed' } };
    setBusy(false);
    if (outcome.error) {
      setFault(sayAuthError(outcome.error, settings.passwordMin));
      focusFirstFault();
    } else onDone();
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <TextField
        label={say.code}
        hint={say.codeHint}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={fault}
      />
      <Button look="main" type="submit" busy={busy}>
        {say.doFactor}
      </Button>
      <Button look="quiet" onClick={() => void holder.signOut().then(() => location.assign('/sign-in'))}>
        {say.invitation.other}
      </Button>
    </form>
  );
}
