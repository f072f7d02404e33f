// Unreadable cells of a paste; a press goes to the cell.

import { X } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './paste-faults.module.css';
import type { CellFault } from './write-cells.ts';

export interface PasteFaultsProps {
  readonly faults: readonly CellFault[];
  /** Rows and columns of the clipboard for which there was no cell. */
  readonly missing: number;
  readonly onGo: (fault: CellFault) => void;
  readonly onClose: () => void;
}

/** More are only counted. */
const most = 20;

export function PasteFaults({ faults, missing, onGo, onClose }: PasteFaultsProps) {
  return (
    <section className={`${shapes.rolls} ${styles.faults}`} aria-label={t('table.faults.label')}>
      <div className={`${shapes.rowS4} ${shapes.spread} ${styles.head}`}>
        <p role="alert">
          {faults.length > 0 ? t('table.faults.some', { n: faults.length }) : t('table.faults.beyond')}
        </p>
        <IconButton label={t('common.close')} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <ul>
        {faults.slice(0, most).map((fault) => (
          <li key={`${fault.taskId} ${fault.column}`}>
            <Button look="quiet" className={styles.fault} onClick={() => onGo(fault)}>
              {fault.sentence}
            </Button>
          </li>
        ))}
      </ul>
      {faults.length > most && <p className={styles.more}>{t('common.andMore', { n: faults.length - most })}</p>}
      {faults.length > 0 && missing > 0 && <p className={styles.more}>{t('table.faults.beyond')}</p>}
    </section>
  );
}
