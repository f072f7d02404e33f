// Sign-in page: sign-in, sign-up, forgotten and new password; the address decides which.

import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { paths } from '../../routes.ts';
import { useApp, useSession } from '../../session/react.tsx';
import { isMessage, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { joinTokenIn, tokenIn, useInvitation, useJoinLink } from '../invitation/use-invitation.ts';
import { AuthFrame } from './auth-frame.tsx';
import { InvitationWords } from './invitation-words.tsx';
import { ForgotForm, ResetForm } from './password-forms.tsx';
import { forgetReturnPath, readReturnPath, useHash, withReturnPath } from './return-path.ts';
import { SignInForm, SignUpForm } from './sign-in-forms.tsx';

const TwoFactorForm = lazyComponent(() => import('./two-factor.tsx'), ['keys']);

export default function SignIn() {
  const [path, go] = useLocation();
  const [search] = useSearchParams();
  const { session, loading } = useSession();
  const { settings } = useApp();
  const factor = session?.factorDue === true;
  useHash();
  const next = readReturnPath();
  const mode = path.slice(1) as 'sign-in' | 'sign-up' | 'forgot' | 'reset';
  const title = factor
    ? t('common.twoFactor')
    : {
        'sign-in': t('common.signIn'),
        'sign-up': t('signIn.titleUp'),
        forgot: t('signIn.titleForgot'),
        reset: t('signIn.titleReset'),
      }[mode];
  usePageTitle(title);

  // Whoever is signed in already goes on, by way of the second factor where one is enrolled.
  const through = session !== null && !factor && mode !== 'reset';
  useEffect(() => {
    if (!through) return;
    forgetReturnPath();
    go(next, { replace: true });
  }, [through, go, next]);

  // Whoever comes by an invitation reads whose it is, and finds their address filled in.
  const enters = mode === 'sign-in' || mode === 'sign-up';
  const { details, waiting } = useInvitation(enters ? tokenIn(next) : null);
  const link = useJoinLink(enters ? joinTokenIn(next) : null).details;
  const form = { next, invited: details?.email ?? '' };
  const trouble = sayTrouble(search.get('error'));
  return (
    <AuthFrame title={title}>
      {trouble && !factor && <Notice tone="danger">{trouble}</Notice>}
      {details && !factor && <InvitationWords details={details} />}
      {link?.state === 'open' && !factor && <InvitationWords details={link} />}
      {factor ? (
        <TwoFactorForm meanwhile={<Loading label={t('common.loading')} />} />
      ) : waiting ? (
        <Loading label={t('common.loading')} />
      ) : mode === 'sign-up' ? (
        <SignUpForm {...form} />
      ) : mode === 'forgot' ? (
        <ForgotForm />
      ) : mode === 'reset' ? (
        <ResetForm signedIn={session !== null} loading={loading} onDone={() => go(next, { replace: true })} />
      ) : (
        <SignInForm {...form} />
      )}
      {!factor && (mode !== 'sign-in' || settings.signup) && (
        <p className={shapes.soft}>
          {mode === 'sign-in' ? t('signIn.noAccount') : mode === 'sign-up' ? t('signIn.haveAccount') : ''}{' '}
          {mode === 'sign-in' ? (
            <Link href={withReturnPath(paths.signUp, next)}>{t('signIn.toUp')}</Link>
          ) : (
            <Link href={withReturnPath(paths.signIn, next)}>
              {mode === 'sign-up' ? t('common.signIn') : t('signIn.backToIn')}
            </Link>
          )}
        </p>
      )}
    </AuthFrame>
  );
}

/** Anyone can write into an address: it names one of our own sentences, and is never shown itself. */
function sayTrouble(code: string | null): string | null {
  if (code === null) return null;
  const key = `signIn.troubles.${code}` as const;
  return isMessage(key) ? t(key) : t('signIn.troubles.failed');
}
