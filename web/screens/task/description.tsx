// The description: read, written as it will read, or in plain Markdown and looked at before it is saved.

import { useEffect, useRef, useState } from 'react';
import { descriptionLength, editTasks, excessCharacters, useAct } from '../../commands.ts';
import { TaskMarkdown } from '../../pieces/task-markdown.tsx';
import { lastEditorOf, namesIn, storedName, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { useStoredDraft } from '../../ui/fields/draft.ts';
import { openAttachment } from './attachments/viewer-state.ts';
import { ConflictNotice, takeTheirVersion, useEditConflict } from './conflict-notice.tsx';
import { DescriptionHead, type Mode } from './description-head.tsx';
import { DescriptionText } from './description-text.tsx';
import { useSendingWithFiles, WaitsForFiles } from './sending-with-files.tsx';
import styles from './task-part.module.css';
import { TooLong } from './too-long.tsx';
import { UnsavedText } from './unsaved-text.tsx';
import { useWritingChoice } from './writing-choice.ts';
import { WritingField } from './writing-field.tsx';

export function Description({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const act = useAct();
  const stored = task.description ?? '';
  const userId = useUserId();
  const draft = useStoredDraft(storedName(userId, 'draft', task.id, 'description'), stored);
  const [chosen, setMode] = useState<Mode | null>(null);
  // Words left over from an earlier page are taken up again.
  const mode: Mode = canWrite ? (chosen ?? (draft.dirty ? 'write' : 'read')) : 'read';
  const over = excessCharacters(draft.text, descriptionLength);
  const isLoaded = task.description !== undefined || task.number === null;
  const clash = useEditConflict(draft, stored, isLoaded);
  const editor = useQuery(lastEditorOf, task.id, 'description');
  const names = useQuery(namesIn, task.project_id);
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
    void act(editTasks, [task.id], { description: text }).then((accepted) => {
      if (accepted) return;
      // Refused words are not lost.
      draft.set(text);
      setMode('write');
    });
  }

  const sending = useSendingWithFiles(draft.text, save);

  function cancel(): void {
    draft.reset();
    setMode('read');
  }

  return (
    <section className={`${shapes.lineS3} ${shapes.column}`} aria-label={t('property.description')}>
      <DescriptionHead
        task={task}
        mode={mode}
        onMode={setMode}
        isEmpty={isLoaded && stored === ''}
        canWrite={canWrite}
        canPreview={isPlain}
        opener={opener}
      />
      {mode === 'read' && (
        <DescriptionText
          task={task}
          isLoaded={isLoaded}
          mentions={names}
          canWrite={canWrite}
          opener={opener}
          onWrite={() => setMode('write')}
        />
      )}
      {mode === 'preview' && (
        <div className={`${shapes.panel} ${shapes.bordered} ${styles.partPreview}`}>
          <TaskMarkdown text={draft.text} mentions={names} onOpen={openAttachment} />
        </div>
      )}
      {mode === 'write' && (
        <WritingField
          task={task}
          label={t('property.description')}
          placeholder={t('task.descriptionPlaceholder')}
          text={draft.text}
          names={names}
          onChange={draft.set}
          onSubmit={sending.send}
          // Words are not thrown away by one key: they are looked at, or left to the panel around them.
          {...(draft.dirty ? (isPlain ? { onEscape: () => setMode('preview') } : {}) : { onEscape: cancel })}
          focus={chosen !== null}
        />
      )}
      {mode !== 'read' && <TooLong over={over} />}
      {mode !== 'read' && sending.waits && <WaitsForFiles />}
      {clash.theirs !== null && mode !== 'read' && (
        <ConflictNotice
          by={editor?.userId ?? null}
          name={editor?.name ?? t('common.someone')}
          compared={{ mine: draft.text, theirs: clash.theirs }}
          onTake={() => {
            takeTheirVersion(draft, () => setMode('write'));
            setMode('read');
          }}
          onKeep={clash.keepMine}
        >
          <TaskMarkdown text={clash.theirs} mentions={names} onOpen={openAttachment} />
        </ConflictNotice>
      )}
      {mode !== 'read' && (
        <div className={styles.partActions}>
          <Button onClick={cancel}>{t('common.cancel')}</Button>
          <Button look="main" disabled={over > 0 || clash.theirs !== null} busy={sending.waits} onClick={sending.send}>
            {t('common.save')}
          </Button>
        </div>
      )}
      {!canWrite && draft.dirty && <UnsavedText text={draft.text} />}
    </section>
  );
}
