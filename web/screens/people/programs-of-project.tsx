// Connected apps of a project, below its people, for owners: fetched when they are opened.

import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Loading } from '../../ui/list-states.tsx';
import styles from './people.module.css';

const ProgramList = lazyComponent<{ projectId: string }>(() => import('./program-list.tsx'), ['keys', 'programs']);

export function ProgramsOfProject({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.programs.title')}>
      <h2>{t('people.programs.title')}</h2>
      <div className={shapes.stackS4}>
        <p className={shapes.quiet}>{t('people.programs.hint')}</p>
        <div>
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('people.programs.hide') : t('people.programs.show')}
          </Button>
        </div>
        {open && <ProgramList projectId={projectId} meanwhile={<Loading label={t('common.loading')} />} />}
      </div>
    </section>
  );
}
