// The people of a project: first those who look at it now, each with a ring in their colour, then the other members, then the way to
// invite more.

import { UserPlus } from 'lucide-react';
import type { CSSProperties } from 'react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import { membersOf, type Person, usePresent, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar, hueOf } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { withPeopleTexts } from '../people/with-people-texts.ts';
import styles from './project.module.css';

/** What opens over a face comes when somebody points at the first. */
const PersonLink = lazy(() => withPeopleTexts(import('../people/person-link.tsx')));

const most = 5;

export function People({ projectId, onInvite }: { projectId: string; onInvite: (() => void) | null }) {
  const members = useQuery(membersOf, projectId);
  const present = usePresent(projectId);
  const here = new Set(present.map(({ userId }) => userId));
  const shown = [...present, ...members.filter(({ userId }) => !here.has(userId))];
  const [pointed, setPointed] = useState(false);
  // Nobody who is here hides behind a number, as long as there is room.
  const room = Math.max(most, Math.min(present.length, 2 * most));
  return (
    <div className={styles.projectPeople}>
      <p role="status" className="only-spoken">
        {present.length > 0 && t('projects.hereNow', { names: present.map(({ name }) => name).join(', ') })}
      </p>
      <span className={avatarStyles.avatars} onPointerEnter={() => setPointed(true)}>
        {shown.slice(0, room).map((person) => (
          <span
            key={person.userId}
            className={here.has(person.userId) ? styles.here : styles.notHere}
            style={{ '--hue': hueOf(person.userId) } as CSSProperties}
            data-present={here.has(person.userId) || undefined}
            title={here.has(person.userId) ? t('projects.isHere', { name: person.name }) : undefined}
          >
            <Face person={person} projectId={projectId} pointed={pointed} />
          </span>
        ))}
        {shown.length > room && (
          <Link href={paths.project(projectId, 'people')} className={`${styles.projectMore} numbers`}>
            +{shown.length - room}
          </Link>
        )}
      </span>
      {onInvite && (
        <IconButton label={t('projects.invite')} onClick={onInvite}>
          <UserPlus size={16} />
        </IconButton>
      )}
    </div>
  );
}

function Face({ person, projectId, pointed }: { person: Person; projectId: string; pointed: boolean }) {
  const { userId, name, avatarUrl } = person;
  const face = <Avatar name={name} url={avatarUrl} seed={userId} />;
  const plain = (
    <Link href={paths.person(userId)} className={styles.face}>
      {face}
    </Link>
  );
  if (!pointed) return plain;
  return (
    <Suspense fallback={plain}>
      <PersonLink userId={userId} name={name} avatarUrl={avatarUrl} projectId={projectId} className={styles.face}>
        {face}
      </PersonLink>
    </Suspense>
  );
}
