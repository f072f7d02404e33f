// Figures of all my projects, or of one picked here. The project's own tab shows the same without the choice.

import { FolderKanban } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { memberProjects, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import styles from './dashboard.module.css';
import { Figures } from './figures.tsx';

export default function Dashboard() {
  usePageTitle(t('projects.views.dashboard'));
  const [params, setParams] = useSearchParams();
  const projects = useQuery(memberProjects, useUserId());
  const project = projects.find((one) => one.id === params.get('project'));
  return (
    <div className={`${pageStyles.page} ${styles.figuresPage}`}>
      <header className={pageStyles.pageHead}>
        <ScreenTitle>{t('projects.views.dashboard')}</ScreenTitle>
        {projects.length > 1 && (
          <Menu
            label={t('property.project')}
            trigger={
              <Button icon={<FolderKanban size={15} />} className={styles.figuresPick}>
                {project?.name ?? t('common.nav.allProjects')}
              </Button>
            }
            items={[
              {
                id: 'all',
                label: t('common.nav.allProjects'),
                checked: project === undefined,
                onPick: () => setParams({}, { replace: true }),
              },
              ...projects.map((one) => ({
                id: one.id,
                label: one.name,
                checked: one.id === project?.id,
                onPick: () => setParams({ project: one.id }, { replace: true }),
              })),
            ]}
          />
        )}
      </header>
      <Figures projectId={project?.id ?? null} />
    </div>
  );
}
