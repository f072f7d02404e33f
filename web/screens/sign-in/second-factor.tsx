// The second factor: a code from the authenticator app, asked for after the first was right.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { answerFactor, isAuthRefusal } from '../../session/account.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { sayAuthError } from './auth-errors.ts';
import { focusFirstFault } from './door-frame.tsx';

const say = words.signIn;

/** Once the code is right the session says so, and the door opens by itself. */
export function SecondFactor() {
  const { door, settings, holder } = useHouse();
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
      <Button look="quiet" onClick={() => void holder.signOut()}>
        {say.invitation.other}
      </Button>
    </form>
  );
}
