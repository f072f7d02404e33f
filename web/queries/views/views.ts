// Views that people keep: those of a project and those across projects, which of them opens first, and one's favorites.

import type { Query } from '../../sync/react.tsx';
import type { SavedViewRow } from '../../sync/rows/rows.ts';

/** Of a project, or, with the empty name, of none: in the order they stand in. */
export const savedViewsOf: Query<[projectId: string], SavedViewRow[]> = {
  read: (store, projectId) =>
    store
      .all('saved_views')
      .filter((view) => (view.project_id ?? '') === projectId)
      .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1)),
};

export const savedViewOf: Query<[id: string], SavedViewRow | undefined> = {
  read: (store, id) => store.get('saved_views', id),
};

/** For this person, and for everybody: the ids of the views a project opens with. */
export const defaultViewsOf: Query<[projectId: string, userId: string], { mine: string | null; all: string | null }> = {
  read(store, projectId, userId) {
    const rows = store.where('view_defaults', 'project_id', projectId);
    return {
      mine: rows.find((row) => row.user_id === userId)?.view_id ?? null,
      all: rows.find((row) => row.user_id === null)?.view_id ?? null,
    };
  },
};

/** What each project opens with, by project, where a view was chosen that this person may see. */
export const firstViews: Query<[userId: string], Readonly<Record<string, SavedViewRow>>> = {
  read(store, userId) {
    const first: Record<string, SavedViewRow> = {};
    for (const row of store.all('view_defaults')) {
      const view = store.get('saved_views', row.view_id);
      if (view && (row.user_id === userId || first[row.project_id] === undefined)) first[row.project_id] = view;
    }
    return first;
  },
};

/** The favorites whose views this person may see, in their order. */
export const favoriteViews: Query<[], SavedViewRow[]> = {
  read: (store) =>
    store
      .all('favorite_views')
      .toSorted((one, other) => one.position - other.position || (one.view_id < other.view_id ? -1 : 1))
      .flatMap(({ view_id }) => store.get('saved_views', view_id) ?? []),
};

export const isFavorite: Query<[viewId: string], boolean> = {
  read: (store, viewId) => store.all('favorite_views').some(({ view_id }) => view_id === viewId),
};

/** In the sidebar: those of a project, or those across projects that aren't favorites. */
export const listedViewsOf: Query<[projectId: string], SavedViewRow[]> = {
  read(store, projectId) {
    const views = store.read(savedViewsOf, projectId);
    return projectId === '' ? views.filter(({ id }) => !store.read(isFavorite, id)) : views;
  },
};
