// The description: read, written as it will read, or in plain Markdown and looked at before it is saved.

import { Pencil } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { descriptionLength, editTasks, overBy, tickBox, useAct } from '../../commands.ts';
import { TaskText } from '../../pieces/task-text.tsx';
import { keptName, lastEditorOf, membersOf, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { useKeptDraft } from '../../ui/draft.ts';
import fieldStyles from '../../ui/field.module.css';
import segmentsStyles from '../../ui/segments.module.css';
import { Skeleton } from '../../ui/state.tsx';
import { tickLine } from '../../ui/tick-markdown.ts';
import { openAttachment } from './attachments/viewer-state.ts';
import { KeptWords } from './kept-words.tsx';
import styles from './task-part.module.css';
import { Theirs, useClash } from './theirs.tsx';
import { useWritingChoice } from './writing-choice.ts';
import { WritingField } from './writing-field.tsx';

type Mode = 'read' | 'write' | 'preview';

export function Description({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const act = useAct();
  const stored = task.description ?? '';
  const userId = useUserId();
  const draft = useKeptDraft(keptName(userId, 'draft', task.id, 'description'), stored);
  const [chosen, setMode] = useState<Mode | null>(null);
  // Words left over from an earlier page are taken up again.
  const mode: Mode = canWrite ? (chosen ?? (draft.dirty ? 'write' : 'read')) : 'read';
  const over = overBy(draft.text, descriptionLength);
  const isLoaded = task.description !== undefined || task.number === null;
  const clash = useClash(draft, stored, isLoaded);
  const editor = useQuery(lastEditorOf, task.id, 'description');
  const members = useQuery(membersOf, task.project_id);
  const names = useMemo(() => members.map((member) => member.name), [members]);
  const mentions = useMemo(() => JSON.stringify(names), [names]);
  const isPlain = useWritingChoice() === 'markdown';
  const shown = useRef(mode);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (mode === 'read' && document.activeElement === document.body && shown.current !== 'read')
      opener.current?.focus();
    shown.current = mode;
  }, [mode]);

  function save(): void {
    const { text, dirty } = draft;
    if (over > 0 || clash.theirs !== null) return;
    draft.settle();
    setMode('read');
    if (!dirty) return;
    void act(editTasks, [task.id], { description: text }).then((kept) => {
      if (kept) return;
      // Refused words are not lost.
      draft.set(text);
      setMode('write');
    });
  }

  function onTick(place: number, done: boolean): void {
    const ticked = tickLine(stored, place, done);
    if (ticked) void act(tickBox, { table: 'tasks', id: task.id, done, ...ticked });
  }

  function cancel(): void {
    draft.reset();
    setMode('read');
  }

  return (
    <section className={styles.taskPart} aria-label={t('task.description')}>
      <div className={styles.partHead}>
        <h3>{t('task.description')}</h3>
        {mode === 'read' && canWrite && stored !== '' && (
          <Button ref={opener} look="quiet" icon={<Pencil size={14} />} onClick={() => setMode('write')}>
            {t('common.edit')}
          </Button>
        )}
        {mode !== 'read' && (isPlain || mode === 'preview') && (
          <fieldset className={segmentsStyles.segments} aria-label={t('task.description')}>
            <button type="button" aria-pressed={mode === 'write'} onClick={() => setMode('write')}>
              {t('task.write')}
            </button>
            <button type="button" aria-pressed={mode === 'preview'} onClick={() => setMode('preview')}>
              {t('task.preview')}
            </button>
          </fieldset>
        )}
      </div>
      {mode === 'read' &&
        (!isLoaded ? (
          <Skeleton width="80%" />
        ) : stored !== '' ? (
          <TaskText text={stored} mentions={mentions} onOpen={openAttachment} {...(canWrite ? { onTick } : {})} />
        ) : canWrite ? (
          <button type="button" ref={opener} className={styles.partInvite} onClick={() => setMode('write')}>
            {t('task.descriptionPlaceholder')}
          </button>
        ) : (
          <p className={styles.partNone}>{t('task.noDescription')}</p>
        ))}
      {mode === 'preview' && (
        <div className={styles.partPreview}>
          <TaskText text={draft.text} mentions={mentions} onOpen={openAttachment} />
        </div>
      )}
      {mode === 'write' && (
        <WritingField
          task={task}
          label={t('task.description')}
          placeholder={t('task.descriptionPlaceholder')}
          text={draft.text}
          names={names}
          onChange={draft.set}
          onSubmit={save}
          // Words are not thrown away by one key: they are looked at, or left to the panel around them.
          {...(draft.dirty ? (isPlain ? { onEscape: () => setMode('preview') } : {}) : { onEscape: cancel })}
          focus={chosen !== null}
        />
      )}
      {over > 0 && mode !== 'read' && (
        <p className={fieldStyles.fieldError} role="alert">
          {t('task.tooLong', { over })}
        </p>
      )}
      {clash.theirs !== null && mode !== 'read' && (
        <Theirs
          by={editor?.userId ?? null}
          name={editor?.name ?? t('common.someone')}
          onTake={cancel}
          onKeep={clash.keepMine}
        >
          <TaskText text={clash.theirs} mentions={mentions} onOpen={openAttachment} />
        </Theirs>
      )}
      {mode !== 'read' && (
        <div className={styles.partActions}>
          <Button onClick={cancel}>{t('common.cancel')}</Button>
          <Button look="main" disabled={over > 0 || clash.theirs !== null} onClick={save}>
            {t('common.save')}
          </Button>
        </div>
      )}
      {!canWrite && draft.dirty && <KeptWords text={draft.text} />}
    </section>
  );
}
