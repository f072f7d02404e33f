// Queries for a task's values and for the choices of a property, by the property's name in a view.

import type { Property as PropertyName } from '../../contract/views.ts';
import type { Query } from '../sync/react.tsx';
import { propertyNamed } from './properties.ts';
import type { Choice, PropertyValue } from './property.ts';

export const choicesOf: Query<[of: PropertyName, projectId: string], readonly Choice[]> = {
  shared: 8,
  read: (store, of, projectId) => propertyNamed(of).source(store, projectId).choices(),
};

/** One of them, or one that was. */
export const choiceOf: Query<[of: PropertyName, projectId: string, id: string], Choice> = {
  read: (store, of, projectId, id) => propertyNamed(of).source(store, projectId).choice(id),
};

export const unitOf: Query<[of: PropertyName], string | null> = {
  read: (store, of) => propertyNamed(of).unitIn(store),
};

export const valueIn: Query<[of: PropertyName, taskId: string], PropertyValue | null> = {
  read(store, of, taskId) {
    const task = store.get('tasks', taskId);
    return task ? propertyNamed(of).valueIn(store, task) : null;
  },
};

/** What a task has of these, by their names; nothing of those it has none of. One question for a whole row. */
export const valuesOf: Query<
  [taskId: string, names: readonly PropertyName[]],
  Readonly<Partial<Record<PropertyName, PropertyValue>>>
> = {
  read(store, taskId, names) {
    const held: Partial<Record<PropertyName, PropertyValue>> = {};
    for (const name of names) {
      const value = valueIn.read(store, name, taskId);
      if (value !== null) held[name] = value;
    }
    return held;
  },
};
