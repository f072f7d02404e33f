// Place of the filters: a row over the tasks; on a phone a button of the top line, which shows the number in use.

import { ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { InTopBar } from '../../ui/top-bar-slot.tsx';
import { usePhone } from '../../ui/use-narrow.ts';
import styles from './filter-bar.module.css';

interface FilterRoomProps {
  /** How many are in use. */
  readonly count: number;
  readonly children: ReactNode;
}

export function FilterSlot({ count, children }: FilterRoomProps) {
  const phone = usePhone();
  const label = t('board.filters.label');
  if (!phone)
    return (
      <search className={`${shapes.flowS3} ${shapes.onScreen} ${shapes.holder} ${styles.filters}`} aria-label={label}>
        {children}
      </search>
    );
  return (
    <InTopBar>
      <Popover
        label={label}
        align="end"
        trigger={
          <IconButton label={t('board.filters.count', { n: count })} className={shapes.holder}>
            <ListFilter size={18} />
            {count > 0 && <span className={`${shapes.accent} ${styles.filterBadge} numbers`}>{count}</span>}
          </IconButton>
        }
      >
        <search className={`${shapes.flowS3} ${shapes.padS3}`} aria-label={label}>
          {children}
        </search>
      </Popover>
    </InTopBar>
  );
}
