// The door: signing in and up, a forgotten password, a new one; which of them the address says.

import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { paths } from '../../routes.ts';
import { useSession } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { usePageTitle } from '../../ui/page-title.ts';
import { Notice } from '../../ui/state.tsx';
import { DoorFrame } from './door-frame.tsx';
import { ForgotForm, ResetForm } from './password-forms.tsx';
import { safeNext } from './safe-next.ts';
import { SecondFactor } from './second-factor.tsx';
import { SignInForm, SignUpForm } from './sign-in-forms.tsx';

const say = words.signIn;

export default function SignIn() {
  const [path, go] = useLocation();
  const [search] = useSearchParams();
  const { session, loading } = useSession();
  const factor = session?.factorDue === true;
  const next = safeNext(search.get('next'));
  const mode = path.slice(1) as 'sign-in' | 'sign-up' | 'forgot' | 'reset';
  const title = factor
    ? say.titleFactor
    : { 'sign-in': say.titleIn, 'sign-up': say.titleUp, forgot: say.titleForgot, reset: say.titleReset }[mode];
  usePageTitle(title);

  // Whoever is signed in already goes on, by way of the second factor where one is enrolled.
  const through = session !== null && !factor && mode !== 'reset';
  useEffect(() => {
    if (through) go(next, { replace: true });
  }, [through, go, next]);

  const query = search.get('next') ? `?next=${encodeURIComponent(next)}` : '';
  const trouble = sayTrouble(search.get('error'));
  return (
    <DoorFrame title={title}>
      {trouble && !factor && <Notice tone="danger">{trouble}</Notice>}
      {factor ? (
        <SecondFactor />
      ) : mode === 'sign-up' ? (
        <SignUpForm next={next} />
      ) : mode === 'forgot' ? (
        <ForgotForm />
      ) : mode === 'reset' ? (
        <ResetForm signedIn={session !== null} loading={loading} onDone={() => go(next, { replace: true })} />
      ) : (
        <SignInForm next={next} />
      )}
      {!factor && (
        <p className="door-other">
          {mode === 'sign-in' ? say.noAccount : mode === 'sign-up' ? say.haveAccount : ''}{' '}
          {mode === 'sign-in' ? (
            <Link href={`${paths.signUp}${query}`}>{say.toUp}</Link>
          ) : (
            <Link href={`${paths.signIn}${query}`}>{mode === 'sign-up' ? say.toIn : say.backToIn}</Link>
          )}
        </p>
      )}
    </DoorFrame>
  );
}

/** Anyone can write into an address: it names one of our own sentences, and is never shown itself. */
function sayTrouble(code: string | null): string | null {
  if (code === null) return null;
  return Object.hasOwn(say.troubles, code) ? say.troubles[code as keyof typeof say.troubles] : say.troubles.failed;
}
