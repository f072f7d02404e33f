// Types of a property of a task. Own columns (own.ts) and fields of a project (field.ts) have the same shape: an entry with its kind.
// make-property.ts joins the two into what screens and queries ask.

import type { Condition } from '../../contract/views.ts';
import type { NumberRange } from '../strings/numbers.ts';
import type { ColumnKind, Priority, TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import type { CellValue } from './cell-value.ts';

export type TaskTest = (task: TaskRow) => boolean;
export type ValueIn<V> = (task: TaskRow) => V | null;
/** Null stands last, either way round. */
export type Measure = string | number | null;

/** A value out of several: a column, a person, a label, an option, a task. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly kind?: ColumnKind;
  readonly color?: string | null;
  /** The address of a person's picture; null: a person without one. */
  readonly picture?: string | null;
  readonly priority?: Priority;
  /** Its place in an order, where it has one of its own. */
  readonly place?: number;
  /** Not in the project: sees some of its tasks. */
  readonly guest?: true;
  /** A service account that works in sessions. */
  readonly agent?: true;
  /** The name stands for one that is not known. */
  readonly unnamed?: true;
}

/** What a kind needs to know of one property. */
export interface Source {
  /** In the order they are offered. */
  readonly choices: () => readonly Choice[];
  /** One of them, or one that was. */
  readonly choice: (id: string) => Choice;
  readonly unit: string | null;
  readonly range: NumberRange;
  /** In characters. */
  readonly most: number;
}

/** The days that words mean. Handed over by the screens that read text, since the reader of days is large. */
export type ReadDay = (typed: string) => string | undefined;

/** Of a task in one property, whichever kind it is of. */
export type PropertyValue = string | number | boolean | readonly string[];

/** Values of many tasks counted: options and people chosen, boxes ticked, numbers added up. */
export type Counted =
  | { readonly options: readonly { readonly option_id: string; readonly name: string; readonly count: number }[] }
  | {
      readonly people: readonly {
        readonly user_id: string;
        readonly display_name: string | null;
        readonly count: number;
      }[];
    }
  | { readonly ticked: number }
  | { readonly unit: string | null; readonly filled: number; readonly sum: number; readonly average: number | null };

export type Read<T> = { readonly value: T } | { readonly fault: string };
export type ReadCell = { readonly cell: CellValue } | { readonly fault: string };

/** All that follows from the kind of a property alone. `V`: the value of a task that has one. */
export interface Kind<V> {
  readonly name: 'words' | 'number' | 'day' | 'moment' | 'choice' | 'choices' | 'person' | 'people' | 'flag' | 'link';
  /** What a field holds; null: nothing of this kind. */
  readonly take: (held: unknown) => V | null;
  readonly test: (condition: Condition, valueIn: ValueIn<V>) => TaskTest;
  /** What orders compare; words as names are compared. */
  readonly measure: (source: Source) => (value: V) => Measure;
  readonly ordersWords?: true;
  /** The choices it is made of. */
  readonly idsIn: (value: V) => readonly string[];
  /** The value that one choice makes. */
  readonly of?: (id: string) => V;
  /** Left out: values of this kind are not counted. */
  readonly count?: (values: readonly V[], source: Source) => Counted;
  /** As the clipboard and spreadsheets have it. */
  readonly say: (value: V, source: Source) => string;
  /** For eyes, in the reader's language; left out: as it is said. */
  readonly show?: (value: V, source: Source) => string;
  /** Shown in figures of equal width. */
  readonly figures?: true;
  /** A change to this value, in a task's history; left out: "set {name} to {value}". */
  readonly sayChange?: (value: V, name: string) => string;
  /** `typed` is trimmed and not empty. */
  readonly read: (typed: string, source: Source, readDay: ReadDay) => Read<V>;
  /** Chosen from a list or a calendar, not typed. */
  readonly picked?: true;
  /** Its values can be added up. */
  readonly adds?: true;
  /** A press of Enter in its cell changes it, without a field. */
  readonly next?: (value: V | null) => V;
  /** Of its column in a table, in pixels where letters have their usual size. */
  readonly width?: number;
}

/** The column of an own property in a table. */
export interface InTable {
  readonly width?: number;
  /** Shown where no columns were chosen: by this name in the sheet and in the list of columns without any value. */
  readonly usual?: 'key' | 'priority' | 'title' | 'labels' | 'column' | 'people' | 'due';
}

/** How tasks are told apart: the groups of each task, and the groups that are there anyway, in their order. */
export interface Groups {
  readonly idsOf: (task: TaskRow) => readonly string[];
  readonly known: readonly Choice[];
  /** Of one that is not known; they follow those that are. */
  readonly headOf: (id: string) => Choice;
}

/** What one property has beside its kind. `V`: the value of a task that has one. */
export interface Entry<V> {
  readonly kind: Kind<V>;
  readonly valueIn: (store: Reader, task: TaskRow) => V | null;
  /** Every task has one. */
  readonly always?: true;
  /** Its values belong to one project. */
  readonly ofProject?: true;
  readonly choices?: (store: Reader, projectId: string) => readonly Choice[];
  readonly choice?: (store: Reader, id: string) => Choice;
  /** What is none of the choices is nothing. */
  readonly onlyKnown?: true;
  readonly test?: (store: Reader, condition: Condition) => TaskTest;
  readonly say?: (store: Reader, task: TaskRow) => string;
  readonly read?: (typed: string, source: Source) => Read<V>;
  /** Null empties it. Left out: the database alone writes it. */
  readonly write?: (value: V | null) => ReadCell;
  /** A fault where the task cannot have this value beside its others. */
  readonly check?: (task: TaskRow, value: V | null) => string | null;
  /** A change to it in a task's history, where it is not said as usual; `said` is the value for eyes. */
  readonly history?: { readonly set: (said: string, value: V) => string; readonly cleared?: () => string };
  readonly unit?: (store: Reader) => string | null;
  readonly range?: NumberRange;
  readonly most?: number;
  /** The group of tasks without it. */
  readonly sayNone?: () => string;
  /** Left out: it is no column of a table. */
  readonly table?: InTable;
}

/** What queries and screens ask of a property, whichever kind it is of. */
export interface Property extends Pick<Entry<never>, 'always' | 'ofProject' | 'table'> {
  readonly kind: Kind<never>['name'];
  readonly test: (store: Reader, condition: Condition) => TaskTest;
  readonly measure: (store: Reader) => (task: TaskRow) => Measure;
  readonly ordersWords: boolean;
  readonly groups: (store: Reader, projectId: string) => Groups;
  readonly sayNone: () => string;
  readonly isFilled: (store: Reader, task: TaskRow) => boolean;
  /** Its number, where it is one. */
  readonly numberIn: (store: Reader, task: TaskRow) => number | null;
  readonly adds: boolean;
  /** One person or several. */
  readonly isOfPeople: boolean;
  readonly unitIn: (store: Reader) => string | null;
  readonly say: (store: Reader, task: TaskRow) => string;
  readonly show: (store: Reader, task: TaskRow) => string;
  readonly figures: boolean;
  /** `typed` as what the task is to have; nothing typed empties it, where it may be empty. */
  readonly read: (store: Reader, task: TaskRow, typed: string, readDay: ReadDay) => ReadCell;
  readonly picked: boolean;
  readonly writes: boolean;
  readonly valueIn: (store: Reader, task: TaskRow) => PropertyValue | null;
  readonly source: (store: Reader, projectId: string) => Source;
  /** As it is typed, and for eyes. */
  readonly sayValue: (source: Source, value: PropertyValue) => string;
  readonly showValue: (source: Source, value: PropertyValue) => string;
  readonly readValue: (source: Source, typed: string, readDay: ReadDay) => Read<PropertyValue>;
  readonly write: (value: PropertyValue | null) => ReadCell;
  readonly check: (task: TaskRow, value: PropertyValue | null) => string | null;
  /** The value of tasks that stand in the group of a choice; null: no kind of choice. */
  readonly valueOf: (id: string) => PropertyValue | null;
  /** Null: its values are not counted. */
  readonly count: ((store: Reader, projectId: string, tasks: readonly TaskRow[]) => Counted) | null;
  /** A change to it in a task's history. `named`: names as they were then. */
  readonly sayChange: (name: string, to: unknown, named: Partial<Source>) => string;
  /** Null: its cell is edited with a field or a picker. */
  readonly next: ((store: Reader, task: TaskRow) => ReadCell) | null;
  readonly width: number;
}
