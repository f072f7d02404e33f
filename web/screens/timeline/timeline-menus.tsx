// Menus for grouping and order of the chart's lines.

import { Rows3 } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { SortMenu } from '../project/sort-menu.tsx';
import { useGroupings } from '../project/view-choices.ts';
import type { ViewHandle } from '../project/view-handle.ts';

export function TimelineMenus({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const { grouping } = handle.view;
  const groupings = [{ by: null, name: t('list.groups.none') }, ...useGroupings(projectId)];
  return (
    <>
      <Menu
        label={t('list.group')}
        trigger={
          <Button look="quiet" icon={<Rows3 size={15} />}>
            {t('common.pair', {
              name: t('list.group'),
              value: (groupings.find((one) => one.by === grouping) ?? groupings[0])?.name ?? '',
            })}
          </Button>
        }
        items={groupings.map((one) => ({
          id: one.by ?? 'none',
          label: one.name,
          checked: one.by === grouping,
          onPick: () => handle.set({ grouping: one.by }),
        }))}
      />
      <SortMenu
        projectId={projectId}
        handle={handle}
        // What begins first stands first where nothing is chosen.
        plain="start_date"
        sorted={(by) => (by === 'start_date' ? [] : [{ by, descending: false }])}
      />
    </>
  );
}
