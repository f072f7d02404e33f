// Callers of the rights matrix, and the cells of each: those of a role in the matrix of the tables, changed by one rule a caller. Doors say what is due by
// these, never by names of callers.

import type { Role } from '../sql/board.ts';
import { type Cells, due, matrix, matrixWithCommentingViewers, type Verb } from '../sql/matrix-cells.ts';
import { ended } from './cells.ts';
import { type Narrowing, narrowed } from './narrowing.ts';

export type Level = 'see' | 'comment' | 'edit';

export interface Caller {
  /** In the project, as the matrix has it. */
  readonly role: Role;
  /** The project they are asked about: where all see all, where viewers may comment, or where the asked tasks are restricted. */
  readonly place?: 'talking' | 'closed';
  /** Somebody beside the person whom the matrix has for the role: the rows of the board are not theirs. */
  readonly isFellow?: true;
  /** The role is a group's. */
  readonly isByGroup?: true;
  /** As a guest of the asked task. */
  readonly level?: Level;
  /** In the project, and not named where the tasks are restricted. */
  readonly isUnnamed?: true;
  readonly program?: Narrowing;
  /** A public link, to the project with these parts. */
  readonly link?: 'all parts' | 'no parts' | 'elsewhere';
  readonly hasEnded?: true;
}

const all = {
  owner: { role: 'owner' },
  editor: { role: 'editor' },
  viewer: { role: 'viewer' },
  /** Of another task than the asked ones. */
  guest: { role: 'guest' },
  removed: { role: 'outsider' },
  outsider: { role: 'outsider' },
  anonymous: { role: 'anonymous' },
  'signed out': { role: 'outsider', hasEnded: true },
  'member by a group': { role: 'viewer', isFellow: true, isByGroup: true },
  'member by two groups': { role: 'editor', isFellow: true, isByGroup: true },
  'removed from a group': { role: 'outsider' },
  'guest who sees': { role: 'guest', level: 'see' },
  'guest who comments': { role: 'guest', level: 'comment' },
  'guest who edits': { role: 'guest', level: 'edit' },
  'viewer who may comment': { role: 'viewer', place: 'talking' },
  'named member': { role: 'editor', isFellow: true, place: 'closed' },
  'unnamed member': { role: 'editor', isFellow: true, place: 'closed', isUnnamed: true },
  'reading key': { role: 'editor', program: { scope: 'read', projects: 'here' } },
  'writing key': { role: 'editor', program: { scope: 'write', projects: 'here' } },
  'service account': { role: 'editor', isFellow: true, program: { scope: 'write', projects: 'own' } },
  'public link': { role: 'outsider', link: 'all parts' },
  'public link with a password': { role: 'outsider', link: 'no parts' },
  'public link to another project': { role: 'outsider', link: 'elsewhere' },
} as const satisfies Readonly<Record<string, Caller>>;

export type Who = keyof typeof all;
export const callers: Readonly<Record<Who, Caller>> = all;
export const everybody = Object.keys(callers) as readonly Who[];

export const isMember = (who: Who): boolean =>
  callers[who].role === 'owner' || callers[who].role === 'editor' || callers[who].role === 'viewer';
/** In no relation to the project, whatever they hold. */
export const isStranger = (who: Who): boolean =>
  callers[who].link === undefined && (callers[who].role === 'outsider' || callers[who].role === 'anonymous');
/** Accounts, of which explain_access tells. */
export const isPerson = (who: Who): boolean => {
  const { role, link, program, isFellow, hasEnded }: Caller = callers[who];
  return (
    role !== 'anonymous' && hasEnded !== true && link === undefined && (program === undefined || isFellow === true)
  );
};

// Rows ----------------------------------------------------------------------------------------------------------------------

const isOfTask = (table: string): boolean =>
  table === 'tasks' || /^(comment|agent|task)_/.test(table.replace('task_labels', ''));

/** Authors change and delete their own; of others' there are owners, for these to delete. */
const ofAuthors = ['task_comments', 'saved_views'];

export function ofFellow(table: string, cells: Cells, role: Role): Cells {
  const isTheirs = (roles: readonly Role[]): boolean => roles.length === 1 && roles[0] === 'editor';
  const may = (roles: readonly Role[]): readonly Role[] =>
    isTheirs(roles) || ofAuthors.includes(table) ? roles.filter((one) => one !== 'editor') : roles;
  // The board's editor has one already, and the viewer's membership is their own.
  const adds = cells.insert.may.includes('viewer') ? [...cells.insert.may, role] : cells.insert.may;
  const leaves = table === 'project_members' ? cells.delete.may.filter((one) => one !== 'viewer') : cells.delete.may;
  return {
    ...cells,
    sees: isTheirs(cells.sees) ? [] : cells.sees,
    insert: { ...cells.insert, body: (board) => cells.insert.body(board, 'viewer'), may: adds },
    update: { ...cells.update, may: may(cells.update.may) },
    delete: { may: may(leaves) },
  };
}

const shown = [
  ...['tasks', 'task_assignees', 'task_attachments', 'task_checklist_items', 'task_comments', 'task_field_values'],
  ...['task_label_links', 'task_watchers', 'task_claims', 'comment_reactions', 'comment_resolutions'],
];
/** Rights of a guest on rows of others, as editors have them. */
const ofGuests: Readonly<Record<Level, Readonly<Record<'insert' | 'update' | 'delete', readonly string[]>>>> = {
  see: { insert: [], update: [], delete: [] },
  comment: { insert: ['task_comments', 'comment_reactions'], update: [], delete: [] },
  edit: {
    insert: [
      ...['task_comments', 'comment_reactions', 'comment_resolutions', 'task_label_links', 'task_checklist_items'],
      ...['task_attachments', 'task_field_values'],
    ],
    update: ['tasks', 'task_label_links', 'task_checklist_items', 'task_attachments', 'task_field_values'],
    delete: [
      ...['comment_resolutions', 'task_label_links', 'task_checklist_items', 'task_attachments', 'task_field_values'],
    ],
  },
};

function ofGuest(table: string, cells: Cells, level: Level): Cells {
  const may = (verb: 'insert' | 'update' | 'delete'): readonly Role[] =>
    ofGuests[level][verb].includes(table) ? [...cells[verb].may, 'guest'] : cells[verb].may;
  return {
    ...cells,
    sees: shown.includes(table) ? [...cells.sees, 'guest'] : cells.sees,
    insert: { ...cells.insert, may: may('insert') },
    update: { ...cells.update, may: may('update') },
    delete: { may: may('delete') },
  };
}

/** To one who is not named there are no such rows; a task beside them is made as ever. */
function ofUnnamed(table: string, cells: Cells): Cells {
  if (!isOfTask(table)) return cells;
  const insert = table === 'tasks' ? cells.insert : { ...cells.insert, may: [] };
  return { ...cells, sees: [], insert, update: { ...cells.update, may: [] }, delete: { may: [] } };
}

const ofEveryLink = [
  ...['projects', 'workflow_columns', 'tasks', 'task_labels', 'task_label_links', 'task_checklist_items'],
  ...['task_dependencies', 'custom_fields', 'task_field_values', 'task_attachments'],
];
const ofParts = ['task_assignees', 'task_comments', 'profiles'];
/** Tables that the role of links was granted: of all others it may not even ask. */
export const isOpenToLinks = (table: string): boolean => ofEveryLink.includes(table) || ofParts.includes(table);

function ofLink(table: string, cells: Cells, parts: Caller['link']): Cells {
  const isPart = parts === 'all parts' && ofParts.includes(table);
  const sees = parts !== 'elsewhere' && (isPart || ofEveryLink.includes(table));
  return {
    ...cells,
    sees: sees ? ['outsider'] : [],
    insert: { ...cells.insert, may: [] },
    update: { ...cells.update, may: [] },
    delete: { may: [] },
    closed: ['insert', 'update', 'delete'],
  };
}

export function cellsOf(who: Who, table: string): Cells {
  const { role, place, isFellow, level, isUnnamed, program, link }: Caller = callers[who];
  let cells = (place === 'talking' ? matrixWithCommentingViewers : matrix)[table] as Cells;
  if (isFellow === true) cells = ofFellow(table, cells, role);
  if (level !== undefined) cells = ofGuest(table, cells, level);
  if (isUnnamed === true) cells = ofUnnamed(table, cells);
  if (program !== undefined) cells = narrowed(table, cells, program);
  return link === undefined ? cells : ofLink(table, cells, link);
}

export const sees = (who: Who, table: string): boolean =>
  callers[who].hasEnded !== true && cellsOf(who, table).sees.includes(callers[who].role);
export const may = (who: Who, verb: 'insert' | 'update' | 'delete', table: string): boolean =>
  callers[who].hasEnded !== true && cellsOf(who, table)[verb].may.includes(callers[who].role);

export const show = ({ status, rows, code }: ReturnType<typeof due>): string =>
  rows === null ? `${status} ${code}` : `${status}, ${rows} rows`;

/** Answers that follow from no role. */
function exception(who: Who, verb: Verb, table: string): string | undefined {
  const { hasEnded, link, place, isUnnamed } = callers[who];
  if (hasEnded === true) return ended;
  if (link !== undefined && verb === 'select' && !isOpenToLinks(table)) return '403 42501';
  // People are named of the uppermost task, and this one is under it.
  const isNamed = place === 'closed' && isUnnamed !== true && table === 'task_grants';
  if (isNamed && verb === 'insert') return '409 KB021';
  // Of who works on the task it stays, whoever takes their name away.
  if (isNamed && verb === 'delete') return '200, 0 rows';
  return undefined;
}

export const dueAt = (who: Who, verb: Verb, table: string): string =>
  exception(who, verb, table) ?? show(due(cellsOf(who, table), verb, callers[who].role));
