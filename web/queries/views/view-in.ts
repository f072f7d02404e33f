// The view that a kept row says; apart from the rows themselves, which are wanted before any view is looked at.

import { readView, WrongView } from '../../../contract/read-view.ts';
import { plainView } from '../../../contract/view-address.ts';
import type { View } from '../../../contract/views.ts';
import type { SavedViewRow } from '../../sync/rows/rows.ts';

/** What cannot be read is as it is where nothing was chosen: a program may have written it. */
export function viewIn({ layout, filter, grouping, lanes, sort, shown }: SavedViewRow): View {
  try {
    return readView({ layout, filter, grouping, lanes, sort, shown });
  } catch (thrown) {
    if (!(thrown instanceof WrongView)) throw thrown;
    return plainView('board');
  }
}
