// A project as something to begin with: made twice, kept as a template, and the templates its members share.

import { useState } from 'react';
import type { ProjectRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import DuplicateProjectDialog from '../templates/duplicate-project-dialog.tsx';
import SaveTemplateDialog from '../templates/save-template-dialog.tsx';
import { TemplateList } from '../templates/template-list.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

export function TemplateSettings({ project, canWrite }: { project: ProjectRow; canWrite: boolean }) {
  const [asking, setAsking] = useState<'copy' | 'save' | null>(null);
  const close = (): void => setAsking(null);
  return (
    <Section title={t('templates.title')}>
      <div className={`${shapes.rowS5} ${styles.settingsEnd}`}>
        <p>{t('templates.copyWords')}</p>
        <Button onClick={() => setAsking('copy')}>{t('projects.copy')}</Button>
      </div>
      <div className={`${shapes.rowS5} ${styles.settingsEnd}`}>
        <p>{t('templates.saveProjectWords')}</p>
        <Button onClick={() => setAsking('save')}>{t('task.saveAsTemplate')}</Button>
      </div>
      <p className={`${shapes.quietS} ${shapes.breaks}`}>{t('templates.oursHint')}</p>
      <TemplateList projectId={project.id} canWrite={canWrite} />
      {asking === 'copy' && <DuplicateProjectDialog project={project} onClose={close} />}
      {asking === 'save' && (
        <SaveTemplateDialog kind="project" of={project.id} projectId={project.id} name={project.name} onClose={close} />
      )}
    </Section>
  );
}
