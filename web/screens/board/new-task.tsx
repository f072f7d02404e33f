// A new task from anywhere, on a phone, or from what another app shares: its project and column, then the quick line of the board.

import { ChevronDown, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { KindMark } from '../../pieces/task-badges.tsx';
import { columnsOf, type ProjectRow, useQuery, useScope } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import styles from './new-task.module.css';
import { columnForNew, useNewTaskProjects } from './new-task-place.ts';
import { QuickAdd } from './quick-add.tsx';

/** The column of the board in the middle of the screen. */
function columnInView(): string {
  const at = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest<HTMLElement>('[data-column]');
  return at?.dataset.column ?? '';
}

interface SharedTask {
  readonly title: string;
  readonly description: string;
  /** Names of what will be attached. */
  readonly files: readonly string[];
}

interface NewTaskProps {
  /** What it begins with. */
  readonly shared?: SharedTask;
  readonly onClose: (added: AddedTask | null) => void;
}

interface AddedTask {
  readonly projectId: string;
  readonly taskId: string;
}

export default function NewTask({ shared, onClose }: NewTaskProps) {
  const { projects, likely } = useNewTaskProjects();
  const [chosen, setChosen] = useState(likely);
  const [visibleColumn] = useState(columnInView);
  const project = projects.find((one) => one.id === chosen) ?? projects[0];
  return (
    <Dialog open onClose={() => onClose(null)} title={t('common.newTask')}>
      {project ? (
        <InProject
          key={project.id}
          project={project}
          projects={projects}
          visibleColumn={visibleColumn}
          shared={shared}
          onChoose={setChosen}
          onClose={onClose}
        />
      ) : (
        <p>{t('common.bar.noProject')}</p>
      )}
    </Dialog>
  );
}

interface InProjectProps {
  readonly project: ProjectRow;
  readonly projects: readonly ProjectRow[];
  readonly visibleColumn: string;
  readonly shared: NewTaskProps['shared'];
  readonly onChoose: (projectId: string) => void;
  readonly onClose: NewTaskProps['onClose'];
}

function InProject({ project, projects, visibleColumn, shared, onChoose, onClose }: InProjectProps) {
  useScope({ kind: 'project', projectId: project.id });
  const columns = useQuery(columnsOf, project.id);
  const [chosen, setChosen] = useState(visibleColumn);
  const column = columns.find((one) => one.id === chosen) ?? columnForNew(columns);
  return (
    <div className={`${shapes.stackS3} ${styles.newTask}`}>
      <div className={`${shapes.wrapS3} ${styles.where}`}>
        <Menu
          label={t('common.bar.project', { name: project.name })}
          align="start"
          trigger={
            <button
              type="button"
              className={`${shapes.inlineS3} ${shapes.slim} ${shapes.within} ${shapes.control} ${styles.choice}`}
              aria-label={t('common.bar.project', { name: project.name })}
            >
              <ProjectPicture project={project} size={16} />
              <span className={shapes.words}>{project.name}</span>
              <ChevronDown size={14} aria-hidden="true" />
            </button>
          }
          items={projects.map((one) => ({
            id: one.id,
            label: one.name,
            icon: <ProjectPicture project={one} size={16} />,
            checked: one.id === project.id,
            onPick: () => onChoose(one.id),
          }))}
        />
        {column && (
          <Menu
            label={t('common.bar.column', { name: column.name })}
            align="start"
            trigger={
              <button
                type="button"
                className={`${shapes.inlineS3} ${shapes.slim} ${shapes.within} ${shapes.control} ${styles.choice}`}
                aria-label={t('common.bar.column', { name: column.name })}
              >
                <KindMark kind={column.kind} color={column.color} />
                <span className={shapes.words}>{column.name}</span>
                <ChevronDown size={14} aria-hidden="true" />
              </button>
            }
            items={columns.map((one) => ({
              id: one.id,
              label: one.name,
              icon: <KindMark kind={one.kind} color={one.color} />,
              checked: one.id === column.id,
              onPick: () => setChosen(one.id),
            }))}
          />
        )}
      </div>
      {shared?.description && (
        <p className={`${shapes.softS} ${shapes.clamp} ${shapes.breaks} ${styles.shared}`}>{shared.description}</p>
      )}
      {shared && shared.files.length > 0 && (
        <p className={`${shapes.inlineS2} ${shapes.softS}`}>
          <Paperclip size={14} className={shapes.rigid} aria-hidden="true" />
          <span className="only-spoken">{t('files.shared')}</span>
          <span className={shapes.words}>{shared.files.join(', ')}</span>
        </p>
      )}
      {column && (
        <QuickAdd
          alone
          column={column}
          place="end"
          given={shared?.title}
          beginning={shared?.description ? { description: shared.description } : undefined}
          onClose={(taskId) => onClose(taskId === null ? null : { projectId: project.id, taskId })}
          onAdded={() => showMessage(t('common.bar.added', { column: column.name, project: project.name }), 2500)}
        />
      )}
    </div>
  );
}
