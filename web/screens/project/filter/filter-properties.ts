// Properties offered for a filter, most wanted first.

import type { Property } from '../../../../contract/views.ts';
import { offeredFirst, offeredLast, own, ownNames } from '../../../properties/own.ts';

/** Columns, labels and other tasks are a project's own; across projects one asks which. */
export function filterPropertiesIn(projectId: string): readonly Property[] {
  const ends: readonly Property[] = [...offeredFirst, ...offeredLast, 'text', 'project'];
  const offered = [...offeredFirst, ...ownNames.filter((name) => !ends.includes(name)), ...offeredLast];
  if (projectId !== '') return offered;
  return ['project', ...offered.filter((name) => !own[name].ofProject)];
}
