// A field of plain Markdown that offers names after an @, and takes files that are pasted or dropped.

import type { KeyboardEvent, Ref } from 'react';
import { useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import shapes from '../../styles/shapes.module.css';
import fieldStyles from '../../ui/fields/field.module.css';
import menuStyles from '../../ui/overlays/menu.module.css';
import { useFileField } from './attachments/use-file-field.ts';
import styles from './writing-field.module.css';

export interface PlainFieldHandle {
  insertFiles(files: readonly File[]): void;
}

interface Props {
  readonly handle?: Ref<PlainFieldHandle>;
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly focus: boolean;
  readonly small: boolean;
  readonly attach: (files: readonly File[]) => readonly string[];
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onEscape: () => void;
}

/** The name being typed before the caret: from its @ on. */
function mentionAt(text: string, caret: number): { start: number; typed: string } | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}'.-]*(?: [\p{L}\p{N}'.-]*)?)$/u.exec(text.slice(0, caret));
  if (found === null) return null;
  const typed = found[1] ?? '';
  return { start: caret - typed.length - 1, typed };
}

export function PlainField({
  handle,
  label,
  placeholder,
  value,
  names,
  focus,
  small,
  attach,
  onChange,
  onSubmit,
  onEscape,
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { insert, ...files } = useFileField(field, { text: value, onChange }, attach);
  useImperativeHandle(handle, () => ({ insertFiles: insert }));
  const [caret, setCaret] = useState(0);
  const [picked, setPicked] = useState(0);
  const [hidden, setHidden] = useState(false);
  const id = useId();
  const mention = hidden ? null : mentionAt(value, caret);
  const offers = mention
    ? names.filter((name) => name.toLocaleLowerCase().startsWith(mention.typed.toLocaleLowerCase())).slice(0, 6)
    : [];
  const open = offers.length > 0 && !(offers.length === 1 && offers[0] === mention?.typed);

  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);

  function take(name: string): void {
    if (mention === null) return;
    const before = `${value.slice(0, mention.start)}@${name} `;
    onChange(before + value.slice(caret));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
      setCaret(before.length);
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      onSubmit();
      return;
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      if (open) setHidden(true);
      else onEscape();
      return;
    }
    if (!open) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setPicked((picked + (event.key === 'ArrowDown' ? 1 : offers.length - 1)) % offers.length);
    }
    if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault();
      take(offers[picked] ?? offers[0] ?? '');
    }
  }

  return (
    <div className={`${shapes.holder} ${styles.plain}`} data-small={small ? '' : undefined}>
      <textarea
        ref={field}
        {...files}
        className={`${fieldStyles.input} ${fieldStyles.textArea}`}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={open ? id : undefined}
        aria-activedescendant={open ? `${id}-${picked}` : undefined}
        placeholder={placeholder}
        rows={2}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setCaret(event.target.selectionStart);
          setPicked(0);
          setHidden(false);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => setHidden(true)}
      />
      <div
        id={id}
        role="listbox"
        aria-label={label}
        className={`${menuStyles.menu} ${styles.plainOffers}`}
        hidden={!open}
      >
        {offers.map((name, at) => (
          <div
            key={name}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === picked}
            data-selected={at === picked}
            className={menuStyles.menuItem}
            onPointerDown={(event) => {
              event.preventDefault();
              take(name);
            }}
          >
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}
