// A new task on a day: its title in a small panel over it; Enter adds it, and the next one may follow.

import { useId, useRef, useState } from 'react';
import { createTasks, titleLength, useAct } from '../../commands.ts';
import { LineParts } from '../../pieces/quick-line/line-parts.tsx';
import { QuickField } from '../../pieces/quick-line/quick-field.tsx';
import { draftOf, useQuickLine } from '../../pieces/quick-line/use-quick-line.ts';
import { columnsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
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
  const line = useQuickLine(project?.id ?? '');
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const fieldId = useId();
  const isEmpty = line.text.trim() === '';
  // As the list does: where work begins.
  const column = columns[0];
  function add(): void {
    if (isEmpty || column === undefined || project === undefined) return;
    lastChosen = project.id;
    line.readToAdd([line.text], (tasks) => {
      const drafts = tasks.map((task) => draftOf(task, { due: day }));
      void act(createTasks, { projectId: project.id, columnId: column.id }, drafts);
    });
    line.type('');
  }
  return (
    <Popover
      trigger={{ there }}
      label={t('calendar.newOn', { day: sayWhole(day) })}
      open
      onOpenChange={(open) => !open && onClose()}
    >
      <form
        className={`${shapes.wrapS3} ${shapes.padS3} ${styles.newTask}`}
        data-new-on-day
        data-several={planContext.newIn.length > 1 || undefined}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label htmlFor={fieldId}>{t('calendar.newOn', { day: sayWhole(day) })}</label>
        <QuickField
          id={fieldId}
          line={line}
          field={field}
          className={fieldStyles.input}
          type="text"
          {...limitTo(titleLength)}
          placeholder={t('board.addPlaceholder')}
        />
        <LineParts line={line} onBack={() => field.current?.focus()} onEscape={onClose} />
        {planContext.newIn.length > 1 && (
          <SelectField
            label={t('property.project')}
            value={project?.id ?? ''}
            choices={planContext.newIn.map(({ id, name }) => ({ value: id, label: name }))}
            onPick={(id) => setProject(planContext.newIn.find((one) => one.id === id))}
          />
        )}
        <Button type="submit" look="main" disabled={isEmpty || column === undefined}>
          {t('common.add')}
        </Button>
      </form>
    </Popover>
  );
}
