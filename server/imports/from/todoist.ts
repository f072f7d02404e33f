// Reads a Todoist project (Export as a template → CSV, or a file of its backup). Rows are sections, tasks and notes in their order; subtasks are
// indented, labels are @words of the title. Rows have no ids: a task is identified by its position and title.

import { createHash } from 'node:crypto';
import type { Problem } from '../neutral.ts';
import type { Row, Table } from '../read-table.ts';
import { datedComment } from './jira.ts';
import type { TableFormat } from './table.ts';

const header = ['ID', 'Title', 'Description', 'Section', 'Priority', 'Labels', 'Responsible', 'Date', 'Parent'];
const priorities: Readonly<Record<string, string>> = { '1': 'urgent', '2': 'high', '3': 'medium' };

export const todoist: TableFormat = {
  source: 'todoist',
  // Files are called by their project: `Home [2203306141].csv`.
  scope: (_, fileName) => `todoist:${/\[(\w+)\]/.exec(fileName)?.[1] ?? fileName.toLowerCase()}`,
  columns: {
    id: 'id',
    title: 'title',
    description: 'description',
    section: 'state',
    priority: 'priority',
    labels: 'labels',
    responsible: 'assignees',
    date: 'due',
    parent: 'parent',
    note: 'comment',
  },
  separator: /\n/,
  comments: (value, dates) => {
    const comment = datedComment(value, dates);
    if (comment.at !== null) return [comment];
    const [, author = '', body = value] = /^;([^;\n]*);(.*)$/s.exec(value) ?? [];
    return [{ origin: null, author: author || null, at: null, body }];
  },
  prepare,
};

interface Made {
  readonly line: number;
  readonly cells: string[];
  readonly notes: string[];
  readonly more: Map<string, string>;
}

function prepare(table: Table): Table {
  const places = new Map(table.header.map((name, at) => [name.toUpperCase(), at]));
  const known = ['TYPE', 'CONTENT', 'DESCRIPTION', 'PRIORITY', 'INDENT', 'RESPONSIBLE', 'DATE'];
  const beside = /^(DATE_LANG|DEADLINE_LANG|TIMEZONE)$/;
  const others = table.header.filter((name) => !known.includes(name.toUpperCase()) && !beside.test(name.toUpperCase()));
  const made: Made[] = [];
  const path: string[] = [];
  const times = new Map<string, number>();
  const problems: Problem[] = [...table.problems];
  let section = '';
  for (const { line, cells } of table.rows) {
    const cell = (name: string): string => (cells[places.get(name) ?? -1] ?? '').trim();
    const type = cell('TYPE').toLowerCase();
    if (type === 'section') section = cell('CONTENT');
    else if (type === 'note') made.at(-1)?.notes.push(`${cell('DATE')};${nameOf(cell('AUTHOR'))};${cell('CONTENT')}`);
    // How the project is drawn, and empty lines.
    else if (type !== 'task' && type !== 'meta' && type !== '')
      problems.push({ kind: 'broken_row', line, about: cells.filter(Boolean).join(' ') });
    else if (type === 'task') {
      const level = Math.max(1, Math.min(Number(cell('INDENT')) || 1, path.length + 1));
      path.length = level - 1;
      const parent = path.at(-1) ?? '';
      const { title, labels } = titleAndLabels(cell('CONTENT'));
      const words = `${parent}\n${parent === '' ? section : ''}\n${title}`;
      const time = (times.get(words) ?? 0) + 1;
      times.set(words, time);
      const id = createHash('sha256').update(`${words}\n${time}`).digest('base64url').slice(0, 16);
      path.push(id);
      const of = [id, title, cell('DESCRIPTION'), section, priorities[cell('PRIORITY')] ?? '', labels.join('\n')];
      made.push({
        line,
        cells: [...of, nameOf(cell('RESPONSIBLE')), cell('DATE'), parent],
        notes: [],
        more: new Map(others.map((name) => [name, cell(name.toUpperCase())])),
      });
    }
  }
  const notes = Math.max(0, ...made.map((task) => task.notes.length));
  const rows = made.map(({ line, cells, notes: said, more }): Row => {
    const rest = others.map((name) => (more.get(name) === 'None' ? '' : (more.get(name) ?? '')));
    return { line, cells: [...cells, ...rest, ...said] };
  });
  return { header: [...header, ...others, ...Array<string>(notes).fill('Note')], rows, problems };
}

/** Labels are words of the title: `Paint the hull @dock @spring`. */
function titleAndLabels(content: string): { readonly title: string; readonly labels: readonly string[] } {
  const labels: string[] = [];
  // Words at even places, what lies between them at odd ones.
  const rest = content.split(/(\s+)/).reduce<string[]>((words, word, at, all) => {
    if (at % 2 === 1) return words;
    if (/^@[^@]+$/.test(word)) labels.push(word.slice(1));
    else words.push(all[at - 1] ?? '', word);
    return words;
  }, []);
  return { title: rest.join('').trim() || content, labels };
}

/** `Kai (48151623)` */
function nameOf(who: string): string {
  const at = who.endsWith(')') ? who.lastIndexOf('(') : -1;
  const isNumbered = at >= 0 && /^\d+$/.test(who.slice(at + 1, -1));
  return (isNumbered ? who.slice(0, at).trimEnd() : who).replaceAll(';', ',');
}
