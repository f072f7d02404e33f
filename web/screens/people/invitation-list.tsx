// Pending invitations: role, expiry and sender; to copy the link, send the email again, or revoke.

import { Link2, RotateCw, X } from 'lucide-react';
import { useState } from 'react';
import {
  inviteGuests,
  inviteMembers,
  linkOfInvitation,
  revokeInvitation,
  sayRefusal,
  useAct,
  useAsk,
} from '../../commands.ts';
import { localDay, sayDay } from '../../queries/days/days.ts';
import { type InvitationRow, invitationsOf, nameOf, profileOf, taskNamed, useQuery } from '../../queries.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import lines from '../../ui/lines.module.css';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { showError, showMessage } from '../../ui/overlays/toaster.tsx';
import { LinkField } from './link-field.tsx';
import styles from './people.module.css';

interface InvitationListProps {
  readonly projectId: string;
  /** Not a part of a page. */
  readonly inDialog?: boolean;
  /** So many before the others are asked for. */
  readonly most?: number;
}

export function InvitationList({ projectId, inDialog = false, most }: InvitationListProps) {
  const invitations = useQuery(invitationsOf, projectId);
  const { shown, list, more } = useFirstOnes(invitations, most);
  if (invitations.length === 0) return null;
  const Title = inDialog ? 'h3' : 'h2';
  return (
    <section
      className={inDialog ? shapes.stackS3 : `${shapes.part} ${styles.part}`}
      aria-label={t('people.invitation.title')}
    >
      <Title>{t('people.invitation.title')}</Title>
      <ul className={`${shapes.stackS2} ${shapes.oneColumn}`} ref={list} tabIndex={-1}>
        {shown.map((invitation) => (
          <InvitationLine key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {more}
    </section>
  );
}

const taskOf = ({ project_id, task_id }: InvitationRow) => ({ projectId: project_id, taskId: task_id ?? '' });

/** The task and the level of a guest. */
function GuestOf({ invitation, short }: { invitation: InvitationRow; short: boolean }) {
  const task = useQuery(taskNamed, invitation.task_id ?? '');
  return (
    <>
      <span>{t('people.guests.invited', { level: invitation.level ?? 'see' })}</span>
      {task && !short && <span>{task}</span>}
    </>
  );
}

/** `short`: where the task is known. */
export function InvitationLine({ invitation, short = false }: { invitation: InvitationRow; short?: boolean }) {
  const ask = useAsk();
  const act = useAct();
  const { settings } = useApp();
  const inviter = useQuery(profileOf, invitation.invited_by ?? '');
  const [link, setLink] = useState<string | null>(null);
  const [busy, setBusy] = useState<'link' | 'again' | null>(null);
  const { email, role } = invitation;
  const expired = Date.parse(invitation.expires_at) < Date.now();

  async function showLink(): Promise<void> {
    if (link !== null) return setLink(null);
    setBusy('link');
    try {
      setLink(await ask(linkOfInvitation, invitation.id));
    } catch (reason) {
      showError(t('people.invitation.noLink', { email }), sayRefusal(reason));
    } finally {
      setBusy(null);
    }
  }

  async function sendAgain(): Promise<void> {
    setBusy('again');
    const [made] =
      role === null
        ? await ask(inviteGuests, taskOf(invitation), [email], invitation.level ?? 'see')
        : await ask(inviteMembers, invitation.project_id, [email], role);
    setBusy(null);
    if (made?.link == null) return showError(t('people.invitation.notAgain', { email }), sayRefusal(made?.reason));
    // Those made before work no more.
    setLink(made.link);
    showMessage(
      settings.mail ? t('people.invitation.sentAgain', { email }) : t('people.invitation.renewed', { email }),
    );
  }

  return (
    <li className={`${shapes.row} ${lines.line} ${styles.invitation}`}>
      <span className={`${shapes.breaks} ${lines.words}`}>
        <strong>{email}</strong>
        <span className={`${shapes.quietS} ${lines.facts}`}>
          {role === null ? <GuestOf invitation={invitation} short={short} /> : <span>{t(`common.roles.${role}`)}</span>}
          <span data-expired={expired || undefined}>
            {expired
              ? t('people.invitation.expired')
              : t('people.invitation.until', { date: sayDay(localDay(new Date(invitation.expires_at))) })}
          </span>
          {inviter && <span>{t('people.invitation.by', { who: nameOf(inviter) })}</span>}
        </span>
      </span>
      <span className={shapes.tools}>
        {!expired && (
          <IconButton
            label={t('people.invitation.show', { email })}
            aria-expanded={link !== null}
            busy={busy === 'link'}
            onClick={() => void showLink()}
          >
            <Link2 size={16} />
          </IconButton>
        )}
        <IconButton
          label={settings.mail ? t('people.invitation.again', { email }) : t('people.invitation.renew', { email })}
          busy={busy === 'again'}
          onClick={() => void sendAgain()}
        >
          <RotateCw size={16} />
        </IconButton>
        <IconButton
          label={t('people.invitation.revoke', { email })}
          onClick={() => void act(revokeInvitation, invitation.id)}
        >
          <X size={16} />
        </IconButton>
      </span>
      {link !== null && (
        <LinkField
          link={link}
          label={t('people.invitation.linkOf', { email })}
          copyLabel={t('people.invitation.copy', { email })}
        />
      )}
    </li>
  );
}
