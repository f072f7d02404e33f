// Signing in with a password, a passkey, a link or a provider; and signing up.

import { KeyRound, Mail } from 'lucide-react';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { Link } from 'wouter';
import { paths } from '../../routes.ts';
import { canUsePasskeys } from '../../session/passkeys.ts';
import { useApp } from '../../session/react.tsx';
import { languageHere } from '../../strings/language.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { sayAuthError, sayWhoMaySignUp, wrongEmail } from './auth-errors.ts';
import { focusFirstFault, Lead, NoMail, Sent } from './auth-frame.tsx';
import styles from './door.module.css';
import { callbackUrl } from './return-path.ts';
import { useSendEmail } from './use-send-email.ts';

interface FormProps {
  readonly next: string;
  /** The address an invitation is for. */
  readonly invited: string;
}

interface Faults {
  readonly email?: string | null;
  readonly password?: string | null;
  readonly name?: string | null;
}

export function SignInForm({ next, invited }: FormProps) {
  const { door, settings } = useApp();
  const [email, setEmail] = useState(invited);
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [trouble, setTrouble] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState(false);
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null);
  const link = useSendEmail();
  const confirmation = useSendEmail();
  const passkeys = canUsePasskeys(settings);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = { email: wrongEmail(email), password: password === '' ? t('signIn.errors.passwordMissing') : null };
    setFaults(found);
    setUnconfirmed(false);
    if (found.email || found.password) return focusFirstFault();
    setBusy('password');
    const { error } = await door.auth.signInWithPassword({ email: email.trim(), password });
    setBusy(null);
    if (error) {
      setFaults({ password: sayAuthError(error, settings.passwordMin) });
      setUnconfirmed(error.code === 'email_not_confirmed');
      focusFirstFault();
    }
  }

  async function showPasskey(): Promise<void> {
    setTrouble(null);
    setBusy('passkey');
    const { error } = await door.auth.signInWithPasskey();
    setBusy(null);
    // What the browser itself refuses has no status: closed, timed out, or no passkey at hand.
    if (error) setTrouble('status' in error ? sayAuthError(error, settings.passwordMin) : t('signIn.errors.passkey'));
  }

  if (link.sentTo) return <Sent words={t('signIn.sent.magic', { email: link.sentTo })} />;
  if (confirmation.sentTo) return <Sent words={t('signIn.sent.confirm', { email: confirmation.sentTo })} />;
  return (
    <>
      <form className={shapes.stackS5} onSubmit={submit} noValidate>
        {trouble && <Notice tone="danger">{trouble}</Notice>}
        <TextField
          label={t('signIn.email')}
          type="email"
          name="email"
          autoComplete="username"
          placeholder={t('signIn.emailPlaceholder')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoFocus={invited === ''}
          error={faults.email ?? link.fault ?? confirmation.fault}
        />
        <div className={`${shapes.stackS2} ${styles.doorPassword}`}>
          <PasswordField
            label={t('common.password')}
            name="password"
            autoComplete="current-password"
            autoFocus={invited !== ''}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={faults.password ?? null}
          />
          {/* Also beside what was wrong: that is when one needs it. */}
          <Link href={paths.forgot}>{t('signIn.forgot')}</Link>
        </div>
        {unconfirmed && !settings.mail && !settings.mailKept && <NoMail words={t('signIn.noMail.confirm')} />}
        {unconfirmed && (settings.mail || settings.mailKept) && (
          <Button
            busy={confirmation.busy}
            onClick={() =>
              void confirmation.ask(email, (to) =>
                door.auth.resend({ type: 'signup', email: to, options: { emailRedirectTo: callbackUrl(next) } }),
              )
            }
          >
            {t(settings.mail ? 'signIn.resend' : 'signIn.noMail.make')}
          </Button>
        )}
        <Button look="main" type="submit" busy={busy === 'password'}>
          {t('common.signIn')}
        </Button>
      </form>
      {(settings.magicLink || passkeys || settings.providers.length > 0) && (
        <p className={`${shapes.rowS4} ${shapes.quiet} ${styles.doorOr}`}>{t('common.or')}</p>
      )}
      {passkeys && (
        <Button icon={<KeyRound size={16} />} busy={busy === 'passkey'} onClick={() => void showPasskey()}>
          {t('signIn.doPasskey')}
        </Button>
      )}
      {settings.magicLink && (
        <Button
          icon={<Mail size={16} />}
          busy={link.busy}
          onClick={() => {
            setFaults({});
            void link.ask(email, (to) =>
              door.auth.signInWithOtp({
                email: to,
                options: { shouldCreateUser: false, emailRedirectTo: callbackUrl(next) },
              }),
            );
          }}
        >
          {t('signIn.doMagic')}
        </Button>
      )}
      <Providers next={next} />
    </>
  );
}

export function SignUpForm({ next, invited }: FormProps) {
  const { door, settings } = useApp();
  const [name, setName] = useState('');
  const [email, setEmail] = useState(invited);
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = {
      name: name.trim() === '' ? t('signIn.errors.nameMissing') : null,
      email: wrongEmail(email),
      password:
        [...password].length < settings.passwordMin
          ? t('signIn.errors.passwordShort', { n: settings.passwordMin })
          : null,
    };
    setFaults(found);
    if (found.name || found.email || found.password) return focusFirstFault();
    setBusy(true);
    const { data, error } = await door.auth.signUp({
      email: email.trim(),
      password,
      options: { data: { name: name.trim(), language: languageHere() }, emailRedirectTo: callbackUrl(next) },
    });
    setBusy(false);
    if (error) {
      const refused = error.code === 'signup_disabled' ? sayWhoMaySignUp(settings.signupFor) : null;
      const sentence = refused ?? sayAuthError(error, settings.passwordMin);
      setFaults(/password/i.test(error.code ?? '') ? { password: sentence } : { email: sentence });
      focusFirstFault();
      return;
    }
    if (data.session === null) setSent(true);
  }

  if (!settings.signup) return <Notice tone="warn">{t('signIn.upClosed')}</Notice>;
  if (sent) return <Sent words={t('signIn.sent.confirm', { email: email.trim() })} />;
  // Whoever has an invitation in hand is let in and need not read who is.
  const allowed = settings.signupFor?.invited && invited !== '' ? null : sayWhoMaySignUp(settings.signupFor);
  return (
    <>
      {allowed && <Lead>{allowed}</Lead>}
      <form className={shapes.stackS5} onSubmit={submit} noValidate>
        <TextField
          label={t('signIn.name')}
          name="name"
          autoComplete="name"
          placeholder={t('signIn.namePlaceholder')}
          {...limitTo(200)}
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={faults.name ?? null}
        />
        <TextField
          label={t('signIn.email')}
          type="email"
          name="email"
          autoComplete="username"
          placeholder={t('signIn.emailPlaceholder')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={faults.email ?? null}
        />
        <PasswordField
          label={t('common.password')}
          name="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={faults.password ?? null}
          hint={t('signIn.passwordHint', { n: settings.passwordMin })}
        />
        <Button look="main" type="submit" busy={busy}>
          {t('signIn.doUp')}
        </Button>
      </form>
      {settings.providers.length > 0 && (
        <p className={`${shapes.rowS4} ${shapes.quiet} ${styles.doorOr}`}>{t('common.or')}</p>
      )}
      <Providers next={next} />
    </>
  );
}

function Providers({ next }: { next: string }) {
  const { door, settings } = useApp();
  return settings.providers.map((provider) => (
    <Button
      key={provider}
      onClick={() =>
        void door.auth.signInWithOAuth({ provider: provider as 'google', options: { redirectTo: callbackUrl(next) } })
      }
    >
      {t('signIn.with', {
        provider: settings.providerNames?.[provider] ?? provider.charAt(0).toLocaleUpperCase() + provider.slice(1),
      })}
    </Button>
  ));
}
