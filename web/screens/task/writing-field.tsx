// Field for descriptions and comments: rich text, or plain Markdown for those who prefer it. Both produce the same text, save by Ctrl
// Enter, and take files; the editor is fetched once a task is viewed.

import { useCallback, useMemo, useRef } from 'react';
import type { RichFieldHandle } from '../../editor/rich-field-props.ts';
import { collectFiles, holdsFiles } from '../../files/collect-files.ts';
import { useNamedPictures } from '../../pieces/use-named-pictures.ts';
import { referencesIn } from '../../queries/tasks/references.ts';
import { rightsOn, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { useNamedFiles } from './attachments/use-file-field.ts';
import { PlainField, type PlainFieldHandle } from './plain-field.tsx';
import { useRichEditor } from './use-rich-editor.ts';
import { useTaskOffers } from './use-task-offers.ts';
import styles from './writing-field.module.css';
import { WritingFoot } from './writing-foot.tsx';

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

/** Viewers comment, and attach nothing. */
function refuseFiles(): readonly string[] {
  showMessage(t('task.keys.readOnly'));
  return [];
}

export function WritingField(props: WritingFieldProps) {
  const { task, text, names, focus = false, small = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const rich = useRef<RichFieldHandle>(null);
  const plain = useRef<PlainFieldHandle>(null);
  const { Rich, prefersMarkdown, moved, switchOver } = useRichEditor(box, text);
  const attaches = useQuery(rightsOn, task.id, useUserId()).edits;
  const attachNamed = useNamedFiles(props);
  const attach = attaches ? attachNamed : refuseFiles;
  const references = useQuery(referencesIn, text);
  const named = useMemo(() => ({ people: names, tasks: references }), [names, references]);
  const { findTasks, keyOfNumber } = useTaskOffers(task);
  useNamedPictures(box, Rich ? text : '', Rich !== null);

  const ownEscape = useLatest(props.onEscape);
  const onEscape = useCallback((): void => {
    const around = box.current?.closest<HTMLElement>('[tabindex="-1"]');
    if (ownEscape.current) ownEscape.current();
    else if (around) around.focus({ preventScroll: true });
    else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  }, [ownEscape]);
  const collect = useCallback((data: DataTransfer) => (holdsFiles(data) ? collectFiles(data) : null), []);
  const openChooser = useCallback(() => chooser.current?.click(), []);
  const chooseFiles = attaches ? openChooser : null;

  const { label, placeholder = '', onChange, onSubmit } = props;
  const forBoth = { label, placeholder, onChange, onSubmit, onEscape, attach, small, focus: focus || moved };
  const plainField = <PlainField {...forBoth} handle={plain} value={text} names={names} />;
  return (
    <div
      ref={box}
      className={`${shapes.stackS2} ${shapes.slim} ${shapes.oneColumn} ${styles.writingField}`}
      data-writing={Rich ? 'rich' : 'markdown'}
    >
      {Rich ? (
        // A text that breaks the editor is written as what it is.
        <ErrorBoundary instead={plainField}>
          <Rich
            {...forBoth}
            handle={rich}
            text={text}
            named={named}
            findTasks={findTasks}
            keyOfNumber={keyOfNumber}
            collect={collect}
            chooseFiles={chooseFiles}
          />
        </ErrorBoundary>
      ) : (
        plainField
      )}
      <WritingFoot
        isRich={Rich !== null}
        prefersMarkdown={prefersMarkdown}
        onFiles={chooseFiles}
        onSwitch={switchOver}
      />
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
