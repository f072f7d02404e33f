// Signing in with a password, a passkey, a link or a provider; and signing up.

import { KeyRound, Mail } from 'lucide-react';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { Link } from 'wouter';
import { paths } from '../../routes.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/state.tsx';
import { sayAuthError, wrongEmail } from './auth-errors.ts';
import { focusFirstFault, Sent } from './door-frame.tsx';
import { callback, useMailing } from './use-mailing.ts';

const say = words.signIn;

interface Faults {
  readonly email?: string | null;
  readonly password?: string | null;
  readonly name?: string | null;
}

export function SignInForm({ next }: { next: string }) {
  const { door, settings } = useHouse();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [trouble, setTrouble] = useState<string | null>(null);
  const [unconfirmed, setUnconfirmed] = useState(false);
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null);
  const link = useMailing();
  const confirmation = useMailing();
  const passkeys = settings.passkeys && 'PublicKeyCredential' in window;

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = { email: wrongEmail(email), password: password === '' ? say.errors.passwordMissing : null };
    setFaults(found);
    setUnconfirmed(false);
    if (found.email || found.password) return focusFirstFault();
    setBusy('password');
    const { error } = await door.auth.signInWithPassword({ email: email.trim(), password });
    setBusy(null);
    if (error) {
      setFaults({ password: sayAuthError(error, settings.passwordMin) });
      setUnconfirmed(error.code === 'email_not_confirmed' && settings.mail);
      focusFirstFault();
    }
  }

  async function showPasskey(): Promise<void> {
    setTrouble(null);
    setBusy('passkey');
    const { error } = await door.auth.signInWithPasskey();
    setBusy(null);
    // What the browser itself refuses has no status: closed, timed out, or no passkey at hand.
    if (error) setTrouble('status' in error ? sayAuthError(error, settings.passwordMin) : say.errors.passkey);
  }

  if (link.sentTo) return <Sent words={say.sent.magic(link.sentTo)} />;
  if (confirmation.sentTo) return <Sent words={say.sent.confirm(confirmation.sentTo)} />;
  return (
    <>
      <form className="form" onSubmit={submit} noValidate>
        {trouble && <Notice tone="danger">{trouble}</Notice>}
        <TextField
          label={say.email}
          type="email"
          name="email"
          autoComplete="username"
          placeholder={say.emailPlaceholder}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={faults.email ?? link.fault ?? confirmation.fault}
        />
        <TextField
          label={say.password}
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={faults.password ?? null}
          hint={<Link href={paths.forgot}>{say.forgot}</Link>}
        />
        {unconfirmed && (
          <Button
            busy={confirmation.busy}
            onClick={() =>
              void confirmation.ask(email, (to) =>
                door.auth.resend({ type: 'signup', email: to, options: { emailRedirectTo: callback(next) } }),
              )
            }
          >
            {say.resend}
          </Button>
        )}
        <Button look="main" type="submit" busy={busy === 'password'}>
          {say.doIn}
        </Button>
      </form>
      {(settings.magicLink || passkeys || settings.providers.length > 0) && <p className="door-or">{say.or}</p>}
      {passkeys && (
        <Button icon={<KeyRound size={16} />} busy={busy === 'passkey'} onClick={() => void showPasskey()}>
          {say.doPasskey}
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
                options: { shouldCreateUser: false, emailRedirectTo: callback(next) },
              }),
            );
          }}
        >
          {say.doMagic}
        </Button>
      )}
      <Providers next={next} />
    </>
  );
}

export function SignUpForm({ next }: { next: string }) {
  const { door, settings } = useHouse();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = {
      name: name.trim() === '' ? say.errors.nameMissing : null,
      email: wrongEmail(email),
      password: [...password].length < settings.passwordMin ? say.errors.passwordShort(settings.passwordMin) : null,
    };
    setFaults(found);
    if (found.name || found.email || found.password) return focusFirstFault();
    setBusy(true);
    const { data, error } = await door.auth.signUp({
      email: email.trim(),
      password,
      options: { data: { name: name.trim() }, emailRedirectTo: callback(next) },
    });
    setBusy(false);
    if (error) {
      const sentence = sayAuthError(error, settings.passwordMin);
      setFaults(/password/i.test(error.code ?? '') ? { password: sentence } : { email: sentence });
      focusFirstFault();
      return;
    }
    if (data.session === null) setSent(true);
  }

  if (sent) return <Sent words={say.sent.confirm(email.trim())} />;
  return (
    <>
      <form className="form" onSubmit={submit} noValidate>
        <TextField
          label={say.name}
          name="name"
          autoComplete="name"
          placeholder={say.namePlaceholder}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={faults.name ?? null}
        />
        <TextField
          label={say.email}
          type="email"
          name="email"
          autoComplete="username"
          placeholder={say.emailPlaceholder}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={faults.email ?? null}
        />
        <TextField
          label={say.password}
          type="password"
          name="password"
          autoComplete="new-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={faults.password ?? null}
          hint={say.passwordHint(settings.passwordMin)}
        />
        <Button look="main" type="submit" busy={busy}>
          {say.doUp}
        </Button>
      </form>
      {settings.providers.length > 0 && <p className="door-or">{say.or}</p>}
      <Providers next={next} />
    </>
  );
}

function Providers({ next }: { next: string }) {
  const { door, settings } = useHouse();
  return settings.providers.map((provider) => (
    <Button
      key={provider}
      onClick={() =>
        void door.auth.signInWithOAuth({ provider: provider as 'google', options: { redirectTo: callback(next) } })
      }
    >
      {say.with(provider.charAt(0).toLocaleUpperCase() + provider.slice(1))}
    </Button>
  ));
}
