// A project taken along: what everybody may who sees it.

import { useState } from 'react';
import type { ProjectRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import ExportDialog from '../exports/export-dialog.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

export function ExportSettings({ project }: { project: ProjectRow }) {
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t('exports.title')}>
      <div className={styles.settingsEnd}>
        <p>{t('exports.words')}</p>
        <Button onClick={() => setAsking(true)}>{t('exports.open')}</Button>
      </div>
      {asking && <ExportDialog project={project} onClose={() => setAsking(false)} />}
    </Section>
  );
}
