// Dialog that duplicates a project: shows its parts, and lets the user choose among them.

import type { FormEvent } from 'react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { duplicateProject, sayRefusal, useAsk } from '../../commands.ts';
import type { ProjectRow } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Notice } from '../../ui/list-states.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useForeseen } from './save-template-dialog.tsx';
import { StartDay } from './start-day.tsx';

export default function DuplicateProjectDialog({ project, onClose }: { project: ProjectRow; onClose: () => void }) {
  const ask = useAsk();
  const [, go] = useLocation();
  const foreseen = useForeseen(project.id);
  const [name, setName] = useState(() => t('templates.copyNamed', { name: project.name }).slice(0, 200));
  const [withTasks, setWithTasks] = useState(true);
  const [withMembers, setWithMembers] = useState(false);
  const [startDate, setStartDate] = useState<string | null>(null);
  const [fault, setFault] = useState<{ readonly name?: string; readonly form?: string }>({});
  const [busy, setBusy] = useState(false);
  const tooMany = foreseen !== null && foreseen.tasks > foreseen.most_tasks;
  const taking = withTasks && !tooMany;

  async function copy(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '') return setFault({ name: t('projects.nameMissing') });
    setBusy(true);
    try {
      const made = await ask(duplicateProject, project.id, { name, startDate, withTasks: taking, withMembers });
      onClose();
      go(paths.project(made.id));
    } catch (reason) {
      setFault({ form: sayRefusal(reason) });
      setBusy(false);
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('templates.copyTitle', { project: project.name })}
      description={
        foreseen === null
          ? t('common.loading')
          : t('templates.copyHolds', {
              columns: foreseen.columns,
              labels: foreseen.labels,
              fields: foreseen.fields,
              views: foreseen.views,
            })
      }
    >
      <form className={shapes.stackS5} onSubmit={(event) => void copy(event)} noValidate>
        {fault.form && <Notice tone="danger">{fault.form}</Notice>}
        <TextField
          label={t('common.name')}
          value={name}
          {...limitTo(200)}
          autoComplete="off"
          autoFocus
          error={fault.name ?? null}
          onChange={(event) => {
            setName(event.target.value);
            setFault({});
          }}
        />
        <CheckField
          label={t('templates.copyTasks')}
          hint={
            tooMany
              ? t('templates.copyTooMany', { n: foreseen.tasks, most: foreseen.most_tasks })
              : t('templates.copyTasksHint', { n: foreseen?.tasks ?? 0, archived: foreseen?.archived ?? 0 })
          }
          disabled={tooMany}
          checked={taking}
          onChange={(event) => setWithTasks(event.target.checked)}
        />
        {foreseen !== null && foreseen.members > 0 && (
          <CheckField
            label={t('templates.copyMembers')}
            hint={t('templates.copyMembersHint', { n: foreseen.members })}
            checked={withMembers}
            onChange={(event) => setWithMembers(event.target.checked)}
          />
        )}
        {taking && foreseen !== null && foreseen.starts_on !== null && (
          <StartDay
            label={t('templates.copyDays')}
            hint={t('templates.copyDaysHint')}
            day={startDate}
            none={t('templates.keepDays')}
            onPick={setStartDate}
          />
        )}
        <div className={dialogStyles.dialogActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="main" type="submit" busy={busy}>
            {t('common.duplicate')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
