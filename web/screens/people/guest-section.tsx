// Guests of a project, for owners: groups and people, which tasks they see, by which groups, and the way to remove them.

import { Info, Trash2, UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { removeGuest, sayRefusal, useAsk } from '../../commands.ts';
import { type GuestOfProject, guestGroupsOf, guestsOf, type Reader, useQuery } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import lines from '../../ui/lines.module.css';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showError, showMessage } from '../../ui/overlays/toaster.tsx';
import styles from './people.module.css';
import cardStyles from './person-card.module.css';

export function GuestSection({ projectId }: { projectId: string }) {
  const guests = useQuery(guestsOf, projectId);
  const groups = useQuery(guestGroupsOf, projectId);
  const { shown, list, more } = useFirstOnes(guests);
  if (guests.length + groups.length === 0) return null;
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.guests.title')}>
      <h2>{t('people.guests.title')}</h2>
      <ul className={`${shapes.stackS2} ${lines.rows}`} ref={list} tabIndex={-1}>
        {groups.map(({ groupId, name, people, taskIds }) => (
          <GuestLine
            key={groupId}
            projectId={projectId}
            face={
              <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
                <UsersRound size={16} />
              </span>
            }
            {...{ name, taskIds }}
            href={paths.group(groupId)}
            facts={people === null ? '' : t('groups.people', { n: people })}
          />
        ))}
        {shown.map((guest) => (
          <GuestLine
            key={guest.userId}
            projectId={projectId}
            face={<Avatar name={guest.name} url={guest.avatarUrl} seed={guest.userId} size={32} />}
            name={guest.name}
            taskIds={guest.taskIds}
            href={paths.person(guest.userId)}
            facts={guest.groups.length === 0 ? '' : t('people.guests.throughGroups', { groups: namesOf(guest) })}
          >
            <RemoveButton projectId={projectId} guest={guest} />
          </GuestLine>
        ))}
      </ul>
      {more}
    </section>
  );
}

const namesOf = ({ groups }: GuestOfProject): string => groups.map(({ name }) => name).join(', ');

const tasksNamed = {
  read: (store: Reader, ids: readonly string[]) =>
    ids
      .map((id) => store.get('tasks', id))
      .filter((task) => task !== undefined)
      .map((task) => ({
        id: task.id,
        address: addressOf(task),
        name: `${store.get('projects', task.project_id)?.key ?? ''}-${task.number ?? ''} ${task.title}`,
      })),
} as const;

interface GuestLineProps {
  readonly projectId: string;
  readonly face: ReactNode;
  readonly name: string;
  readonly href: string;
  readonly facts: string;
  readonly taskIds: readonly string[];
  readonly children?: ReactNode;
}

function GuestLine({ projectId, face, name, href, facts, taskIds, children }: GuestLineProps) {
  const tasks = useQuery(tasksNamed, taskIds);
  const [open, setOpen] = useState(false);
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      {face}
      <span className={`${shapes.breaks} ${lines.words}`}>
        <Link href={href} className={cardStyles.personLink}>
          {name}
        </Link>
        {facts !== '' && <span className={`${shapes.quietS} ${lines.facts}`}>{facts}</span>}
      </span>
      <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('people.guests.tasks', { n: taskIds.length })}
      </Button>
      {children}
      {open && (
        <ul className={`${shapes.stackS1} ${styles.guestTasks}`} aria-label={t('people.guests.tasksOf', { name })}>
          {tasks.map((task) => (
            <li key={task.id}>
              <Link href={paths.task(projectId, task.address)}>{task.name}</Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** Whom groups let in, only the groups take away. */
function RemoveButton({ projectId, guest }: Omit<RemoveGuestProps, 'onClose'>) {
  const [asking, setAsking] = useState(false);
  const { name, groups } = guest;
  if (groups.length > 0) {
    const hint = t('people.guests.removeGroupFirst', { name, groups: namesOf(guest) });
    return (
      <IconButton label={hint} onClick={() => showMessage(hint)}>
        <Info size={15} />
      </IconButton>
    );
  }
  return (
    <>
      <IconButton label={t('people.guests.removeOf', { name })} onClick={() => setAsking(true)}>
        <Trash2 size={15} />
      </IconButton>
      {asking && <RemoveGuest projectId={projectId} guest={guest} onClose={() => setAsking(false)} />}
    </>
  );
}

interface RemoveGuestProps {
  readonly projectId: string;
  readonly guest: GuestOfProject;
  readonly onClose: () => void;
}

function RemoveGuest({ projectId, guest, onClose }: RemoveGuestProps) {
  const ask = useAsk();
  const [busy, setBusy] = useState(false);
  const { name, userId } = guest;
  const title = t('people.guests.removeOf', { name });

  async function remove(): Promise<void> {
    setBusy(true);
    try {
      await ask(removeGuest, projectId, userId);
    } catch (reason) {
      showError(t('common.refused.title', { what: title }), sayRefusal(reason));
      onClose();
    }
  }

  return (
    <Confirm open onClose={onClose} title={title} description={t('people.guests.removeWords')}>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button look="danger" busy={busy} onClick={() => void remove()}>
        {t('people.guests.remove')}
      </Button>
    </Confirm>
  );
}
