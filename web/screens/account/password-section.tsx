// A new password; the server may first want a code from an email.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { askForCode, changePassword } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './account.module.css';
import { useRequest } from './use-request.ts';

export function PasswordSection() {
  const { door, settings } = useApp();
  const [password, setPassword] = useState('');
  const [nonce, setNonce] = useState<string | null>(null);
  const request = useRequest();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (password.length < settings.passwordMin)
      return request.say(t('signIn.errors.passwordShort', { n: settings.passwordMin }));
    let asks = false;
    const changed = await request.run(
      () => changePassword(door, password, nonce ?? ''),
      t('account.passwordDone'),
      (code) => {
        asks = code === 'reauthentication_needed';
        if (!asks) return null;
        return settings.mail ? t('account.nonceHint') : t('account.nonceNoMail');
      },
    );
    if (changed) {
      setPassword('');
      setNonce(null);
    } else if (asks && settings.mail) {
      setNonce('');
      await request.run(() => askForCode(door));
    }
  }

  return (
    <Section title={t('common.password')} hint={t('account.passwordHint')}>
      <form className={shapes.stackS5} onSubmit={submit} noValidate>
        <div className={`${shapes.stackS3} ${shapes.stackS3} ${styles.accountLine}`}>
          <PasswordField
            label={t('common.newPassword')}
            hint={t('signIn.passwordHint', { n: settings.passwordMin })}
            autoComplete="new-password"
            value={password}
            error={request.fault}
            onChange={(event) => setPassword(event.target.value)}
          />
          <Button type="submit" busy={request.busy}>
            {t('account.changePassword')}
          </Button>
        </div>
        {nonce !== null && (
          <TextField
            label={t('account.nonce')}
            hint={t('account.nonceHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={nonce}
            onChange={(event) => setNonce(event.target.value)}
          />
        )}
        {request.done && <Notice tone="good">{request.done}</Notice>}
      </form>
    </Section>
  );
}
