// People in the header of a project: those present first, each with a ring in their colour, then the other members, then the way to invite.

import { UserPlus } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Link } from 'wouter';
import { membersOf, usePresent, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import avatarStyles from '../../ui/avatar.module.css';
import { hueOf } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Face } from '../people/face.tsx';
import styles from './project.module.css';

const most = 5;

export function People({ projectId, onInvite }: { projectId: string; onInvite: (() => void) | null }) {
  const members = useQuery(membersOf, projectId);
  const present = usePresent(projectId);
  const here = new Set(present.map(({ userId }) => userId));
  const shown = [...present, ...members.filter(({ userId }) => !here.has(userId))];
  // Nobody who is here hides behind a number, as long as there is room.
  const room = Math.max(most, Math.min(present.length, 2 * most));
  return (
    <div className={`${shapes.row} ${shapes.rigid} ${styles.projectPeople}`}>
      <p role="status" className="only-spoken">
        {present.length > 0 && t('projects.hereNow', { names: present.map(({ name }) => name).join(', ') })}
      </p>
      <span className={avatarStyles.avatars}>
        {shown.slice(0, room).map((person) => (
          <span
            key={person.userId}
            className={here.has(person.userId) ? styles.here : styles.notHere}
            style={{ '--hue': hueOf(person.userId) } as CSSProperties}
            data-present={here.has(person.userId) || undefined}
            title={here.has(person.userId) ? t('projects.isHere', { name: person.name }) : undefined}
          >
            <Face person={person} projectId={projectId} />
          </span>
        ))}
        {shown.length > room && (
          <Link href={paths.project(projectId, 'people')} className={`${shapes.quietXs} ${styles.projectMore} numbers`}>
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
