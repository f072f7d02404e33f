// Dialog that saves a task or a project as a template: name, owner, and its parts.

import type { FormEvent } from 'react';
import { useEffect, useState } from 'react';
import {
  type CopyForeseen,
  foreseeCopy,
  saveProjectTemplate,
  saveTaskTemplate,
  useAct,
  useAsk,
} from '../../commands.ts';
import { mayWrite, roleIn, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';

interface SaveTemplateProps {
  readonly kind: 'task' | 'project';
  /** The task or the project. */
  readonly of: string;
  readonly projectId: string;
  readonly name: string;
  readonly onClose: () => void;
}

export default function SaveTemplateDialog({ kind, of, projectId, name: proposed, onClose }: SaveTemplateProps) {
  const userId = useUserId();
  const act = useAct();
  const writes = mayWrite(useQuery(roleIn, projectId, userId));
  const [name, setName] = useState(proposed.slice(0, 200));
  const [shared, setShared] = useState(false);
  const [withTasks, setWithTasks] = useState(true);
  const [fault, setFault] = useState<string | null>(null);
  const foreseen = useForeseen(kind === 'project' ? of : null);
  const tooMany = foreseen !== null && foreseen.tasks > foreseen.most_tasks;

  function save(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === '') {
      setFault(t('templates.nameMissing'));
      return;
    }
    const template = { of, userId, name, projectId: shared && writes ? projectId : null };
    if (kind === 'task') void act(saveTaskTemplate, template);
    else void act(saveProjectTemplate, template, withTasks && !tooMany);
    onClose();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('templates.saveTitle')}
      description={kind === 'task' ? t('templates.saveTaskWords') : t('templates.saveProjectHolds')}
    >
      <form className={shapes.stackS5} onSubmit={save} noValidate>
        <TextField
          label={t('templates.name')}
          value={name}
          {...limitTo(200)}
          autoComplete="off"
          autoFocus
          error={fault}
          onChange={(event) => {
            setName(event.target.value);
            setFault(null);
          }}
        />
        {kind === 'project' && (
          <CheckField
            label={t('templates.copyTasks')}
            hint={
              tooMany
                ? t('templates.copyTooMany', { n: foreseen.tasks, most: foreseen.most_tasks })
                : t('templates.withTasksHint', { n: foreseen?.tasks ?? 0 })
            }
            disabled={tooMany}
            checked={withTasks && !tooMany}
            onChange={(event) => setWithTasks(event.target.checked)}
          />
        )}
        {writes && (
          <CheckField
            label={t('templates.share')}
            hint={t('templates.shareHint')}
            checked={shared}
            onChange={(event) => setShared(event.target.checked)}
          />
        )}
        <div className={dialogStyles.dialogActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="main" type="submit">
            {t('templates.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What a copy would have; null while it is not known. */
export function useForeseen(projectId: string | null): CopyForeseen | null {
  const ask = useAsk();
  const [foreseen, setForeseen] = useState<CopyForeseen | null>(null);
  useEffect(() => {
    if (projectId === null) return;
    let here = true;
    ask(foreseeCopy, projectId).then(
      (answer) => here && setForeseen(answer),
      // The server says so again when it is asked to do it.
      () => undefined,
    );
    return () => {
      here = false;
    };
  }, [ask, projectId]);
  return foreseen;
}
