// The title: a heading that becomes a field when one may write.

import { useEffect, useRef } from 'react';
import { editTasks, titleLength, truncate, useAct } from '../../commands.ts';
import { lastEditorOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { useDraft, useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { showOffer } from '../../ui/overlays/toaster.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { ConflictNotice, useEditConflict } from './conflict-notice.tsx';
import styles from './task-panel.module.css';

export function TaskTitle({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const act = useAct();
  const draft = useDraft(task.title);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = draft;
  /** It was left between two titles: what stands there is saved only by who decides so, also once the other title is gone. */
  const heldBack = useRef(false);
  /** What the server did not take: it stays in the field, and is sent again by Enter or with another word. */
  const refused = useRef<string | null>(null);
  const now = useLatest(draft);

  // The field is as high as its text; for browsers without `field-sizing` the height is set here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again whenever the words change
  useEffect(() => {
    const element = field.current;
    if (element === null || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  const clash = useEditConflict(draft, task.title);
  const editor = useQuery(lastEditorOf, task.id, 'title');

  function mine(): string {
    return truncate(text.replace(/\s+/g, ' ').trim(), titleLength);
  }

  function save(): void {
    const title = mine();
    if (!canWrite || !draft.dirty || title === '' || title === refused.current) return;
    void act(editTasks, [task.id], { title }).then((accepted) => {
      if (accepted || now.current.dirty) return;
      refused.current = title;
      now.current.set(title);
    });
  }

  // Between two titles nobody has decided: theirs stands, and mine is offered once more.
  useSaveOnLeaving(() => {
    if (!draft.dirty) return;
    if (clash.theirs === null && !heldBack.current) save();
    else
      showOffer(`title ${task.id}`, t('task.conflict.titleLeft', { title: mine() }), 20_000, {
        label: t('task.conflict.useMine'),
        onPick: () => void act(editTasks, [task.id], { title: mine() }),
      });
  });

  if (!canWrite) return <h2 className={styles.taskTitle}>{task.title}</h2>;
  return (
    <>
      <h2 className="only-spoken">{task.title}</h2>
      <textarea
        ref={field}
        className={`${styles.taskTitle} ${shapes.rigid} ${shapes.block} ${shapes.clipped} ${styles.taskTitleField}`}
        aria-label={t('property.title')}
        rows={1}
        {...limitTo(titleLength)}
        value={text}
        onFocus={() => {
          heldBack.current = false;
        }}
        onChange={(event) => draft.set(event.target.value)}
        onBlur={() => {
          heldBack.current = clash.theirs !== null;
          if (heldBack.current || mine() === refused.current) return;
          save();
          draft.settle();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            refused.current = null;
            event.currentTarget.blur();
          }
          if (event.key === 'Escape' && draft.dirty) {
            event.preventDefault();
            refused.current = null;
            draft.reset();
          }
        }}
      />
      {clash.theirs !== null && (
        <ConflictNotice
          by={editor?.userId ?? null}
          name={editor?.name ?? t('common.someone')}
          onTake={draft.reset}
          onKeep={() => {
            save();
            draft.settle();
          }}
        >
          {clash.theirs}
        </ConflictNotice>
      )}
    </>
  );
}
