// The figures of one project, as a tab of it.

import type { ProjectViewProps } from '../project/view-props.ts';
import { Figures } from './figures.tsx';

export default function ProjectDashboard({ project }: ProjectViewProps) {
  return (
    <div className="figures-scroll">
      <div className="page figures-page">
        <Figures projectId={project.id} />
      </div>
    </div>
  );
}
