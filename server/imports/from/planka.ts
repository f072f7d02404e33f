// A board of Planka as its API gives it (`GET /api/boards/ID`); its pages export nothing. Comments are not in it; attachments are
// named, and come along when their files were put beside it in a zip.

import { type ChecklistItem, plainTask, type Read, type Task, UnreadableFile } from '../neutral.ts';
import { kindOfState } from '../state-kinds.ts';
import { at, flag, list, number, object, text } from './json.ts';

export function isPlanka(value: unknown): boolean {
  const included = at(value, 'included');
  return Array.isArray(at(included, 'lists')) && Array.isArray(at(included, 'cards'));
}

export function fromPlanka(value: unknown): Read {
  if (!isPlanka(value)) throw new UnreadableFile('This is no board as the API of Planka gives it.');
  const board = object(value, 'item');
  const included = object(value, 'included');
  const inOrder = (name: string) =>
    list(included, name).toSorted((one, other) => (number(one, 'position') ?? 0) - (number(other, 'position') ?? 0));
  // Those of the archive and of the bin have no name.
  const lists = inOrder('lists').filter((one) => text(one, 'name') !== '');
  const kindsOfLists = new Map(list(included, 'lists').map((one) => [text(one, 'id'), text(one, 'type')]));
  const listNames = new Map(lists.map((one) => [text(one, 'id'), text(one, 'name')]));
  const labels = new Map(inOrder('labels').map((one) => [text(one, 'id'), text(one, 'name') || text(one, 'color')]));
  const people = list(included, 'users').map((one) => ({
    key: text(one, 'id'),
    name: text(one, 'name') || text(one, 'username') || text(one, 'id'),
    address: text(one, 'email') || null,
  }));
  const of = (name: string, card: string): object[] => inOrder(name).filter((one) => text(one, 'cardId') === card);
  const taskLists = new Map(list(included, 'taskLists').map((one) => [text(one, 'id'), text(one, 'cardId')]));
  const items = (card: string): ChecklistItem[] =>
    inOrder('tasks')
      .filter((one) => (text(one, 'cardId') || taskLists.get(text(one, 'taskListId'))) === card)
      .map((one) => ({ origin: text(one, 'id'), title: text(one, 'name'), done: flag(one, 'isCompleted') }));
  const tasks = inOrder('cards')
    .filter((card) => kindsOfLists.get(text(card, 'listId')) !== 'trash')
    .map((card): Task => {
      const id = text(card, 'id');
      const wordsOf = (file: object): string => `- ${text(file, 'name')} ${text(file, 'url')}`.trim();
      const files = of('attachments', id);
      return {
        ...plainTask(id, text(card, 'name')),
        description: text(card, 'description'),
        state: listNames.get(text(card, 'listId')) ?? null,
        done: flag(card, 'isClosed') || flag(card, 'isDueDateCompleted') || flag(card, 'isDueCompleted'),
        archived: kindsOfLists.get(text(card, 'listId')) === 'archive',
        labels: of('cardLabels', id).flatMap((one) => labels.get(text(one, 'labelId')) ?? []),
        assignees: of('cardMemberships', id).map((one) => text(one, 'userId')),
        due: text(card, 'dueDate').slice(0, 10) || null,
        created: text(card, 'createdAt') || null,
        checklist: items(id),
        attachments: files.map((file) => ({
          origin: text(file, 'id'),
          name: text(file, 'name'),
          type: null,
          at: text(file, 'createdAt') || null,
          places: [`${text(file, 'id')}/${text(file, 'name')}`, `attachments/${text(file, 'id')}/`, text(file, 'name')],
          under: 'Attachments',
          words: wordsOf(file),
        })),
        leftovers: files.length > 0 ? [['Attachments', files.map(wordsOf).join('\n')]] : [],
      };
    });
  return {
    project: {
      source: 'planka',
      scope: `planka:${text(board, 'id')}`,
      name: text(board, 'name') || null,
      states: lists.map((one) => ({ name: text(one, 'name'), kind: kindOfState(text(one, 'name')) })),
      labels: [...labels.values()].map((name) => ({ name, color: null })),
      people,
      tasks,
    },
    problems: [],
  };
}
