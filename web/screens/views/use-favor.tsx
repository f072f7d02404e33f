// Adding a saved view to one's favorites, or removing it: for its menus and for the palette.

import { Star, StarOff } from 'lucide-react';
import { useActions } from '../../actions/registry.tsx';
import { favorView, useAct } from '../../commands.ts';
import { isFavorite, type SavedViewRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

export function useFavor(id: string): { label: string; Icon: typeof Star; does: () => void } {
  const userId = useUserId();
  const act = useAct();
  const is = useQuery(isFavorite, id);
  return {
    label: t(is ? 'views.unfavor' : 'views.favor'),
    Icon: is ? StarOff : Star,
    does: () => void act(favorView, userId, id, !is),
  };
}

/** In the palette, for the view that is looked at; null: none. */
export function useFavorAction(view: SavedViewRow | null): void {
  const { label, Icon, does } = useFavor(view?.id ?? '');
  useActions(
    view === null ? [] : [{ id: 'favor-view', label, group: 'project', icon: <Icon size={16} />, effect: does }],
  );
}
