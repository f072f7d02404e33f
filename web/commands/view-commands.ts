// Commands on saved views: create, change, delete, order, the default view of a project, and one's own favorites.

import { type Layout, layouts, type View } from '../../contract/views.ts';
import { favoriteViews } from '../queries/views/views.ts';
import { t } from '../strings/messages.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { newId } from '../sync/rows/ids.ts';
import type { SavedViewRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { type Check, define, flag, list, number, oneOf, orNull, record, some, text } from './define-command.ts';
import { deleteRows, insertRows, putRows, updateRows } from './send-changes.ts';
import { deleteDelay } from './task-commands.ts';
import { positionAt } from './task-parts.ts';

type Json = SavedViewRow['filter'];
type JsonObject = { [name: string]: Json | undefined };
const object: Check<JsonObject> = (value): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const layout = oneOf<Layout>(...layouts);
const looks = {
  filter: object,
  layout,
  grouping: orNull(text),
  lanes: orNull(text),
  sort: list(object),
  shown: object,
};

/** A view is plain JSON, which its types do not say. */
function columnsOf({ filter, layout: as, grouping, lanes, sort, shown }: View) {
  return {
    filter: filter as unknown as JsonObject,
    layout: as,
    grouping,
    lanes,
    sort: sort as unknown as JsonObject[],
    shown: shown as JsonObject,
  };
}

const rowShape = record({
  id: text,
  project_id: orNull(text),
  owner_id: text,
  name: text,
  is_shared: flag,
  position: number,
  ...looks,
});

const make = define('saveView', record({ row: rowShape }), {
  changes: ({ row }) => [insertRows('saved_views', [{ ...row, sort: [...row.sort] }])],
});

export interface NewView {
  /** Null: of no project, for all of them. */
  readonly projectId: string | null;
  readonly ownerId: string;
  readonly name: string;
  readonly isShared: boolean;
  readonly view: View;
}

export function saveView(store: Reader, { projectId, ownerId, name, isShared, view }: NewView, id = newId()): Mutation {
  const others = store.all('saved_views').filter((one) => one.project_id === projectId);
  const row = {
    id,
    project_id: projectId,
    owner_id: ownerId,
    name: name.trim(),
    is_shared: isShared,
    position: Math.max(0, ...others.map(({ position }) => position)) + 1024,
    ...columnsOf(view),
  };
  return make({ row }, t('views.did.saved', { name: row.name }));
}

const change = define(
  'editView',
  record({ id: text, patch: some({ name: text, is_shared: flag, position: number, ...looks }) }),
  {
    changes: ({ id, patch: { sort, ...rest } }) => [
      updateRows('saved_views', [{ id, ...rest, ...(sort ? { sort: [...sort] } : {}) }]),
    ],
  },
);

export interface ViewPatch {
  readonly name?: string;
  readonly is_shared?: boolean;
  readonly position?: number;
  /** How it looks now. */
  readonly view?: View;
}

export function editView(store: Reader, id: string, { view, ...patch }: ViewPatch): Mutation {
  const name = store.get('saved_views', id)?.name ?? '';
  return change({ id, patch: { ...patch, ...(view ? columnsOf(view) : {}) } }, t('views.did.changed', { name }));
}

const drop = define('deleteView', record({ id: text }), {
  delay: deleteDelay,
  changes: ({ id }) => [deleteRows('saved_views', [{ id }])],
});

/** Held: what others open the project with goes with it. */
export function deleteView(store: Reader, id: string): Mutation {
  return drop({ id }, t('views.did.deleted', { name: store.get('saved_views', id)?.name ?? '' }));
}

const choose = define(
  'chooseFirstView',
  record({ id: text, projectId: text, userId: orNull(text), viewId: orNull(text) }),
  {
    changes: ({ id, projectId, userId, viewId }) =>
      viewId === null
        ? [deleteRows('view_defaults', [{ id }])]
        : putRows('view_defaults', [{ id, project_id: projectId, user_id: userId, view_id: viewId }], ['view_id']),
  },
);

/** What a project opens with: for a person, or, without one, for everybody. Null: its board again. */
export function chooseFirstView(
  store: Reader,
  projectId: string,
  userId: string | null,
  viewId: string | null,
): Mutation {
  const there = store.where('view_defaults', 'project_id', projectId).find((row) => row.user_id === userId);
  const id = there?.id ?? newId();
  return choose({ id, projectId, userId, viewId }, t(viewId === null ? 'views.did.unchosen' : 'views.did.chosen'));
}

const favor = define('favorView', record({ userId: text, viewId: text, position: orNull(number) }), {
  changes: ({ userId, viewId, position }) => {
    const row = { user_id: userId, view_id: viewId };
    return position === null
      ? [deleteRows('favorite_views', [row])]
      : putRows('favorite_views', [{ ...row, position }], ['position']);
  },
});

/** Last among the favorites, or no longer one of them. */
export function favorView(store: Reader, userId: string, viewId: string, is: boolean): Mutation {
  const name = store.get('saved_views', viewId)?.name ?? '';
  const last = Math.max(0, ...store.all('favorite_views').map(({ position }) => position));
  return favor(
    { userId, viewId, position: is ? last + 1024 : null },
    is ? t('views.did.favored', { name }) : t('views.did.unfavored', { name }),
  );
}

/** `index`: its place among the other favorites that are seen. */
export function moveFavorite(store: Reader, userId: string, viewId: string, index: number): Mutation {
  const places = favoriteViews
    .read(store)
    .map(({ id }) => ({ id, position: store.get('favorite_views', `${userId} ${id}`)?.position ?? 0 }));
  const name = store.get('saved_views', viewId)?.name ?? '';
  return favor({ userId, viewId, position: positionAt(places, viewId, index) }, t('views.did.favoriteMoved', { name }));
}
