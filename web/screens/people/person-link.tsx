// A person, wherever their name or face stands: leads to their page, and shows who they are when one rests on it.

import { HoverCard } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { paths } from '../../routes.ts';
import styles from './person-card.module.css';
import { PersonCard } from './person-card.tsx';

const openDelay = 350;

interface PersonLinkProps {
  readonly userId: string;
  readonly name: string;
  readonly avatarUrl: string | null;
  /** Where they are met: what they are there stands on the card. */
  readonly projectId: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export default function PersonLink({ userId, name, avatarUrl, projectId, className = '', children }: PersonLinkProps) {
  const [open, setOpen] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  // It may have come under a pointer that rests there already, which says nothing more.
  useEffect(() => {
    const timer = setTimeout(() => link.current?.matches(':hover') && setOpen(true), openDelay);
    return () => clearTimeout(timer);
  }, []);
  return (
    <HoverCard.Root open={open} onOpenChange={setOpen} openDelay={openDelay} closeDelay={150}>
      <HoverCard.Trigger asChild>
        <Link
          ref={link}
          href={paths.person(userId)}
          className={`${styles.personLink} ${className}`}
          onClick={() => setOpen(false)}
        >
          {children}
        </Link>
      </HoverCard.Trigger>
      <HoverCard.Portal>
        <HoverCard.Content
          className={styles.card}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          data-person-card=""
        >
          <PersonCard userId={userId} name={name} avatarUrl={avatarUrl} projectId={projectId} />
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}
