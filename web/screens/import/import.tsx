// Import screen: file, preview, progress. The step is in the address, so that a reload or another device continues there.

import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useAsked } from '../../queries/admin/admin.ts';
import { type ImportJob, readImport, readImports } from '../../queries/projects/imports.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import { ChooseFile } from './choose-file.tsx';
import styles from './import.module.css';
import { Preview } from './import-preview.tsx';
import { ImportProgress } from './import-progress.tsx';
import { sayImportRefusal } from './say-import-refusal.ts';

export default function Import() {
  usePageTitle(t('import.title'));
  const id = new URLSearchParams(useSearch()).get('id');
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.pageHead}>
        <ScreenTitle>{t('import.title')}</ScreenTitle>
      </header>
      {id === null ? <Begin /> : <One key={id} id={id} />}
    </div>
  );
}

function Begin() {
  const [, go] = useLocation();
  const known = useAsked('imports', readImports);
  const open = (id: string): void => go(`${paths.imports}?id=${id}`);
  return (
    <>
      <ChooseFile onUploaded={open} />
      {known.data !== null && known.data.length > 0 && (
        <section className={`${shapes.part} ${styles.part}`} aria-labelledby="imports-before">
          <h2 id="imports-before">{t('import.before')}</h2>
          <ul className={styles.rows}>
            {known.data.map((job) => (
              <li key={job.id}>
                <button type="button" className={`${shapes.rowS4} ${styles.row}`} onClick={() => open(job.id)}>
                  <span className={`${shapes.breaks} ${shapes.fill} ${styles.words}`}>
                    {job.fileName || job.product}
                  </span>
                  <span className={`${shapes.softS} ${styles.note}`}>{wordsOf(job)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const wordsOf = (job: ImportJob): string =>
  job.projectName === null
    ? t(`import.state.${job.state}`)
    : t('import.stateIn', { state: t(`import.state.${job.state}`), project: job.projectName });

function One({ id }: { id: string }) {
  const [, go] = useLocation();
  const [round, setRound] = useState(0);
  const asked = useAsked(`${id} ${round}`, (sync) => readImport(sync, id));
  if (asked.data === null)
    return asked.failed === null ? (
      <Loading label={t('common.loading')} />
    ) : (
      <>
        <Notice tone="danger">{sayImportRefusal(asked.failed)}</Notice>
        <Button className={styles.way} onClick={() => go(paths.imports)}>
          {t('import.again')}
        </Button>
      </>
    );
  return asked.data.state === 'ready' ? (
    <Preview job={asked.data} onBegun={() => setRound((old) => old + 1)} />
  ) : (
    <ImportProgress first={asked.data} />
  );
}
