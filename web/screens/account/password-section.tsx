// A new password; the server may first want a code from an e-mail.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { askForCode, changePassword } from '../../session/account.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';
import { Notice } from '../../ui/state.tsx';
import { useErrand } from './use-errand.ts';

const say = words.account;

export function PasswordSection() {
  const { door, settings } = useHouse();
  const [password, setPassword] = useState('');
  const [nonce, setNonce] = useState<string | null>(null);
  const errand = useErrand();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (password.length < settings.passwordMin)
      return errand.say(words.signIn.errors.passwordShort(settings.passwordMin));
    let asks = false;
    const changed = await errand.run(
      () => changePassword(door, password, nonce ?? ''),
      say.passwordDone,
      (code) => {
        asks = code === 'reauthentication_needed';
        return asks ? say.nonceHint : null;
      },
    );
    if (changed) {
      setPassword('');
      setNonce(null);
    } else if (asks) {
      setNonce('');
      await errand.run(() => askForCode(door));
    }
  }

  return (
    <Section title={say.password} hint={say.passwordHint}>
      <form className="form" onSubmit={submit} noValidate>
        <div className="account-line">
          <TextField
            type="password"
            label={say.newPassword}
            hint={words.signIn.passwordHint(settings.passwordMin)}
            autoComplete="new-password"
            value={password}
            error={errand.fault}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button type="submit" busy={errand.busy}>
            {say.changePassword}
          </Button>
        </div>
        {nonce !== null && (
          <TextField
            label={say.nonce}
            hint={say.nonceHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={nonce}
            onChange={(event) => setNonce(event.target.value)}
          />
        )}
        {errand.done && <Notice tone="good">{errand.done}</Notice>}
      </form>
    </Section>
  );
}
