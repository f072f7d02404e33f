// A view in an address: what is chosen of it as query parameters that people can send, and read. The layout is the path, not a parameter.
// A filter is `due_date.in_next.7*any*label.is.<id>*assignee.empty*end`: parts between stars, what they are made of between dots.

import { isFieldGrouping, isFieldProperty } from './field-properties.ts';
import { readFilter, readView, WrongView } from './read-view.ts';
import {
  type All,
  type Condition,
  type Group,
  groupable,
  isGroup,
  kindOf,
  type Layout,
  noFilter,
  type Part,
  type Property,
  partsOf,
  type Sorting,
  sortable,
  type View,
} from './views.ts';

/** Parameters that said a filter before there was one for all of it. */
const olderParams = ['q', 'assignee', 'label', 'priority', 'due', 'order'];

export function writeFilter(filter: Group): string {
  const { length } = partsOf(filter);
  if (length === 0) return '';
  return 'all' in filter ? filter.all.map(writePart).join('*') : writePart(filter);
}

function writePart(part: Part): string {
  if (isGroup(part)) return ['all' in part ? 'all' : 'any', ...partsOf(part).map(writePart), 'end'].join('*');
  const { property, is, value } = part;
  const values = value === undefined ? [] : typeof value === 'object' ? value : [String(value)];
  return [property, is, ...values.map(escaped)].join('.');
}

/** Dots and stars stand between the parts, and _ before what is written by its number. */
function escaped(value: string): string {
  return value.replace(/[._*]/g, (sign) => `_${sign.charCodeAt(0).toString(16)}`);
}

function unescaped(value: string): string {
  return value.replace(/_(2e|5f|2a)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Throws a WrongView that names what is wrong. */
export function parseFilter(text: string): Group {
  if (text === '') return noFilter;
  const open: { join: 'all' | 'any'; parts: unknown[] }[] = [{ join: 'all', parts: [] }];
  for (const piece of text.split('*')) {
    const [word = '', is = '', ...values] = namedPieces(piece);
    if (is === '' && (word === 'all' || word === 'any')) open.push({ join: word, parts: [] });
    else if (is === '' && word === 'end') {
      const ended = open.pop();
      if (ended === undefined || open.length === 0)
        throw new WrongView('filter has an "end" without a group before it.');
      open.at(-1)?.parts.push({ [ended.join]: ended.parts });
    } else open.at(-1)?.parts.push(unreadCondition(word, is, values.map(unescaped)));
  }
  if (open.length > 1) throw new WrongView('filter has a group without an "end".');
  const parts = open[0]?.parts ?? [];
  // One group alone is the filter itself.
  const [only] = parts;
  const alone = parts.length === 1 && typeof only === 'object' && only !== null && 'any' in only;
  return readFilter(alone ? only : { all: parts });
}

/** The name of a field has a dot in it. */
function namedPieces(piece: string): readonly string[] {
  const [word = '', id = '', ...rest] = piece.split('.');
  const field = `${word}.${id}`;
  return isFieldProperty(field) ? [field, ...rest] : piece.split('.');
}

function unreadCondition(property: string, is: string, values: readonly string[]): unknown {
  const said = { property, is };
  if (is === 'any_of' || is === 'none_of') return { ...said, value: values };
  if (is === 'empty' || is === 'not_empty') return said;
  const counted = is === 'in_next' || is === 'in_last' || kindOf(property as Property) === 'number';
  return { ...said, value: counted ? Number(values[0]) : values[0] };
}

export function writeSort(sort: readonly Sorting[]): string {
  return sort.map(({ by, descending }) => (descending ? `-${by}` : by)).join('.');
}

/** What is no property to sort by is passed over. */
export function parseSort(text: string): readonly Sorting[] {
  // The name of a field has a dot in it.
  return text.split(/(?<!_field)\./).flatMap((piece) => {
    const descending = piece.startsWith('-');
    const said = descending ? piece.slice(1) : piece;
    const by = isFieldProperty(said) ? said : sortable.find((one) => one === said);
    return by ? [{ by, descending }] : [];
  });
}

// ── the whole view as parameters ─────────────────────────────────────────────

/** What a layout is like where nothing was chosen. */
export function plainView(layout: Layout): View {
  const grouping = layout === 'board' || layout === 'list' ? 'column' : null;
  return { layout, filter: noFilter, grouping, lanes: null, sort: [], shown: {} };
}

export const viewParams = ['filter', 'group', 'lanes', 'sort', 'shown', ...olderParams];

/** What the parameters do not say is as in `plain`. A filter that cannot be read throws a WrongView. */
export function parseView(params: URLSearchParams, plain: View): View {
  const written = params.get('filter');
  const filter = written === null ? readFilter(parseOlderFilter(params)) : parseFilter(written);
  return { ...parseLooks(params, plain), filter };
}

/** All of a view but its filter: what cannot be read of it is passed over. */
export function parseLooks(params: URLSearchParams, plain: View): View {
  return {
    ...plain,
    grouping: parseGrouping(params.get('group'), plain.grouping),
    lanes: parseGrouping(params.get('lanes'), plain.lanes),
    sort: params.has('sort') || params.has('order') ? parseOlderSort(params) : plain.sort,
    shown: parseShown(params.get('shown'), plain.shown),
  };
}

function parseGrouping(said: string | null, plain: View['grouping']): View['grouping'] {
  if (isFieldGrouping(said)) return said;
  return said === 'none' ? null : (groupable.find((one) => one === said) ?? plain);
}

function parseShown(said: string | null, plain: View['shown']): View['shown'] {
  try {
    return said === null ? plain : readView({ shown: JSON.parse(said) as unknown }).shown;
  } catch {
    return plain;
  }
}

/** Only what is not as it is anyway. */
export function writeView(view: View, plain: View): readonly (readonly [name: string, value: string])[] {
  const filter = writeFilter(view.filter);
  const sort = writeSort(view.sort);
  const shown = JSON.stringify(view.shown);
  const all: readonly (readonly [string, string, boolean])[] = [
    ['filter', filter, filter !== ''],
    ['group', view.grouping ?? 'none', view.grouping !== plain.grouping],
    ['lanes', view.lanes ?? 'none', view.lanes !== plain.lanes],
    ['sort', sort, sort !== ''],
    ['shown', shown, shown !== '{}'],
  ];
  return all.flatMap(([name, value, is]) => (is ? [[name, value] as const] : []));
}

// ── links of before ──────────────────────────────────────────────────────────

/** A link of before means what it meant: each parameter any of its values, all of them together. */
export function parseOlderFilter(params: URLSearchParams): All {
  const parts: Part[] = [];
  const text = params.get('q')?.trim();
  if (text) parts.push({ property: 'text', is: 'contains', value: text });
  for (const property of ['assignee', 'label', 'priority'] as const) {
    if (!params.has(property)) continue;
    const values = (params.get(property) ?? '').split(',');
    const named = values.filter((value) => value !== '');
    const some: Condition[] = named.length > 0 ? [{ property, is: 'any_of', value: named }] : [];
    // Nobody was the empty name.
    if (property === 'assignee' && named.length < values.length) some.push({ property, is: 'empty' });
    if (some.length > 1) parts.push({ any: some });
    else parts.push(...some);
  }
  const due = dueMeant[params.get('due') ?? ''];
  return { all: [...parts, ...(due ?? [])] };
}

const due = (is: Condition['is'], value?: Condition['value']): Condition => ({
  property: 'due_date',
  is,
  ...(value === undefined ? {} : { value }),
});
const dueMeant: Readonly<Record<string, readonly Part[] | undefined>> = {
  overdue: [due('before', 'today'), { property: 'completed_at', is: 'empty' }],
  today: [due('is', 'today')],
  week: [due('in_next', 7)],
  none: [due('empty')],
};

const sortsOfBefore: Readonly<Record<string, Sorting['by'] | undefined>> = { due: 'due_date', updated: 'updated_at' };

/** `rank` was the order of the board, `updated` the latest first, `backwards` the other way round. */
export function parseOlderSort(params: URLSearchParams): readonly Sorting[] {
  const said = params.get('sort') ?? '';
  const backwards = params.get('order') === 'backwards';
  const by = sortsOfBefore[said] ?? (said === 'rank' || said === '' ? (backwards ? 'column' : undefined) : undefined);
  if (by === undefined) return parseSort(said).map((one) => ({ ...one, descending: one.descending !== backwards }));
  return [{ by, descending: (said === 'updated') !== backwards }];
}
