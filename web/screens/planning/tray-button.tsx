// Opens the tray of tasks without a day, and says how many are in it.

import { CalendarClock } from 'lucide-react';
import { sayNumber, t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import styles from './tray.module.css';

interface TrayButtonProps {
  readonly undated: number;
  readonly open: boolean;
  readonly onTurn: () => void;
}

export function TrayButton({ undated, open, onTurn }: TrayButtonProps) {
  return (
    <Button
      look="quiet"
      className={styles.trayButton}
      icon={<CalendarClock size={15} />}
      aria-pressed={open}
      onClick={onTurn}
    >
      {t('planning.trayButton', { count: sayNumber(undated) })}
    </Button>
  );
}
