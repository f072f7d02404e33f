// The access log at the end of a project's people, for owners: fetched when it is opened.

import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Loading } from '../../ui/list-states.tsx';
import styles from './people.module.css';

const AccessLog = lazyComponent<{ projectId: string | null }>(() => import('./access-log.tsx'));

export function AccessSection({ projectId }: { projectId: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('access.title')}>
      <h2>{t('access.title')}</h2>
      <div className={shapes.stackS4}>
        <p className={shapes.quiet}>{t('access.hint')}</p>
        <div>
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? t('access.hide') : t('access.show')}
          </Button>
        </div>
        {open && <AccessLog projectId={projectId} meanwhile={<Loading label={t('common.loading')} />} />}
      </div>
    </section>
  );
}
