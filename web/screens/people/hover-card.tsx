// Card of a person over their face or name.

import { Popover } from 'radix-ui';
import { nameOf, profileOf, useQuery } from '../../queries.ts';
import styles from './person-card.module.css';
import { PersonCard } from './person-card.tsx';

interface PersonOverProps {
  readonly face: HTMLElement;
  readonly userId: string;
  readonly projectId: string;
  readonly onEnter: () => void;
  readonly onLeave: () => void;
  readonly onClose: () => void;
}

const stay = (event: Event): void => event.preventDefault();

export default function HoverCard({ face, userId, projectId, onEnter, onLeave, onClose }: PersonOverProps) {
  const profile = useQuery(profileOf, userId);
  const name = nameOf(profile);
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={{ current: face }} />
      <Popover.Portal>
        <Popover.Content
          className={styles.card}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          aria-label={name}
          data-person-card=""
          onOpenAutoFocus={stay}
          onCloseAutoFocus={stay}
          onPointerEnter={onEnter}
          onPointerLeave={onLeave}
        >
          <PersonCard userId={userId} name={name} avatarUrl={profile?.avatar_url ?? null} projectId={projectId} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
