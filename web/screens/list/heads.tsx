// What is chosen of a list over its rows: grouping and order.

import { ArrowDownUp, Rows3 } from 'lucide-react';
import type { Sorting, SortKey } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useGroupings, useSorts } from '../project/view-choices.ts';
import type { ViewHandle } from '../project/view-handle.ts';

/** What changed or came last is looked for first. */
const latestFirst = (by: SortKey): boolean => by === 'updated_at' || by === 'created_at';

/** In board order there is nothing to say. */
export const sorted = (by: SortKey, descending: boolean): readonly Sorting[] =>
  by === 'column' && !descending ? [] : [{ by, descending }];

export function OptionMenus({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const groupings = [...useGroupings(projectId), { by: null, name: t('list.groups.none') }];
  const sorts = useSorts(projectId);
  const { grouping, sort } = handle.view;
  const { by, descending } = sort[0] ?? { by: 'column', descending: false };
  const backwards = descending !== latestFirst(by);
  return (
    <>
      <Menu
        label={t('list.group')}
        trigger={
          <Button look="quiet" icon={<Rows3 size={15} />}>
            {t('list.group')}: {(groupings.find(({ by: one }) => one === grouping) ?? groupings.at(-1))?.name}
          </Button>
        }
        items={groupings.map(({ by: one, name }) => ({
          id: one ?? 'none',
          label: name,
          checked: one === grouping,
          onPick: () => handle.set({ grouping: one }),
        }))}
      />
      <Menu
        label={t('list.sort')}
        trigger={
          <Button look="quiet" icon={<ArrowDownUp size={15} />}>
            {t('list.sort')}: {sorts.find((one) => one.by === by)?.name ?? t('common.none')}
          </Button>
        }
        items={[
          ...sorts.map(({ by: one, name }) => ({
            id: one,
            label: name,
            checked: one === by,
            onPick: () => handle.set({ sort: sorted(one, latestFirst(one)) }),
          })),
          {
            id: 'backwards',
            label: t('list.backwards'),
            checked: backwards,
            apart: true,
            onPick: () => handle.set({ sort: sorted(by, !descending) }),
          },
        ]}
      />
    </>
  );
}
