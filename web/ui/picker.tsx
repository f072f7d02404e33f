// Choosing from a list by typing: one thing or several. Used for people, labels, columns and linked tasks.

import { Command } from 'cmdk';
import type { ReactElement, ReactNode } from 'react';
import { useState } from 'react';
import { words } from '../strings/words.ts';
import { Popover } from './popover.tsx';
import './picker.css';

export interface PickerItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Said beside the label, and why it cannot be picked when it cannot. */
  readonly note?: string;
  readonly disabled?: boolean;
  readonly chosen?: boolean;
}

export interface PickerProps {
  trigger: ReactElement;
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
  /** Opens as soon as it is drawn. */
  startOpen?: boolean;
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
  startOpen = false,
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
      }}
    >
      <Command shouldFilter={false} label={label} className="picker" loop>
        <Command.Input
          className="picker-input"
          value={text}
          onValueChange={(next) => {
            setText(next);
            onSearch?.(next);
          }}
          placeholder={placeholder ?? words.common.search}
        />
        <Command.List className="picker-list" label={label}>
          {found.slice(0, shown).map((item) => (
            <Command.Item
              key={item.id}
              value={item.id}
              disabled={item.disabled ?? false}
              className="menu-item picker-item"
              onSelect={() => {
                onPick(item.id);
                if (!several) close();
              }}
            >
              {several && <span className={`picker-box ${item.chosen ? 'picker-chosen' : ''}`} aria-hidden="true" />}
              {item.icon && <span className="menu-icon picker-icon">{item.icon}</span>}
              <span className="menu-words">{item.label}</span>
              {several && item.chosen && <span className="only-spoken">{words.common.chosen}</span>}
              {item.note && <span className="picker-note">{item.note}</span>}
              {!several && item.chosen && <span className="menu-check" aria-hidden="true" />}
            </Command.Item>
          ))}
          {onMake && needle !== '' && !exact && (
            <Command.Item
              value=" make"
              className="menu-item"
              onSelect={() => {
                onMake(text.trim());
                if (several) setText('');
                else close();
              }}
            >
              <span className="menu-words">{makeLabel?.(text.trim()) ?? text}</span>
            </Command.Item>
          )}
          {found.length === 0 && !(onMake && needle !== '') && (
            <p className="picker-empty">{empty ?? words.common.nothingFound}</p>
          )}
        </Command.List>
      </Command>
    </Popover>
  );
}
