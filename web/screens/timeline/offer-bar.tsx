// After a task was moved: what waits for it may move by as much, or stay.

import { X } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './timeline-head.module.css';
import type { Offer } from './use-planning.ts';

export function OfferBar({ offer, onAnswer }: { offer: Offer; onAnswer: (yes: boolean) => void }) {
  return (
    <div className={styles.offer} role="status" data-offer>
      <span>{t('timeline.waitFor', { key: offer.key, n: offer.taskIds.length })}</span>
      <Button onClick={() => onAnswer(true)}>{t('timeline.moveThem')}</Button>
      <IconButton label={t('timeline.leaveThem')} onClick={() => onAnswer(false)}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
