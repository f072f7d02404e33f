// Typing a new task at the top or the end of a column; Enter adds and stays for the next one. What of the line is understood (who, which
// label, how urgent, by when) is shown below it, and a press on it makes it words of the title again.

import { CalendarDays, X } from 'lucide-react';
import type { FocusEvent, KeyboardEvent } from 'react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
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
import { PriorityMark } from '../../pieces/task-badges.tsx';
import { sayDay } from '../../queries/days/days.ts';
import { useToday } from '../../queries/days/today.ts';
import { type LinePart, type LineWords, readTaskLine, type TaskLine } from '../../queries/tasks/read-task-line.ts';
import { type ColumnRow, labelsOf, membersOf, type Priority, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import fieldStyles from '../../ui/fields/field.module.css';
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
  readonly beginning?: NewTaskValues;
  readonly place: AddPlace;
  /** The last task that was added, for the focus to go there. */
  readonly onClose: (addedId: string | null) => void;
  readonly onAdded: (count: number) => void;
  /** In a sheet of its own: what is typed is added by a press, not by leaving the field. */
  readonly alone?: boolean;
}

export function QuickAdd({ column, name, beginning, place, onClose, onAdded, alone = false }: QuickAddProps) {
  const [text, setText] = useState('');
  const [tooLong, setTooLong] = useState(false);
  const [takenBack, setTakenBack] = useState<ReadonlySet<string>>(new Set());
  const [template, setTemplate] = useState<Chosen | null>(null);
  const act = useAct();
  const begin = useBegin(column);
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const words = useLineWords(column.project_id);
  /** What was typed and not added yet, also while the field is going away. */
  const typed = useRef('');
  const added = useRef<string | null>(null);
  useEffect(() => field.current?.focus(), []);
  const lines = useLines(text, template, words, takenBack);

  function type(next: string): void {
    typed.current = next;
    setText(next);
    if (next === '') setTakenBack(new Set());
  }

  function choose(next: Chosen | null): void {
    if (typed.current.trim() === '' || typed.current === template?.title) type(next?.title ?? '');
    setTemplate(next);
    field.current?.focus();
  }

  /** What the line says goes before what the template has. */
  function addOfTemplate(chosen: Chosen): boolean {
    const draft = readBesideTemplate(typed.current, chosen, words, takenBack);
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
    const read = linesOf(typed.current).map((line) => ({ line, task: readTaskLine(line, words, takenBack) }));
    const long = read.filter(({ task }) => excessCharacters(task.title, titleLength) > 0);
    const drafts = read.filter((one) => !long.includes(one)).map(({ task }) => draftOf(task, beginning));
    type(long.map(({ line }) => line).join('\n'));
    setTooLong(long.length > 0);
    if (drafts.length > 0) {
      const { project_id: projectId, id: columnId } = column;
      void act(createTasks, { projectId, columnId, atTop: place === 'top' }, drafts);
      added.current = (place === 'top' ? drafts[0] : drafts.at(-1))?.id ?? null;
      onAdded(drafts.length);
    }
    return long.length === 0;
  }
  useSaveOnLeaving(() => alone || template !== null || add());

  function close(): void {
    typed.current = '';
    const section = field.current?.closest('section');
    onClose(added.current);
    if (added.current === null)
      requestAnimationFrame(() => section?.querySelector<HTMLElement>('[data-add-task]')?.focus());
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
      <textarea
        ref={field}
        rows={2}
        aria-label={t('board.addTo', { column: name ?? column.name })}
        aria-describedby={hint}
        placeholder={t('board.addPlaceholder')}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        aria-invalid={tooLong || undefined}
      />
      <Understood
        lines={lines}
        words={words}
        onTakeBack={(part) => {
          setTakenBack((old) => new Set([...old, part.typed]));
          field.current?.focus();
        }}
        onLeave={close}
      />
      <Hint id={hint} tooLong={tooLong} />
      <TemplateChoice projectId={column.project_id} chosen={template} onChoose={choose} />
      {alone && (
        <AddPress isEmpty={text.trim() === '' && template === null} onPress={() => add() && onClose(added.current)} />
      )}
    </div>
  );
}

/** What the template calls its task is no more than a title. */
function readBesideTemplate(
  typed: string,
  { title }: Chosen,
  words: LineWords,
  takenBack: ReadonlySet<string>,
): TaskLine {
  const line = typed.replace(/\s+/g, ' ').trim();
  if (line === '' || line === title) return { title, parts: [] };
  const read = readTaskLine(line, words, takenBack);
  return read.title === '' ? { ...read, title } : read;
}

function useLines(
  text: string,
  template: Chosen | null,
  words: LineWords,
  takenBack: ReadonlySet<string>,
): readonly TaskLine[] {
  const given = template?.title;
  return useMemo(() => (text === given ? [] : readLines(text, words, takenBack)), [text, given, words, takenBack]);
}

const readLines = (text: string, words: LineWords, takenBack: ReadonlySet<string>): TaskLine[] =>
  linesOf(text).map((line) => readTaskLine(line, words, takenBack));

/** The menu of templates is drawn elsewhere: who chooses there has not left. */
function isStillHere(box: HTMLElement | null, { target, relatedTarget: to }: FocusEvent): boolean {
  if (!box?.contains(target)) return true;
  return to instanceof Element && (box.contains(to) || to.closest('[role=menu]') !== null);
}

function Hint({ id, tooLong }: { id: string; tooLong: boolean }) {
  return (
    <p id={id} className={tooLong ? fieldStyles.fieldError : styles.hint} role={tooLong ? 'alert' : undefined}>
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

function useLineWords(projectId: string): LineWords {
  const people = useQuery(membersOf, projectId);
  const labels = useQuery(labelsOf, projectId);
  const userId = useUserId();
  const today = useToday();
  return useMemo(() => ({ people, labels, userId, today }), [people, labels, userId, today]);
}

/** What is typed adds to what tasks have there anyway; of priority it comes first. */
function draftOf({ title, parts }: TaskLine, beginning: NewTaskValues = {}): TaskDraft {
  const of = (kind: LinePart['kind']): string[] => parts.filter((part) => part.kind === kind).map((part) => part.is);
  return {
    ...beginning,
    id: newId(),
    title,
    priority: (of('priority')[0] as Priority | undefined) ?? beginning.priority,
    due: of('due')[0],
    assignees: [...new Set([...(beginning.assignees ?? []), ...of('assignee')])],
    labels: [...new Set([...(beginning.labels ?? []), ...of('label')])],
  };
}

interface UnderstoodProps {
  readonly lines: readonly TaskLine[];
  readonly words: LineWords;
  readonly onTakeBack: (part: LinePart) => void;
  readonly onLeave: () => void;
}

function Understood({ lines, words, onTakeBack, onLeave }: UnderstoodProps) {
  const parts = [...new Map(lines.flatMap((line) => line.parts).map((part) => [part.typed, part])).values()];
  return (
    <div className={`${shapes.rowS2} ${styles.parts}`}>
      <span role="status" className="only-spoken">
        {parts.map((part) => nameOf(part, words)).join(', ')}
      </span>
      {lines.length > 1 && (
        <span className={`${shapes.softXs} ${shapes.strong} ${styles.many}`}>
          {t('common.tasks', { n: lines.length })}
        </span>
      )}
      {parts.map((part) => (
        <button
          key={part.typed}
          type="button"
          className={`${shapes.inlineS2} ${styles.part}`}
          aria-label={t('board.line.takeBack', { what: nameOf(part, words), typed: part.typed })}
          title={t('board.line.takeBack', { what: nameOf(part, words), typed: part.typed })}
          onClick={() => onTakeBack(part)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            onLeave();
          }}
        >
          <PartSign part={part} words={words} />
          <span className={shapes.words}>{nameOf(part, words)}</span>
          <X size={12} aria-hidden="true" />
        </button>
      ))}
    </div>
  );
}

function nameOf({ kind, is }: LinePart, { people, labels }: LineWords): string {
  if (kind === 'assignee') return people.find((one) => one.userId === is)?.name ?? '';
  if (kind === 'label') return labels.find((one) => one.id === is)?.name ?? '';
  return kind === 'due' ? sayDay(is) : t(`common.priorities.${is as Priority}`);
}

function PartSign({ part: { kind, is }, words }: { part: LinePart; words: LineWords }) {
  if (kind === 'priority') return <PriorityMark priority={is as Priority} />;
  if (kind === 'due') return <CalendarDays size={13} aria-hidden="true" />;
  if (kind === 'assignee') {
    const person = words.people.find((one) => one.userId === is);
    return <Avatar name={person?.name ?? ''} url={person?.avatarUrl ?? null} seed={is} size={20} />;
  }
  const label = words.labels.find((one) => one.id === is);
  return <span className={styles.dot} style={{ background: label?.color ?? 'var(--edge)' }} />;
}
