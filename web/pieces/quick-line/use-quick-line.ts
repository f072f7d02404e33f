// State of a line that is typed into a new task: its text, the parts that were understood, and those that stay words of the title.

import { type RefObject, useMemo, useRef, useState } from 'react';
import { linesOf, newId, type TaskDraft } from '../../commands.ts';
import { useLineWords } from '../../queries/tasks/line-words.ts';
import { type LinePart, type LineWords, readTaskLine, type TaskLine } from '../../queries/tasks/read-task-line.ts';
import type { Priority } from '../../queries.ts';

export interface QuickLine {
  readonly projectId: string;
  readonly text: string;
  /** The text as it is now, also while the field is going away. */
  readonly typed: RefObject<string>;
  readonly words: LineWords;
  readonly lines: readonly TaskLine[];
  /** Signs are words of the title. */
  readonly plain: boolean;
  type(text: string): void;
  read(line: string): TaskLine;
  /** The same of what is added: at once, or when the names in it are known. */
  readToAdd(lines: readonly string[], add: (tasks: readonly TaskLine[]) => void): void;
  /** The part is words of the title after all. */
  keepInTitle(part: LinePart): void;
}

interface QuickLineOptions {
  readonly plain?: boolean;
  /** A text that is all title, as that of a template. */
  readonly given?: string | undefined;
  readonly initial?: string | undefined;
}

export function useQuickLine(
  projectId: string,
  { plain = false, given, initial = '' }: QuickLineOptions = {},
): QuickLine {
  const [text, setText] = useState(initial);
  const [takenBack, setTakenBack] = useState<ReadonlySet<string>>(new Set());
  const typed = useRef(initial);
  const { words, whenKnown } = useLineWords(projectId, text !== '');
  const readBy = (line: string, words: LineWords): TaskLine =>
    plain || line === given ? { title: line.trim(), parts: [] } : readTaskLine(line, words, takenBack);
  const read = (line: string): TaskLine => readBy(line, words);
  const lines = useMemo(
    () => (plain || text === given ? [] : linesOf(text).map((line) => readTaskLine(line, words, takenBack))),
    [plain, text, given, words, takenBack],
  );
  return {
    ...{ projectId, text, typed, words, lines, plain, read },
    type(next) {
      typed.current = next;
      setText(next);
      if (next === '') setTakenBack(new Set());
    },
    readToAdd: (some, add) => whenKnown(some.map(read), (known) => add(some.map((line) => readBy(line, known)))),
    keepInTitle: (part) => setTakenBack((old) => new Set([...old, part.typed])),
  };
}

/** What is typed adds to what tasks have there anyway; of priority and day it comes first. */
export function draftOf({ title, parts }: TaskLine, beginning: Omit<TaskDraft, 'id' | 'title'> = {}) {
  const of = (kind: LinePart['kind']): string[] => parts.filter((part) => part.kind === kind).map((part) => part.is);
  return {
    ...beginning,
    id: newId(),
    title,
    priority: (of('priority')[0] as Priority | undefined) ?? beginning.priority,
    due: of('due')[0] ?? beginning.due,
    assignees: [...new Set([...(beginning.assignees ?? []), ...of('assignee')])],
    labels: [...new Set([...(beginning.labels ?? []), ...of('label')])],
  } satisfies TaskDraft;
}
