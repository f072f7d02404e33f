// Response to a dry run: the preview of an import, cut to the part that a page shows.

import { previewOf } from '../preview.ts';
import type { ReadUpload } from './read-upload.ts';

export const mostProblems = 500;
const listsShown = 100;

export function previewResponse(upload: ReadUpload, fileName: string): object {
  const { recognised, read, matched, invited, joining, isOwned } = upload;
  const { product, table, mapping } = recognised;
  const preview = previewOf(read, matched, invited);
  return {
    product,
    name: read.project.name ?? fileName.replace(/\.[^.]*$/, ''),
    keepsDates: isOwned,
    mayInvite: isOwned,
    columns:
      table?.header.map((name, at) => ({
        name,
        field: mapping?.[at] ?? 'keep',
        samples: table.rows.flatMap(({ cells }) => (cells[at] ?? '').trim().slice(0, 100) || []).slice(0, 3),
      })) ?? null,
    ...preview,
    lists: preview.lists.slice(0, listsShown).map((list) => ({
      ...list,
      first: list.first.map((title) => title.slice(0, 200)),
    })),
    listCount: preview.lists.length,
    people: preview.people.slice(0, 1000).map((person) => ({ ...person, joins: joining.has(person.userId ?? '') })),
    problems: preview.problems.slice(0, mostProblems),
    problemCount: preview.problems.length,
  };
}
