// Combobox: picks one or several items from a list by typing. Used for people, labels, columns and linked tasks.

import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Keys } from '../keys.tsx';
import menuStyles from '../overlays/menu.module.css';
import { Popover, type Trigger } from '../overlays/popover.tsx';
import styles from './picker.module.css';

export interface PickerItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Said beside the label, and why it cannot be picked when it cannot. */
  readonly note?: string;
  readonly disabled?: boolean;
  readonly chosen?: boolean;
  /** The key that does the same. */
  readonly keys?: string | undefined;
}

export interface PickerProps {
  trigger: Trigger;
  label: string;
  items: readonly PickerItem[];
  onPick: (id: string) => void;
  /** Stays open after a pick. */
  several?: boolean;
  placeholder?: string;
  empty?: string;
  onSearch?: (text: string) => void;
  /** The caller has already searched. */
  searched?: boolean;
  onMake?: (text: string) => void;
  makeLabel?: (text: string) => string;
  /** A few things to do, not to search in: a phone shows no field for it. */
  bare?: boolean;
  /** Opens as soon as it is drawn. */
  startOpen?: boolean;
  onClosed?: () => void;
}

/** Above this many matches the rest is left to typing more. */
const shown = 60;

export function Picker({
  trigger,
  label,
  items,
  onPick,
  several = false,
  placeholder,
  empty,
  onSearch,
  searched = false,
  onMake,
  makeLabel,
  bare = false,
  startOpen = false,
  onClosed,
}: PickerProps) {
  const [open, setOpen] = useState(startOpen);
  const [text, setText] = useState('');
  const needle = text.trim().toLocaleLowerCase();
  const found =
    searched || needle === '' ? items : items.filter((item) => item.label.toLocaleLowerCase().includes(needle));
  const exact = items.some((item) => item.label.toLocaleLowerCase() === needle);
  const close = (): void => {
    setOpen(false);
    setText('');
    onClosed?.();
  };
  return (
    <Popover
      trigger={trigger}
      label={label}
      open={open}
      onOpenChange={(is) => {
        setOpen(is);
        setText('');
        onSearch?.('');
        if (!is) onClosed?.();
      }}
    >
      <Command shouldFilter={false} label={label} className={`${shapes.column} ${shapes.within} ${styles.picker}`} loop>
        <Command.Input
          className={styles.pickerInput}
          data-bare={bare || undefined}
          value={text}
          onValueChange={(next) => {
            setText(next);
            onSearch?.(next);
          }}
          placeholder={placeholder ?? t('common.search')}
        />
        <Command.List className={styles.pickerList} label={label}>
          {found.slice(0, shown).map((item) => (
            <Command.Item
              key={item.id}
              value={item.id}
              disabled={item.disabled ?? false}
              className={`${menuStyles.menuItem} ${styles.pickerItem}`}
              onSelect={() => {
                onPick(item.id);
                if (!several) close();
              }}
            >
              {several && (
                <span
                  className={`${shapes.ownColours} ${shapes.rigid} ${shapes.grid} ${styles.pickerBox} ${item.chosen ? styles.pickerChosen : ''}`}
                  aria-hidden="true"
                />
              )}
              {item.icon && <span className={`${menuStyles.menuIcon} ${styles.pickerIcon}`}>{item.icon}</span>}
              <span className={`${shapes.words} ${shapes.fill}`}>{item.label}</span>
              {several && item.chosen && <span className="only-spoken">{t('common.chosen')}</span>}
              {item.note && <span className={styles.pickerNote}>{item.note}</span>}
              {item.keys && <Keys keys={item.keys} hint />}
              {!several && item.chosen && (
                <span className={`${shapes.rigid} ${menuStyles.menuCheck}`} aria-hidden="true" />
              )}
            </Command.Item>
          ))}
          {onMake && needle !== '' && !exact && (
            <Command.Item
              value=" make"
              className={menuStyles.menuItem}
              onSelect={() => {
                onMake(text.trim());
                if (several) setText('');
                else close();
              }}
            >
              <span className={`${shapes.words} ${shapes.fill}`}>{makeLabel?.(text.trim()) ?? text}</span>
            </Command.Item>
          )}
          {found.length === 0 && !(onMake && needle !== '') && (
            <p className={styles.pickerEmpty}>{empty ?? t('common.nothingFound')}</p>
          )}
        </Command.List>
      </Command>
    </Popover>
  );
}
