// The door: signing in and up, a forgotten password, a new one; which of them the address says.

import { useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { paths } from '../../routes.ts';
import { useHouse, useSession } from '../../session/react.tsx';
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
  const { door } = useHouse();
  const { user, loading } = useSession();
  const [factor, setFactor] = useState(false);
  const next = safeNext(search.get('next'));
  const mode = path.slice(1) as 'sign-in' | 'sign-up' | 'forgot' | 'reset';
  const title = factor
    ? say.titleFactor
    : { 'sign-in': say.titleIn, 'sign-up': say.titleUp, forgot: say.titleForgot, reset: say.titleReset }[mode];
  usePageTitle(title);

  // Whoever is signed in already goes on, by way of the second factor where one is enrolled.
  useEffect(() => {
    if (user === null || mode === 'reset') return;
    let stale = false;
    void door.auth.mfa.getAuthenticatorAssuranceLevel().then(({ data }) => {
      if (stale) return;
      if (data?.nextLevel === 'aal2' && data.currentLevel !== 'aal2') setFactor(true);
      else go(next, { replace: true });
    });
    return () => {
      stale = true;
    };
  }, [user, mode, door, go, next]);

  const query = search.get('next') ? `?next=${encodeURIComponent(next)}` : '';
  const trouble = search.get('error');
  return (
    <DoorFrame title={title}>
      {trouble && !factor && <Notice tone="danger">{trouble}</Notice>}
      {factor ? (
        <SecondFactor onDone={() => go(next, { replace: true })} />
      ) : mode === 'sign-up' ? (
        <SignUpForm next={next} />
      ) : mode === 'forgot' ? (
        <ForgotForm />
      ) : mode === 'reset' ? (
        <ResetForm signedIn={user !== null} loading={loading} onDone={() => go(next, { replace: true })} />
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
