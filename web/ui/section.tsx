// A part of a settings page: what it is about at the left, its controls at the right (below, where it is narrow).

import type { ReactNode } from 'react';
import { useId } from 'react';
import './section.css';

export function Section({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-about">
        <h2 id={id}>{title}</h2>
        {hint && <p className="section-hint">{hint}</p>}
      </div>
      <div className="section-body">{children}</div>
    </section>
  );
}
