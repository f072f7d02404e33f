// Choices that a filter offers for each property of a project's tasks.

import { fieldProperty } from '../../contract/field-properties.ts';
import { columnKinds, type OwnProperty, type Property } from '../../contract/views.ts';
import { readFields } from '../queries/projects/fields.ts';
import { openProjects } from '../queries/projects/projects.ts';
import { parentsIn } from '../queries/tasks/subtasks.ts';
import { predecessorsIn } from '../queries/tasks/tasks.ts';
import { t } from '../strings/messages.ts';
import type { Query } from '../sync/react.tsx';
import type { TaskRow } from '../sync/rows/rows.ts';
import type { Reader } from '../sync/rows/store.ts';
import { ownNames } from './own.ts';
import { everybodyAsChoices, workerChoices } from './person-choice.ts';
import { propertyNamed } from './properties.ts';
import type { Choice } from './property.ts';

/** Choices that a filter has beside those that a task can be given: projects and other tasks are chosen elsewhere. */
const others: Partial<Record<OwnProperty, (store: Reader, projectId: string) => readonly Choice[]>> = {
  kind: () => columnKinds.map((kind) => ({ id: kind, name: t(`common.kinds.${kind}`), kind })),
  project: (store) => openProjects.read(store).map(({ id, name }) => ({ id, name })),
  parent: (store, projectId) => parentsIn.read(store, projectId).map(taskChoice),
  waits_for: (store, projectId) => predecessorsIn.read(store, projectId).map(taskChoice),
};

const taskChoice = ({ id, title, number }: TaskRow): Choice => ({ id, name: title, place: number ?? 0 });

/** All that each property offers. People without a project are all one shares one with, oneself first. */
export const filterChoicesIn: Query<
  [projectId: string, userId: string],
  Readonly<Partial<Record<Property, readonly Choice[]>>>
> = {
  read(store, projectId, userId) {
    const members = projectId === '' ? everybodyAsChoices(store) : workerChoices(store, projectId);
    const people = [...members].sort((one, other) => Number(other.id === userId) - Number(one.id === userId));
    const offered = (name: Property): readonly Choice[] => {
      const { isOfPeople } = propertyNamed(name);
      if (isOfPeople) return people;
      return others[name as OwnProperty]?.(store, projectId) ?? propertyNamed(name).source(store, projectId).choices();
    };
    const names = [...ownNames, ...readFields(store, projectId).map(({ id, kind }) => fieldProperty(kind, id))];
    return Object.fromEntries(names.map((name) => [name, offered(name)]));
  },
};
