// Guests of a project, for owners: groups and people, with the tasks they see, by which groups, and what they may there; and the ways to end it, of one
// task or of all.

import { Info, Trash2, UsersRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { removeGuest, sayRefusal, shareTask, shareTaskWithGroup, useAct, useAsk } from '../../commands.ts';
import {
  type GroupOfGuests,
  type GuestOfProject,
  groupsOn,
  guestGroupsOf,
  guestsOf,
  guestsOn,
  type Reader,
  useQuery,
} from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import lines from '../../ui/lines.module.css';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showError, showMessage } from '../../ui/overlays/toaster.tsx';
import { levelChoices } from './guest-levels.ts';
import styles from './people.module.css';
import cardStyles from './person-card.module.css';
import { SeerLine, SeerWords } from './seer-line.tsx';

interface GuestSectionProps {
  readonly projectId: string;
  /** Not a part of a page. */
  readonly inDialog?: boolean;
  /** So many before the others are asked for. */
  readonly most?: number;
}

export function GuestSection({ projectId, inDialog = false, most }: GuestSectionProps) {
  const guests = useQuery(guestsOf, projectId);
  const groups = useQuery(guestGroupsOf, projectId);
  const { shown, list, more } = useFirstOnes(guests, most);
  if (guests.length + groups.length === 0) return null;
  const Title = inDialog ? 'h3' : 'h2';
  return (
    <section
      className={inDialog ? shapes.stackS3 : `${shapes.part} ${styles.part}`}
      aria-label={t('people.guests.title')}
    >
      <Title>{t('people.guests.title')}</Title>
      <ul className={`${shapes.stackS2} ${shapes.oneColumn}`} ref={list} tabIndex={-1}>
        {groups.map(({ groupId, name, people, taskIds }) => (
          <GuestLine
            key={groupId}
            projectId={projectId}
            face={
              <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
                <UsersRound size={16} />
              </span>
            }
            guest={{ groupId, name, taskIds }}
            href={paths.group(groupId)}
            facts={people === null ? '' : t('groups.people', { n: people })}
          >
            <RemoveButton projectId={projectId} id={groupId} name={name} />
          </GuestLine>
        ))}
        {shown.map((guest) => (
          <GuestLine
            key={guest.userId}
            projectId={projectId}
            face={<Avatar name={guest.name} url={guest.avatarUrl} seed={guest.userId} size={32} />}
            guest={guest}
            href={paths.person(guest.userId)}
            facts={guest.groups.length === 0 ? '' : t('people.guests.throughGroups', { groups: namesOf(guest) })}
          >
            {guest.groups.length === 0 ? (
              <RemoveButton projectId={projectId} id={guest.userId} name={guest.name} />
            ) : (
              <GroupFirst guest={guest} />
            )}
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

type AnyGuest = GuestOfProject | Pick<GroupOfGuests, 'groupId' | 'name' | 'taskIds'>;

interface GuestLineProps {
  readonly projectId: string;
  readonly face: ReactNode;
  readonly guest: AnyGuest;
  readonly href: string;
  readonly facts: string;
  readonly children: ReactNode;
}

function GuestLine({ projectId, face, guest, href, facts, children }: GuestLineProps) {
  const { name, taskIds } = guest;
  const tasks = useQuery(tasksNamed, taskIds);
  const [open, setOpen] = useState(false);
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      {face}
      <span className={`${shapes.breaks} ${lines.words} ${styles.guest}`}>
        <Link href={href} className={cardStyles.personLink}>
          {name}
        </Link>
        {facts !== '' && <span className={`${shapes.quietS} ${lines.facts}`}>{facts}</span>}
      </span>
      <span className={shapes.tools}>
        <Button look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('people.guests.tasks', { n: taskIds.length })}
        </Button>
        {children}
      </span>
      {open && (
        <ul className={`${shapes.stackS1} ${styles.guestTasks}`} aria-label={t('people.guests.tasksOf', { name })}>
          {tasks.map((task) => (
            <GuestTask
              key={task.id}
              guest={guest}
              taskId={task.id}
              name={task.name}
              href={paths.task(projectId, task.address)}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface GuestTaskProps {
  readonly guest: AnyGuest;
  readonly taskId: string;
  readonly name: string;
  readonly href: string;
}

/** One task of a guest: what they may there, unless it is by a group alone. */
function GuestTask({ guest, taskId, name, href }: GuestTaskProps) {
  const act = useAct();
  const guests = useQuery(guestsOn, taskId);
  const groups = useQuery(groupsOn, taskId);
  const grant =
    'userId' in guest
      ? guests.find(({ userId }) => userId === guest.userId)
      : groups.find(({ groupId }) => groupId === guest.groupId);
  if (grant === undefined)
    return (
      <li className={`${shapes.row} ${lines.line}`}>
        <SeerWords
          name={name}
          href={href}
          facts={'userId' in guest ? [t('people.guests.throughGroups', { groups: namesOf(guest) })] : []}
        />
      </li>
    );
  const through = 'userId' in guest ? t('people.guests.through') : t('people.guests.throughParent');
  return (
    <SeerLine
      face={null}
      name={name}
      href={href}
      label={t('people.guests.levelOn', { name: guest.name, task: name })}
      facts={grant.isNamed ? [] : [through]}
      value={grant.level}
      choices={levelChoices()}
      fixed={!grant.isNamed}
      onPick={(picked) =>
        void ('userId' in guest
          ? act(shareTask, taskId, guest.userId, picked)
          : act(shareTaskWithGroup, taskId, guest.groupId, picked))
      }
    />
  );
}

/** Whom groups let in, only the groups take away. */
function GroupFirst({ guest }: { guest: GuestOfProject }) {
  const hint = t('people.guests.removeGroupFirst', { name: guest.name, groups: namesOf(guest) });
  return (
    <IconButton label={hint} onClick={() => showMessage(hint)}>
      <Info size={15} />
    </IconButton>
  );
}

interface RemoveProps {
  readonly projectId: string;
  /** Of a person or a group. */
  readonly id: string;
  readonly name: string;
}

function RemoveButton(props: RemoveProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <IconButton label={t('people.guests.removeOf', { name: props.name })} onClick={() => setAsking(true)}>
        <Trash2 size={15} />
      </IconButton>
      {asking && <RemoveGuest {...props} onClose={() => setAsking(false)} />}
    </>
  );
}

function RemoveGuest({ projectId, id, name, onClose }: RemoveProps & { readonly onClose: () => void }) {
  const ask = useAsk();
  const [busy, setBusy] = useState(false);
  const title = t('people.guests.removeOf', { name });

  async function remove(): Promise<void> {
    setBusy(true);
    try {
      await ask(removeGuest, projectId, id);
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
