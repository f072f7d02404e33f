// A part of a settings page: what it is about at the left, its controls at the right (below, where it is narrow).

import type { ReactNode } from 'react';
import { useId } from 'react';
import shapes from '../styles/shapes.module.css';
import styles from './section.module.css';

export function Section({
  title,
  hint,
  wide = false,
  children,
}: {
  title: string;
  hint?: ReactNode;
  /** Its controls stand side by side. */
  wide?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={`${shapes.grid} ${styles.section}`} aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {hint && <p className={`${shapes.quietS} ${styles.sectionHint}`}>{hint}</p>}
      </div>
      <div className={`${shapes.stackS5} ${styles.sectionBody} ${wide ? styles.sectionWide : ''}`}>{children}</div>
    </section>
  );
}
