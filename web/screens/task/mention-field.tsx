// A text field that offers names after an @, and takes files that are pasted or dropped.

import type { KeyboardEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import type { TaskRow } from '../../queries.ts';
import fieldStyles from '../../ui/field.module.css';
import menuStyles from '../../ui/menu.module.css';
import { useFileField } from './attachments/use-file-field.ts';
import styles from './comments.module.css';

interface Props {
  readonly task: TaskRow;
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly focus?: boolean;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
}

/** The name being typed before the caret: from its @ on. */
export function mentionAt(text: string, caret: number): { start: number; typed: string } | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}'.-]*(?: [\p{L}\p{N}'.-]*)?)$/u.exec(text.slice(0, caret));
  if (found === null) return null;
  const typed = found[1] ?? '';
  return { start: caret - typed.length - 1, typed };
}

export function MentionField({
  task,
  label,
  placeholder,
  value,
  names,
  focus = false,
  onChange,
  onSubmit,
  onCancel,
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useFileField({ task, field, text: value, onChange });
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

  /** To the panel around the field, where the next Escape closes it; the words stay. */
  function leave(): void {
    const around = field.current?.closest<HTMLElement>('[tabindex="-1"]');
    if (around) around.focus({ preventScroll: true });
    else field.current?.blur();
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
      else if (onCancel) onCancel();
      else leave();
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
    <div className={styles.mention}>
      <textarea
        ref={field}
        {...files}
        className={`${fieldStyles.input} ${fieldStyles.textArea}`}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={id}
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
        className={`${menuStyles.menu} ${styles.mentionOffers}`}
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
