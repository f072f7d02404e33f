// A forgotten password, and a new one.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { Link } from 'wouter';
import { paths } from '../../routes.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Loading, Notice } from '../../ui/state.tsx';
import { sayAuthError } from './auth-errors.ts';
import { focusFirstFault, Sent } from './door-frame.tsx';
import { callback, useMailing } from './use-mailing.ts';

const say = words.signIn;

export function ForgotForm() {
  const { door } = useHouse();
  const [email, setEmail] = useState('');
  const mailing = useMailing();

  function submit(event: FormEvent): void {
    event.preventDefault();
    void mailing.ask(email, (to) => door.auth.resetPasswordForEmail(to, { redirectTo: callback(paths.reset) }));
  }

  if (mailing.sentTo) return <Sent words={say.sent.forgot(mailing.sentTo)} />;
  return (
    <form className="form" onSubmit={submit} noValidate>
      <TextField
        label={say.email}
        type="email"
        name="email"
        autoComplete="username"
        placeholder={say.emailPlaceholder}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={mailing.fault}
      />
      <Button look="main" type="submit" busy={mailing.busy}>
        {say.doForgot}
      </Button>
    </form>
  );
}

export function ResetForm({ signedIn, loading, onDone }: { signedIn: boolean; loading: boolean; onDone: () => void }) {
  const { door, settings } = useHouse();
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const wrong = [...password].length < settings.passwordMin ? say.errors.passwordShort(settings.passwordMin) : null;
    setFault(wrong);
    if (wrong) return focusFirstFault();
    setBusy(true);
    const { error } = await door.auth.updateUser({ password });
    setBusy(false);
    if (error) {
      setFault(sayAuthError(error, settings.passwordMin));
      focusFirstFault();
    } else onDone();
  }

  if (loading) return <Loading label={words.common.loading} />;
  if (!signedIn)
    return (
      <>
        <Notice tone="danger">{say.resetNoSession}</Notice>
        <Link href={paths.forgot} className="button button-main">
          {say.doForgot}
        </Link>
      </>
    );
  return (
    <form className="form" onSubmit={submit} noValidate>
      <TextField
        label={say.newPassword}
        type="password"
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={fault}
        hint={say.passwordHint(settings.passwordMin)}
      />
      <Button look="main" type="submit" busy={busy}>
        {say.doReset}
      </Button>
    </form>
  );
}
