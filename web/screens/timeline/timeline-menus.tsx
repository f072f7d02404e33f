// How the lines of the chart are grouped and ordered.

import { ArrowDownUp, Rows3 } from 'lucide-react';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useGroupings, useSorts } from '../project/view-choices.ts';
import type { ViewHandle } from '../project/view-handle.ts';

export function TimelineMenus({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const { grouping, sort } = handle.view;
  const groupings = [{ by: null, name: t('list.groups.none') }, ...useGroupings(projectId)];
  const sorts = useSorts(projectId);
  const by = sort[0]?.by ?? 'start_date';
  return (
    <>
      <Menu
        label={t('list.group')}
        trigger={
          <Button look="quiet" icon={<Rows3 size={15} />}>
            {t('list.group')}: {(groupings.find((one) => one.by === grouping) ?? groupings[0])?.name}
          </Button>
        }
        items={groupings.map((one) => ({
          id: one.by ?? 'none',
          label: one.name,
          checked: one.by === grouping,
          onPick: () => handle.set({ grouping: one.by }),
        }))}
      />
      <Menu
        label={t('list.sort')}
        trigger={
          <Button look="quiet" icon={<ArrowDownUp size={15} />}>
            {t('list.sort')}: {sorts.find((one) => one.by === by)?.name ?? t('common.none')}
          </Button>
        }
        items={sorts.map((one) => ({
          id: one.by,
          label: one.name,
          checked: one.by === by,
          // What begins first stands first where nothing is chosen.
          onPick: () => handle.set({ sort: one.by === 'start_date' ? [] : [{ by: one.by, descending: false }] }),
        }))}
      />
    </>
  );
}
