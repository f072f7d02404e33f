// Look of a checkbox: a tick.

import { t } from '../../strings/messages.ts';
import type { EditorProps, Look, ValueProps } from './look.ts';
import styles from './properties.module.css';

const Yes = () => <span>{t('views.flags.yes')}</span>;

const Tick = ({ value }: ValueProps<boolean>) => (
  <span className={styles.tick} data-on={value || undefined}>
    <span className="only-spoken">{t(value ? 'table.ticked' : 'table.unticked')}</span>
  </span>
);

const Box = ({ value, canWrite, label, id, onChange }: EditorProps<boolean>) => (
  <span className={styles.propValue}>
    <input
      id={id}
      type="checkbox"
      aria-label={label}
      checked={value === true}
      disabled={!canWrite}
      onChange={(event) => void onChange(event.target.checked)}
    />
  </span>
);

export const flag: Look<boolean> = { Card: Yes, Cell: Tick, Editor: Box };
