// A board as Trello exports it (Show menu → Print, export and share → Export as JSON): lists, cards, checklists, labels, members, and in
// `actions` the last thousand things that happened, comments among them. Attachments are addresses: they are kept as links, but for those whose
// files lie beside the board in a zip.

import {
  type Attachment,
  type ChecklistItem,
  type Comment,
  type Person,
  plainTask,
  type Read,
  type Task,
  UnreadableFile,
} from '../neutral.ts';
import { kindOfState } from '../state-kinds.ts';
import { at, flag, list, number, object, text } from './json.ts';

const colors: Readonly<Record<string, string>> = {
  green: '#3f8f5f',
  yellow: '#b8860b',
  orange: '#c2681b',
  red: '#c0392b',
  purple: '#7d4fa8',
  blue: '#2f6db5',
  sky: '#2a8fa8',
  lime: '#6b8e23',
  pink: '#b5487f',
  black: '#4a4a4a',
};

export function isTrello(value: unknown): boolean {
  return Array.isArray(at(value, 'lists')) && Array.isArray(at(value, 'cards'));
}

export function fromTrello(value: unknown): Read {
  if (!isTrello(value)) throw new UnreadableFile('This is no board as Trello exports it: it has no lists and cards.');
  const byPlace = (one: object, other: object) => (number(one, 'pos') ?? 0) - (number(other, 'pos') ?? 0);
  const lists = list(value, 'lists').toSorted(byPlace);
  const listNames = new Map(lists.map((one) => [text(one, 'id'), text(one, 'name') || 'List']));
  const closedLists = new Set(lists.filter((one) => flag(one, 'closed')).map((one) => text(one, 'id')));
  const labels = new Map(
    list(value, 'labels').map((one) => [text(one, 'id'), text(one, 'name') || text(one, 'color') || 'label']),
  );
  const people = new Map<string, Person>();
  const meet = (member: object): void => {
    const key = text(member, 'id');
    if (key !== '' && !people.has(key))
      people.set(key, {
        key,
        name: text(member, 'fullName') || text(member, 'username') || key,
        address: text(member, 'email') || null,
      });
  };
  list(value, 'members').forEach(meet);
  const checklists = groupBy(list(value, 'checklists').toSorted(byPlace), (one) => text(one, 'idCard'));
  const comments = new Map<string, Comment[]>();
  const created = new Map<string, string>();
  for (const action of list(value, 'actions')) {
    const card = text(at(at(action, 'data'), 'card'), 'id');
    const type = text(action, 'type');
    if (/^(createCard|copyCard|convertToCardFromCheckItem|emailCard)$/.test(type))
      created.set(card, text(action, 'date'));
    if (type !== 'commentCard' && type !== 'copyCommentCard') continue;
    const author = object(action, 'memberCreator');
    meet(author);
    const known = comments.get(card) ?? [];
    known.push({
      origin: text(action, 'id'),
      author: text(author, 'id') || text(action, 'idMemberCreator') || null,
      at: text(action, 'date') || null,
      body: text(at(action, 'data'), 'text'),
    });
    comments.set(card, known);
  }
  const fields = new Map(list(value, 'customFields').map((one) => [text(one, 'id'), one]));
  const tasks = list(value, 'cards')
    .toSorted(byPlace)
    .map((card): Task => {
      const id = text(card, 'id');
      for (const key of strings(card, 'idMembers'))
        if (!people.has(key)) people.set(key, { key, name: key, address: null });
      return {
        ...plainTask(id, text(card, 'name')),
        aliases: [text(card, 'shortLink'), text(card, 'shortUrl')].filter(Boolean),
        description: text(card, 'desc'),
        state: listNames.get(text(card, 'idList')) ?? null,
        done: flag(card, 'dueComplete'),
        archived: flag(card, 'closed') || closedLists.has(text(card, 'idList')),
        labels: strings(card, 'idLabels').flatMap((label) => labels.get(label) ?? []),
        assignees: strings(card, 'idMembers'),
        start: day(text(card, 'start')),
        due: day(text(card, 'due')),
        created: created.get(id) || momentOfId(id),
        comments: (comments.get(id) ?? []).toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? '')),
        checklist: itemsOf(checklists.get(id) ?? []),
        attachments: list(card, 'attachments').map(attachmentOf),
        leftovers: leftoversOf(card, fields),
      };
    });
  return {
    project: {
      source: 'trello',
      scope: `trello:${text(value, 'id') || text(value, 'shortLink')}`,
      name: text(value, 'name') || null,
      states: lists.map((one) => ({ name: text(one, 'name') || 'List', kind: kindOfState(text(one, 'name')) })),
      labels: list(value, 'labels').map((one) => ({
        name: labels.get(text(one, 'id')) ?? '',
        color: colors[text(one, 'color').split('_')[0] ?? ''] ?? null,
      })),
      people: [...people.values()],
      tasks,
    },
    problems: [],
  };
}

/** Items have no list here: with several lists, each says which it stood in. */
function itemsOf(lists: readonly object[]): ChecklistItem[] {
  return lists.flatMap((one) =>
    list(one, 'checkItems')
      .toSorted((a, b) => (number(a, 'pos') ?? 0) - (number(b, 'pos') ?? 0))
      .map((item) => ({
        origin: text(item, 'id') || null,
        title: lists.length > 1 ? `${text(one, 'name')}: ${text(item, 'name')}` : text(item, 'name'),
        done: text(item, 'state') === 'complete',
      })),
  );
}

function leftoversOf(card: object, fields: ReadonlyMap<string, object>): (readonly [string, string])[] {
  const custom = list(card, 'customFieldItems').flatMap((item): (readonly [string, string])[] => {
    const field = fields.get(text(item, 'idCustomField'));
    const option = field && list(field, 'options').find((one) => text(one, 'id') === text(item, 'idValue'));
    const value = option ? text(at(option, 'value'), 'text') : Object.values(object(item, 'value')).join(' ');
    return value === '' ? [] : [[text(field, 'name') || 'Custom field', value]];
  });
  const links = list(card, 'attachments').map(linkTo);
  const place = text(card, 'address') || text(card, 'locationName');
  return [
    ...custom,
    ...(links.length > 0 ? [['Attachments', links.join('\n')] as const] : []),
    ...(place === '' ? [] : [['Place', place] as const]),
    ...(text(card, 'shortUrl') === '' ? [] : [['Trello', text(card, 'shortUrl')] as const]),
  ];
}

const linkTo = (file: object): string =>
  `- [${(text(file, 'name') || text(file, 'url')).replaceAll(/[[\]\n]/g, ' ')}](<${text(file, 'url').replaceAll(/[<>\s]/g, encodeURIComponent)}>)`;

/** An export of a whole workspace may bring them beside the board. */
function attachmentOf(file: object): Attachment {
  const name = text(file, 'fileName') || text(file, 'name');
  const id = text(file, 'id');
  return {
    origin: id || name,
    name,
    type: text(file, 'mimeType') || null,
    at: text(file, 'date') || null,
    places: [`${id}/${name}`, `${id}/`, name].filter((place) => place.length > 1),
    under: 'Attachments',
    words: linkTo(file),
  };
}

/** The first four bytes of an id are the second it was made in. */
function momentOfId(id: string): string | null {
  return /^[0-9a-f]{24}$/.test(id) ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1000).toISOString() : null;
}

const day = (moment: string): string | null => (/^\d{4}-\d\d-\d\d/.test(moment) ? moment.slice(0, 10) : null);

function strings(of: object, name: string): string[] {
  const value = at(of, name);
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function groupBy(all: readonly object[], key: (one: object) => string): Map<string, object[]> {
  const groups = new Map<string, object[]>();
  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);
  return groups;
}
