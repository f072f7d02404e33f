// Guests of a project, for owners: who they are, which tasks they see, and the way to remove them.

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { removeGuest, sayRefusal, useAsk } from '../../commands.ts';
import { type GuestOfProject, guestsOf, type Reader, useQuery } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import lines from '../../ui/lines.module.css';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';
import styles from './people.module.css';
import cardStyles from './person-card.module.css';

export function GuestSection({ projectId }: { projectId: string }) {
  const guests = useQuery(guestsOf, projectId);
  if (guests.length === 0) return null;
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.guests.title')}>
      <h2>{t('people.guests.title')}</h2>
      <ul className={`${shapes.stackS2} ${lines.rows}`}>
        {guests.map((guest) => (
          <GuestLine key={guest.userId} projectId={projectId} guest={guest} />
        ))}
      </ul>
    </section>
  );
}

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

function GuestLine({ projectId, guest }: { projectId: string; guest: GuestOfProject }) {
  const { name, userId, taskIds } = guest;
  const tasks = useQuery(tasksNamed, taskIds);
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      <Avatar name={name} url={guest.avatarUrl} seed={userId} size={32} />
      <span className={`${shapes.breaks} ${lines.words}`}>
        <Link href={paths.person(userId)} className={cardStyles.personLink}>
          {name}
        </Link>
      </span>
      <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t('people.guests.tasks', { n: taskIds.length })}
      </Button>
      <IconButton label={t('people.guests.removeOf', { name })} onClick={() => setAsking(true)}>
        <Trash2 size={15} />
      </IconButton>
      {open && (
        <ul className={`${shapes.stackS1} ${styles.guestTasks}`} aria-label={t('people.guests.tasksOf', { name })}>
          {tasks.map((task) => (
            <li key={task.id}>
              <Link href={paths.task(projectId, task.address)}>{task.name}</Link>
            </li>
          ))}
        </ul>
      )}
      {asking && <RemoveGuest projectId={projectId} guest={guest} onClose={() => setAsking(false)} />}
    </li>
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
