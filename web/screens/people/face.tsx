// Face that links to its person's page and shows their card on hover.

import { Link } from 'wouter';
import { paths } from '../../routes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import styles from './face.module.css';
import { usePersonCards } from './use-person-cards.tsx';

interface FaceProps {
  readonly person: { readonly userId: string; readonly name: string; readonly avatarUrl: string | null };
  readonly projectId: string;
}

export function Face({ person: { userId, name, avatarUrl }, projectId }: FaceProps) {
  const { over, handlers } = usePersonCards(projectId);
  return (
    <>
      <Link href={paths.person(userId)} className={styles.face} data-face={userId} {...handlers}>
        <Avatar name={name} url={avatarUrl} seed={userId} />
      </Link>
      {over}
    </>
  );
}
