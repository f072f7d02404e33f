// Who is in the project and as what; who is invited, by mail when mail works and by a link always.

import { Copy, Trash2, X } from 'lucide-react';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { inviteMember, removeMember, revokeInvitation, sayRefusal, setRole, useAct, useAsk } from '../../commands.ts';
import { localDay, sayDay } from '../../queries/days.ts';
import {
  invitationsOf,
  type Member,
  membersOf,
  type ProjectRow,
  type Role,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import fieldStyles from '../../ui/field.module.css';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/state.tsx';
import { showCopied } from '../../ui/toaster.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

const roles: readonly Role[] = ['owner', 'editor', 'viewer'];
const roleChoices = () => roles.map((role) => ({ value: role, label: t(`common.roles.${role}`) }));

export function MemberSettings({ project, owner }: { project: ProjectRow; owner: boolean }) {
  const members = useQuery(membersOf, project.id);
  const owners = members.filter((member) => member.role === 'owner').length;
  return (
    <Section title={t('settings.sections.members')}>
      <ul className={styles.settingsRows}>
        {members.map((member) => (
          <MemberLine
            key={member.userId}
            projectId={project.id}
            member={member}
            owner={owner}
            lastOwner={owners === 1}
          />
        ))}
      </ul>
      {owner && owners === 1 && members.length > 1 && (
        <p className={fieldStyles.fieldHint}>{t('settings.lastOwner')}</p>
      )}
      {owner && <Invitations project={project} />}
    </Section>
  );
}

function MemberLine({
  projectId,
  member,
  owner,
  lastOwner,
}: {
  projectId: string;
  member: Member;
  owner: boolean;
  lastOwner: boolean;
}) {
  const act = useAct();
  const userId = useUserId();
  const me = member.userId === userId;
  const fixed = member.role === 'owner' && lastOwner;
  return (
    <li className={`${styles.settingsRow} ${styles.settingsMember}`}>
      <Avatar name={member.name} url={member.avatarUrl} seed={member.userId} size={32} />
      <span className={styles.memberName}>
        {member.name}
        {me && <span className={styles.memberYou}> ({t('common.you').toLocaleLowerCase()})</span>}
      </span>
      {owner ? (
        <SelectField
          label={t('settings.role', { name: member.name })}
          bare
          value={member.role}
          disabled={fixed}
          title={fixed ? t('settings.lastOwner') : t(`common.roleMeaning.${member.role}`)}
          choices={roleChoices()}
          onPick={(role) => void act(setRole, projectId, member.userId, role)}
        />
      ) : (
        <span className={styles.memberRole}>{t(`common.roles.${member.role}`)}</span>
      )}
      {owner && !me && (
        <IconButton
          label={t('settings.removeMember', { name: member.name })}
          onClick={() => void act(removeMember, projectId, member.userId)}
        >
          <Trash2 size={15} />
        </IconButton>
      )}
    </li>
  );
}

function Invitations({ project }: { project: ProjectRow }) {
  const ask = useAsk();
  const act = useAct();
  const { settings } = useApp();
  const invitations = useQuery(invitationsOf, project.id);
  const [email, setEmail] = useState('');
  const [role, setRoleChoice] = useState<Role>('editor');
  const [fault, setFault] = useState<string | null>(null);
  const [made, setMade] = useState<{ email: string; link: string } | null>(null);
  const [busy, setBusy] = useState(false);

  async function invite(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return setFault(t('settings.inviteWrong'));
    setFault(null);
    setBusy(true);
    try {
      const { link } = await ask(inviteMember, project.id, email, role);
      setMade({ email: email.trim(), link });
      setEmail('');
    } catch (reason) {
      setFault(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <form className={styles.settingsInvite} onSubmit={(event) => void invite(event)} noValidate>
        <TextField
          label={t('settings.inviteEmail')}
          type="email"
          placeholder={t('signIn.emailPlaceholder')}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={fault}
        />
        <SelectField label={t('settings.inviteRole')} value={role} choices={roleChoices()} onPick={setRoleChoice} />
        <Button type="submit" look="main" busy={busy}>
          {t('settings.doInvite')}
        </Button>
      </form>
      {made && (
        <Notice tone="good">
          <p>
            <strong>{t('settings.invited', { email: made.email })}</strong>{' '}
            {settings.mail ? t('settings.invitedMail') : t('settings.invitedNoMail')}
          </p>
          <p>{t('settings.invitedLink')}</p>
          <div className={styles.inviteLink}>
            <input
              className={fieldStyles.input}
              readOnly
              aria-label={t('settings.copyInvitation')}
              value={made.link}
              onFocus={(event) => event.target.select()}
            />
            <IconButton
              label={t('settings.copyInvitation')}
              look="plain"
              onClick={() => void copyText(made.link).then(showCopied)}
            >
              <Copy size={15} />
            </IconButton>
          </div>
        </Notice>
      )}
      {invitations.length > 0 && (
        <>
          <h3 className={styles.settingsSub}>{t('settings.pending')}</h3>
          <ul className={styles.settingsRows}>
            {invitations.map((invitation) => (
              <li key={invitation.id} className={`${styles.settingsRow} ${styles.settingsMember}`}>
                <span className={styles.memberName}>{invitation.email}</span>
                <span className={styles.memberRole}>
                  {t(`common.roles.${invitation.role}`)},{' '}
                  {Date.parse(invitation.expires_at) < Date.now()
                    ? t('settings.expired')
                    : t('settings.expires', { date: sayDay(localDay(new Date(invitation.expires_at))) })}
                </span>
                <IconButton
                  label={t('settings.revoke', { email: invitation.email })}
                  onClick={() => void act(revokeInvitation, invitation.id)}
                >
                  <X size={15} />
                </IconButton>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
