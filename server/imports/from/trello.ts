// A board as Trello exports it (Show menu → Print, export and share → Export as JSON): lists, cards, checklists, labels, members, and in
// `actions` the last thousand things that happened, comments among them. Attachments are addresses: they are kept as links, but for those whose
// files lie beside the board in a zip. What each object may hold beside, and what of it is the machinery's, is in trello-keys.ts.

import { JsonList } from '../json-document.ts';
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
import { type Series, seriesOf } from '../series.ts';
import { kindOfState } from '../state-kinds.ts';
import { colorNamed } from './colors.ts';
import { at, flag, isList, isObject, list, number, object, perhapsPart, series, strings, text } from './json.ts';
import { type Leftover, leftoversOf, reportedLeftovers, timeOf } from './leftovers.ts';
import { keys } from './trello-keys.ts';

/** Of `actions` an export has no more. */
const mostActions = 1000;

export function isTrello(value: unknown): boolean {
  if (!isList(at(value, 'lists')) || !isList(at(value, 'cards')) || isOther(value)) return false;
  const cards = series(value, 'cards');
  return cards.length === 0 || cards.some(isCard);
}

/** Boards of other products have lists and cards too, with keys of their own. */
const isCard = (card: unknown): boolean => isObject(card) && 'idList' in card;
const isOther = (value: unknown): boolean => at(value, '_format') !== undefined || at(value, 'swimlanes') !== undefined;

export function fromTrello(value: unknown): Read {
  if (!isTrello(value)) throw new UnreadableFile('This is no board as Trello exports it: it has no lists and cards.');
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
  const names = new Map<string, string>();
  const name = (one: object): void => void names.set(text(one, 'id'), text(one, 'fullName') || text(one, 'username'));
  const [found, actions] = [takeSeries(value, 'checklists'), takeSeries(value, 'actions')];
  const numbers = new CardNumbers(found.length + actions.length);
  const checklists = new OfCards(found, numbers, (one) => text(one, 'idCard'));
  const comments = new OfCards(actions, numbers, (action) => {
    name(object(action, 'memberCreator'));
    if (!isComment(action)) return null;
    meet(object(action, 'memberCreator'));
    return cardOf(action);
  });
  const made = new OfCards(actions, numbers, (action) => (makesCard(action) ? cardOf(action) : null));
  list(value, 'members').forEach(name);
  const around: Around = {
    fields: new Map(list(value, 'customFields').map((one) => [text(one, 'id'), one])),
    personOf: (key) => names.get(key) || key,
  };
  const cards = inPlace(takeSeries(value, 'cards'));
  const taskOf = (card: object): Task => {
    const id = text(card, 'id');
    const own: OfCard = {
      checklists: checklists.take(id).toSorted(byPlace),
      comments: comments.take(id),
      made: made.take(id).at(-1),
    };
    for (const key of strings(card, 'idMembers'))
      if (!people.has(key)) people.set(key, { key, name: key, address: null });
    const task: Task = {
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
      created: text(own.made, 'date') || momentOfId(id),
      comments: commentsOf(own.comments),
      checklist: itemsOf(own.checklists),
      attachments: list(card, 'attachments').map(attachmentOf),
      leftovers: leftoversOfCard(card, own, around),
    };
    return task;
  };
  function* all(): Generator<Task> {
    for (const card of cards) if (isObject(card)) yield taskOf(card);
  }
  const tasks = seriesOf(all());
  return {
    project: {
      source: 'trello',
      scope: `trello:${text(value, 'id') || text(value, 'shortLink')}`,
      name: text(value, 'name') || null,
      description: text(value, 'desc'),
      states: lists.map((one) => ({ name: text(one, 'name') || 'List', kind: kindOfState(text(one, 'name')) })),
      labels: list(value, 'labels').map((one) => ({
        name: labels.get(text(one, 'id')) ?? '',
        color: colorNamed(text(one, 'color')),
      })),
      people: [...people.values()],
      tasks,
      leftovers: leftoversOfBoard(value, [...comments.rest(), ...checklists.rest()]),
    },
    problems: perhapsPart(actions.length, [mostActions], 'actions'),
  };
}

interface Around {
  readonly fields: ReadonlyMap<string, object>;
  personOf(key: string): string;
}

/** What the board tells of a card in other places. */
interface OfCard {
  readonly checklists: readonly object[];
  readonly comments: readonly object[];
  readonly made: object | undefined;
}

/** Each id of a card once, with a number: hundreds of thousands of texts in several maps would take tens of megabytes. */
class CardNumbers {
  readonly #numbers = new Map<string, number>();
  /** There are no more than so many. */
  readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  add(card: string): number {
    const found = this.#numbers.get(card) ?? this.#numbers.size;
    this.#numbers.set(card, found);
    return found;
  }

  find(card: string): number | undefined {
    return this.#numbers.get(card);
  }
}

/** Objects of a list by the id of their card, each read when it is taken. */
class OfCards {
  readonly #list: Series<unknown>;
  readonly #cards: CardNumbers;
  /** By the number of a card: the place of its first object in the list, counted from 1. */
  readonly #first: Uint32Array;
  /** By place: that of the next object of the same card. */
  readonly #next: Uint32Array;

  /** `cardOf`: null for what is left out. */
  constructor(list: Series<unknown>, cards: CardNumbers, cardOf: (one: object) => string | null) {
    this.#list = list;
    this.#cards = cards;
    this.#first = new Uint32Array(cards.most);
    this.#next = new Uint32Array(list.length + 1);
    const last = new Uint32Array(cards.most);
    let place = 0;
    for (const one of list) {
      place++;
      const card = isObject(one) ? cardOf(one) : null;
      if (card === null) continue;
      const number = cards.add(card);
      const before = last[number] as number;
      if (before === 0) this.#first[number] = place;
      else this.#next[before] = place;
      last[number] = place;
    }
  }

  take(card: string): object[] {
    const number = this.#cards.find(card);
    return number === undefined ? [] : this.#taken(number);
  }

  /** Of cards that are not in the file. */
  rest(): object[] {
    return Array.from(this.#first.keys()).flatMap((number) => this.#taken(number));
  }

  #taken(number: number): object[] {
    const objects: object[] = [];
    for (let place = this.#first[number] as number; place > 0; place = this.#next[place] as number) {
      const one = this.#list.at(place - 1);
      if (isObject(one)) objects.push(one);
    }
    this.#first[number] = 0;
    return objects;
  }
}

const placeOf = (one: unknown): number => number(one, 'pos') ?? 0;

const byPlace = (one: unknown, other: unknown): number => placeOf(one) - placeOf(other);
const inPlace = (all: Series<unknown>): Iterable<unknown> =>
  all instanceof JsonList ? all.sortedBy(placeOf) : [...all].toSorted(byPlace);

/** The list, which the board has no longer. */
function takeSeries(board: unknown, name: string): Series<unknown> {
  const found = series(board, name);
  Reflect.deleteProperty(Object(board), name);
  return found;
}

const cardOf = (action: object): string => text(at(at(action, 'data'), 'card'), 'id');
const isComment = (action: object): boolean => /^(commentCard|copyCommentCard)$/.test(text(action, 'type'));
const makesCard = (action: object): boolean =>
  /^(createCard|copyCard|convertToCardFromCheckItem|emailCard)$/.test(text(action, 'type'));

function commentsOf(actions: readonly object[]): Comment[] {
  return actions
    .map((action) => ({
      origin: text(action, 'id'),
      author: text(at(action, 'memberCreator'), 'id') || text(action, 'idMemberCreator') || null,
      at: text(action, 'date') || null,
      body: text(at(action, 'data'), 'text'),
    }))
    .toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''));
}

/** Items have no list here: with several lists, each says which it stood in. */
function itemsOf(lists: readonly object[]): ChecklistItem[] {
  return lists.flatMap((one) =>
    list(one, 'checkItems')
      .toSorted(byPlace)
      .map((item) => ({
        origin: text(item, 'id') || null,
        title: lists.length > 1 ? `${text(one, 'name')}: ${text(item, 'name')}` : text(item, 'name'),
        done: text(item, 'state') === 'complete',
      })),
  );
}

function leftoversOfCard(card: object, { checklists, comments, made }: OfCard, around: Around): Leftover[] {
  const { fields, personOf } = around;
  const custom = list(card, 'customFieldItems').map((item): Leftover => {
    const field = fields.get(text(item, 'idCustomField'));
    const option = field && list(field, 'options').find((one) => text(one, 'id') === text(item, 'idValue'));
    const value = option ? text(at(option, 'value'), 'text') : Object.values(object(item, 'value')).join(' ');
    return [text(field, 'name') || 'Custom field', value];
  });
  const counted = number(at(card, 'badges'), 'comments') ?? 0;
  const voters = strings(card, 'idMembersVoted').map(personOf).join(', ');
  const cover = text(object(card, 'cover'), 'idAttachment') || text(card, 'idAttachmentCover');
  const reminder = number(card, 'dueReminder') ?? -1;
  const maker = text(card, 'idMemberCreator') || text(made, 'idMemberCreator');
  return reportedLeftovers(
    ...custom,
    ['Attachments', list(card, 'attachments').map(linkTo).join('\n')],
    [
      'Cover',
      text(
        list(card, 'attachments').find((file) => text(file, 'id') === cover),
        'name',
      ),
    ],
    ['Place', text(card, 'address') || text(card, 'locationName')],
    ...timeOf('Start', text(card, 'start')),
    ...timeOf('Due', text(card, 'due')),
    ['Due reminder', reminder < 0 ? '' : `${reminder} min before`],
    ['Votes', voters || (number(at(card, 'badges'), 'votes') || '').toString()],
    ['Comments', counted > comments.length ? `${counted} there, ${comments.length} of them in the file` : ''],
    ['Created by', personOf(maker)],
    ['Trello', text(card, 'shortUrl')],
    ...leftoversOf(card, keys.card),
    ...checklists.flatMap((one, _, all) => leftoversOfChecklist(one, all.length, around)),
    ...comments.flatMap((one) => leftoversOf(one, keys.comment, `Comment of ${text(one, 'date').slice(0, 16)}`)),
  );
}

/** Of the only list of a card the name, which its items do not say; and what is known of single items. */
function leftoversOfChecklist(checklist: object, lists: number, { personOf }: Around): Leftover[] {
  const name = text(checklist, 'name');
  const items = list(checklist, 'checkItems');
  const isSaid = items.length > 0 && (lists > 1 || name === 'Checklist');
  return reportedLeftovers(
    ['Checklist', isSaid ? '' : name],
    ...leftoversOf(checklist, keys.checklist, `Checklist ${name}`),
    ...items.flatMap((item) => {
      const of = `Checklist, ${text(item, 'name').replaceAll(/\s+/g, ' ').slice(0, 100)}`;
      return [
        [`${of}: Due`, text(item, 'due')] as const,
        [`${of}: Assigned to`, personOf(text(item, 'idMember'))] as const,
        ...leftoversOf(item, keys.item, of),
      ];
    }),
  );
}

/** What is of no card: of the board itself, and what hangs on cards that are not in the file. */
function leftoversOfBoard(board: unknown, lost: readonly object[]): Leftover[] {
  const of = (name: string, known: (typeof keys)['list'], what: string): Leftover[] =>
    list(board, name).flatMap((one) =>
      leftoversOf(one, known, `${what} ${text(one, 'name') || text(one, 'fullName') || text(one, 'color')}`.trim()),
    );
  return [
    ...leftoversOf(board, keys.board),
    ...of('lists', keys.list, 'List'),
    ...of('labels', keys.label, 'Label'),
    ...of('members', keys.member, 'Person'),
    ...of('customFields', keys.field, 'Field'),
    ...lost.flatMap((one) => leftoversOf(one, keys.lost, 'Of a card that is not in the file')),
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
