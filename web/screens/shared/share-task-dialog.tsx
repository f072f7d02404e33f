// Sharing of a task: people and groups outside the project by name or address, whom it is shared with and what they may, and its public links. Of a
// restricted task members are named here, too.

import { Lock, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { inviteGuests, nameForTask, shareTask, shareTaskWithGroup, useAct, useAsk } from '../../commands.ts';
import { audienceOf } from '../../queries/tasks/audience.ts';
import {
  type GrantLevel,
  groupsOn,
  guestsOn,
  invitationsTo,
  membersNamedFor,
  membersOf,
  projectOf,
  rightsOn,
  type TaskRow,
  taskNamed,
  useGroupsOfProject,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { levelChoices } from '../people/guest-levels.ts';
import { InvitationLine } from '../people/invitation-list.tsx';
import { SeerLine, SeerWords } from '../people/seer-line.tsx';
import { useInviting } from '../people/use-inviting.tsx';
import styles from './share-dialog.module.css';
import { LinkFold } from './share-dialog.tsx';

export default function ShareTaskDialog({ task, onClose }: { task: TaskRow; onClose: () => void }) {
  const { writes } = useQuery(rightsOn, task.id, useUserId());
  const above = audienceOf(task);
  const parent = useQuery(taskNamed, above ?? '');
  useGroupsOfProject(task.project_id);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('people.guests.share', { name: task.title })}
      description={t(above === null ? 'people.guests.hint' : 'people.guests.restrictedHint')}
    >
      <div className={shapes.stackS5}>
        {above !== null && above !== task.id ? (
          <Notice>{t('people.guests.above', { task: parent ?? '' })}</Notice>
        ) : (
          writes && <ShareForm task={task} />
        )}
        <SharedWith task={task} />
        <LinkFold hint={t('shared.links.task')} projectId={task.project_id} taskId={task.id} name={task.title} />
      </div>
    </Dialog>
  );
}

function ShareForm({ task }: { task: TaskRow }) {
  const act = useAct();
  const ask = useAsk();
  const projectId = task.project_id;
  const guests = useQuery(guestsOn, task.id);
  const groups = useQuery(groupsOn, task.id);
  const members = useQuery(membersNamedFor, task.id);
  const [level, setLevel] = useState<GrantLevel>('comment');
  const { submit, head, busy, n } = useInviting({
    projectId,
    withMembers: audienceOf(task) === task.id,
    taken: [...[...guests, ...members].map(({ userId }) => userId), ...groups.map(({ groupId }) => groupId)],
    add(chosen) {
      for (const { kind, id } of chosen)
        void act(kind === 'group' ? shareTaskWithGroup : shareTask, task.id, id, level);
    },
    invite: (emails) => ask(inviteGuests, { projectId, taskId: task.id }, emails, level),
  });
  return (
    <form className={shapes.stackS4} onSubmit={submit} noValidate>
      {head}
      <div className={`${shapes.rowS3} ${styles.shareLine}`}>
        <SelectField label={t('people.guests.level')} value={level} choices={levelChoices()} onPick={setLevel} />
        <Button look="main" type="submit" busy={busy}>
          {t('people.guests.send', { n })}
        </Button>
      </div>
    </form>
  );
}

function SharedWith({ task }: { task: TaskRow }) {
  const act = useAct();
  const guests = useQuery(guestsOn, task.id);
  const groups = useQuery(groupsOn, task.id);
  const members = useQuery(membersNamedFor, task.id);
  const invitations = useQuery(invitationsTo, task.project_id, task.id);
  return (
    <section className={shapes.stackS3} aria-label={t('common.canSee')}>
      <h3>{t('common.canSee')}</h3>
      <ul className={`${shapes.stackS2} ${shapes.oneColumn}`}>
        <ProjectLine task={task} />
        {members.map(({ userId, name, avatarUrl, role, isNamed }) => (
          <SeerLine
            key={userId}
            face={<Avatar name={name} url={avatarUrl} seed={userId} size={32} />}
            name={name}
            href={paths.person(userId)}
            facts={isNamed ? [] : [t('people.guests.assigned')]}
            value={role}
            choices={[{ value: role, label: t(`common.roles.${role}`) }]}
            fixed={!isNamed}
            onPick={() => void act(nameForTask, task.id, userId, false)}
          />
        ))}
        {groups.map(({ groupId, name, people, level, isNamed }) => (
          <SeerLine
            key={groupId}
            face={
              <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
                <UsersRound size={16} />
              </span>
            }
            name={name}
            href={paths.group(groupId)}
            facts={[
              ...(people === null ? [] : [t('groups.people', { n: people })]),
              ...(isNamed ? [] : [t('people.guests.throughParent')]),
            ]}
            value={level}
            choices={levelChoices()}
            fixed={!isNamed}
            onPick={(picked) => void act(shareTaskWithGroup, task.id, groupId, picked)}
          />
        ))}
        {guests.map(({ userId, name, avatarUrl, level, isNamed }) => (
          <SeerLine
            key={userId}
            face={<Avatar name={name} url={avatarUrl} seed={userId} size={32} />}
            name={name}
            href={paths.person(userId)}
            facts={isNamed ? [] : [t('people.guests.through')]}
            value={level}
            choices={levelChoices()}
            fixed={!isNamed}
            onPick={(picked) => void act(shareTask, task.id, userId, picked)}
          />
        ))}
        {invitations.map((invitation) => (
          <InvitationLine key={invitation.id} invitation={invitation} short />
        ))}
      </ul>
    </section>
  );
}

/** Members of the project: all of them, or owners alone. */
function ProjectLine({ task }: { task: TaskRow }) {
  const members = useQuery(membersOf, task.project_id);
  const project = useQuery(projectOf, task.project_id)?.name ?? '';
  const restricted = audienceOf(task) !== null;
  const owners = members.filter(({ role }) => role === 'owner').map(({ name }) => name);
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
        {restricted ? <Lock size={16} /> : <UsersRound size={16} />}
      </span>
      <SeerWords
        name={t('people.guests.fromProject', { of: restricted ? 'owners' : 'all', project })}
        facts={[restricted ? owners.join(', ') : t('common.members', { n: members.length })]}
      />
      <span className={shapes.quiet}>{t('people.guests.byRole')}</span>
    </li>
  );
}
