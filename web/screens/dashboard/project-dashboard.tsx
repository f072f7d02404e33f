// The figures of one project, as a tab of it.

import pageStyles from '../../ui/page.module.css';
import type { ProjectViewProps } from '../project/view-props.ts';
import styles from './dashboard.module.css';
import { Figures } from './figures.tsx';

export default function ProjectDashboard({ project }: ProjectViewProps) {
  return (
    <div className={styles.figuresScroll}>
      <div className={`${pageStyles.page} ${styles.figuresPage}`}>
        <Figures projectId={project.id} />
      </div>
    </div>
  );
}
