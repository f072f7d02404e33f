// Menus over the list: grouping and order.

import { Rows3 } from 'lucide-react';
import type { Sorting, SortKey, View } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { SortMenu } from '../project/sort-menu.tsx';
import { latestFirst, useGroupings } from '../project/view-choices.ts';
import type { ViewHandle } from '../project/view-handle.ts';

/** In `plain` order there is nothing to say. */
export const sorted = (by: SortKey, descending: boolean, plain: SortKey): readonly Sorting[] =>
  by === plain && !descending ? [] : [{ by, descending }];

/** Parts of tasks stand under them. */
export const isOutline = ({ shown }: View): boolean => shown.outline === true;

export function OptionMenus({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const groupings = [...useGroupings(projectId), { by: null, name: t('list.groups.none') }];
  const { grouping, sort } = handle.view;
  const plain = projectId === '' ? 'number' : 'column';
  const { by, descending } = sort[0] ?? { by: plain, descending: false };
  const backwards = descending !== latestFirst(by);
  return (
    <>
      <Menu
        label={t('list.group')}
        trigger={
          <Button look="quiet" icon={<Rows3 size={15} />}>
            {t('common.pair', {
              name: t('list.group'),
              value: (groupings.find(({ by: one }) => one === grouping) ?? groupings.at(-1))?.name ?? '',
            })}
          </Button>
        }
        items={[
          ...groupings.map(({ by: one, name }) => ({
            id: one ?? 'none',
            label: name,
            checked: one === grouping,
            onPick: () => handle.set({ grouping: one }),
          })),
          // Across projects parents need not be here.
          ...(projectId === ''
            ? []
            : [
                {
                  id: 'outline',
                  label: t('table.outline'),
                  checked: isOutline(handle.view),
                  apart: true,
                  onPick: () => {
                    const { outline: _, ...shown } = handle.view.shown;
                    handle.set({ shown: isOutline(handle.view) ? shown : { ...shown, outline: true } });
                  },
                },
              ]),
        ]}
      />
      <SortMenu
        projectId={projectId}
        handle={handle}
        plain={plain}
        sorted={(one) => sorted(one, latestFirst(one), plain)}
        more={[
          {
            id: 'backwards',
            label: t('list.backwards'),
            checked: backwards,
            apart: true,
            onPick: () => handle.set({ sort: [...sorted(by, !descending, plain), ...sort.slice(1)] }),
          },
        ]}
      />
    </>
  );
}
