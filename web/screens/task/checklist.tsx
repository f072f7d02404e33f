// Items of the checklist: ticked, renamed, reordered by mouse, touch or keys.

import { ListTree, SquareCheck, X } from 'lucide-react';
import { editChecklistItem, itemToTask, positionAt, removeChecklistItem, useAct } from '../../commands.ts';
import type { ChecklistItemRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import sortableStyles from '../../ui/lists/sortable.module.css';
import { SortableLines, useSortableLine } from '../../ui/lists/sortable.tsx';
import styles from './checklist.module.css';
import { LineMenu } from './line-menu.tsx';

interface ChecklistProps {
  readonly items: readonly ChecklistItemRow[];
  readonly canWrite: boolean;
  /** Items can become tasks. */
  readonly writes: boolean;
}

export function Checklist({ items, canWrite, writes }: ChecklistProps) {
  const act = useAct();
  return (
    <section aria-label={t('property.checklist')}>
      <SortableLines
        lines={items.map((item) => ({ id: item.id, name: item.title }))}
        onMove={(id, index) => void act(editChecklistItem, id, { position: positionAt(items, id, index) })}
      >
        <ul>
          {items.map((item) => (
            <Item key={item.id} item={item} canWrite={canWrite} writes={writes} />
          ))}
        </ul>
      </SortableLines>
    </section>
  );
}

function Item({ item, canWrite, writes }: Omit<ChecklistProps, 'items'> & { readonly item: ChecklistItemRow }) {
  const act = useAct();
  const { line, moving, grip } = useSortableLine(item.id, !canWrite);
  const title = useSavedField(item.title, (text) => {
    if (text !== '') void act(editChecklistItem, item.id, { title: text });
    return null;
  });
  return (
    <li
      {...line}
      className={`${shapes.rowS3} ${shapes.holder} ${shapes.roundM} ${shapes.surface} ${shapes.control} ${moving ? sortableStyles.checkMoving : ''}`}
    >
      {canWrite && grip(t('task.moveItem', { title: item.title }))}
      <input
        type="checkbox"
        aria-label={item.title}
        checked={item.is_done}
        disabled={!canWrite}
        onChange={() => void act(editChecklistItem, item.id, { is_done: !item.is_done })}
      />
      {canWrite ? (
        <input
          className={`${styles.checkTitle} ${item.is_done ? styles.checkDone : ''}`}
          aria-label={t('task.itemTitle')}
          {...limitTo(500)}
          {...title.field}
          onKeyDown={(event) => {
            const { ctrlKey, metaKey, shiftKey } = event;
            if (!writes || event.key !== 'Enter' || !shiftKey || !(ctrlKey || metaKey))
              return title.field.onKeyDown(event);
            event.preventDefault();
            void act(itemToTask, item.id, true);
          }}
        />
      ) : (
        <span className={`${styles.checkTitle} ${item.is_done ? styles.checkDone : ''}`}>{item.title}</span>
      )}
      {writes && (
        <LineMenu
          label={t('plan.subtasks.more', { title: item.title })}
          items={[
            {
              id: 'subtask',
              label: t('plan.subtasks.itemToSubtask'),
              icon: <ListTree size={16} />,
              keys: 'mod+shift+enter',
              onPick: () => void act(itemToTask, item.id, true),
            },
            {
              id: 'task',
              label: t('plan.subtasks.itemToTask'),
              icon: <SquareCheck size={16} />,
              onPick: () => void act(itemToTask, item.id, false),
            },
          ]}
        />
      )}
      {canWrite && (
        <IconButton
          label={t('task.removeItem', { title: item.title })}
          className={styles.checkRemove}
          onClick={() => void act(removeChecklistItem, item.id)}
        >
          <X size={14} />
        </IconButton>
      )}
    </li>
  );
}
