// The title: a heading that becomes a field when one may write.

import { useEffect, useRef } from 'react';
import { cut, editTasks, titleLength, useAct } from '../../commands.ts';
import { words } from '../../strings/words.ts';
import type { TaskRow } from '../../sync/rows.ts';
import { useDraft, useSaveOnLeaving } from '../../ui/draft.ts';

const say = words.task;

export function TaskTitle({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const act = useAct();
  const draft = useDraft(task.title);
  const field = useRef<HTMLTextAreaElement>(null);
  const { text } = draft;

  // The field is as high as its words; browsers that cannot do so themselves are told.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again whenever the words change
  useEffect(() => {
    const element = field.current;
    if (element === null || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);

  function save(): void {
    const title = text.replace(/\s+/g, ' ').trim();
    if (canWrite && draft.dirty && title !== '') void act(editTasks, [task.id], { title: cut(title, titleLength) });
  }
  useSaveOnLeaving(save);

  if (!canWrite) return <h2 className="task-title">{task.title}</h2>;
  return (
    <>
      <h2 className="only-spoken">{task.title}</h2>
      <textarea
        ref={field}
        className="task-title task-title-field"
        aria-label={say.title}
        rows={1}
        maxLength={titleLength}
        value={text}
        onChange={(event) => draft.set(event.target.value)}
        onBlur={() => {
          save();
          draft.settle();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.currentTarget.blur();
          }
          if (event.key === 'Escape' && draft.dirty) {
            event.preventDefault();
            draft.reset();
          }
        }}
      />
    </>
  );
}
