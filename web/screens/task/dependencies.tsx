// Dependencies of a task, both ways.

import { Plus, X } from 'lucide-react';
import { Link } from 'wouter';
import { unlinkTasks, useAct } from '../../commands.ts';
import { KindMark } from '../../pieces/task-badges.tsx';
import { dependenciesOf } from '../../queries/views/timeline.ts';
import {
  columnsOf,
  type ProjectRow,
  predecessorsOf,
  successorsOf,
  type TaskRow,
  taskKey,
  useQuery,
} from '../../queries.ts';
import { addressOf, type ProjectView, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { firstField } from './add-parts.tsx';
import checklistStyles from './checklist.module.css';
import styles from './dependencies.module.css';
import { LagField } from './lag-field.tsx';
import { LinkPicker } from './link-picker.tsx';
import taskPartStyles from './task-part.module.css';

interface Props {
  readonly project: ProjectRow;
  readonly task: TaskRow;
  readonly canWrite: boolean;
  readonly view: ProjectView;
  /** The days between are asked for, not only told where there are any. */
  readonly withLag?: boolean;
}

export function Dependencies({ project, task, canWrite, view, withLag = false }: Props) {
  const before = useQuery(predecessorsOf, task.id);
  const after = useQuery(successorsOf, task.id);
  const act = useAct();
  if (!canWrite && before.length + after.length === 0) return null;
  return (
    <section className={`${shapes.lineS3} ${shapes.column}`} aria-label={t('task.dependencies')}>
      <div className={taskPartStyles.partHead}>
        <h3>{t('task.dependencies')}</h3>
      </div>
      <Links
        label={t('task.blockedBy')}
        addLabel={t('task.addBlockedBy')}
        tasks={before}
        {...{ project, task, canWrite, view, withLag }}
        side="before"
        onRemove={(id) => void act(unlinkTasks, id, task.id)}
      />
      <Links
        label={t('task.blocks')}
        addLabel={t('task.addBlocks')}
        tasks={after}
        {...{ project, task, canWrite, view, withLag }}
        side="after"
        onRemove={(id) => void act(unlinkTasks, task.id, id)}
      />
    </section>
  );
}

interface LinksProps extends Props {
  readonly label: string;
  readonly addLabel: string;
  readonly tasks: readonly TaskRow[];
  readonly side: 'before' | 'after';
  readonly onRemove: (id: string) => void;
}

function Links({ label, addLabel, tasks, project, task, canWrite, view, withLag, side, onRemove }: LinksProps) {
  const links = useQuery(dependenciesOf, project.id);
  const columns = useQuery(columnsOf, project.id);
  if (!canWrite && tasks.length === 0) return null;
  return (
    <div className={`${shapes.stackS1} ${shapes.oneColumn} ${styles.links}`}>
      <h4>{label}</h4>
      <ul className={shapes.full}>
        {tasks.map((one) => {
          const column = columns.find((candidate) => candidate.id === one.column_id);
          const key = taskKey(project, one);
          const [before, after] = side === 'before' ? [one.id, task.id] : [task.id, one.id];
          const link = links.find((row) => row.predecessor_id === before && row.successor_id === after);
          return (
            <li key={one.id} className={shapes.row}>
              <Link
                href={paths.task(project.id, addressOf(one), view)}
                className={`${shapes.rowS3} ${shapes.fill} ${shapes.press} ${shapes.value} ${shapes.link} ${styles.linkTask}`}
              >
                {column && <KindMark kind={column.kind} color={column.color} />}
                <span className={`${shapes.quiet} ${shapes.rigid} numbers`}>{key}</span>
                <span className={`${shapes.words} ${one.completed_at ? checklistStyles.checkDone : ''}`}>
                  {one.title}
                </span>
              </Link>
              {link && (withLag || link.lag_days !== 0) && <LagField link={link} other={key} canWrite={canWrite} />}
              {canWrite && (
                <IconButton
                  label={t('task.removeLink', { key })}
                  className={checklistStyles.checkRemove}
                  onClick={() => onRemove(one.id)}
                >
                  <X size={14} />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
      {canWrite && (
        <LinkPicker
          label={addLabel}
          relation={side === 'before' ? 'blocked_by' : 'blocks'}
          task={task}
          trigger={
            <button
              type="button"
              className={`${shapes.inlineS2} ${shapes.pressInk} ${shapes.quiet} ${shapes.roundM} ${taskPartStyles.partAdd}`}
              aria-label={addLabel}
              {...(side === 'before' ? firstField('dependencies') : {})}
            >
              <Plus size={14} aria-hidden="true" /> {t('common.add')}
            </button>
          }
        />
      )}
    </div>
  );
}
