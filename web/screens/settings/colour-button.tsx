// Dot that opens the colours of a label or an option.

import marksStyles from '../../pieces/task-badges.module.css';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { SwatchField } from '../../ui/fields/swatch-field.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import styles from './settings.module.css';

interface Props {
  /** The label or option. */
  readonly name: string;
  readonly color: string | null;
  readonly onPick: (color: string) => void;
}

export function ColourButton({ name, color, onPick }: Props) {
  const label = t('common.colour');
  return (
    <Popover
      label={label}
      trigger={
        <button
          type="button"
          className={`${shapes.middle} ${shapes.press} ${styles.labelColor}`}
          aria-label={t('common.pair', { name: label, value: name })}
        >
          <span className={marksStyles.labelDot} style={{ background: color ?? 'var(--edge)' }} />
        </button>
      }
    >
      <div className={shapes.padS3}>
        <SwatchField label={label} value={color} onPick={onPick} />
      </div>
    </Popover>
  );
}
