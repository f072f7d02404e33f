// Index that the search of the reference fetches when it is first used, and by which former anchors find their page.

import type { ReferencePage } from './reference-pages.ts';

export function searchIndex(pages: readonly ReferencePage[]): string {
  return JSON.stringify({
    pages: pages.map(({ title, address, section }) => [title, address, section]),
    // Of webhook payloads the page alone is found.
    operations: pages.flatMap(({ entries, isSent }, page) =>
      isSent ? [] : entries.map(({ id, method, path, operation }) => [id, method, path, operation.summary, page]),
    ),
    former: Object.fromEntries(
      pages.flatMap(({ formerId, address }) => (formerId === null ? [] : [[formerId, address]])),
    ),
  });
}
