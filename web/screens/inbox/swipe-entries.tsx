// Entries under a finger: drawn to the right one is done, to the left it is put off; resting on it, or its button, opens all actions.

import { AlarmClock, Check, Mail, MailOpen, SquareArrowOutUpRight, SquareCheck } from 'lucide-react';
import type { RefObject } from 'react';
import { useLocation } from 'wouter';
import type { InboxGroup } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import { SwipeRows } from '../../ui/lists/swipe-rows.tsx';
import { placeOf } from './entry-row.tsx';

/** The entry whose actions are open, and the element beside which. */
export interface ActingOn {
  readonly group: InboxGroup;
  readonly there: HTMLElement;
}

interface SwipeEntriesProps {
  readonly list: RefObject<HTMLElement | null>;
  readonly groups: readonly InboxGroup[];
  readonly open: ActingOn | null;
  readonly onOpen: (acting: ActingOn | null) => void;
  readonly onRead: (group: InboxGroup) => void;
  readonly onSelect: (group: InboxGroup) => void;
  readonly onSnooze: (group: InboxGroup) => void;
  readonly onDone: (group: InboxGroup) => void;
}

export function SwipeEntries({ list, groups, open, ...on }: SwipeEntriesProps) {
  const [, go] = useLocation();
  const groupOf = (row: HTMLElement) => groups.find((group) => group.id === row.dataset.entry);
  const place = open && placeOf(open.group);
  const icon = (Kind: typeof Check) => <Kind size={16} />;
  const items = open && [
    ...(place === null
      ? []
      : [{ id: 'open', label: t('inbox.open'), icon: icon(SquareArrowOutUpRight), pick: () => go(place) }]),
    { id: 'done', label: t('inbox.done'), icon: icon(Check), pick: () => on.onDone(open.group) },
    { id: 'snooze', label: t('inbox.snooze'), icon: icon(AlarmClock), pick: () => on.onSnooze(open.group) },
    {
      id: 'read',
      label: open.group.unread ? t('inbox.read') : t('inbox.unreadAgain'),
      icon: icon(open.group.unread ? MailOpen : Mail),
      pick: () => on.onRead(open.group),
    },
    { id: 'select', label: t('inbox.tick'), icon: icon(SquareCheck), pick: () => on.onSelect(open.group) },
  ];
  return (
    <>
      <SwipeRows
        room={list}
        rows="[data-entry]"
        onRest={(row) => {
          const group = groupOf(row);
          const there = row.querySelector<HTMLElement>('[data-way]');
          if (group && there) on.onOpen({ group, there });
        }}
        swipes={(row) => {
          const group = groupOf(row);
          if (group === undefined) return {};
          return {
            right: {
              label: t('inbox.done'),
              icon: <Check size={20} />,
              good: true,
              leaves: true,
              run: () => on.onDone(group),
            },
            left: { label: t('inbox.snooze'), icon: <AlarmClock size={20} />, run: () => on.onSnooze(group) },
          };
        }}
      />
      {open && items && (
        <Picker
          trigger={{ there: open.there }}
          label={t('common.actions')}
          items={items}
          startOpen
          bare
          onClosed={() => on.onOpen(null)}
          onPick={(id) => setTimeout(() => items.find((item) => item.id === id)?.pick())}
        />
      )}
    </>
  );
}
