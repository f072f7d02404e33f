// Bulk actions of the inbox, for the selected entries or all unread ones.

import type { InboxGroup } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import styles from './inbox.module.css';
import { snoozeTimes } from './snooze-times.ts';
import type { useInboxKeys } from './use-inbox-keys.tsx';

interface BulkLineProps {
  readonly keys: ReturnType<typeof useInboxKeys>;
  readonly unread: readonly InboxGroup[];
  readonly onReadAll: () => void;
}

export function BulkLine({ keys, unread, onReadAll }: BulkLineProps) {
  const { selected } = keys;
  return (
    <div className={`${shapes.flowS3} ${shapes.ruledBelow} ${styles.bulk}`}>
      <input
        type="checkbox"
        aria-label={selected.length > 0 ? t('common.clearSelection') : t('inbox.selectAll')}
        checked={selected.length > 0}
        onChange={() => keys.selectAll(selected.length === 0)}
      />
      {selected.length > 0 ? (
        <>
          <span className={`${styles.bulkCount} numbers`}>{t('common.selected', { n: selected.length })}</span>
          <Button onClick={keys.done}>{t('inbox.done')}</Button>
          <Button onClick={keys.read}>
            {selected.some((group) => group.unread) ? t('inbox.read') : t('inbox.unreadAgain')}
          </Button>
          <Menu
            label={t('inbox.snooze')}
            align="start"
            trigger={<Button>{t('inbox.snooze')}</Button>}
            items={snoozeTimes(new Date()).map(({ id, label, until }) => ({
              id,
              label,
              onPick: () => keys.putOff(selected, until),
            }))}
          />
        </>
      ) : (
        <Button look="quiet" disabled={unread.length === 0} onClick={onReadAll}>
          {t('inbox.readAll')}
        </Button>
      )}
    </div>
  );
}
