// Outlines of projects: searched, narrowed, a page at a time; one opens in a dialog.

import { useDeferredValue, useState } from 'react';
import { saySize } from '../../files/say-size.ts';
import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { useAsked } from '../../queries/desk/desk.ts';
import { type DeskProject, readDeskProjects } from '../../queries/desk/desk-projects.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Loading, Notice } from '../../ui/state.tsx';
import styles from './admin.module.css';
import { ProjectDialog } from './project-dialog.tsx';
import { sayDeskRefusal } from './say-desk-refusal.ts';

const kinds = ['all', 'open', 'archived', 'ownerless', 'deleted'] as const;
const pageSize = 50;

export function Projects() {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState<(typeof kinds)[number]>('all');
  const [skip, setSkip] = useState(0);
  const [open, setOpen] = useState<DeskProject | null>(null);
  const asked = useDeferredValue(words.trim());
  const { data, failed, again } = useAsked(`${asked} ${kind} ${skip}`, (sync) =>
    readDeskProjects(sync, asked, kind, skip),
  );
  const last = data ? Math.min(skip + pageSize, data.total) : 0;
  return (
    <>
      <div className={styles.narrow}>
        <TextField
          label={t('desk.project.search')}
          bare
          type="search"
          placeholder={t('desk.project.search')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setSkip(0);
          }}
        />
        <SelectField
          label={t('desk.project.which')}
          bare
          value={kind}
          choices={kinds.map((value) => ({ value, label: t(`desk.project.kind.${value}`) }))}
          onPick={(picked) => {
            setKind(picked);
            setSkip(0);
          }}
        />
      </div>
      {failed && (
        <Notice tone="warn">
          {sayDeskRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data === null && !failed && <Loading label={t('common.loading')} />}
      {data?.total === 0 && <p>{t('common.nothingFound')}</p>}
      {data && data.total > 0 && (
        <ul className={styles.rows} aria-label={t('desk.part.projects')}>
          {data.projects.map((project) => (
            <li key={project.id}>
              <button type="button" className={styles.row} onClick={() => setOpen(project)}>
                <span className={styles.words}>
                  <span className={styles.name}>
                    {t('desk.project.line', { name: project.name, key: project.key })}
                  </span>
                  <span className={styles.note}>{sayOutline(project)}</span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {data && data.total > pageSize && (
        <div className={styles.pages}>
          <Button disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - pageSize))}>
            {t('desk.newer')}
          </Button>
          <span className="numbers">{t('desk.shown', { from: skip + 1, to: last, total: data.total })}</span>
          <Button disabled={last >= data.total} onClick={() => setSkip(skip + pageSize)}>
            {t('desk.older')}
          </Button>
        </div>
      )}
      {open && <ProjectDialog project={open} onClose={() => setOpen(null)} onChange={again} />}
    </>
  );
}

function sayOutline({
  owners,
  tasks,
  members,
  bytes,
  last_active_at: active,
  archived_at: archived,
  kept_until: keptUntil,
}: DeskProject): string {
  return [
    owners.map(({ name, email }) => name.trim() || email).join(', ') || t('desk.project.noOwner'),
    t('desk.project.tasks', { n: tasks }),
    t('desk.project.members', { n: members }),
    saySize(bytes),
    ...(active === null ? [] : [t('desk.project.active', { when: sayAgo(active) })]),
    ...(archived === null ? [] : [t('desk.project.archived')]),
    ...(keptUntil === null ? [] : [t('desk.project.deleted', { day: sayDay(localDay(new Date(keptUntil))) })]),
  ].join(' · ');
}
