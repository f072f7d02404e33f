// A new task on a day: its title in a small panel over it; Enter adds it, and the next one may follow.

import { useState } from 'react';
import { createTasks, newId, titleLength, useAct } from '../../commands.ts';
import { columnsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import fieldStyles from '../../ui/fields/field.module.css';
import { SelectField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Popover } from '../../ui/overlays/popover.tsx';
import { type PlanContext, sayWhole } from '../planning/plan-context.ts';
import styles from './task-calendar.module.css';

/** Where there are several projects, the next task likely belongs to the one of the last. */
let lastChosen = '';

interface NewOnDayProps {
  readonly day: string;
  readonly planContext: PlanContext;
  readonly there: HTMLElement;
  readonly onClose: () => void;
}

export function NewOnDay({ day, planContext, there, onClose }: NewOnDayProps) {
  const act = useAct();
  const [project, setProject] = useState(
    () => planContext.newIn.find(({ id }) => id === lastChosen) ?? planContext.newIn[0],
  );
  const columns = useQuery(columnsOf, project?.id ?? '');
  const [title, setTitle] = useState('');
  // As the list does: where work begins.
  const column = columns[0];
  function add(): void {
    if (title.trim() === '' || column === undefined || project === undefined) return;
    lastChosen = project.id;
    void act(createTasks, { projectId: project.id, columnId: column.id }, [{ id: newId(), title, due: day }]);
    setTitle('');
  }
  return (
    <Popover
      trigger={{ there }}
      label={t('calendar.newOn', { day: sayWhole(day) })}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <form
        className={styles.newTask}
        data-new-on-day
        data-several={planContext.newIn.length > 1 || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label>
          <span>{t('calendar.newOn', { day: sayWhole(day) })}</span>
          <input
            className={fieldStyles.input}
            type="text"
            value={title}
            {...limitTo(titleLength)}
            placeholder={t('board.addPlaceholder')}
            autoComplete="off"
            onChange={(event) => setTitle(event.target.value)}
          />
        </label>
        {planContext.newIn.length > 1 && (
          <SelectField
            label={t('property.project')}
            value={project?.id ?? ''}
            choices={planContext.newIn.map(({ id, name }) => ({ value: id, label: name }))}
            onPick={(id) => setProject(planContext.newIn.find((one) => one.id === id))}
          />
        )}
        <Button type="submit" look="main" disabled={title.trim() === '' || column === undefined}>
          {t('common.add')}
        </Button>
      </form>
    </Popover>
  );
}
