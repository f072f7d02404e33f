// Moving tasks to another project: which one, what goes along and what does not, told before, and the button.

import { useCallback, useEffect, useState } from 'react';
import { leaveTasks } from '../../actions/target.ts';
import { moveTasksToProject, useAct } from '../../commands.ts';
import { type MoveForeseen, otherProjectsOf, useForesee } from '../../queries/projects/other-projects.ts';
import { taskKey, useQuery, useReader, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './move-to-project-dialog.module.css';

/** Where the last ones went: the next ones often go there too. */
let lastProject = '';

export default function MoveToProjectDialog({
  taskIds,
  onClosed,
}: {
  taskIds: readonly string[];
  onClosed: () => void;
}) {
  const store = useReader();
  const userId = useUserId();
  const act = useAct();
  const [open, setOpen] = useState(true);
  const projects = useQuery(otherProjectsOf, userId, taskIds.join());
  const [chosen, setChosen] = useState(lastProject);
  const projectId = (projects.find(({ id }) => id === chosen) ?? projects[0])?.id ?? '';
  const { foreseen, failed, again } = useForeseen(taskIds, projectId);
  const [first] = taskIds;
  const task = store.get('tasks', first ?? '');
  const key = task ? taskKey(store.get('projects', task.project_id), task) : '';

  function move(): void {
    if (foreseen === null) return;
    lastProject = projectId;
    setOpen(false);
    leaveTasks(taskIds);
    const columns = foreseen.columns.map(({ from_id, to_id }) => ({ from: from_id, to: to_id }));
    void act(moveTasksToProject, taskIds, { projectId, columns });
  }

  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      onClosed={onClosed}
      title={t('moveToProject.title', { n: taskIds.length, key })}
    >
      <form
        className={shapes.stackS5}
        onSubmit={(event) => {
          event.preventDefault();
          move();
        }}
      >
        {projects.length === 0 ? (
          <p>{t('moveToProject.none')}</p>
        ) : (
          <>
            <SelectField
              label={t('property.project')}
              value={projectId}
              choices={projects.map((one) => ({ value: one.id, label: `${one.name} (${one.key})` }))}
              onPick={setChosen}
              autoFocus
              onKeyDown={(event) => {
                // A list to choose from sends no form by itself.
                if (event.key !== 'Enter') return;
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }}
            />
            <div className={`${shapes.soft} ${styles.means}`} aria-live="polite">
              {failed ? (
                <Notice tone="warn">
                  {t('moveToProject.failed')} <Button onClick={again}>{t('common.retry')}</Button>
                </Notice>
              ) : foreseen === null ? (
                <p>{t('moveToProject.asking')}</p>
              ) : (
                <ul>
                  {sentences(foreseen).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              )}
            </div>
          </>
        )}
        <div className={dialogStyles.dialogActions}>
          <Button onClick={() => setOpen(false)}>{t('common.cancel')}</Button>
          {projects.length > 0 && (
            <Button look="main" type="submit" disabled={foreseen === null}>
              {t('moveToProject.go')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

interface Foreseen {
  readonly foreseen: MoveForeseen | null;
  readonly failed: boolean;
  readonly again: () => void;
}

/** Asked anew for each project; an answer about another one than is chosen is none. */
function useForeseen(taskIds: readonly string[], projectId: string): Foreseen {
  const foresee = useForesee();
  const named = taskIds.join();
  const [answer, setAnswer] = useState<{ readonly of: string; readonly foreseen: MoveForeseen | null } | null>(null);
  const ask = useCallback(() => {
    let wanted = true;
    const tell = (foreseen: MoveForeseen | null): void => {
      if (wanted) setAnswer({ of: projectId, foreseen });
    };
    if (projectId !== '')
      foresee(named.split(','), projectId).then(tell, () => {
        tell(null);
      });
    return () => {
      wanted = false;
    };
  }, [foresee, named, projectId]);
  useEffect(ask, [ask]);
  const current = answer?.of === projectId ? answer : null;
  return {
    foreseen: current?.foreseen ?? null,
    failed: current !== null && current.foreseen === null,
    again: () => {
      setAnswer(null);
      ask();
    },
  };
}

/** What it means, the important first. */
function sentences(it: MoveForeseen): string[] {
  const names = (some: readonly string[]): string => some.join(', ');
  const left =
    it.people_left.length +
    it.guests_left.length +
    it.named_left.length +
    it.links_left +
    it.watchers_left +
    it.dependencies_left +
    it.parents_left +
    it.fields_left.length;
  const some = (n: number, say: () => string): string[] => (n > 0 ? [say()] : []);
  return [
    ...(it.columns.length === 1
      ? [t('moveToProject.column', { to: it.columns[0]?.to ?? '' })]
      : it.columns.map(({ from, to }) => t('moveToProject.columnOf', { from, to }))),
    ...some(it.readers_left, () => t('moveToProject.readers', { n: it.readers_left })),
    ...some(it.fields_left.length, () => t('moveToProject.fields', { names: names(it.fields_left) })),
    ...some(it.people_left.length, () =>
      t('moveToProject.people', { names: names(it.people_left.map(({ name }) => name)) }),
    ),
    ...some(it.named_left.length, () =>
      t('moveToProject.named', { names: names(it.named_left.map(({ name }) => name)) }),
    ),
    ...some(it.guests_left.length, () =>
      t('moveToProject.guests', { names: names(it.guests_left.map(({ name }) => name ?? t('moveToProject.aGroup'))) }),
    ),
    ...some(it.links_left, () => t('moveToProject.links', { n: it.links_left })),
    ...some(it.watchers_left, () => t('moveToProject.watchers', { n: it.watchers_left })),
    ...some(it.dependencies_left, () => t('moveToProject.dependencies', { n: it.dependencies_left })),
    ...some(it.subtasks, () => t('moveToProject.subtasks', { n: it.subtasks })),
    ...some(it.parents_left, () => t('moveToProject.parents', { n: it.parents_left })),
    ...some(it.labels_made.length, () =>
      t('moveToProject.labels', { n: it.labels_made.length, names: names(it.labels_made) }),
    ),
    t('moveToProject.all'),
    ...some(left, () => t(it.labels_made.length > 0 ? 'moveToProject.backButLabels' : 'moveToProject.back')),
  ];
}
