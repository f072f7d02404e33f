// Part below the people of a project, for its owners: a list that is fetched when it is opened.

import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { type LazyComponent, lazyComponent } from '../../ui/lazy-component.tsx';
import { Loading } from '../../ui/list-states.tsx';
import styles from './people.module.css';

type OfProject = { readonly projectId: string };

interface Part {
  readonly List: LazyComponent<OfProject>;
  readonly title: string;
  readonly hint: string;
  readonly show: string;
  readonly hide: string;
}

const KeyList = lazyComponent<OfProject>(() => import('./key-list.tsx'), ['keys']);
const ProgramList = lazyComponent<OfProject>(() => import('./program-list.tsx'), ['keys', 'programs']);
const AccessLog = lazyComponent<OfProject>(() => import('./access-log.tsx'));

const parts = {
  keys: (): Part => ({
    List: KeyList,
    title: t('people.keys.title'),
    hint: t('people.keys.hint'),
    show: t('people.keys.show'),
    hide: t('people.keys.hide'),
  }),
  programs: (): Part => ({
    List: ProgramList,
    title: t('people.programs.title'),
    hint: t('people.programs.hint'),
    show: t('people.programs.show'),
    hide: t('people.programs.hide'),
  }),
  access: (): Part => ({
    List: AccessLog,
    title: t('access.title'),
    hint: t('access.hint'),
    show: t('access.show'),
    hide: t('access.hide'),
  }),
};

export function CollapsibleList({ of, projectId }: { of: keyof typeof parts; projectId: string }) {
  const [open, setOpen] = useState(false);
  const { List, title, hint, show, hide } = parts[of]();
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={title}>
      <h2>{title}</h2>
      <div className={shapes.stackS4}>
        <p className={shapes.quiet}>{hint}</p>
        <div>
          <Button aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? hide : show}
          </Button>
        </div>
        {open && <List projectId={projectId} meanwhile={<Loading label={t('common.loading')} />} />}
      </div>
    </section>
  );
}
