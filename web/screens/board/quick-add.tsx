// Typing a new task at the top or the end of a column, on a board or over a list; Enter adds and stays for the next one. What of the line is understood (who, which
// label, how urgent, by when) is shown below it, and a press on it makes it words of the title again.

import type { FocusEvent, KeyboardEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import {
  createFromTemplate,
  createTasks,
  excessCharacters,
  linesOf,
  newId,
  type TaskDraft,
  titleLength,
  useAct,
} from '../../commands.ts';
import { LineParts } from '../../pieces/quick-line/line-parts.tsx';
import { QuickField } from '../../pieces/quick-line/quick-field.tsx';
import { draftOf, type QuickLine, useQuickLine } from '../../pieces/quick-line/use-quick-line.ts';
import { useToday } from '../../queries/days/today.ts';
import type { TaskLine } from '../../queries/tasks/read-task-line.ts';
import type { ColumnRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import type { NewTaskValues } from './new-task-values.ts';
import styles from './quick-add.module.css';
import type { Chosen } from './template-choice.tsx';

const TemplateChoice = lazyComponent(() => import('./template-choice.tsx'), ['starters']);

/** Where the new task stands: as the plus that was pressed. */
export type AddPlace = 'top' | 'end';

interface QuickAddProps {
  readonly column: ColumnRow;
  /** What one calls the place, where it is not the column. */
  readonly name?: string;
  /** What a task has from the start there. */
  readonly beginning?: NewTaskValues | undefined;
  /** What stands in the line from the start; all of it is title. */
  readonly given?: string | undefined;
  readonly place: AddPlace;
  /** The last task that was added, for the focus to go there. */
  readonly onClose: (addedId: string | null) => void;
  readonly onAdded: (count: number) => void;
  /** Gives the focus back where nothing was added; without it the plus has it. */
  readonly onBack?: () => void;
  /** In a sheet of its own: what is typed is added by a press, not by leaving the field. */
  readonly alone?: boolean;
}

export function QuickAdd(props: QuickAddProps) {
  const { column, name, beginning, given, place, onClose, onAdded, onBack, alone = false } = props;
  const [tooLong, setTooLong] = useState(false);
  const [template, setTemplate] = useState<Chosen | null>(null);
  const line = useQuickLine(column.project_id, { given: template?.title ?? given, initial: given });
  const { text, typed, type } = line;
  const act = useAct();
  const begin = useBegin(column);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const hint = useId();
  const added = useRef<string | null>(null);
  useEffect(() => field.current?.focus(), []);

  function choose(next: Chosen | null): void {
    if (typed.current.trim() === '' || typed.current === template?.title) type(next?.title ?? '');
    setTemplate(next);
    field.current?.focus();
  }

  /** What the line says goes before what the template has. */
  function addOfTemplate(chosen: Chosen): boolean {
    const draft = readBesideTemplate(line, chosen);
    if (excessCharacters(draft.title, titleLength) > 0) {
      setTooLong(true);
      return false;
    }
    added.current = begin(chosen, draftOf(draft, beginning), place === 'top');
    type('');
    setTemplate(null);
    setTooLong(false);
    onAdded(1);
    return true;
  }

  /** A pasted list becomes a task a line; lines that are too long stay. Says whether all could be added. */
  function add(): boolean {
    if (template !== null) return addOfTemplate(template);
    const lines = linesOf(typed.current);
    const long = lines.filter((one) => excessCharacters(line.read(one).title, titleLength) > 0);
    const fitting = lines.filter((one) => !long.includes(one));
    type(long.join('\n'));
    setTooLong(long.length > 0);
    if (fitting.length > 0) {
      const { project_id: projectId, id: columnId } = column;
      const ids = fitting.map(() => newId());
      added.current = (place === 'top' ? ids[0] : ids.at(-1)) ?? null;
      line.readToAdd(fitting, (tasks) => {
        const drafts = tasks.map((task, at) => ({ ...draftOf(task, beginning), id: ids[at] ?? newId() }));
        void act(createTasks, { projectId, columnId, atTop: place === 'top' }, drafts);
        onAdded(drafts.length);
      });
    }
    return long.length === 0;
  }
  useSaveOnLeaving(() => alone || template !== null || add());

  function close(): void {
    typed.current = '';
    const section = field.current?.closest('section');
    const back = onBack ?? (() => section?.querySelector<HTMLElement>('[data-add-task]')?.focus());
    onClose(added.current);
    if (added.current === null) requestAnimationFrame(back);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      // With nothing left to add one is done.
      if (typed.current.trim() === '' && template === null) close();
      else add();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      close();
    }
  }

  function onBlur(event: FocusEvent): void {
    if (alone) return;
    if (template !== null || isStillHere(box.current, event)) return;
    if (add()) onClose(null);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and the focus of the field and of what stands below it
    <div className={styles.quickAdd} ref={box} onBlur={onBlur}>
      <QuickField
        several
        line={line}
        field={field}
        rows={2}
        aria-label={t('board.addTo', { column: name ?? column.name })}
        aria-describedby={hint}
        placeholder={t('board.addPlaceholder')}
        onKeyDown={onKeyDown}
        aria-invalid={tooLong || undefined}
      />
      <LineParts line={line} onBack={() => field.current?.focus()} onEscape={close} />
      <Hint id={hint} tooLong={tooLong} />
      <TemplateChoice projectId={column.project_id} chosen={template} onChoose={choose} />
      {alone && (
        <AddPress isEmpty={text.trim() === '' && template === null} onPress={() => add() && onClose(added.current)} />
      )}
    </div>
  );
}

/** What the template calls its task is no more than a title. */
function readBesideTemplate({ typed, read }: QuickLine, { title }: Chosen): TaskLine {
  const words = typed.current.replace(/\s+/g, ' ').trim();
  if (words === '' || words === title) return { title, parts: [] };
  const task = read(words);
  return task.title === '' ? { ...task, title } : task;
}

/** The menu of templates is drawn elsewhere: who chooses there has not left. */
function isStillHere(box: HTMLElement | null, { target, relatedTarget: to }: FocusEvent): boolean {
  if (!box?.contains(target)) return true;
  return to instanceof Element && (box.contains(to) || to.closest('[role=menu]') !== null);
}

function Hint({ id, tooLong }: { id: string; tooLong: boolean }) {
  return (
    <p
      id={id}
      className={tooLong ? `${shapes.wrong} ${shapes.medium}` : styles.hint}
      role={tooLong ? 'alert' : undefined}
    >
      {tooLong ? t('task.titleTooLong', { most: titleLength }) : t('board.addHint')}
    </p>
  );
}

function AddPress({ isEmpty, onPress }: { isEmpty: boolean; onPress: () => void }) {
  return (
    <Button look="main" className={styles.press} disabled={isEmpty} onClick={onPress}>
      {t('board.add')}
    </Button>
  );
}

/** A task of a template in this column; answers its id. */
function useBegin({ project_id: projectId, id: columnId }: ColumnRow) {
  const act = useAct();
  const day = useToday();
  return ({ id: templateId, labels: needs }: Chosen, { id = newId(), ...draft }: TaskDraft, atTop: boolean): string => {
    void act(createFromTemplate, { ...draft, templateId, projectId, columnId, day, atTop, needs }, id);
    return id;
  };
}
