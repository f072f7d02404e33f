// The description in Markdown: read, written, looked at before it is saved.

import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { descriptionLength, editTasks, overBy, useAct } from '../../commands.ts';
import { words } from '../../strings/words.ts';
import { keptName } from '../../sync/kept.ts';
import { useSync } from '../../sync/react.tsx';
import type { TaskRow } from '../../sync/rows.ts';
import { Button } from '../../ui/button.tsx';
import { useKeptDraft } from '../../ui/draft.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Notice, Skeleton } from '../../ui/state.tsx';
import { KeptWords } from './kept-words.tsx';
import '../../ui/segments.css';

const say = words.task;

type Mode = 'read' | 'write' | 'preview';

export function Description({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const act = useAct();
  const stored = task.description ?? '';
  const { userId } = useSync();
  const draft = useKeptDraft(keptName(userId, 'draft', task.id, 'description'), stored);
  const [chosen, setMode] = useState<Mode | null>(null);
  // Words left over from an earlier page are taken up again.
  const mode: Mode = canWrite ? (chosen ?? (draft.dirty ? 'write' : 'read')) : 'read';
  const over = overBy(draft.text, descriptionLength);
  const isLoaded = task.description !== undefined || task.number === null;
  /** What stood there when the writing began. */
  const [begun, setBegun] = useState<string | null>(null);
  useEffect(() => {
    setBegun((old) => (mode === 'read' || !isLoaded ? null : (old ?? stored)));
  }, [mode, isLoaded, stored]);
  const changedMeanwhile = begun !== null && begun !== stored && draft.dirty;
  const field = useRef<HTMLTextAreaElement>(null);
  const shown = useRef(mode);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (mode === 'write' && shown.current !== 'write' && chosen !== null) field.current?.focus();
    if (mode === 'read' && document.activeElement === document.body && shown.current !== 'read')
      opener.current?.focus();
    shown.current = mode;
  }, [mode, chosen]);

  function save(): void {
    const { text, dirty } = draft;
    if (over > 0) return;
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

  function cancel(): void {
    draft.reset();
    setMode('read');
  }

  return (
    <section className="task-part" aria-label={say.description}>
      <div className="part-head">
        <h3>{say.description}</h3>
        {mode === 'read' && canWrite && stored !== '' && (
          <Button ref={opener} look="quiet" icon={<Pencil size={14} />} onClick={() => setMode('write')}>
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
        (!isLoaded ? (
          <Skeleton width="80%" />
        ) : stored !== '' ? (
          <Markdown text={stored} />
        ) : canWrite ? (
          <button type="button" ref={opener} className="part-invite" onClick={() => setMode('write')}>
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
      {over > 0 && mode !== 'read' && (
        <p className="field-error" role="alert">
          {say.tooLong(over)}
        </p>
      )}
      {changedMeanwhile && (
        <Notice tone="warn">
          <p>{say.changedMeanwhile}</p>
          <details>
            <summary>{say.showTheirs}</summary>
            <Markdown text={stored} />
          </details>
        </Notice>
      )}
      {mode !== 'read' && (
        <div className="part-actions">
          <Button onClick={cancel}>{words.common.cancel}</Button>
          <Button look="main" disabled={over > 0} onClick={save}>
            {words.common.save}
          </Button>
        </div>
      )}
      {!canWrite && draft.dirty && <KeptWords text={draft.text} />}
    </section>
  );
}
