// A part of the settings: its name at the side, its controls beside it.

import type { ReactNode } from 'react';
import shapes from '../../styles/shapes.module.css';
import styles from './settings.module.css';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={`${shapes.grid} ${shapes.ruledAbove} ${styles.settingsSection}`} aria-label={title}>
      <h2>{title}</h2>
      <div className={`${shapes.stackS5} ${shapes.slim} ${shapes.oneColumn}`}>{children}</div>
    </section>
  );
}
