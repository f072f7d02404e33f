// Row of a list of what one owns or let in: a picture, a name with facts below it, and what can be done with it.

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import shapes from '../styles/shapes.module.css';
import styles from './fact-row.module.css';

interface FactRowProps {
  readonly as?: 'li' | 'div';
  readonly icon?: LucideIcon;
  readonly good?: boolean;
  readonly name: ReactNode;
  /** Each on a line of its own; the id names all of them. */
  readonly facts?: readonly ReactNode[];
  readonly factsId?: string;
  /** A sentence in place of a name. */
  readonly words?: boolean;
  readonly children?: ReactNode;
}

export function FactRow({
  as: Kind = 'li',
  icon: Icon,
  good,
  name,
  facts = [],
  factsId,
  words,
  children,
}: FactRowProps) {
  return (
    <Kind className={`${shapes.rowS4} ${styles.row}`}>
      {Icon && <Icon size={18} aria-hidden="true" data-good={good} />}
      <div className={`${shapes.breaks} ${words ? shapes.soft : shapes.medium} ${styles.about}`}>
        {name}
        {facts.length > 0 && (
          <div id={factsId}>
            {facts.map((fact, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same facts in the same order
              <p key={at} className={`${shapes.quietS} ${shapes.plain}`}>
                {typeof fact === 'string' ? fact.replaceAll(' · ', '\u00a0· ') : fact}
              </p>
            ))}
          </div>
        )}
      </div>
      {children && <span className={`${shapes.wrapS2} ${shapes.rigid} ${shapes.within}`}>{children}</span>}
    </Kind>
  );
}
