// The people of a project: first those who look at it now, each with a ring in their colour, then the other members.

import type { CSSProperties } from 'react';
import { membersOf, usePresent, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar, hueOf } from '../../ui/avatar.tsx';
import styles from './project.module.css';

const most = 5;

export function People({ projectId }: { projectId: string }) {
  const members = useQuery(membersOf, projectId);
  const present = usePresent(projectId);
  const here = new Set(present.map(({ userId }) => userId));
  const shown = [...present, ...members.filter(({ userId }) => !here.has(userId))];
  // Nobody who is here hides behind a number, as long as there is room.
  const room = Math.max(most, Math.min(present.length, 2 * most));
  return (
    <div className={styles.projectPeople}>
      <p role="status" className="only-spoken">
        {present.length > 0 && t('projects.hereNow', { names: present.map(({ name }) => name).join(', ') })}
      </p>
      <span className={avatarStyles.avatars}>
        {shown.slice(0, room).map(({ userId, name, avatarUrl }) => (
          <span
            key={userId}
            className={here.has(userId) ? styles.here : styles.notHere}
            style={{ '--hue': hueOf(userId) } as CSSProperties}
            data-present={here.has(userId) || undefined}
            title={here.has(userId) ? t('projects.isHere', { name }) : undefined}
          >
            <Avatar name={name} url={avatarUrl} seed={userId} />
          </span>
        ))}
        {shown.length > room && <span className={`${styles.projectMore} numbers`}>+{shown.length - room}</span>}
      </span>
    </div>
  );
}
