// Where descriptions and comments are written: in what they will look like, or in plain Markdown for who prefers it. Both give the same
// text, save by Ctrl Enter, and take files; the editor is fetched once a task is looked at.

import { Paperclip } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TaskOffer } from '../../editor/offers-list.tsx';
import type { RichFieldHandle } from '../../editor/rich-field-props.ts';
import { collectFiles, holdsFiles } from '../../files/collect-files.ts';
import { useNamedPictures } from '../../pieces/use-named-pictures.ts';
import { referencesIn } from '../../queries/references.ts';
import { findTasks, keyOfTask, type TaskRow, taskKey, useQuery, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { useNamedFiles } from './attachments/use-file-field.ts';
import { PlainField, type PlainFieldHandle } from './plain-field.tsx';
import { readyEditor, whenEditorIsReady } from './rich-editor.ts';
import { chooseWriting, useWritingChoice } from './writing-choice.ts';
import styles from './writing-field.module.css';

export interface WritingFieldProps {
  readonly task: TaskRow;
  readonly label: string;
  readonly placeholder?: string;
  readonly text: string;
  /** Of whom may be mentioned. */
  readonly names: readonly string[];
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  /** Without it Escape leads to the panel around the field; the words stay. */
  readonly onEscape?: () => void;
  readonly focus?: boolean;
  readonly small?: boolean;
}

export function WritingField(props: WritingFieldProps) {
  const { task, text, names, focus = false, small = false } = props;
  const latest = useLatest(props);
  const choice = useWritingChoice();
  const box = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const rich = useRef<RichFieldHandle>(null);
  const plain = useRef<PlainFieldHandle>(null);
  const [editor, setEditor] = useState(readyEditor);
  /** It had the focus when its other half took its place. */
  const [moved, setMoved] = useState(false);
  const store = useReader();
  const attach = useNamedFiles(props);
  const references = useQuery(referencesIn, text);
  const named = useMemo(() => ({ people: names, tasks: references }), [names, references]);
  const drawn = choice === 'rich' && editor !== null;
  useNamedPictures(box, drawn ? text : '', drawn);

  useEffect(() => {
    if (editor !== null || choice !== 'rich') return;
    return whenEditorIsReady((ready) => {
      const around = box.current;
      const hasFocus = around?.contains(document.activeElement) ?? false;
      const change = (): void => {
        setMoved(hasFocus && latest.current.text === '');
        setEditor(() => ready);
      };
      // What one is in the middle of writing keeps its caret and its last space: the field changes once one leaves it.
      if (hasFocus && latest.current.text !== '') around?.addEventListener('focusout', change, { once: true });
      else change();
    });
  }, [editor, choice, latest]);

  const onEscape = useCallback((): void => {
    const around = box.current?.closest<HTMLElement>('[tabindex="-1"]');
    if (latest.current.onEscape) latest.current.onEscape();
    else if (around) around.focus({ preventScroll: true });
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }, [latest]);

  const projectId = task.project_id;
  const offerTasks = useCallback(
    (words: string): readonly TaskOffer[] =>
      (words.trim() === ''
        ? store
            .where('tasks', 'project_id', projectId)
            .filter((one) => one.archived_at === null && one.number !== null)
            .sort((one, other) => other.updated_at.localeCompare(one.updated_at))
            .slice(0, 9)
        : findTasks(store, words, 9)
      )
        .filter((one) => one.id !== latest.current.task.id && one.number !== null)
        .map((one) => ({ key: keyOfTask(store, one), title: one.title })),
    [store, projectId, latest],
  );
  const keyOfNumber = useCallback(
    (number: string): string | null => {
      const found = store.where('tasks', 'project_id', projectId).find((one) => one.number === Number(number));
      return found ? taskKey(store.get('projects', projectId), found) : null;
    },
    [store, projectId],
  );
  const collect = useCallback((data: DataTransfer) => (holdsFiles(data) ? collectFiles(data) : null), []);
  const chooseFiles = useCallback(() => chooser.current?.click(), []);

  function switchTo(markdown: boolean): void {
    setMoved(true);
    chooseWriting(markdown ? 'markdown' : 'rich');
  }

  const Rich = drawn ? editor : null;
  return (
    <div ref={box} className={styles.writingField} data-writing={Rich ? 'rich' : 'markdown'}>
      {Rich ? (
        <Rich
          handle={rich}
          label={props.label}
          placeholder={props.placeholder ?? ''}
          text={text}
          onChange={props.onChange}
          onSubmit={props.onSubmit}
          onEscape={onEscape}
          focus={focus || moved}
          small={small}
          named={named}
          findTasks={offerTasks}
          keyOfNumber={keyOfNumber}
          attach={attach}
          collect={collect}
          chooseFiles={chooseFiles}
        />
      ) : (
        <PlainField
          handle={plain}
          label={props.label}
          placeholder={props.placeholder ?? ''}
          value={text}
          names={names}
          focus={focus || moved}
          small={small}
          attach={attach}
          onChange={props.onChange}
          onSubmit={props.onSubmit}
          onEscape={onEscape}
        />
      )}
      <div className={styles.foot}>
        <span className={styles.hint}>{Rich ? t('writing.hint') : ''}</span>
        <IconButton label={t('writing.attach')} onClick={chooseFiles}>
          <Paperclip size={14} />
        </IconButton>
        <button
          type="button"
          className={styles.switch}
          aria-pressed={choice === 'markdown'}
          title={t('writing.markdownHint')}
          onClick={() => switchTo(choice !== 'markdown')}
        >
          {t('writing.markdown')}
        </button>
      </div>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-label={t('writing.attach')}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          (rich.current ?? plain.current)?.insertFiles(files);
        }}
      />
    </div>
  );
}
