// Figures of all my projects, or of one picked here. The project's own tab shows the same without the choice.

import { FolderKanban } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { openProjects, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Figures } from './figures.tsx';

const say = words.dashboard;

export default function Dashboard() {
  usePageTitle(say.title);
  const [params, setParams] = useSearchParams();
  const projects = useQuery(openProjects);
  const project = projects.find((one) => one.id === params.get('project'));
  return (
    <div className="page figures-page">
      <header className="page-head">
        <h1>{say.title}</h1>
        {projects.length > 1 && (
          <Menu
            label={say.scope}
            trigger={
              <Button icon={<FolderKanban size={15} />} className="figures-pick">
                {project?.name ?? say.allProjects}
              </Button>
            }
            items={[
              {
                id: 'all',
                label: say.allProjects,
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
