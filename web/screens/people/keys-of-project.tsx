// The keys that reach a project, below its people, for owners: fetched when they are opened.

import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Loading } from '../../ui/list-states.tsx';
import styles from './people.module.css';

const KeyList = lazyComponent<{ projectId: string }>(() => import('./key-list.tsx'), ['keys']);

export function KeysOfProject({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.keys.title')}>
      <h2>{t('people.keys.title')}</h2>
      <div className={shapes.stackS4}>
        <p className={shapes.quiet}>{t('people.keys.hint')}</p>
        <div>
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('people.keys.hide') : t('people.keys.show')}
          </Button>
        </div>
        {open && <KeyList projectId={projectId} meanwhile={<Loading label={t('common.loading')} />} />}
      </div>
    </section>
  );
}
