// A project by its picture; without one by its key on its colour, or by its colour alone where there is no room for words.

import { type CSSProperties, useState } from 'react';
import type { ProjectRow } from '../queries.ts';
import styles from './project-picture.module.css';
import { ProjectBadge, ProjectDot } from './task-badges.tsx';

interface Props {
  readonly project: Pick<ProjectRow, 'avatar_url' | 'color' | 'key'>;
  readonly size?: 16 | 24 | 48;
}

export function ProjectPicture({ project: { avatar_url, color, key }, size = 24 }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  if (avatar_url !== null && avatar_url !== broken)
    return (
      <img
        src={avatar_url}
        alt=""
        className={styles.projectPicture}
        data-size={size}
        style={{ '--size': `${size / 16}rem` } as CSSProperties}
        onError={() => setBroken(avatar_url)}
      />
    );
  return size === 16 ? <ProjectDot color={color} /> : <ProjectBadge color={color}>{key}</ProjectBadge>;
}
