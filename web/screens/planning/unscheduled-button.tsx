// Opens the unscheduled of tasks without a day, and says how many are in it.

import { CalendarClock } from 'lucide-react';
import { sayNumber, t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import styles from './unscheduled.module.css';

interface UnscheduledButtonProps {
  readonly undated: number;
  readonly open: boolean;
  readonly onTurn: () => void;
}

export function UnscheduledButton({ undated, open, onTurn }: UnscheduledButtonProps) {
  return (
    <Button
      look="quiet"
      className={styles.unscheduledButton}
      shrinks
      icon={
        <>
          <CalendarClock size={15} />
          <span className={`${styles.unscheduledCount} numbers`} aria-hidden="true">
            {sayNumber(undated)}
          </span>
        </>
      }
      aria-pressed={open}
      onClick={onTurn}
    >
      {t('planning.unscheduledButton', { count: sayNumber(undated) })}
    </Button>
  );
}
