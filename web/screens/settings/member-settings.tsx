// Who is in the project and as what; who is invited, by mail when mail works and by a link always.

import { Copy, Trash2, X } from 'lucide-react';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { inviteMember, removeMember, revokeInvitation, sayRefusal, setRole, useAct } from '../../commands.ts';
import { localDay, sayDay } from '../../queries/days.ts';
import { invitationsOf, type Member, membersOf, useQuery } from '../../queries.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ProjectRow, Role } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/state.tsx';
import { tellCopied } from '../../ui/toaster.tsx';
import { Section } from './section.tsx';

const say = words.settings;
const roles: readonly Role[] = ['owner', 'editor', 'viewer'];
const roleChoices = roles.map((role) => ({ value: role, label: words.common.roles[role] }));

export function MemberSettings({ project, owner }: { project: ProjectRow; owner: boolean }) {
  const members = useQuery(membersOf, project.id);
  const owners = members.filter((member) => member.role === 'owner').length;
  return (
    <Section title={say.sections.members}>
      <ul className="settings-rows">
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
      {owner && owners === 1 && members.length > 1 && <p className="field-hint">{say.lastOwner}</p>}
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
  const { userId } = useSync();
  const me = member.userId === userId;
  const fixed = member.role === 'owner' && lastOwner;
  return (
    <li className="settings-row settings-member">
      <Avatar name={member.name} url={member.avatarUrl} seed={member.userId} size={32} />
      <span className="member-name">
        {member.name}
        {me && <span className="member-you"> ({words.common.you.toLocaleLowerCase()})</span>}
      </span>
      {owner ? (
        <SelectField
          label={say.role(member.name)}
          bare
          value={member.role}
          disabled={fixed}
          title={fixed ? say.lastOwner : words.common.roleMeaning[member.role]}
          choices={roleChoices}
          onPick={(role) => void act(setRole, projectId, member.userId, role)}
        />
      ) : (
        <span className="member-role">{words.common.roles[member.role]}</span>
      )}
      {owner && !me && (
        <IconButton
          label={say.removeMember(member.name)}
          onClick={() => void act(removeMember, projectId, member.userId)}
        >
          <Trash2 size={15} />
        </IconButton>
      )}
    </li>
  );
}

function Invitations({ project }: { project: ProjectRow }) {
  const sync = useSync();
  const act = useAct();
  const { settings } = useHouse();
  const invitations = useQuery(invitationsOf, project.id);
  const [email, setEmail] = useState('');
  const [role, setRoleChoice] = useState<Role>('editor');
  const [fault, setFault] = useState<string | null>(null);
  const [made, setMade] = useState<{ email: string; link: string } | null>(null);
  const [busy, setBusy] = useState(false);

  async function invite(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) return setFault(say.inviteWrong);
    setFault(null);
    setBusy(true);
    try {
      const { link } = await inviteMember(sync, project.id, email, role);
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
      <form className="settings-invite" onSubmit={(event) => void invite(event)} noValidate>
        <TextField
          label={say.inviteEmail}
          type="email"
          placeholder={words.signIn.emailPlaceholder}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={fault}
        />
        <SelectField label={say.inviteRole} value={role} choices={roleChoices} onPick={setRoleChoice} />
        <Button type="submit" look="main" busy={busy}>
          {say.doInvite}
        </Button>
      </form>
      {made && (
        <Notice tone="good">
          <p>
            <strong>{say.invited(made.email)}</strong> {settings.mail && say.invitedMail}
          </p>
          <p>{say.invitedLink}</p>
          <div className="invite-link">
            <input
              className="input"
              readOnly
              aria-label={say.copyInvitation}
              value={made.link}
              onFocus={(event) => event.target.select()}
            />
            <IconButton
              label={say.copyInvitation}
              look="plain"
              onClick={() => void copyText(made.link).then(tellCopied)}
            >
              <Copy size={15} />
            </IconButton>
          </div>
        </Notice>
      )}
      {invitations.length > 0 && (
        <>
          <h3 className="settings-sub">{say.pending}</h3>
          <ul className="settings-rows">
            {invitations.map((invitation) => (
              <li key={invitation.id} className="settings-row settings-member">
                <span className="member-name">{invitation.email}</span>
                <span className="member-role">
                  {words.common.roles[invitation.role]},{' '}
                  {Date.parse(invitation.expires_at) < Date.now()
                    ? say.expired
                    : say.expires(sayDay(localDay(new Date(invitation.expires_at))))}
                </span>
                <IconButton
                  label={say.revoke(invitation.email)}
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
