// An invitation: whoever holds its link and owns its address joins the project.

import { useState } from 'react';
import { Link, Redirect, useLocation, useParams } from 'wouter';
import { acceptInvitation } from '../../commands/errands.ts';
import { sayRefusal } from '../../commands/refusals.ts';
import { paths } from '../../routes.ts';
import { useHouse, useSession } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { dataOf, Refusal } from '../../sync/door.ts';
import { Button } from '../../ui/button.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Loading, Notice } from '../../ui/state.tsx';
import { DoorFrame } from '../sign-in/door-frame.tsx';

const say = words.signIn.invitation;

export default function Invitation() {
  const { token = '' } = useParams<{ token: string }>();
  const { door, holder } = useHouse();
  const { session, user, loading } = useSession();
  const [, go] = useLocation();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  usePageTitle(words.signIn.titleInvitation);
  const next = `?next=${encodeURIComponent(paths.invitation(token))}`;

  // A session that owes its second factor joins nothing yet.
  if (session?.factorDue) return <Redirect to={`${paths.signIn}${next}`} replace />;

  async function accept(): Promise<void> {
    setBusy(true);
    try {
      const projectId = await acceptInvitation(
        async (procedure, args) => dataOf(await door.rpc(procedure, args)),
        token,
      );
      go(projectId ? paths.project(projectId) : paths.projects, { replace: true });
    } catch (reason) {
      setFault(sayFault(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <DoorFrame title={say.title} lead={say.lead}>
      {fault && <Notice tone="danger">{fault}</Notice>}
      {loading ? (
        <Loading label={words.common.loading} />
      ) : user ? (
        <>
          <p className="door-lead">{say.asYou(user.email)}</p>
          <Button look="main" busy={busy} onClick={() => void accept()}>
            {say.accept}
          </Button>
          <Button look="quiet" onClick={() => void holder.signOut().then(() => go(`${paths.signIn}${next}`))}>
            {say.other}
          </Button>
        </>
      ) : (
        <>
          <p className="door-lead">{say.needAccount}</p>
          <Link href={`${paths.signUp}${next}`} className="button button-main">
            {words.signIn.doUp}
          </Link>
          <Link href={`${paths.signIn}${next}`} className="button button-plain">
            {words.signIn.doIn}
          </Link>
        </>
      )}
    </DoorFrame>
  );
}

function sayFault(reason: unknown): string {
  if (reason instanceof Refusal) {
    if (reason.status === 404) return say.gone;
    if (reason.status === 403)
      return /verified/.test(reason.message) ? words.signIn.errors.unconfirmed : say.wrongPerson;
  }
  return sayRefusal(reason);
}
