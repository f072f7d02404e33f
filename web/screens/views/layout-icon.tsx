// Picture of the layout of a saved view.

import { layouts } from '../../../contract/views.ts';
import type { SavedViewRow } from '../../queries.ts';
import { layoutIcons } from '../project/layout-icons.ts';

export function LayoutIcon({ of, size = 15 }: { of: SavedViewRow; size?: number }) {
  const Icon = layoutIcons[layouts.find((one) => one === of.layout) ?? 'board'];
  return <Icon size={size} aria-hidden="true" />;
}
