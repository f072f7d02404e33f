// Neutral form of a project, whichever product it comes from: every reader produces it, and the writer knows nothing else. Ids are those of
// the product. Nothing in it has been checked against our limits; `fit-to-limits.ts` does that.

import { type Figure, figures } from '../../contract/views.ts';
import type { Series } from './series.ts';

/** Tables of an export of which nothing is made: what happened there is no history here. */
export const historyTables: ReadonlySet<string> = new Set([
  'task_activity',
  'task_claims',
  'agent_sessions',
  'agent_activities',
  'agent_proposals',
]);

export type Priority = 'p0' | 'p1' | 'p2';
export type StateKind = 'backlog' | 'todo' | 'in_progress' | 'done' | 'custom';

export interface State {
  readonly name: string;
  readonly kind: StateKind;
}

export interface Label {
  readonly name: string;
  readonly color: string | null;
}

export interface Person {
  /** How the file names them in tasks and comments. */
  readonly key: string;
  readonly name: string;
  readonly address: string | null;
}

export interface Comment {
  readonly origin: string | null;
  /** A key of `people`, or a name that stands for nobody known. */
  readonly author: string | null;
  /** A moment as ISO 8601. */
  readonly at: string | null;
  readonly body: string;
}

export interface ChecklistItem {
  readonly origin: string | null;
  readonly title: string;
  readonly done: boolean;
}

export interface Attachment {
  /** Unique within its task. */
  readonly origin: string;
  readonly name: string;
  /** Media type, where it is known. */
  readonly type: string | null;
  readonly at: string | null;
  /** Where its bytes may be in the zip the file came in: ends of paths, or folders (`files/7/`) with nothing else in them; the surest first. */
  readonly places: readonly string[];
  /** The leftover that names it, and the line of it that it replaces. */
  readonly under: string;
  readonly words: string;
  /** Its path in the zip, once it was found. */
  readonly entry?: string;
}

export interface Task extends Readonly<Record<Figure, number | null>> {
  readonly origin: string;
  /** Other names that the file calls it by, where others refer to it. */
  readonly aliases: readonly string[];
  /** Where it begins in the file; null where the format has no lines worth naming. */
  readonly line: number | null;
  readonly title: string;
  readonly description: string;
  /** Name of a state. */
  readonly state: string | null;
  readonly done: boolean;
  readonly archived: boolean;
  readonly priority: Priority;
  readonly labels: readonly string[];
  /** Keys of people. */
  readonly assignees: readonly string[];
  /** Keys of those who are invited, and have the task when they join. */
  readonly awaited?: readonly string[];
  readonly parent: string | null;
  /** Origins of tasks that must be done before. */
  readonly waitsFor: readonly string[];
  /** Days, `2026-11-24`. */
  readonly start: string | null;
  readonly due: string | null;
  /** Moments. */
  readonly created: string | null;
  readonly completed: string | null;
  readonly comments: readonly Comment[];
  readonly checklist: readonly ChecklistItem[];
  readonly attachments: readonly Attachment[];
  /** What has no place here, by its name there: it goes into the description. */
  readonly leftovers: readonly (readonly [name: string, value: string])[];
}

export type Row = Readonly<Record<string, unknown>>;

export const smallTables = [
  'projects',
  'people',
  'project_members',
  'workflow_columns',
  'task_labels',
  'custom_fields',
] as const;

/** A project that was exported here, on its way into a new one: what is known of it after it was read once, and its rows as often as they are wanted. */
export interface Whole {
  /** How many rows there are of each table. */
  readonly counts: ReadonlyMap<string, number>;
  /** Every row of the tables that are looked into. */
  readonly small: Readonly<Record<(typeof smallTables)[number], readonly Row[]>>;
  readonly ids: ReadonlySet<string>;
  /** Ids of rows that others are below. */
  readonly parents: ReadonlySet<string>;
  /** Ids of people there. */
  readonly assigned: ReadonlySet<string>;
  readonly outline: Outline;
  rows(table: string): AsyncIterable<Row>;
}

/** Of a project, for whoever looks before it is imported: how much, and each list with its first cards. */
export interface Outline {
  readonly counts: Readonly<
    Record<'tasks' | 'archived' | 'subtasks' | 'comments' | 'items' | 'labels' | 'dependencies' | 'files', number>
  >;
  readonly lists: readonly {
    readonly name: string | null;
    readonly count: number;
    readonly first: readonly string[];
  }[];
}

export const cardsShown = 5;

export interface Project {
  readonly source: string;
  /** What the ids of the file are unique in: the same in each export of the same board. */
  readonly scope: string;
  readonly name: string | null;
  readonly description?: string;
  readonly states: readonly State[];
  readonly labels: readonly Label[];
  readonly people: readonly Person[];
  readonly tasks: Series<Task>;
  /** What is of no task and has no place here: a new project keeps it in its description, and it is told. */
  readonly leftovers?: Task['leftovers'];
  /** Of a project that was exported here, for a new one: it is made of these rows, and there are no tasks above. */
  readonly whole?: Whole;
}

export const problemKinds = [
  'broken_row',
  'too_many_cells',
  'cut_cell',
  'no_title',
  'long_title',
  'long_description',
  'not_a_date',
  'unclear_dates',
  'mixed_dates',
  'other_priority',
  'start_after_due',
  'not_an_estimate',
  'twice',
  'unknown_parent',
  'unknown_predecessor',
  'circle',
  'too_deep',
  'unknown_person',
  'not_invited',
  'not_attached',
  'comment_of_another',
  'perhaps_part',
  'thrown_away',
  'of_the_project',
  'refused',
] as const;

/** Something of the file that could not be taken as it is. All of it is imported nevertheless, but for `broken_row`, `thrown_away` and `refused`. */
export interface Problem {
  readonly kind: (typeof problemKinds)[number];
  readonly line: number | null;
  /** The value, or the row's own words. */
  readonly about: string;
}

export interface Read {
  readonly project: Project;
  readonly problems: readonly Problem[];
}

/** A file that cannot be read at all. */
export class UnreadableFile extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableFile';
  }
}

/** A zip that holds several, of which one has to be named. */
export class SeveralParts extends UnreadableFile {
  constructor(readonly parts: readonly string[]) {
    const named = parts.slice(0, 5).join(', ');
    super(
      `The zip has several tables or boards: say which (${named}${parts.length > 5 ? ', …' : ''}); they are imported one by one.`,
    );
    this.name = 'SeveralParts';
  }
}

/** One for all tasks: in 200,000 of them, empty lists of their own would take 50 MB. */
export const none: readonly never[] = Object.freeze([]);

export function figuresBy(read: (name: Figure) => number | null): Readonly<Record<Figure, number | null>> {
  return Object.fromEntries(figures.map((name) => [name, read(name)])) as Record<Figure, number | null>;
}

const noFigures = figuresBy(() => null);

/** A task with nothing but a title: importers fill in what their product knows. */
export function plainTask(origin: string, title: string): Task {
  return {
    origin,
    aliases: none,
    line: null,
    title,
    description: '',
    state: null,
    done: false,
    archived: false,
    priority: 'p2',
    labels: none,
    assignees: none,
    parent: null,
    waitsFor: none,
    start: null,
    due: null,
    ...noFigures,
    created: null,
    completed: null,
    comments: none,
    checklist: none,
    attachments: none,
    leftovers: none,
  };
}
