// A mark at the edge of the days one sees, in a line whose bar lies before or after them; pressing it leads there.

import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { CSSProperties } from 'react';
import { t } from '../../strings/messages.ts';
import styles from './edge-mark.module.css';

export function EdgeMark({ colour, onPress }: { readonly colour: string; readonly onPress: () => void }) {
  return (
    <button
      type="button"
      className={styles.mark}
      style={{ '--hue': colour } as CSSProperties}
      tabIndex={-1}
      aria-label={t('timeline.toBar')}
      onClick={onPress}
      data-mark
    >
      <ChevronLeft size={14} aria-hidden="true" />
      <ChevronRight size={14} aria-hidden="true" />
    </button>
  );
}
