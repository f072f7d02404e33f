// Invitation page: names the inviter and the project; the owner of the invited address joins with its link.

import { useEffect, useState } from 'react';
import { Redirect, useLocation, useParams } from 'wouter';
import { acceptInvitation, Refusal, sayRefusal } from '../../commands.ts';
import { paths, placeOfInvitation } from '../../routes.ts';
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
import { tokenIn, useInvitation } from './use-invitation.ts';

export default function Invitation() {
  const token = useToken();
  const { door, holder } = useApp();
  const { session, user, loading } = useSession();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { details, reason, waiting } = useInvitation(token);
  usePageTitle(t('signIn.titleInvitation'));
  const next = paths.invitation(token);

  // Without its second factor a session joins nothing yet.
  if (session?.factorDue) return <Redirect to={withReturnPath(paths.signIn, next)} replace />;

  async function accept(): Promise<void> {
    setBusy(true);
    try {
      const projectId = await acceptInvitation(door, token);
      go(placeOfInvitation(projectId, details?.task), { replace: true });
    } catch (reason) {
      setFault(sayFault(reason));
    } finally {
      setBusy(false);
    }
  }

  const other = () => void holder.signOut().then(() => go(withReturnPath(paths.signIn, next)));
  const mine = details !== null && user?.email.toLowerCase() === details.email.toLowerCase();
  const trouble = fault ?? (reason === null ? null : sayFault(reason));
  return (
    <AuthFrame title={t('signIn.invitation.title')}>
      {trouble && <Notice tone="danger">{trouble}</Notice>}
      {loading || waiting ? (
        <Loading label={t('common.loading')} />
      ) : details === null ? (
        <ButtonLink href={user ? paths.projects : paths.signIn}>
          {user ? t('common.failed.toProjects') : t('common.signIn')}
        </ButtonLink>
      ) : (
        <>
          <InvitationWords details={details} />
          {user && mine && (
            <>
              <Lead>{t('signIn.invitation.asYou', { email: user.email })}</Lead>
              <Button look="main" busy={busy} onClick={() => void accept()}>
                {t('signIn.invitation.accept')}
              </Button>
              <Button look="quiet" onClick={other}>
                {t('signIn.invitation.other')}
              </Button>
            </>
          )}
          {user && !mine && (
            <>
              <Lead>{t('signIn.invitation.forOther', { invited: details.email, email: user.email })}</Lead>
              <Button look="main" onClick={other}>
                {t('signIn.invitation.other')}
              </Button>
            </>
          )}
          {!user && (
            <NeedAccount next={next}>{t('signIn.invitation.needAccount', { email: details.email })}</NeedAccount>
          )}
        </>
      )}
    </AuthFrame>
  );
}

/** After #; a link of before, with the token in its path, becomes one of today. */
function useToken(): string {
  const { token: inPath } = useParams<{ token?: string }>();
  const inHash = tokenIn(`/invitation${useHash()}`);
  const [, go] = useLocation();
  useEffect(() => {
    if (inPath !== undefined) go(paths.invitation(inPath), { replace: true });
  }, [inPath, go]);
  return inHash ?? inPath ?? '';
}

function sayFault(reason: unknown): string {
  if (reason instanceof Refusal) {
    if (reason.status === 404) return t('signIn.invitation.gone');
    if (reason.code === 'KB007') return t('signIn.errors.unconfirmed');
    if (reason.code === '42501') return t('signIn.invitation.wrongPerson');
  }
  return sayRefusal(reason);
}
