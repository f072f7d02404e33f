// Icon of a task that is shared with guests, and their names, where these are known.

import { Share2 } from 'lucide-react';
import { t } from '../strings/messages.ts';
import styles from './task-badges.module.css';

export function SharedMark({ names }: { names: string }) {
  const said = t('task.sharedWith', { known: names === '' ? 'no' : 'yes', names });
  return (
    <span className={styles.fact} title={said} data-shared>
      <Share2 size={13} aria-hidden="true" />
      <span className="only-spoken">{said}</span>
    </span>
  );
}
