// Forms for a forgotten password and a new one.

import { type FormEvent, useEffect, useState } from 'react';
import { paths } from '../../routes.ts';
import { canUsePasskeys } from '../../session/passkeys.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { sayAuthError } from './auth-errors.ts';
import { focusFirstFault, NoMail, Sent } from './auth-frame.tsx';
import { callbackUrl } from './return-path.ts';
import { useSendEmail } from './use-send-email.ts';

export function ForgotForm() {
  const { door, settings } = useApp();
  const [email, setEmail] = useState('');
  const mailing = useSendEmail();

  function submit(event: FormEvent): void {
    event.preventDefault();
    void mailing.ask(email, (to) => door.auth.resetPasswordForEmail(to, { redirectTo: callbackUrl(paths.reset) }));
  }

  if (!settings.mail && !settings.mailKept)
    return <NoMail words={t(canUsePasskeys(settings) ? 'signIn.noMail.passkeyWords' : 'signIn.noMail.words')} />;
  if (mailing.sentTo) return <Sent words={t('signIn.sent.forgot', { email: mailing.sentTo })} />;
  return (
    <form className={shapes.stackS5} onSubmit={submit} noValidate>
      {!settings.mail && <Notice>{t('signIn.noMail.inDevInbox')}</Notice>}
      <TextField
        label={t('signIn.email')}
        type="email"
        name="email"
        autoComplete="username"
        placeholder={t('signIn.emailPlaceholder')}
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={mailing.fault}
      />
      <Button look="main" type="submit" busy={mailing.busy}>
        {t(settings.mail ? 'signIn.doForgot' : 'signIn.noMail.make')}
      </Button>
    </form>
  );
}

export function ResetForm({ signedIn, loading, onDone }: { signedIn: boolean; loading: boolean; onDone: () => void }) {
  const { door, settings } = useApp();
  // Whoever is signed in keeps their own session, whatever link they open.
  const arriving = useInvited(!signedIn && !loading);
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const wrong =
      [...password].length < settings.passwordMin
        ? t('signIn.errors.passwordShort', { n: settings.passwordMin })
        : null;
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

  if (loading || arriving) return <Loading label={t('common.loading')} />;
  if (!signedIn)
    return (
      <>
        <Notice tone="danger">{t('signIn.resetNoSession')}</Notice>
        <ButtonLink href={paths.forgot} look="main">
          {t(settings.mail ? 'signIn.doForgot' : 'signIn.titleForgot')}
        </ButtonLink>
      </>
    );
  return (
    <form className={shapes.stackS5} onSubmit={submit} noValidate>
      <PasswordField
        label={t('common.newPassword')}
        name="password"
        autoComplete="new-password"
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={fault}
        hint={t('signIn.passwordHint', { n: settings.passwordMin })}
      />
      <Button look="main" type="submit" busy={busy}>
        {t('signIn.doReset')}
      </Button>
    </form>
  );
}

/** Whether it is being looked at: until then nobody is told that they have no session. */
function useInvited(wanted: boolean): boolean {
  const { door } = useApp();
  const [hash] = useState(() => new URLSearchParams(window.location.hash.slice(1)));
  const token_hash = hash.get('invited');
  const access_token = hash.get('access_token');
  const refresh_token = hash.get('refresh_token');
  const comes = wanted && (token_hash !== null || (access_token !== null && refresh_token !== null));
  const [waiting, setWaiting] = useState(comes);
  useEffect(() => {
    if (!comes) return;
    // It works once: going back must not try it again.
    window.history.replaceState(null, '', window.location.pathname);
    const opened =
      token_hash === null
        ? door.auth.setSession({ access_token: access_token ?? '', refresh_token: refresh_token ?? '' })
        : door.auth.verifyOtp({ token_hash, type: 'invite' });
    void opened.catch(() => undefined).then(() => setWaiting(false));
  }, [comes, door, token_hash, access_token, refresh_token]);
  return waiting;
}
