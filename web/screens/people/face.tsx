// Face that links to its person's page and shows their card on hover. The card's code is fetched at the first hover.

import { useState } from 'react';
import { Link } from 'wouter';
import { paths } from '../../routes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import styles from './face.module.css';

const PersonLink = lazyComponent(() => import('./person-link.tsx'), ['people']);

interface FaceProps {
  readonly person: { readonly userId: string; readonly name: string; readonly avatarUrl: string | null };
  readonly projectId: string;
}

export function Face({ person, projectId }: FaceProps) {
  const { userId, name, avatarUrl } = person;
  const [pointed, setPointed] = useState(false);
  const face = <Avatar name={name} url={avatarUrl} seed={userId} />;
  const plain = (
    <Link href={paths.person(userId)} className={styles.face} onPointerEnter={() => setPointed(true)}>
      {face}
    </Link>
  );
  if (!pointed) return plain;
  return (
    <PersonLink
      userId={userId}
      name={name}
      avatarUrl={avatarUrl}
      projectId={projectId}
      className={styles.face}
      meanwhile={plain}
    >
      {face}
    </PersonLink>
  );
}
