// The arrow that is being drawn out of a bar.

import styles from './arrows.module.css';
import type { Drawing } from './use-link-drag.ts';

export function DrawnOut({ drawing }: { drawing: Drawing }) {
  const { from, to, refused } = drawing;
  return (
    <svg className={styles.arrows} aria-hidden="true" width="1" height="1" data-drawing>
      <path className={styles.drawing} d={`M${from.x} ${from.y}L${to.x} ${to.y}`} data-refused={refused || undefined} />
    </svg>
  );
}
