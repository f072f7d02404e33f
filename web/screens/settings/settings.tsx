// A project's settings; what one's role would be refused is not shown.

import { useState } from 'react';
import { mayWrite, type ProjectRow, roleIn, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import ExportDialog from '../exports/export-dialog.tsx';
import type { ProjectViewProps } from '../project/view-props.ts';
import { ColumnSettings } from './column-settings.tsx';
import { FieldSettings } from './field-settings.tsx';
import { GeneralSettings } from './general-settings.tsx';
import { LabelSettings } from './label-settings.tsx';
import { LeaveAndDelete } from './leave-and-delete.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { TemplateSettings } from './template-settings.tsx';

const ServiceAccountSettings = lazyComponent(
  () => import('../service-accounts/service-account-settings.tsx'),
  ['agents', 'keys', 'people'],
);
const WebhookSettings = lazyComponent(() => import('../webhooks/webhook-settings.tsx'), ['webhooks']);

export default function Settings({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const role = useQuery(roleIn, project.id, userId);
  usePageTitle(`${t('projects.views.settings')} · ${project.name}`);
  const canWrite = mayWrite(role) && project.archived_at === null;
  if (loading) return <SettingsSkeleton />;
  return (
    <div className={`${shapes.scroll} ${shapes.unrolled} ${shapes.holder}`}>
      <div className={pageStyles.page}>
        {role === 'viewer' && <Notice>{t('projects.viewerNotice')}</Notice>}
        {role === 'owner' && <GeneralSettings project={project} />}
        {canWrite && <ColumnSettings projectId={project.id} />}
        {canWrite && <LabelSettings projectId={project.id} />}
        {canWrite && <FieldSettings projectId={project.id} />}
        <TemplateSettings project={project} canWrite={canWrite} />
        {role === 'owner' && <ServiceAccountSettings projectId={project.id} />}
        {role === 'owner' && <WebhookSettings projectId={project.id} />}
        <ExportSettings project={project} />
        <LeaveAndDelete project={project} owner={role === 'owner'} />
      </div>
    </div>
  );
}

function SettingsSkeleton() {
  return (
    <Loading whole label={t('common.loading')}>
      <div className={pageStyles.page}>
        {[3, 4, 3].map((lines, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
          <div className={`${shapes.grid} ${shapes.ruledAbove} ${styles.settingsSection}`} key={at}>
            <Skeleton width="5rem" height="1rem" />
            <div className={`${shapes.stackS3} ${styles.settingsRows}`}>
              {Array.from({ length: lines }, (_, line) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders that never move
                <Skeleton key={line} height="var(--control)" />
              ))}
            </div>
          </div>
        ))}
      </div>
    </Loading>
  );
}

/** A project taken along: what everybody may who sees it. */
function ExportSettings({ project }: { project: ProjectRow }) {
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t('exports.title')}>
      <div className={`${shapes.rowS5} ${styles.settingsEnd}`}>
        <p>{t('exports.words')}</p>
        <Button onClick={() => setAsking(true)}>{t('exports.open')}</Button>
      </div>
      {asking && <ExportDialog project={project} onClose={() => setAsking(false)} />}
    </Section>
  );
}
