// A board of Planka as its API gives it (`GET /api/boards/ID`); its pages export nothing. Comments are not in it; attachments are
// named, and come along when their files were put beside it in a zip. What was thrown away there is told, and stays there.

import { type Attachment, type ChecklistItem, plainTask, type Read, type Task, UnreadableFile } from '../neutral.ts';
import { kindOfState } from '../state-kinds.ts';
import { colorNamed } from './colors.ts';
import { at, flag, grouped, list, number, object, objects, text } from './json.ts';
import { type Known, known, type Leftover, leftoversOf, reportedLeftovers, timeOf } from './leftovers.ts';

// What has a place here, and what is left out on purpose: ids and places, when something last changed, who watches, looks, and settings of accounts.
const machinery = 'id position createdAt updatedAt boardId listId cardId';
const person = known(`${machinery} name username email role avatar avatarUrl gravatarUrl language subscribeToOwnCards
  subscribeToCardWhenCommenting turnOffRecentCardHighlighting enableFavoritesByDefault defaultEditorMode defaultHomeView defaultProjectsOrder
  isSsoUser isDeactivated isDefaultAdmin lockedFieldNames termsType phone organization`);
const keys = {
  board:
    known(`${machinery} name projectId defaultView defaultCardType limitCardTypesToDefaultOne alwaysDisplayCardCreator
    expandTaskListsByDefault displayCardAges isSubscribed`),
  list: known(`${machinery} name type`),
  label: known(`${machinery} name color`),
  card: known(`${machinery} name description dueDate isClosed isDueDateCompleted isDueCompleted creatorUserId
    type prevListId listChangedAt coverAttachmentId isSubscribed isLocked`),
  item: known(`${machinery} taskListId name isCompleted assigneeUserId linkedCardId`),
  taskList: known(`${machinery} name showOnFrontOfCard hideCompletedTasks`),
  attachment: known(`${machinery} name url coverUrl dirname filename creatorUserId type`, {
    data: known('url fileReferenceId filename size mimeType encoding sizeInBytes image thumbnailUrls'),
  }),
  member: known(`${machinery} userId projectId role canComment`),
  cardLabel: known(`${machinery} labelId`),
  cardMember: known(`${machinery} userId`),
  field: known(`${machinery} name customFieldGroupId baseCustomFieldGroupId showOnFrontOfCard`),
  group: known(`${machinery} projectId baseCustomFieldGroupId`),
  value: known(`${machinery} customFieldId customFieldGroupId content`),
  /** Whatever a newer version adds, and whatever has no card. */
  other: known(machinery),
} satisfies Readonly<Record<string, Known>>;

export function isPlanka(value: unknown): boolean {
  const included = at(value, 'included');
  return Array.isArray(at(included, 'lists')) && Array.isArray(at(included, 'cards'));
}

export function fromPlanka(value: unknown): Read {
  if (!isPlanka(value)) throw new UnreadableFile('This is no board as the API of Planka gives it.');
  const board = object(value, 'item');
  const included = object(value, 'included');
  // Those of the archive and of the bin have no name.
  const lists = inOrder(included, 'lists').filter((one) => text(one, 'name') !== '');
  const kindsOfLists = new Map(list(included, 'lists').map((one) => [text(one, 'id'), text(one, 'type')]));
  const listNames = new Map(lists.map((one) => [text(one, 'id'), text(one, 'name')]));
  const labels = new Map(
    inOrder(included, 'labels').map((one) => [text(one, 'id'), text(one, 'name') || text(one, 'color')]),
  );
  const people = list(included, 'users').map((one) => ({
    key: text(one, 'id'),
    name: text(one, 'name') || text(one, 'username') || text(one, 'id'),
    address: text(one, 'email') || null,
  }));
  const names = new Map(people.map(({ key, name }) => [key, name]));
  const personOf = (of: object, name: string): string => names.get(text(of, name)) ?? text(of, name);
  const hanging = hangingOn(included);
  const isThrownAway = (card: object): boolean => kindsOfLists.get(text(card, 'listId')) === 'trash';
  const cards = inOrder(included, 'cards');
  const tasks = cards
    .filter((card) => !isThrownAway(card))
    .map((card): Task => {
      const { of, items, leftovers } = hanging(text(card, 'id'));
      return {
        ...plainTask(text(card, 'id'), text(card, 'name')),
        description: text(card, 'description'),
        state: listNames.get(text(card, 'listId')) ?? null,
        done: flag(card, 'isClosed') || flag(card, 'isDueDateCompleted') || flag(card, 'isDueCompleted'),
        archived: kindsOfLists.get(text(card, 'listId')) === 'archive',
        labels: of('cardLabels').flatMap((one) => labels.get(text(one, 'labelId')) ?? []),
        assignees: of('cardMemberships').map((one) => text(one, 'userId')),
        due: text(card, 'dueDate').slice(0, 10) || null,
        created: text(card, 'createdAt') || null,
        checklist: items.map(itemOf),
        attachments: of('attachments').map(attachmentOf),
        leftovers: reportedLeftovers(
          ...timeOf('Due', text(card, 'dueDate')),
          ['Created by', personOf(card, 'creatorUserId')],
          ['Attachments', of('attachments').map(wordsOf).join('\n')],
          ...leftoversOf(card, keys.card),
          ...items.flatMap((one) => [
            [`Checklist, ${text(one, 'name')}: Assigned to`, personOf(one, 'assigneeUserId')] as const,
            ...leftoversOf(one, keys.item, `Checklist, ${text(one, 'name')}`),
          ]),
          ...leftovers,
        ),
      };
    });
  return {
    project: {
      source: 'planka',
      scope: `planka:${text(board, 'id')}`,
      name: text(board, 'name') || null,
      description: text(board, 'description'),
      states: lists.map((one) => ({ name: text(one, 'name'), kind: kindOfState(text(one, 'name')) })),
      labels: inOrder(included, 'labels').map((one) => ({
        name: labels.get(text(one, 'id')) ?? '',
        color: colorNamed(text(one, 'color')),
      })),
      people,
      tasks,
      leftovers: leftoversOfBoard(value, new Set(cards.map((card) => text(card, 'id')))),
    },
    problems: cards
      .filter(isThrownAway)
      .map((card) => ({ kind: 'thrown_away', line: null, about: text(card, 'name') })),
  };
}

const inOrder = (included: object, name: string): object[] =>
  list(included, name).toSorted((one, other) => (number(one, 'position') ?? 0) - (number(other, 'position') ?? 0));

/** What is read of tables beside those of cards and the board. */
const readTables: Readonly<Record<string, Known>> = {
  cardLabels: keys.cardLabel,
  cardMemberships: keys.cardMember,
  taskLists: keys.taskList,
  attachments: keys.attachment,
  customFieldValues: keys.value,
};
const ofTheBoard: Readonly<Record<string, Known>> = {
  users: person,
  labels: keys.label,
  lists: keys.list,
  boardMemberships: keys.member,
  customFields: keys.field,
  customFieldGroups: keys.group,
  baseCustomFieldGroups: keys.group,
};

interface Hanging {
  of(table: string): readonly object[];
  readonly items: readonly object[];
  readonly leftovers: readonly Leftover[];
}

function hangingOn(included: object): (card: string) => Hanging {
  const lists = new Map(list(included, 'taskLists').map((one) => [text(one, 'id'), one]));
  const fields = new Map(list(included, 'customFields').map((one) => [text(one, 'id'), text(one, 'name')]));
  const cardOf = (one: object): string => text(one, 'cardId') || text(lists.get(text(one, 'taskListId')), 'cardId');
  const tables = new Map(
    Object.keys(included)
      .filter((name) => name !== 'cards' && ofTheBoard[name] === undefined)
      .map((name) => [name, grouped(inOrder(included, name), cardOf)]),
  );
  return (card) => {
    const of = (table: string): readonly object[] => tables.get(table)?.get(card) ?? [];
    const named = of('taskLists').filter((one) => !/^(Task list|Tasks|)$/i.test(text(one, 'name')));
    const others = [...tables.keys()].filter((name) => name !== 'tasks');
    return {
      of,
      items: of('tasks'),
      leftovers: reportedLeftovers(
        ['Checklist', named.map((one) => text(one, 'name')).join(', ')],
        ...of('customFieldValues').map(
          (one): Leftover => [fields.get(text(one, 'customFieldId')) || 'Custom field', text(one, 'content')],
        ),
        ...others.flatMap((name) => of(name).flatMap((one) => leftoversOf(one, readTables[name] ?? keys.other, name))),
      ),
    };
  };
}

const itemOf = (one: object): ChecklistItem => ({
  origin: text(one, 'id'),
  title: text(one, 'name'),
  done: flag(one, 'isCompleted'),
});

/** Newer versions have links among them, and tell in `data` where either is. */
const addressOf = (file: object): string => text(file, 'url') || text(at(file, 'data'), 'url');
const wordsOf = (file: object): string => `- ${text(file, 'name')} ${addressOf(file)}`.trim();

function attachmentOf(file: object): Attachment {
  const [id, name] = [text(file, 'id'), text(file, 'name')];
  return {
    origin: id,
    name,
    type: text(at(file, 'data'), 'mimeType') || null,
    at: text(file, 'createdAt') || null,
    places: text(file, 'type') === 'link' ? [] : [`${id}/${name}`, `attachments/${id}/`, name],
    under: 'Attachments',
    words: wordsOf(file),
  };
}

/** What is of no card, or of one that is not in the file. */
function leftoversOfBoard(value: unknown, cards: ReadonlySet<string>): Leftover[] {
  const included = object(value, 'included');
  const lists = new Map(list(included, 'taskLists').map((one) => [text(one, 'id'), text(one, 'cardId')]));
  const isLost = (one: object): boolean =>
    !cards.has(text(one, 'cardId') || (lists.get(text(one, 'taskListId')) ?? ''));
  return [
    ...leftoversOf(value, known('item included')),
    ...leftoversOf(at(value, 'item'), { ...keys.board, description: true }),
    ...Object.entries(included).flatMap(([name, found]) => {
      if (name === 'cards') return [];
      const rows = objects(found);
      if (rows.length === 0) return leftoversOf({ [name]: found }, {});
      const its = ofTheBoard[name];
      return rows
        .filter((one) => its !== undefined || isLost(one))
        .flatMap((one) => leftoversOf(one, its ?? keys.other, `${name}, ${text(one, 'name')}`.replace(/, $/, '')));
    }),
  ];
}
