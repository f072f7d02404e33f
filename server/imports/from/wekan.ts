// A board as WeKan exports it (board menu → Export board → JSON). Its lists and cards are called as Trello's are, with other keys; comments,
// checklists and their items lie beside the cards, subtasks name their parent.

import {
  type ChecklistItem,
  type Comment,
  type Person,
  plainTask,
  type Read,
  type Task,
  UnreadableFile,
} from '../neutral.ts';
import { kindOfState } from '../state-kinds.ts';
import { colorNamed } from './colors.ts';
import { at, flag, grouped, isList, isObject, list, number, object, series, strings, text } from './json.ts';
import { type Known, known, leftoversOf, reportedLeftovers, timeOf } from './leftovers.ts';

// First what has a place here, then what is left out on purpose: ids, places, looks, settings, and what repeats what stands elsewhere.
const machinery = '_id sort createdAt modifiedAt updatedAt dateLastActivity boardId';
const keys = {
  board: known(
    `${machinery} _format title description lists cards labels members users comments checklists checklistItems subtaskItems swimlanes customFields
     activities attachments rules triggers actions slug archived archivedAt permission color stars type orgs teams domains watchers subtasksDefaultBoardId
     subtasksDefaultListId dateSettingsDefaultBoardId dateSettingsDefaultListId presentParentTask isOvertime migrationVersion allowsSubtasks allowsAttachments
     allowsChecklists allowsComments allowsDescriptionTitle allowsDescriptionText allowsDescriptionTextOnMinicard allowsCoverAttachmentOnMinicard
     allowsBadgeAttachmentOnMinicard allowsCardSortingByNumber allowsCardSortingByNumberOnMinicard allowsCardNumber allowsActivities allowsLabels
     allowsCreator allowsCreatorOnMinicard allowsAssignee allowsMembers allowsRequestedBy allowsAssignedBy allowsShowLists allowsShowListsOnMinicard
     allowsChecklistAtMinicard allowsReceivedDate allowsStartDate allowsEndDate allowsDueDate showActivities`,
  ),
  card: known(
    `${machinery} title description listId swimlaneId archived archivedAt labelIds members assignees parentId dueAt startAt endAt receivedAt userId
     customFields cardNumber type linkedId isOvertime coverId dueComplete targetId_gantt linkType_gantt linkId_gantt watchers
     showActivities hideFinishedChecklistIfItemsAreHidden showListOnMinicard showChecklistAtMinicard`,
  ),
  comment: known(`${machinery} text cardId userId`),
} satisfies Readonly<Record<string, Known>>;

export function isWekan(value: unknown): boolean {
  const isNamed = text(value, '_format').startsWith('wekan-board');
  return (
    isNamed ||
    (isList(at(value, 'swimlanes')) && series(value, 'cards').some((card) => isObject(card) && 'listId' in card))
  );
}

export function fromWekan(value: unknown): Read {
  if (!isWekan(value)) throw new UnreadableFile('This is no board as WeKan exports it.');
  const byPlace = (one: object, other: object): number => (number(one, 'sort') ?? 0) - (number(other, 'sort') ?? 0);
  const id = (one: object): string => text(one, '_id');
  const lists = list(value, 'lists').toSorted(byPlace);
  const listNames = new Map(lists.map((one) => [id(one), text(one, 'title') || 'List']));
  const closedLists = new Set(lists.filter((one) => flag(one, 'archived')).map(id));
  const labels = new Map(
    list(value, 'labels').map((one) => [id(one), text(one, 'name') || text(one, 'color') || 'label']),
  );
  const swimlanes = new Map(list(value, 'swimlanes').map((one) => [id(one), text(one, 'title')]));
  const fields = new Map(list(value, 'customFields').map((one) => [id(one), text(one, 'name')]));
  const people = new Map(list(value, 'users').map((one) => [id(one), personOf(one)]));
  const nameOf = (key: string): string => people.get(key)?.name ?? key;
  const comments = grouped(list(value, 'comments'), (one) => text(one, 'cardId'));
  const checklists = grouped(list(value, 'checklists').toSorted(byPlace), (one) => text(one, 'cardId'));
  const items = grouped(list(value, 'checklistItems').toSorted(byPlace), (one) => text(one, 'checklistId'));
  const files = grouped(list(value, 'attachments'), (one) => text(one, 'cardId') || text(at(one, 'meta'), 'cardId'));
  const cards = list(value, 'cards').toSorted(byPlace);
  const tasks = cards.map((card): Task => {
    const assignees = [...new Set([...strings(card, 'assignees'), ...strings(card, 'members')])];
    for (const key of assignees) if (!people.has(key)) people.set(key, { key, name: key, address: null });
    const swimlane = swimlanes.get(text(card, 'swimlaneId')) ?? '';
    return {
      ...plainTask(id(card), text(card, 'title')),
      description: text(card, 'description'),
      state: listNames.get(text(card, 'listId')) ?? null,
      done: flag(card, 'dueComplete') || text(card, 'endAt') !== '',
      archived: flag(card, 'archived') || closedLists.has(text(card, 'listId')),
      labels: strings(card, 'labelIds').flatMap((label) => labels.get(label) ?? []),
      assignees,
      parent: text(card, 'parentId') || null,
      start: day(text(card, 'startAt')),
      due: day(text(card, 'dueAt')),
      created: text(card, 'createdAt') || null,
      completed: text(card, 'endAt') || null,
      comments: (comments.get(id(card)) ?? [])
        .map(commentOf)
        .toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? '')),
      checklist: itemsOf(checklists.get(id(card)) ?? [], items),
      attachments: (files.get(id(card)) ?? []).map((file) => ({
        origin: id(file),
        name: text(file, 'name'),
        type: text(file, 'type') || null,
        at: text(file, 'uploadedAt') || null,
        places: [`${id(file)}/${text(file, 'name')}`, text(file, 'name')],
        under: 'Attachments',
        words: `- ${text(file, 'name')}`,
      })),
      leftovers: reportedLeftovers(
        ['Attachments', (files.get(id(card)) ?? []).map((file) => `- ${text(file, 'name')}`).join('\n')],
        ['Swimlane', swimlanes.size > 1 ? swimlane : ''],
        ...list(card, 'customFields').map(
          (one) => [fields.get(id(one)) || 'Custom field', wordsOf(at(one, 'value'))] as const,
        ),
        ...timeOf('Start', text(card, 'startAt')),
        ...timeOf('Due', text(card, 'dueAt')),
        ['Created by', text(card, 'userId') === '' ? '' : nameOf(text(card, 'userId'))],
        ...leftoversOf(card, keys.card),
        ...(comments.get(id(card)) ?? []).flatMap((one) =>
          leftoversOf(one, keys.comment, `Comment of ${text(one, 'createdAt').slice(0, 16)}`),
        ),
      ),
    };
  });
  return {
    project: {
      source: 'wekan',
      scope: `wekan:${text(value, '_id')}`,
      name: text(value, 'title') || null,
      description: text(value, 'description'),
      states: lists.map((one) => ({ name: text(one, 'title') || 'List', kind: kindOfState(text(one, 'title')) })),
      labels: list(value, 'labels').map((one) => ({
        name: labels.get(id(one)) ?? '',
        color: colorNamed(text(one, 'color')),
      })),
      people: [...people.values()],
      tasks,
      leftovers: leftoversOf(value, keys.board),
    },
    problems: [],
  };
}

function personOf(user: object): Person {
  const key = text(user, '_id');
  const address = text(list(user, 'emails')[0], 'address') || null;
  return { key, name: text(object(user, 'profile'), 'fullname') || text(user, 'username') || key, address };
}

const commentOf = (one: object): Comment => ({
  origin: text(one, '_id') || null,
  author: text(one, 'userId') || null,
  at: text(one, 'createdAt') || null,
  body: text(one, 'text'),
});

/** Items have no list here: with several lists, each says which it stood in. */
const itemsOf = (lists: readonly object[], items: ReadonlyMap<string, readonly object[]>): ChecklistItem[] =>
  lists.flatMap((one) =>
    (items.get(text(one, '_id')) ?? []).map((item) => ({
      origin: text(item, '_id') || null,
      title: lists.length > 1 ? `${text(one, 'title')}: ${text(item, 'title')}` : text(item, 'title'),
      done: flag(item, 'isFinished'),
    })),
  );

const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

const day = (moment: string): string | null => (/^\d{4}-\d\d-\d\d/.test(moment) ? moment.slice(0, 10) : null);
