// Join page: names the project of a join link, and joins it by one press; or says why the link leads nowhere.

import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { type JoinLinkDetails, joinByLink, Refusal, sayRefusal } from '../../commands.ts';
import { paths } from '../../routes.ts';
import { useApp, useSession } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { AuthFrame, Lead } from '../sign-in/auth-frame.tsx';
import { InvitationWords } from '../sign-in/invitation-words.tsx';
import { useHash, withReturnPath } from '../sign-in/return-path.ts';
import { NeedAccount } from './need-account.tsx';
import { joinTokenIn, useJoinLink } from './use-invitation.ts';

export default function Join() {
  const token = joinTokenIn(`/join${useHash()}`) ?? '';
  const { door, holder } = useApp();
  const { session, user, loading } = useSession();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { details, reason, waiting } = useJoinLink(token, user?.id);
  usePageTitle(t('signIn.join.title'));
  const next = paths.join(token);

  // Without its second factor a session joins nothing yet.
  if (session?.factorDue) return <Redirect to={withReturnPath(paths.signIn, next)} replace />;

  async function join(): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      go(paths.project(await joinByLink(door, token)), { replace: true });
    } catch (reason) {
      setFault(sayFault(reason, details));
    } finally {
      setBusy(false);
    }
  }

  const other = () => void holder.signOut().then(() => go(withReturnPath(paths.signIn, next)));
  const trouble = fault ?? (reason === null ? details && sayState(details.state, details) : sayFault(reason, details));
  return (
    <AuthFrame title={t('signIn.join.title')}>
      {trouble && <Notice tone="danger">{trouble}</Notice>}
      {loading || waiting ? (
        <Loading label={t('common.loading')} />
      ) : details?.state === 'member' ? (
        <>
          <Lead>{t('signIn.join.member', { project: details.project_name })}</Lead>
          <ButtonLink href={paths.project(details.project_id ?? '')} look="main">
            {t('signIn.join.open')}
          </ButtonLink>
        </>
      ) : details?.state !== 'open' ? (
        <ButtonLink href={user ? paths.projects : paths.signIn}>
          {user ? t('common.failed.toProjects') : t('common.signIn')}
        </ButtonLink>
      ) : (
        <>
          <InvitationWords details={details} />
          {user ? (
            <>
              <Lead>{t('signIn.invitation.asYou', { email: user.email })}</Lead>
              <Button look="main" busy={busy} onClick={() => void join()}>
                {t('signIn.join.press')}
              </Button>
              <Button look="quiet" onClick={other}>
                {t('signIn.invitation.other')}
              </Button>
            </>
          ) : (
            <NeedAccount next={next}>{t('signIn.join.needAccount')}</NeedAccount>
          )}
        </>
      )}
    </AuthFrame>
  );
}

/** Why nobody joins by it; null where one may. */
function sayState(state: string, details: JoinLinkDetails): string | null {
  const project = details.state === 'revoked' ? '' : details.project_name;
  switch (state) {
    case 'revoked':
      return t('signIn.join.revoked');
    case 'expired':
      return t('signIn.join.expired', { project });
    case 'archived':
      return t('signIn.join.archived', { project });
    case 'full':
      return t('signIn.join.full', { project });
    default:
      return null;
  }
}

function sayFault(reason: unknown, details: JoinLinkDetails | null): string {
  if (reason instanceof Refusal) {
    if (reason.status === 404) return t('signIn.join.gone');
    if (reason.code === 'KB007') return t('signIn.errors.unconfirmed');
    const state = reason.code === 'PT402' ? 'full' : reason.code === 'KB019' ? reason.details : null;
    const words = state && details ? sayState(state, details) : null;
    if (words) return words;
  }
  return sayRefusal(reason);
}
