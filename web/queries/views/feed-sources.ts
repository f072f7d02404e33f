// Sources of a calendar feed beside one's own tasks: projects, then views, by name.

import { t } from '../../strings/messages.ts';
import type { Query } from '../../sync/react.tsx';
import { memberProjects } from '../people/guests.ts';

interface FeedSource {
  readonly kind: 'project' | 'view';
  readonly id: string;
  readonly name: string;
}

export const feedSourcesOf: Query<[userId: string], FeedSource[]> = {
  read: (store, userId) => [
    ...memberProjects.read(store, userId).map(({ id, name }) => ({ kind: 'project' as const, id, name })),
    ...store.all('saved_views').map((view) => {
      const project = store.get('projects', view.project_id ?? '');
      return {
        kind: 'view' as const,
        id: view.id,
        name: project ? t('common.pair', { name: project.name, value: view.name }) : view.name,
      };
    }),
  ],
};
