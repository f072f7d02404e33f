// Line of somebody or something with access: a name and the role on one line, facts below.

import type { ReactNode } from 'react';
import type { Role } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './access.module.css';

interface AccessLineProps {
  readonly face?: ReactNode;
  readonly name: ReactNode;
  /** Null: a guest. */
  readonly role: Role | null;
  readonly children: ReactNode;
}

export function AccessLine({ face, name, role, children }: AccessLineProps) {
  return (
    <li className={`${shapes.lineS4} ${shapes.ruledAbove} ${shapes.lineS4} ${shapes.ruledAbove} ${styles.line}`}>
      {face}
      <div className={`${shapes.stackS1} ${shapes.fill}`}>
        <div className={`${shapes.lineS4} ${shapes.spread} ${shapes.lineS4} ${shapes.spread} ${styles.head}`}>
          <span className={shapes.breaks}>{name}</span>
          <span className={`${shapes.soft} ${shapes.rigid}`}>
            {role === null ? t('common.guest') : t(`common.roles.${role}`)}
          </span>
        </div>
        {children}
      </div>
    </li>
  );
}
