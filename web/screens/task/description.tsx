// The description in Markdown: read, written, looked at before it is saved.

import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { editTasks, useAct } from '../../commands.ts';
import { words } from '../../strings/words.ts';
import { keptName } from '../../sync/kept.ts';
import { useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows.ts';
import { Button } from '../../ui/button.tsx';
import { useKeptDraft } from '../../ui/draft.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Skeleton } from '../../ui/state.tsx';
import '../../ui/segments.css';

const say = words.task;

export function Description({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const act = useAct();
  const stored = task.description ?? '';
  const { userId } = useSync();
  const draft = useKeptDraft(keptName(userId, 'draft', task.id, 'description'), stored);
  // Words left over from an earlier page are taken up again.
  const [mode, setMode] = useState<'read' | 'write' | 'preview'>(canWrite && draft.dirty ? 'write' : 'read');
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = useRef(mode);
  useEffect(() => {
    if (mode === 'write' && shown.current !== 'write') field.current?.focus();
    shown.current = mode;
  }, [mode]);

  function save(): void {
    const { text, dirty } = draft;
    draft.settle();
    setMode('read');
    if (!dirty) return;
    void act(editTasks, [task.id], { description: text.slice(0, 100_000) }).then((kept) => {
      if (kept) return;
      // Refused words are not lost.
      draft.set(text);
      setMode('write');
    });
  }

  function cancel(): void {
    draft.reset();
    setMode('read');
  }

  return (
    <section className="task-part" aria-label={say.description}>
      <div className="part-head">
        <h3>{say.description}</h3>
        {mode === 'read' && canWrite && stored !== '' && (
          <Button look="quiet" icon={<Pencil size={14} />} onClick={() => setMode('write')}>
            {words.common.edit}
          </Button>
        )}
        {mode !== 'read' && (
          <fieldset className="segments" aria-label={say.description}>
            <button type="button" aria-pressed={mode === 'write'} onClick={() => setMode('write')}>
              {say.write}
            </button>
            <button type="button" aria-pressed={mode === 'preview'} onClick={() => setMode('preview')}>
              {say.preview}
            </button>
          </fieldset>
        )}
      </div>
      {mode === 'read' &&
        (task.description === undefined && task.number !== null ? (
          <Skeleton width="80%" />
        ) : stored !== '' ? (
          <Markdown text={stored} />
        ) : canWrite ? (
          <button type="button" className="part-invite" onClick={() => setMode('write')}>
            {say.descriptionPlaceholder}
          </button>
        ) : (
          <p className="part-none">{say.noDescription}</p>
        ))}
      {mode === 'preview' && (
        <div className="part-preview">
          <Markdown text={draft.text} />
        </div>
      )}
      {mode === 'write' && (
        <textarea
          ref={field}
          className="input text-area part-write"
          aria-label={say.description}
          placeholder={say.descriptionPlaceholder}
          value={draft.text}
          onChange={(event) => draft.set(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
              event.preventDefault();
              save();
            }
            if (event.key === 'Escape') {
              event.preventDefault();
              // Words are not thrown away by one key.
              if (draft.dirty) setMode('preview');
              else cancel();
            }
          }}
        />
      )}
      {mode !== 'read' && (
        <div className="part-actions">
          <Button onClick={cancel}>{words.common.cancel}</Button>
          <Button look="main" onClick={save}>
            {words.common.save}
          </Button>
        </div>
      )}
    </section>
  );
}
