// Signing in with a password, a link or a provider; and signing up.

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

const say = words.signIn;

interface Faults {
  readonly email?: string | null;
  readonly password?: string | null;
  readonly name?: string | null;
  readonly form?: string | null;
}

export function SignInForm({ next }: { next: string }) {
  const { door, settings } = useHouse();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});
  const [busy, setBusy] = useState<'password' | 'magic' | null>(null);
  const [sent, setSent] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const found = { email: wrongEmail(email), password: password === '' ? say.errors.passwordMissing : null };
    setFaults(found);
    if (found.email || found.password) return focusFirstFault();
    setBusy('password');
    const { error } = await door.auth.signInWithPassword({ email: email.trim(), password });
    setBusy(null);
    if (error) {
      setFaults({ password: sayAuthError(error, settings.passwordMin) });
      focusFirstFault();
    }
  }

  async function sendLink(): Promise<void> {
    const wrong = wrongEmail(email);
    setFaults({ email: wrong });
    if (wrong) return focusFirstFault();
    setBusy('magic');
    const { error } = await door.auth.signInWithOtp({
      email: email.trim(),
      options: { shouldCreateUser: false, emailRedirectTo: callback(next) },
    });
    setBusy(null);
    // Whether the address has an account is nobody's business.
    if (error && error.status !== 422 && error.status !== 400)
      setFaults({ form: sayAuthError(error, settings.passwordMin) });
    else setSent(true);
  }

  if (sent) return <Sent words={say.sent.magic(email.trim())} />;
  return (
    <>
      <form className="form" onSubmit={submit} noValidate>
        {faults.form && <Notice tone="danger">{faults.form}</Notice>}
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
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={faults.password ?? null}
          hint={<Link href={paths.forgot}>{say.forgot}</Link>}
        />
        <Button look="main" type="submit" busy={busy === 'password'}>
          {say.doIn}
        </Button>
      </form>
      {(settings.magicLink || settings.providers.length > 0) && <p className="door-or">{say.or}</p>}
      {settings.magicLink && (
        <Button busy={busy === 'magic'} onClick={() => void sendLink()}>
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

export function Sent({ words: sentence }: { words: string }) {
  return (
    <Notice tone="good">
      <strong>{say.sent.title}</strong>
      <p>{sentence}</p>
    </Notice>
  );
}

function callback(next: string): string {
  return `${location.origin}/auth/callback?next=${encodeURIComponent(next)}`;
}

/** After the faults are drawn, the first field that has one gets the focus. */
export function focusFirstFault(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid]')?.focus());
}
