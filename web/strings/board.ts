// Words of the board: columns, cards, filters, and what a screen reader hears while a card is moved.

import { count } from './count.ts';

export const board = {
  label: 'Board',
  column: (name: string, n: number) => `${name}, ${count(n, 'task')}`,
  wip: (n: number, limit: number) => `${n.toLocaleString()} of ${limit.toLocaleString()}`,
  wipOver: (limit: number) => `Over its limit of ${limit}`,
  wipAt: (limit: number) => `At its limit of ${limit}`,
  add: 'Add task',
  addTo: (column: string) => `Add a task to ${column}`,
  addPlaceholder: 'What needs doing?',
  addHint: 'Enter adds it, Escape closes',
  emptyColumn: 'No tasks',
  /** On a board on which nothing has been written yet. */
  emptyKinds: {
    backlog: 'Ideas and wishes, for whenever there is time.',
    todo: 'What comes next, the most important on top.',
    in_progress: 'What someone is working on right now.',
    done: 'What is finished. The dashboard counts it.',
    custom: 'A step of your own.',
  },
  emptyFirst: 'Write the first one, press Enter, go on with the next.',
  emptyFiltered: 'Nothing matches the filters',
  emptyBoard: 'No columns yet',
  emptyBoardWords: 'A board needs at least one column. An editor can add them in the settings.',
  blocked: 'Blocked',
  blockedBy: (keys: string) => `Blocked by ${keys}`,
  due: (date: string) => `Due ${date}`,
  overdue: (date: string) => `Overdue since ${date}`,
  dueToday: 'Due today',
  checklist: (done: number, all: number) => `${done} of ${all} checklist items done`,
  comments: (n: number) => count(n, 'comment'),
  openTask: (key: string, title: string) => `${key} ${title}`,
  cardHelp: 'Press Enter to open, Space to pick up and move with the arrow keys.',
  viewerCardHelp: 'Press Enter to open.',
  keys: {
    open: 'Open it',
    go: 'Go to the next card',
    pickUp: 'Pick it up; the arrows move it, Space drops it',
    putBack: 'Put it back where it was',
  },
  addedHidden: (n: number) =>
    n === 1 ? 'Added. The filters hide it.' : `Added ${n.toLocaleString()} tasks. The filters hide them.`,
  filters: {
    label: 'Filters',
    text: 'Filter by text',
    textPlaceholder: 'Filter…',
    assignee: 'Assignee',
    labelOf: 'Label',
    priority: 'Priority',
    due: 'Due',
    nobody: 'Nobody',
    clear: 'Clear filters',
    dues: { overdue: 'Overdue', today: 'Today', week: 'Next 7 days', none: 'No due date' },
    showing: (n: number, all: number) => `${n.toLocaleString()} of ${all.toLocaleString()}`,
  },
  drag: {
    picked: (task: string, column: string, place: number, of: number) =>
      `Picked up ${task}. It is at place ${place} of ${of} in ${column}. Arrow keys move it, Space drops it, Escape puts it back.`,
    over: (task: string, column: string, place: number, of: number) =>
      `${task} would be at place ${place} of ${of} in ${column}.`,
    dropped: (task: string, column: string, place: number) => `${task} dropped at place ${place} in ${column}.`,
    cancelled: (task: string) => `Move cancelled. ${task} is back where it was.`,
    returned: (task: string, why: string) => `${task} went back to its place. ${why}`,
  },
  done: {
    moved: (task: string, column: string) => `Moved ${task} to ${column}`,
    movedMany: (n: number, column: string) => `Moved ${count(n, 'task')} to ${column}`,
    reordered: (task: string) => `Reordered ${task}`,
  },
} as const;
