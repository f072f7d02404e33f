// The order of rows as a menu: one property is a press away, several are chosen in a panel behind it.

import { ArrowDownUp } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Sorting, SortKey } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import styles from './sort-levels.module.css';
import { useSorts } from './view-choices.ts';
import type { ViewHandle } from './view-handle.ts';

const SortLevels = lazyComponent(() => import('./sort-levels.tsx'), ['views']);

interface SortMenuProps {
  readonly projectId: string;
  readonly handle: ViewHandle;
  /** The order that needs no saying. */
  readonly plain: SortKey;
  /** What is said where one property is chosen. */
  readonly sorted: (by: SortKey) => readonly Sorting[];
  readonly more?: readonly MenuItem[];
}

export function SortMenu({ projectId, handle, plain, sorted, more = [] }: SortMenuProps) {
  const sorts = useSorts(projectId);
  const button = useRef<HTMLButtonElement>(null);
  const wanted = useRef(false);
  const [open, setOpen] = useState(false);
  const { sort } = handle.view;
  const by = sort[0]?.by ?? plain;
  const name = sorts.find((one) => one.by === by)?.name ?? t('common.none');
  return (
    <>
      <Menu
        label={t('list.sort')}
        trigger={
          <Button ref={button} look="quiet" icon={<ArrowDownUp size={15} />}>
            {t('common.pair', { name: t('list.sort'), value: name })}
            {sort.length > 1 && ` + ${sort.length - 1}`}
          </Button>
        }
        items={[
          ...sorts.map((one) => ({
            id: one.by,
            label: one.name,
            checked: one.by === by,
            onPick: () => handle.set({ sort: sorted(one.by) }),
          })),
          ...more,
          {
            id: 'levels',
            label: t('list.sortLevels'),
            apart: more.length === 0,
            onPick: () => {
              wanted.current = true;
            },
          },
        ]}
        onClosed={() => {
          if (!wanted.current) return false;
          wanted.current = false;
          setOpen(true);
          return true;
        }}
      />
      {open && button.current && (
        <Popover
          label={t('list.sortLevels')}
          align="end"
          open
          onOpenChange={setOpen}
          trigger={{ there: button.current }}
        >
          <div className={styles.alone}>
            <SortLevels projectId={projectId} handle={handle} plain={plain} />
          </div>
        </Popover>
      )}
    </>
  );
}
